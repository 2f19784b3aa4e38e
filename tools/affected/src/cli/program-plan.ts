import { ToolError } from '@tributary/model/errors';
import { addExamples, readCwd } from '@tributary/terminal/global-options';
import { takesBack } from '@tributary/terminal/interruption';
import { addLater } from '@tributary/terminal/late-details';
import type { Services } from '@tributary/terminal/main';
import { Argument, type Command, Option } from 'commander';
import type { CiEngine } from '../engines/engine.js';
import { TEST_STAGES } from '../gate/events.js';
import { addChangeOptions, readNumber, readRequest } from './change-options.js';
import {
  type CollectOptions,
  checkSize,
  DEFAULT_TASKS,
  type GateOptions,
  type PlanOptions,
  readSeconds,
  readTasks,
} from './plan-options.js';
import { ENGINE_NAMES } from './program-init.js';
import { readNames } from './read-names.js';

/** The commands that turn an answer into a distributed build. `engines`: all of ours if not given, which are loaded when `emit` runs. */
export function addPlanCommands(program: Command, services: Services, engines?: readonly CiEngine[]): void {
  addPlan(program, services);
  addEmit(program, services, engines);
  addRunShard(program, services);
  addGate(program, services);
  addReport(program, services);
  addTimings(program, services);
}

function addPlan(program: Command, services: Services): void {
  const command = program.command('plan').summary('split the tests of a change into shards');
  addLater(command, () => {
    command.description(
      'Writes a plan that assigns the tests to shards, to minimise the time of the slowest shard. The plan is the same for every CI engine; `affected emit` turns it into the format of an engine.',
    );
    addChangeOptions(command)
      .addOption(new Option('--fallback <answer>', 'on failure, plan all workspaces instead of exiting with 1').choices(['all']))
      .addOption(
        new Option('--task <names>', 'turborepo tasks to run, separated by commas').argParser(readTasks).default(DEFAULT_TASKS, 'test'),
      )
      .option('--report-only', 'plan all workspaces, and say which of them a selection would leave out')
      .addOption(new Option('--target-time <time>', 'use the fewest shards that finish within this time: 10m, 90s').argParser(readSeconds))
      .addOption(new Option('--shards <number>', 'number of shards').argParser(readNumber))
      .addOption(new Option('--max-shards <number>', 'highest number of shards').argParser(readNumber).default(20))
      .addOption(
        new Option('--setup-time <time>', 'set-up time of a machine before its tests begin').argParser(readSeconds).default(60, '60s'),
      )
      .option('--timings <path>', 'recorded test times: a file of `affected timings collect`, or a folder of such files')
      .addOption(
        new Option(
          '--dropped <names>',
          'workspaces that lose the task on purpose, separated by commas; "*" for all; of several tasks, those that are no tests need "ui#lint" (default: $AFFECTED_DROPPED)',
        ).argParser(readNames),
      )
      .requiredOption('--out <file>', 'output file')
      .option('--shard <id>', 'also list the workspaces of one shard')
      .option('--summary <file>', 'append a Markdown summary to a file (default: $GITHUB_STEP_SUMMARY)');
    addExamples(command, [
      { line: 'affected plan --out plan.json', purpose: 'in CI: detects the base and the number of machines' },
      { line: 'affected plan --target-time 10m --timings timings.json --out plan.json', purpose: 'done in ten minutes' },
      { line: 'affected plan --task test,lint,build --out plan.json', purpose: 'several tasks, each by its own rules' },
    ]);
    command.action(async (options: PlanOptions) => {
      checkSize(options);
      const { task, ...change } = options;
      const request = readRequest(command, change);
      const { runPlan } = await import('./plan-command.js');
      await runPlan(request, options, services);
    });
  });
}

function addEmit(program: Command, services: Services, engines: readonly CiEngine[] | undefined): void {
  const names = engines?.map(({ name }) => name) ?? ENGINE_NAMES;
  const command = program
    .command('emit')
    .summary('print a plan as configuration of a CI engine')
    .addArgument(new Argument('<engine>', 'the engine').choices(names));
  addLater(command, () => {
    command
      .description('Writes a plan in the format of a CI engine, within its limits. Templates that use it are in the folder `ci`.')
      .requiredOption('--plan <file>', 'the plan');
    addExamples(command, [{ line: 'affected emit github --plan plan.json >> "$GITHUB_OUTPUT"', purpose: 'the matrix of a workflow' }]);
    command.action(async (name: string, options: { plan: string }) => {
      const { engineNamed } = await import('../engines/detect.js');
      const { runEmit } = await import('./plan-command.js');
      await runEmit(engineNamed(name, engines), { cwd: readCwd(command), ...options }, services);
    });
  });
}

