// Measures how many failing tests affected misses: changes one line of a source file at a time in a clone, and runs the tests.
//   npm run bench:audit -- <checkout> [--mutants 50] [--seed 1] [--task test] [--of sources|others] [--json]
// `--of others` changes what is no source instead, but is named in code: documents, versions, helpers and fixtures of tests.
// The checkout is a Yarn monorepo with turborepo. It is only read, but its scripts and the changed code run with all your rights. The same seed
// makes the same changes of the same commit. Exit code 1 if a failure was missed. Decision 0049 says what counts.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Dice } from '@tributary/test-repo/dice';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { AuditCopy } from './audit-copy.js';
import { drawMutant, type Mutant, namedFiles, sourceFiles } from './audit-mutants.js';

/** `all`: everything is selected, so nothing can be missed, and nothing runs. `unclear`: a test fails without the change, too. */
type Outcome = 'killed' | 'survived' | 'all' | 'unclear';

interface Judged extends Mutant {
  readonly outcome: Outcome;
  readonly failed: readonly string[];
  /** Those that failed and were not selected. */
  readonly missed: readonly string[];
}

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      mutants: { type: 'string' },
      seed: { type: 'string' },
      task: { type: 'string' },
      of: { type: 'string' },
      json: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  const [checkout] = positionals;
  if (checkout === undefined) throw new Error('Name a checkout: npm run bench:audit -- <checkout>');
  const { seed = '1', mutants = '50', task = 'test', of = 'sources' } = values;
  const work = new TempFolder();
  try {
    const env = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
    const copy = await AuditCopy.make(resolve(checkout), work.path, env);
    const judged = await audit(copy, { seed: Number(seed), mutants: Number(mutants), task, isOfSources: of === 'sources' });
    console.log(
      values.json === true ? JSON.stringify({ commit: copy.commit, seed: Number(seed), mutants: judged }, undefined, 2) : render(judged),
    );
    if (judged.some(({ missed }) => missed.length > 0)) process.exitCode = 1;
  } finally {
    work.dispose();
  }
}

interface Asked {
  readonly seed: number;
  readonly mutants: number;
  readonly task: string;
  readonly isOfSources: boolean;
}

async function audit(copy: AuditCopy, { seed, mutants, task, isOfSources }: Asked): Promise<readonly Judged[]> {
  const tested = await copy.tested(task);
  const stable = await copy.passing(
    task,
    tested.map(({ name }) => name),
  );
  console.error(`${stable.length} of ${tested.length} workspaces pass without a change.`);
  const tracked = await copy.trackedFiles();
  const folders = tested.map(({ path }) => path);
  const files = isOfSources ? sourceFiles(tracked, folders) : namedFiles(copy.folder, tracked, folders);
  const drawn = { dice: new Dice(seed), seen: new Set<string>() };
  const judged: Judged[] = [];
  while (judged.length < mutants) {
    const mutant = drawMutant(copy.folder, files, drawn);
    if (mutant === undefined) break;
    const one = { ...mutant, ...(await judge(copy, { mutant, stable, task })) };
    judged.push(one);
    console.error(`${judged.length} ${one.missed.length > 0 ? 'missed' : one.outcome} ${one.file}:${one.line} ${one.failed.join(', ')}`);
  }
  return judged;
}

interface Case {
  readonly mutant: Mutant;
  /** The workspaces whose tests pass without the change. */
  readonly stable: readonly string[];
  readonly task: string;
}

/** Runs all tests, so that one that fails and is not selected shows. */
async function judge(copy: AuditCopy, { mutant, stable, task }: Case): Promise<Pick<Judged, 'outcome' | 'failed' | 'missed'>> {
  try {
    const selected = await copy.apply(mutant);
    if (stable.every((name) => selected.has(name))) return { outcome: 'all', failed: [], missed: [] };
    const failed = await copy.failing(task, await copy.failing(task, stable));
    if (failed.length === 0) return { outcome: 'survived', failed, missed: [] };
    await copy.restore();
    const broken = await copy.failing(task, failed);
    const proven = failed.filter((name) => !broken.includes(name));
    return { outcome: proven.length > 0 ? 'killed' : 'unclear', failed: proven, missed: proven.filter((name) => !selected.has(name)) };
  } finally {
    await copy.restore();
  }
}

function render(judged: readonly Judged[]): string {
  const count = (outcome: Outcome): number => judged.filter((one) => one.outcome === outcome).length;
  const missed = judged.filter((one) => one.missed.length > 0);
  return [
    `${judged.length} mutants: ${count('killed')} killed, ${missed.length} of them missed, ${count('survived')} survived, ${count('all')} selected everything, ${count('unclear')} unclear`,
    ...missed.flatMap(({ file, line, before, after, missed: names }) => [
      `MISSED: ${file}:${line}: ${names.join(', ')}`,
      `    - ${before.trim()}`,
      `    + ${after.trim()}`,
    ]),
  ].join('\n');
}
