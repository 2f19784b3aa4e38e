import { resolve } from 'node:path';
import { parseAbsolutePath } from '@tributary/model/paths';
import { addExamples, addGlobalOptions, readCwd, readFormat } from '@tributary/terminal/global-options';
import { takesBack } from '@tributary/terminal/interruption';
import type { Services } from '@tributary/terminal/main';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type FailRule, parseFailRule } from '../report/fail-rule.js';
import type { GroupBy } from '../report/question.js';
import { type RowOrder, SCREEN } from '../report/top-rows.js';
import { VERSION } from '../version.js';
import type { ReportFormat } from './commands.js';
import { MONOREPO, type MonorepoOptions, readMonorepo } from './monorepo.js';
import { addList, readWeeks } from './options.js';
import { addCollect } from './program-collect.js';
import { addCompare } from './program-compare.js';
import { addPredict } from './program-predict.js';
import { addSql } from './program-sql.js';
import {
  addLeadOptions,
  addReportOptions,
  addShownOptions,
  type LeadOptions,
  type ReportOptions,
  readCount,
  readLead,
  readReportRequest,
  type ShownOptions,
} from './report-options.js';
import { RECORD, type RecordOptions, readSettings } from './settings.js';

/** Returns the command line of commit-to-publish. Commands are loaded when they run, so `--help` loads none. */
export function buildProgram(services: Services): Command {
  const program = new Command('commit-to-publish')
    .usage('<command> [options]')
    .description(
      'Measures how long a merged change takes to reach a published package or the deploy pipeline: P50 and P90 in total, and for each stage.\n\n' +
        'Events are kept in a folder, the record. Every figure is computed from it and shows its number of changes.',
    )
    .version(VERSION, '-V, --version', 'print the version');
  addGlobalOptions(program);
  addExamples(program, [
    { line: 'commit-to-publish collect --repo ../ui', purpose: 'record changes and releases of a clone' },
    { line: 'commit-to-publish ingest events.ndjson', purpose: 'ingest events from CI' },
    { line: 'commit-to-publish report --channels latest', purpose: 'P50 and P90 of each package, over six weeks' },
    { line: "commit-to-publish explain '#12' --channels latest", purpose: 'one change, stage by stage' },
  ]);
  addCollect(program, services);
  addIngest(program, services);
  addReport(program, services);
  addCompare(program, services);
  addPredict(program, services);
  addExplain(program, services);
  addCompact(program, services);
  addCheck(program, services);
  addSql(program, services);
  return program;
}

interface DryRun {
  readonly dryRun?: boolean;
}

function doingOf({ dryRun }: DryRun): 'record' | 'look' {
  return dryRun === true ? 'look' : 'record';
}

function addIngest(program: Command, services: Services): void {
  const command = takesBack(program.command('ingest'))
    .summary('record events from any CI')
    .description(
      'Records events from NDJSON, one JSON document per line. Reports each invalid line with its number and skips it. Keeps an event that is sent twice only once.',
    )
    .argument('<file>', 'a file, or - for stdin')
    .option('--dry-run', 'print which lines are invalid; record nothing')
    .option(...RECORD);
  addExamples(command, [{ line: 'commit-to-publish ingest - < events.ndjson', purpose: 'from a pipe' }]);
  command.action(async (file: string, options: RecordOptions & DryRun) => {
    const { runIngest } = await import('./commands.js');
    const source = file === '-' ? 'standard input' : parseAbsolutePath(resolve(readCwd(command), file));
    const { record } = await readSettings(command, options);
    await runIngest({ source, record, doing: doingOf(options) }, services);
  });
}

interface ReportCommandOptions extends ReportOptions, ShownOptions, RecordOptions, MonorepoOptions {
  readonly order: RowOrder;
  readonly by: GroupBy;
  readonly format: ReportFormat;
  readonly failIf: readonly FailRule[];
}

function addRule(text: string, before: readonly FailRule[]): readonly FailRule[] {
  const rule = parseFailRule(text);
  if (rule === undefined) throw new InvalidArgumentError('Give a figure and a limit, such as p90>5d or p90>+20%.');
  return [...before, rule];
}