function addRunShard(program: Command, services: Services): void {
  const command = takesBack(program.command('run-shard')).summary('run one shard of a plan').argument('[shard...]', 'its id, or several');
  addLater(command, () => {
    command
      .description(
        'Runs one shard of a plan through turborepo, and writes a receipt of what ran. If something failed, exits with 1 but still writes the receipt.',
      )
      .requiredOption('--plan <file>', 'the plan')
      .option('--all', 'run every shard of the plan; none if it is empty')
      .option('--receipts <folder>', 'folder for the receipt', '.tributary/receipts');
    addExamples(command, [{ line: 'affected run-shard 01 --plan plan.json', purpose: 'on each machine' }]);
    command.action(async (shards: string[], options: { plan: string; receipts: string; all?: true }) => {
      if (shards.length === 0 && options.all === undefined) command.error("error: missing argument 'shard', or --all");
      if (shards.length > 0 && options.all !== undefined)
        throw new ToolError({ code: 'USAGE', message: '--all is for every shard.', hint: 'Name the shards, or give --all.' });
      const { runShard } = await import('./run-shard-command.js');
      await runShard(shards, { cwd: readCwd(command), ...options }, services);
    });
  });
}

function addGate(program: Command, services: Services): void {
  const command = program.command('gate').summary('verify that every planned test ran and passed');
  addLater(command, () => {
    command
      .description(
        'Compares the receipts with the plan. Passes only if every planned test ran and succeeded, for this plan and commit. Otherwise exits with 1 and explains each problem.',
      )
      .requiredOption('--plan <file>', 'the plan')
      .option('--receipts <folder>', 'folder with the receipts; subfolders are included', '.tributary/receipts')
      .option('--commit <id>', 'commit that must have been tested, as a full id (default: the one that is checked out)')
      .addOption(new Option('--attempt <number>', 'attempt in which the plan was made').argParser(readNumber).default(1))
      .option('--summary <file>', 'append a Markdown summary to a file (default: $GITHUB_STEP_SUMMARY)')
      .option('--junit <file>', 'write the run as JUnit XML: a suite for each planned piece, with its first failed tests')
      .option(
        '--comment [name]',
        'write the result into one comment on the pull request (GitHub); the name distinguishes several (default: workflow and tasks)',
      )
      .option('--events <file>', 'add the tests of each changed package to a file of events, for `commit-to-publish ingest`')
      .addOption(new Option('--stage <stage>', 'of these events').choices(TEST_STAGES).default('post-merge-tests'))
      .option('--repo <name>', 'name of the repository in these events (default: $GITHUB_REPOSITORY, $CI_PROJECT_PATH)');
    addExamples(command, [
      { line: 'affected gate --plan plan.json --receipts receipts', purpose: 'the last job' },
      { line: 'affected gate --plan plan.json --events events.ndjson', purpose: 'on main: also record when the tests of the change ran' },
    ]);
    command.action(async (options: GateOptions) => {
      const { runGate } = await import('./gate-command.js');
      await runGate({ cwd: readCwd(command), ...options }, services);
    });
  });
}

function addReport(program: Command, services: Services): void {
  const command = program.command('report').summary('add up runs that only report');
  addLater(command, () => {
    command
      .description(
        'Adds up runs of plans made with `--report-only`: how much a selection would have left out, and which failures lay outside of it. Each run has a folder with its plan and receipts.',
      )
      .requiredOption('--runs <folder>', 'folder with the artifacts of the runs');
    addExamples(command, [
      { line: 'gh run download 123 --dir runs/123', purpose: 'fetch the artifacts of one run on GitHub' },
      { line: 'affected report --runs runs', purpose: 'what a selection would have missed' },
    ]);
    command.action(async ({ runs }: { runs: string }) => {
      const { runReport } = await import('./gate-command.js');
      await runReport({ cwd: readCwd(command), runs }, services);
    });
  });
}

function addTimings(program: Command, services: Services): void {
  const timings = program.command('timings').summary('collect how long tests take');
  addLater(timings, () => {
    timings.description('Collects test times for the next plan.');
    const command = timings
      .command('collect')
      .summary('add the times of a run to a file')
      .description(
        'Adds the times of receipts to a file. Ignores cached results, adds up the parts of one run, counts each run once, and keeps the last ten runs.',
      )
      .requiredOption('--into <file>', 'the file; created if missing')
      .option('--receipts <folder>', 'folder with receipts of `affected run-shard`; subfolders are included')
      .option('--plan <file>', 'plan of the receipts, which names the task')
      .option('--task <name>', 'task of the receipts (default: that of the plan, else test)')
      .option('--allow-missing', 'allow a missing folder, or none: then only the file is checked');
    addExamples(command, [
      { line: 'affected timings collect --receipts receipts --into timings.json', purpose: 'after the gate, on main' },
    ]);
    command.action(async (options: CollectOptions) => {
      const { runCollect } = await import('./plan-command.js');
      runCollect({ cwd: readCwd(command), ...options }, services);
    });
  });
}
