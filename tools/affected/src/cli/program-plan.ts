import { addExamples, readCwd } from '@tributary/terminal/global-options';
import { addLater } from '@tributary/terminal/late-details';
import type { Services } from '@tributary/terminal/main';
import { Argument, type Command, Option } from 'commander';
import type { CiEngine } from '../engines/engine.js';
import { TEST_STAGES } from '../gate/events.js';
import { addChangeOptions, readNumber, readRequest } from './change-options.js';
import { type CollectOptions, checkSize, type GateOptions, type PlanOptions, readSeconds } from './plan-options.js';
import { ENGINE_NAMES } from './program-init.js';
import { readNames } from './read-names.js';

/** The commands that turn an answer into a distributed build. `engines`: all of ours if not given, which are loaded when `emit` runs. */
export function addPlanCommands(program: Command, services: Services, engines?: readonly CiEngine[]): void {
  addPlan(program, services);
  addEmit(program, services, engines);
  addRunShard(program, services);
  addGate(program, services);
  addTimings(program, services);
}

function addPlan(program: Command, services: Services): void {
  const command = program.command('plan').summary('split the tests of a change into shards');
  addLater(command, () => {
    command.description(
      'Writes a plan that assigns the tests to shards, to minimise the time of the slowest shard. The plan is the same for every CI engine; `affected emit` turns it into what an engine takes.',
    );
    addChangeOptions(command)
      .addOption(new Option('--fallback <answer>', 'plan everything where the question would fail with exit code 1').choices(['all']))
      .option('--task <name>', 'the task of turborepo to run', 'test')
      .addOption(new Option('--target-time <time>', 'use the fewest shards that finish within this time: 10m, 90s').argParser(readSeconds))
      .addOption(new Option('--shards <number>', 'on so many machines').argParser(readNumber))
      .addOption(new Option('--max-shards <number>', 'on no more machines than this').argParser(readNumber).default(20))
      .addOption(new Option('--setup-time <time>', 'what a machine needs before it can begin').argParser(readSeconds).default(60, '60s'))
      .option('--timings <path>', 'how long tests took: a file of `affected timings collect`, or a folder of such')
      .addOption(
        new Option(
          '--dropped <names>',
          'workspaces that lose the task on purpose, separated by commas; "*" for all (default: $AFFECTED_DROPPED)',
        ).argParser(readNames),
      )
      .requiredOption('--out <file>', 'where the plan goes')
      .option('--summary <file>', 'add a summary in Markdown to a file (default: $GITHUB_STEP_SUMMARY)');
    addExamples(command, [
      { line: 'affected plan --out plan.json', purpose: 'in CI: the base, and the number of machines, are found by themselves' },
      { line: 'affected plan --target-time 10m --timings timings.json --out plan.json', purpose: 'done in ten minutes' },
    ]);
    command.action(async (options: PlanOptions) => {
      checkSize(options);
      const request = readRequest(command, options);
      const { runPlan } = await import('./plan-command.js');
      await runPlan(request, options, services);
    });
  });
}

function addEmit(program: Command, services: Services, engines: readonly CiEngine[] | undefined): void {
  const names = engines?.map(({ name }) => name) ?? ENGINE_NAMES.filter((name) => name !== 'none');
  const command = program
    .command('emit')
    .summary('print a plan as configuration of a CI engine')
    .addArgument(new Argument('<engine>', 'the engine').choices(names));
  addLater(command, () => {
    command
      .description('Writes a plan as a CI engine takes it, within the limits of that engine. Templates that use it are in the folder `ci`.')
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
  const command = program.command('run-shard').summary('run one shard of a plan').argument('<shard...>', 'its id, or several');
  addLater(command, () => {
    command
      .description(
        'Runs what a plan has for one machine through turborepo, and writes a receipt of what really ran. Ends with exit code 1 if something failed, and still writes the receipt.',
      )
      .requiredOption('--plan <file>', 'the plan')
      .option('--receipts <folder>', 'where the receipt goes', '.tributary/receipts')
      .option('--trace', 'record what each piece reads, beside the receipt; runs everything without a cache (Linux, strace)');
    addExamples(command, [{ line: 'affected run-shard 01 --plan plan.json', purpose: 'what each machine runs' }]);
    command.action(async (shards: string[], options: { plan: string; receipts: string; trace?: true }) => {
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
        'Compares the receipts with the plan. Passes only if every planned test ran, for this plan and commit, and succeeded; everything else ends with exit code 1 and a sentence each. It is the one check that a team needs to require.',
      )
      .requiredOption('--plan <file>', 'the plan')
      .option('--receipts <folder>', 'where the receipts are, also in folders below', '.tributary/receipts')
      .addOption(new Option('--attempt <number>', 'the attempt in which the plan was made').argParser(readNumber).default(1))
      .option('--summary <file>', 'add a summary in Markdown to a file (default: $GITHUB_STEP_SUMMARY)')
      .option('--junit <file>', 'write the run as JUnit XML: a suite for each planned piece, with the first tests that failed')
      .option(
        '--comment [name]',
        'write the result into one comment on the pull request, on GitHub; the name tells several apart (default: workflow and task)',
      )
      .option('--events <file>', 'add the tests of each changed package to a file of events, for `commit-to-publish ingest`')
      .addOption(new Option('--stage <stage>', 'of these events').choices(TEST_STAGES).default('post-merge-tests'))
      .option('--repo <name>', 'what the repository is called in these events (default: $GITHUB_REPOSITORY, $CI_PROJECT_PATH)');
    addExamples(command, [
      { line: 'affected gate --plan plan.json --receipts receipts', purpose: 'the last job' },
      { line: 'affected gate --plan plan.json --events events.ndjson', purpose: 'on main: when the tests of the change ran, too' },
    ]);
    command.action(async (options: GateOptions) => {
      const { runGate } = await import('./gate-command.js');
      await runGate({ cwd: readCwd(command), ...options }, services);
    });
  });
}

function addTimings(program: Command, services: Services): void {
  const timings = program.command('timings').summary('collect how long tests take');
  addLater(timings, () => {
    timings.description('Keeps how long tests took, for the next plan.');
    const command = timings
      .command('collect')
      .summary('add the times of a run to a file')
      .description(
        'Adds the times of receipts, of run summaries of turborepo, and of JUnit reports to a file. What came out of a cache is no time; parts of one run are added up; a run counts once, however often it is collected; the last ten runs are kept.',
      )
      .requiredOption('--into <file>', 'the file; made if it is not there')
      .option('--receipts <folder>', 'receipts of `affected run-shard`, also in folders below')
      .option('--plan <file>', 'the plan that the receipts are of: it says of which task')
      .option('--task <name>', 'the task that the receipts are of (default: that of the plan, else test)')
      .option('--turbo <folder>', 'run summaries of `turbo run --summarize`: .turbo/runs')
      .option(
        '--junit <path>',
        'reports in the format of JUnit, for the times of test files: a file, or a folder with .xml files, also in folders below',
      )
      .option('--observations <file>', 'add what `run-shard --trace` recorded beside the receipts to a file; made if it is not there')
      .option('--allow-missing', 'accept that a source is not there yet, or that none is named: then this only checks the file');
    addExamples(command, [
      { line: 'affected timings collect --receipts receipts --into timings.json', purpose: 'after the gate, on main' },
    ]);
    command.action(async (options: CollectOptions) => {
      const { runCollect } = await import('./plan-command.js');
      await runCollect({ cwd: readCwd(command), ...options }, services);
    });
  });
}
