import { addExamples, readCwd } from '@tributary/terminal/global-options';
import type { Services } from '@tributary/terminal/main';
import { type Command, Option } from 'commander';
import type { AuditOptions } from './audit-command.js';
import { readNumber } from './change-options.js';
import type { ShadowOptions } from './shadow-command.js';

/** The commands that hold answers against tests that fail. */
export function addProofs(program: Command, services: Services): void {
  addShadow(program, services);
  addAudit(program, services);
}

function addShadow(program: Command, services: Services): void {
  const command = program
    .command('shadow')
    .summary('compare a full run with what would have been selected')
    .description(
      'In a scheduled run of all tests: finds out what each change since the last such run would have selected, compares it with what failed, and adds a line to a ledger. States how many failures the answers missed, with the upper 95 % bound, and whether "observed": "narrow" may be used. Failures count if they were repeated: receipts of both runs lie in the folder. Without --plan it only judges the ledger. Ends with exit code 1 if a failure was not selected.',
    )
    .requiredOption('--ledger <file>', 'the ledger; made if it is not there')
    .option('--plan <file>', 'the plan of the full run')
    .option('--receipts <folder>', 'its receipts, and those of its repetition, also in folders below', '.tributary/receipts')
    .option('--observations <file>', 'judge the changes with what traced runs read up to the last run, as "narrow" would')
    .option('--dry-run', 'do not write the ledger');
  addExamples(command, [
    { line: 'affected shadow --plan plan.json --receipts receipts --ledger ledger.ndjson', purpose: 'after all shards of a scheduled run' },
    { line: 'affected shadow --ledger ledger.ndjson', purpose: 'what the ledger proves so far' },
  ]);
  command.action(async (options: ShadowOptions) => {
    const { runShadow } = await import('./plan-command.js');
    await runShadow({ cwd: readCwd(command), ...options }, services);
  });
}

function addAudit(program: Command, services: Services): void {
  const command = program
    .command('audit')
    .summary('change lines in a copy and see whether every failing test is selected')
    .description(
      'Clones a commit into a temporary folder, installs it, and runs the scripts of the project there. They run as you, with your home folder, your network and your variables: use a container where a changed line may harm, such as one that guards a deployment. Changes one thing at a time: a line of a source, of a fixture or of a file of the root, or the version of a package. Every workspace runs its tests with each change. If changes do not select it, it meets many of them at once, and fewer at a time if its tests fail. Names the tests that fail and would not have been selected. Takes long: begin with few changes. Ends with exit code 1 if there is one, or if no change could be judged.',
    )
    .addOption(new Option('--mutants <number>', 'how many changes').argParser(readNumber).default(50))
    .addOption(new Option('--seed <number>', 'the same seed makes the same changes').argParser(readNumber).default(1))
    .option('--task <name>', 'turborepo task to run', 'test')
    .option('--head <ref>', 'the commit to copy', 'HEAD')
    .option('--setup <command>', 'what installs the copy, for a shell', 'yarn install --immutable')
    .option('--observations <file>', 'select with what traced runs read, as "narrow" does');
  addExamples(command, [
    { line: 'affected audit --mutants 50', purpose: 'how many failures an answer would miss' },
    { line: 'affected audit --mutants 700 --observations observations.json', purpose: 'the same before "observed": "narrow" is used' },
  ]);
  command.action(async (options: AuditOptions) => {
    const { runAudit } = await import('./plan-command.js');
    await runAudit({ cwd: readCwd(command), ...options }, services);
  });
}
