import { resolve } from 'node:path';
import { parseAbsolutePath } from '@tributary/model/paths';
import { addCompletionCommand } from '@tributary/terminal/completion';
import { addExamples, addGlobalOptions, readCwd, readFormat } from '@tributary/terminal/global-options';
import type { Services } from '@tributary/terminal/main';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type FailRule, parseFailRule } from '../report/fail-rule.js';
import type { GroupBy } from '../report/question.js';
import { VERSION } from '../version.js';
import type { ReportFormat } from './commands.js';
import { MONOREPO, type MonorepoOptions, readMonorepo } from './monorepo.js';
import { readWeeks } from './options.js';
import { addCheck } from './program-check.js';
import { addCollect } from './program-collect.js';
import { addCompare } from './program-compare.js';
import { addPredict } from './program-predict.js';
import { addSql } from './program-sql.js';
import { addLeadOptions, addReportOptions, type LeadOptions, type ReportOptions, readLead, readReportRequest } from './report-options.js';
import { RECORD, type RecordOptions, readSettings } from './settings.js';

/** The command line of commit-to-publish. Commands are loaded when they run: `--help` needs none of them. */
export function buildProgram(services: Services): Command {
  const program = new Command('commit-to-publish')
    .usage('<command> [options]')
    .description(
      'Measures how long a merged change takes to reach a published package or the deploy pipeline: P50 and P90 of the whole way, and every stage of it.\n\n' +
        'Events are kept in a folder, the record; every figure is computed from it and says on how many changes it stands.',
    )
    .version(VERSION, '-V, --version', 'print the version');
  addGlobalOptions(program);
  addExamples(program, [
    { line: 'commit-to-publish collect --repo ../ui', purpose: 'record what a clone says' },
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
  addCompletionCommand(program, services.ui);
  return program;
}

interface DryRun {
  readonly dryRun?: boolean;
}

function doingOf({ dryRun }: DryRun): 'record' | 'look' {
  return dryRun === true ? 'look' : 'record';
}

function addIngest(program: Command, services: Services): void {
  const command = program
    .command('ingest')
    .summary('record events from any CI')
    .description(
      'Reads events as NDJSON, one JSON document on each line, and keeps them. A line that is no event is named with its number and left out; the rest is kept. The same event sent twice is kept once.',
    )
    .argument('<file>', 'a file, or - for standard input')
    .option('--dry-run', 'only say which lines are no events, and record nothing')
    .option(...RECORD);
  addExamples(command, [{ line: 'commit-to-publish ingest - < events.ndjson', purpose: 'from a pipe' }]);
  command.action(async (file: string, options: RecordOptions & DryRun) => {
    const { runIngest } = await import('./commands.js');
    const source = file === '-' ? 'standard input' : parseAbsolutePath(resolve(readCwd(command), file));
    const { record } = await readSettings(command, options);
    await runIngest({ source, record, doing: doingOf(options) }, services);
  });
}

interface ReportCommandOptions extends ReportOptions, RecordOptions, MonorepoOptions {
  readonly by: GroupBy;
  readonly format: ReportFormat;
  readonly failIf: readonly FailRule[];
}

function addRule(text: string, before: readonly FailRule[]): readonly FailRule[] {
  const rule = parseFailRule(text);
  if (rule === undefined) throw new InvalidArgumentError('It is a figure and a bar, such as p90>5d or p90>+20%.');
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
    .addOption(new Option('--by <group>', 'what a row is').choices(['package', 'team', 'repo', 'stage']).default('package'))
    .addOption(
      new Option('--format <format>', 'how it is written').choices(['text', 'markdown', 'html', 'json', 'openmetrics']).default('text'),
    )
    .option(
      '--fail-if <rule>',
      'end with exit code 3 where a row exceeds it, such as p90>5d, or p90>+20% over as many weeks before; only where its 95 % interval does; may be given several times',
      addRule,
      [],
    )
    .option('--window <weeks>', 'weeks that a figure takes together (default: 6w; with --since, all weeks since then)', readWeeks)
    .option(...MONOREPO);
  addReportOptions(command);
  addExamples(command, [
    { line: 'commit-to-publish report --channels latest --by stage', purpose: 'where the time goes' },
    { line: 'commit-to-publish report --channels latest --since 2026-01-05', purpose: 'the weeks since then' },
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
    await runReport({ question, format, record, monorepo: readMonorepo(command, options), moved, rules }, services);
  });
}

function addExplain(program: Command, services: Services): void {
  const command = program
    .command('explain')
    .summary('show one change, stage by stage')
    .description('Shows every stage of a change, for each package it is in, with where each time comes from.')
    .argument('<change>', '#12 of a pull request, or the id of its commit on the main line, whole or its beginning')
    .option(...RECORD)
    .option('--repo <name>', 'the repository, where several have such a change');
  addLeadOptions(command);
  command.action(async (change: string, options: LeadOptions & RecordOptions & { repo?: string }) => {
    const { runExplain } = await import('./commands.js');
    const { config, record } = await readSettings(command, options);
    const lead = readLead(options, config);
    await runExplain({ change, repo: options.repo, lead }, record, services);
  });
}

function addCompact(program: Command, services: Services): void {
  const command = program
    .command('compact')
    .summary('compact the journal of a record into Parquet')
    .description(
      'Brings what was recorded since the last time into files of Parquet, one for each week. Reports are the same before and after, and faster.',
    )
    .option('--dry-run', 'only say what would be brought there')
    .option(...RECORD);
  command.action(async (options: RecordOptions & DryRun) => {
    const { runCompact } = await import('./commands.js');
    const { record } = await readSettings(command, options);
    await runCompact(record, doingOf(options), services);
  });
}
