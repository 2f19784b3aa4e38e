// Measures commit-to-publish for many events, as whole processes: reports before and after a compaction.
//   npm run bench:publish [-- [--rounds 3] [--events 75000,300000,900000,5000000]]
// Creates everything in a temporary folder, about 1000 bytes for each event, and removes it at the end. Needs GNU time.
//   npm run bench:publish -- --tables <folder>
// Compares a report of the real releases in a folder (`d3-releases.json` and others) with independently computed figures.
//   npm run bench:publish -- --coverage [--draws 2000]
// Simulates how often the intervals of a report are right, and what a comparison claims; writes bench/coverage.md.
//   npm run bench:publish -- --clones <a clone of babel/babel>
// Compares the figures of real clones for the move of babylon into babel with independently computed ones.
import { mkdirSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Database } from '@tributary/commit-to-publish/io/database';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { benchEnvironment } from './affected-process.js';
import { compareClones } from './publish-clones.js';
import { brokenPromises, simulateCoverage, writeCoveragePage } from './publish-coverage.js';
import { compareWithCommandLine } from './publish-coverage-cli.js';
import { measureSpeed } from './publish-speed.js';
import { compareTables } from './publish-tables.js';

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: text, events: text, tables: text, draws: text, clones: text, coverage: { type: 'boolean' } },
  });
  const work = new TempFolder();
  try {
    if (values.coverage === true) await coverage(Number(values.draws ?? 2000), work);
    else if (values.clones !== undefined) await clones(values.clones, work);
    else if (values.tables !== undefined) await tables(values.tables, work);
    else await speed(values.events ?? '75000,300000,900000,5000000', Number(values.rounds ?? 3), work);
  } finally {
    work.dispose();
  }
}

async function speed(sizes: string, rounds: number, work: TempFolder): Promise<void> {
  for (const events of sizes.split(',').map(Number)) console.log(`${await measureSpeed(work, { events, rounds })}\n`);
  const [load = 0] = loadavg();
  if (load > 1 + availableParallelism()) console.log(`the machine is busy (load ${load.toFixed(1)}): do not trust these times`);
}

async function tables(folder: string, work: TempFolder): Promise<void> {
  const database = await Database.open();
  try {
    console.log(await compareTables(database, folder, (name) => work.join(name.replaceAll(/\W+/g, '-'))));
  } finally {
    database.close();
  }
}

async function clones(source: string, work: TempFolder): Promise<void> {
  const folder = work.join('clones');
  mkdirSync(folder);
  console.log(await compareClones(resolve(source), folder, benchEnvironment(makeHome(work))));
}

/** The page is always written: it shows the facts, and the exit code whether they are good enough. */
async function coverage(draws: number, work: TempFolder): Promise<void> {
  const differences = await compareWithCommandLine(work.join('record'), benchEnvironment(makeHome(work)));
  console.log(differences.length === 0 ? 'The command line gives the same figures.' : differences.join('\n'));
  const cells = simulateCoverage({ draws }, console.log);
  console.log(`\n${writeCoveragePage(cells)}`);
  const broken = brokenPromises(cells);
  console.log(broken.length === 0 ? 'Every promise is kept.' : broken.join('\n'));
  if (differences.length + broken.length > 0) process.exitCode = 1;
}

function makeHome(work: TempFolder): string {
  const home = work.join('home');
  mkdirSync(home, { recursive: true });
  return home;
}
