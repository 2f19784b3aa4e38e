// Measures the alignment of a package: the whole process beside the one that imports only the history, and beside `node -e 0`.
//   npm run bench:align [-- [--rounds 7]]
//   npm run bench:align -- --family <folder with bare repositories> --into <monorepo> [--compare] [--tests] [--internal all] [--keep <new
// folder>]
// The second command migrates all of them in one run with installation, by the Yarn of the monorepo, for which YARN_NPM_REGISTRY_SERVER and
// similar variables apply. Run it twice for a warm cache. With --tests, migrate-repo compares the tests of each before and after: this
// executes code of the repositories. With --compare, each history is compared with that of git-filter-repo (GIT_FILTER_REPO, or on PATH),
// and each package.json in npm's archive with that of the source. Inputs are only read. Outputs are removed, or stay in the folder of
// --keep with the logs of all tests and the answer of migrate-repo. The first command leaves its scene in the temporary folder for the next
// run.
import { mkdirSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { MigrateResult } from '@tributary/migrate-repo/result/result';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { benchEnvironment, runCommand } from './affected-process.js';
import { type Bar, formatBars } from './affected-table.js';
import { type Family, migrateFamily } from './align-family.js';
import { familyTable, formatFamily } from './align-family-table.js';
import { ALIGNED, contestants, HISTORY, IDENTITY, migration } from './align-migration.js';
import { type AlignScene, cloneMonorepo, prepareScene, SCENE } from './align-scene.js';
import { formatMeasured, type Measured, measureInTurn } from './measure.js';

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const options = {
    rounds: text,
    family: text,
    into: text,
    keep: text,
    internal: text,
    tests: { type: 'boolean' },
    compare: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  const { family, into, tests } = values;
  if ((family === undefined) !== (into === undefined)) throw new Error('--family and --into go together');
  const work = new TempFolder();
  try {
    const bars =
      family !== undefined && into !== undefined
        ? await runFamily({
            repositories: family,
            monorepo: into,
            compare: values.compare === true ? 'others' : 'nobody',
            tests: tests === true ? 'run' : 'leave',
            work: values.keep === undefined ? work.path : resolve(values.keep),
            options: values.internal === undefined ? [] : ['--internal', values.internal],
          })
        : [await runOne(Number(values.rounds ?? 7), work)];
    const [load = 0] = loadavg();
    if (load > 1 + availableParallelism()) console.log(`the machine is busy (load ${load.toFixed(1)}): do not trust these times`);
    console.log(`\n${formatBars(bars)}`);
  } finally {
    work.dispose();
  }
}

async function runFamily(family: Family): Promise<Bar[]> {
  const { seconds, tests } = await migrateFamily(family);
  const time = { subject: 'the whole family, with installation, s', value: seconds, atMost: 180 };
  if (family.tests === 'leave') return [time];
  const failing = (tests?.packages ?? []).filter(({ outcome }) => outcome === 'newly failing');
  return [time, { subject: 'packages whose tests passed and do no more', value: failing.length, atMost: 0 }];
}

async function runOne(rounds: number, work: TempFolder): Promise<Bar> {
  const scene = prepareScene(SCENE);
  const [home, place] = [work.join('home'), work.join('monorepo')];
  mkdirSync(home);
  const env = { ...benchEnvironment(home), ...IDENTITY };
  console.log(describe(scene));
  await showAnswer(scene, place, env);
  const measured = await measureInTurn(contestants(scene, place, env), rounds);
  console.log(`\nwhole processes, medians of ${rounds} rounds, in turn\n${formatMeasured(measured)}`);
  const history = medianOf(measured, HISTORY);
  const aligned = medianOf(measured, ALIGNED);
  console.log(`the alignment is ${(aligned - history).toFixed(0)} ms of it, ${((1 - history / aligned) * 100).toFixed(0)} %`);
  return { subject: 'whole process with alignment, s', value: aligned / 1000, atMost: 2 };
}

function describe({ importedPackage, lockfileLines }: AlignScene): string {
  const requests = importedPackage.internal.length + importedPackage.locked.flatMap(({ ranges }) => ranges).length;
  return `200 workspaces, a yarn.lock of ${lockfileLines} lines; ${importedPackage.name} with a yarn.lock of ${requests} requests\n`;
}

/** Prints the answer: an alignment that finds nothing to do would be fast. */
async function showAnswer(scene: AlignScene, place: string, env: Parameters<typeof runCommand>[1]): Promise<void> {
  cloneMonorepo(scene, place);
  const answer = JSON.parse(await runCommand(migration(scene, place, ['--no-install', '--json']), env)) as MigrateResult;
  console.log(formatFamily(familyTable(answer)));
}

function medianOf(measured: readonly Measured[], name: string): number {
  return measured.find((one) => one.name === name)?.median ?? Number.NaN;
}
