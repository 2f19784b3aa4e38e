// Measures the whole command beside `node -e 0` and the tools that answer the same question, on generated monorepos.
//   npm run bench:affected [-- [--sizes 100,1000,5000] [--rounds 15] [--no-peers]]
//   npm run bench:affected -- --growth: how processor time grows from 1,000 to 20,000 workspaces
// The peers are installed from npm at run time; those that cannot be installed are reported and
// left out. AFFECTED_CLI=<file> measures another start file than the built one.
import { mkdirSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { Result } from './affected-group.js';
import { measureGrowth } from './affected-growth.js';
import { type Bench, measureChanges, measurePeers } from './affected-measurements.js';
import { benchEnvironment } from './affected-process.js';
import { HELP, MANIFEST, Ours, TEMPLATE, WRONG } from './affected-rows.js';
import { type Bar, formatBars, formatSection, type Section } from './affected-table.js';
import { TemplateStart } from './affected-template.js';
import { type LargeMonorepo, makeLargeMonorepo } from './large-monorepo.js';
import { installPeers, PEERS, TURBO_RAW } from './peers.js';

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const options = {
    sizes: { type: 'string' },
    rounds: { type: 'string' },
    'no-peers': { type: 'boolean' },
    growth: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  const work = new TempFolder();
  try {
    const peers = values['no-peers'] === true || values.growth === true ? [] : PEERS;
    const bench = await prepare(work, { rounds: Number(values.rounds ?? 15), peers });
    if (values.growth === true) return console.log(formatBars(await measureGrowth(bench.ours, bench.env)));
    console.log(`whole processes, medians of ${bench.rounds} rounds in turn (slow peers: fewer); peak: the largest process of each\n`);
    console.log(formatBars(await runSizes((values.sizes ?? '100,1000,5000').split(',').map(Number), bench)));
  } finally {
    work.dispose();
  }
}

async function prepare(work: TempFolder, how: Pick<Bench, 'rounds' | 'peers'>): Promise<Bench> {
  const home = work.join('home');
  mkdirSync(home);
  const installed = await installPeers(
    how.peers.flatMap(({ install }) => install ?? []),
    work.path,
  );
  const env = benchEnvironment(home);
  return { ...how, installed, env, ours: new Ours(work.path), template: await TemplateStart.prepare(work.path, env) };
}

async function runSizes(sizes: readonly number[], bench: Bench): Promise<Bar[]> {
  const bars: Bar[] = [];
  for (const workspaces of sizes) {
    bars.push(...(await runSize(workspaces, bench)));
    if (workspaces === 1000) await runLock(workspaces, bench);
  }
  return bars;
}

async function runSize(workspaces: number, bench: Bench): Promise<Bar[]> {
  const made = makeLargeMonorepo({ workspaces, externals: workspaces === 100 ? 200 : 300, seed: 1 });
  try {
    const place = { cwd: made.repo.path, base: 'main' };
    const peers = await measurePeers(bench, place);
    const changes = await measureChanges(bench, made);
    const title = `${workspaces} workspaces, ${describe(made)}`;
    return barsFor(
      workspaces,
      show({ title, results: [...peers.results, ...changes.results], leftOut: [...peers.leftOut, ...changes.leftOut] }),
    );
  } finally {
    made.repo.dispose();
  }
}

/** More third-party packages give a lockfile of more than 1 MB. */
async function runLock(workspaces: number, bench: Bench): Promise<void> {
  const made = makeLargeMonorepo({ workspaces, externals: 1400, seed: 1 });
  try {
    const measured = await measureChanges(bench, made);
    show({ title: `A larger lockfile: ${workspaces} workspaces, ${describe(made)}`, ...measured });
  } finally {
    made.repo.dispose();
  }
}

function describe({ lockfileBytes, changes }: LargeMonorepo): string {
  const [oneFile, wide, lock] = changes.map(({ affected }) => affected);
  const reach = `one file ${oneFile}, a file in each 20th ${wide}, one lock entry ${lock}`;
  return `yarn.lock ${(lockfileBytes / 1e6).toFixed(2)} MB\n  what each change can affect: ${reach}`;
}

function show(section: Section): Section {
  console.log(formatSection(section));
  const [load = 0] = loadavg();
  // On a busy machine, commands that start several processes wait the longest.
  if (load > 1 + availableParallelism()) console.log(`  the machine is busy (load ${load.toFixed(1)}): do not trust these figures`);
  console.log();
  return section;
}

/** Returns the tool's promises for a monorepo of this size; empty for other sizes. */
function barsFor(workspaces: number, { results }: Section): Bar[] {
  const find = (name: string): Result | undefined => results.find((result) => result.name === name);
  const over = (name: string): string => `${workspaces}: ${name}, over ours`;
  if (workspaces === 1000) {
    return [
      { subject: `${workspaces}: --help, over node -e 0`, value: find(HELP)?.overNode, atMost: 1.6 },
      { subject: `${workspaces}: a wrong flag, over node -e 0`, value: find(WRONG)?.overNode, atMost: 1.6 },
      { subject: over(TEMPLATE), value: find(TEMPLATE)?.overOurs, atMost: 1.3 },
      { subject: over(TURBO_RAW), value: find(TURBO_RAW)?.overOurs, atLeast: 0.77 },
    ];
  }
  if (workspaces < 5000) return [];
  return [
    { subject: `${workspaces}: one manifest, over one file`, value: find(MANIFEST)?.overOurs, atMost: 3 },
    { subject: over(TURBO_RAW), value: find(TURBO_RAW)?.overOurs, atLeast: 1 },
  ];
}