function addReport(program: Command, services: Services): void {
  const command = program
    .command('report')
    .summary('report lead times')
    .description(
      'Reports how long changes took, for each package, team, repository or stage: P50 and P90 over the last weeks. Each figure has the number of changes, the share that has arrived, and its interval.',
    )
    .option(...RECORD)
    .addOption(new Option('--by <group>', 'what each row stands for').choices(['package', 'team', 'repo', 'stage']).default('package'))
    .addOption(
      new Option('--format <format>', 'output format').choices(['text', 'markdown', 'html', 'json', 'openmetrics']).default('text'),
    )
    .option(
      '--fail-if <rule>',
      'exit with 3 if the 95 % interval of a row exceeds a limit, such as p90>5d, or p90>+20% (compared with as many weeks before); repeatable',
      addRule,
      [],
    )
    .option('--window <weeks>', 'weeks in each figure (default: 6w; with --since, all weeks since then)', readWeeks)
    .option(...MONOREPO);
  addShownOptions(addReportOptions(command)).addOption(
    new Option('--order <figure>', 'figure that sorts the rows, largest first').choices(['p90', 'n', 'waiting']).default('p90'),
  );
  addExamples(command, [
    { line: 'commit-to-publish report --channels latest --by stage', purpose: 'where the time goes' },
    { line: 'commit-to-publish report --channels latest --since 2026-01-05', purpose: 'the weeks since that day' },
    {
      line: 'commit-to-publish report --channels latest --format markdown >> "$GITHUB_STEP_SUMMARY"',
      purpose: 'the summary of a job, or a comment',
    },
    { line: 'commit-to-publish report --channels latest --format html > report.html', purpose: 'one page with charts, to forward' },
    { line: "commit-to-publish report --channels latest --by repo --fail-if 'p90>+20%'", purpose: 'a gate against slower releases' },
  ]);
  command.action(async (options: ReportCommandOptions) => {
    const { runReport } = await import('./commands.js');
    const { config, record } = await readSettings(command, options);
    const request = readReportRequest(options, { now: services.clock(), config });
    const format = readFormat(command, options.format);
    const question = { ...request, by: options.by };
    const { moved } = config;
    const rules = options.failIf;
    const shown = { only: { packages: options.package, repos: options.repo }, top: options.top, order: options.order };
    await runReport({ question, shown, format, record, monorepo: readMonorepo(command, options), moved, rules }, services);
  });
}

function addExplain(program: Command, services: Services): void {
  const command = program
    .command('explain')
    .summary('show one change, stage by stage')
    .description('Shows every stage of a change, for each of its packages, with the source of each time.')
    .argument('<change>', 'number of a pull request such as #12, or the full or short id of its commit on the main line')
    .option(...RECORD)
    .option('--repo <name>', 'repository, if several have such a change')
    .option('--package <name>', 'only this package; repeatable', addList, [])
    .option('--top <count>', `packages to show (default: ${SCREEN})`, readCount);
  addLeadOptions(command);
  command.action(async (change: string, options: LeadOptions & RecordOptions & Omit<ShownOptions, 'repo'> & { repo?: string }) => {
    const { runExplain } = await import('./commands.js');
    const { config, record } = await readSettings(command, options);
    const lead = readLead(options, config);
    const { repo, package: packages, top = SCREEN } = options;
    await runExplain({ change, repo, packages, top, lead }, record, services);
  });
}

function addCompact(program: Command, services: Services): void {
  const command = takesBack(program.command('compact'))
    .summary('compact the journal of a record into Parquet')
    .description('Moves events that were recorded since the last run into one Parquet file. Reports stay the same, but are faster.')
    .option('--dry-run', 'print what would be compacted; write nothing')
    .option(...RECORD);
  command.action(async (options: RecordOptions & DryRun) => {
    const { runCompact } = await import('./commands.js');
    const { record } = await readSettings(command, options);
    await runCompact(record, doingOf(options), services);
  });
}

/** Adds `check`. Its code is loaded when it runs. */
function addCheck(program: Command, services: Services): void {
  const command = program
    .command('check')
    .summary('show what is needed, and what is missing')
    .description(
      'Shows what this command needs (git, Node, DuckDB, a clone with full history, a token), what is missing, and how to get it. Changes nothing. Exit code 1 if something is missing.',
    );
  addExamples(command, [{ line: 'commit-to-publish check --cwd ../ui', purpose: 'before you collect from a clone' }]);
  command.action(async () => {
    const { checkSetup } = await import('./check.js');
    const { showSetup } = await import('@tributary/terminal/setup-check');
    showSetup(await checkSetup(readCwd(command), services), services.ui);
  });
}
