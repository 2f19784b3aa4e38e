// Measures commit-to-publish for many events, as whole processes, beside plain DuckDB over the same files.
//   npm run bench:publish [-- [--rounds 3] [--events 5000000]]
// Creates everything in a temporary folder, about 1000 bytes for each event, and removes it at the end. Needs GNU time.
//   npm run bench:publish -- --years 1,2,5,10 [--events 5000000]
// Measures a report of six weeks on records of this many years, with this many events in each year.
//   npm run bench:publish -- --tables <folder>
// Compares a report of the real releases in a folder (`d3-releases.json` and others) with independently computed figures.
//   npm run bench:publish -- --coverage [--draws 2000]
// Simulates how often the intervals of a report are right, and what a comparison claims; writes docs/reference/coverage.md.
//   npm run bench:publish -- --clones <a clone of babel/babel>
// Compares the figures of real clones for the move of babylon into babel with independently computed ones.
import { mkdirSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Database } from '@tributary/commit-to-publish/io/database';
import { WEEK } from '@tributary/commit-to-publish/report/question';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { benchEnvironment, type Command, runCommand } from './affected-process.js';
import { type Bar, formatBars } from './affected-table.js';
import { type Contestant, formatMeasured, measureInTurn } from './measure.js';
import { compareClones } from './publish-clones.js';
import { brokenPromises, simulateCoverage, writeCoveragePage } from './publish-coverage.js';
import { compareWithCommandLine } from './publish-coverage-cli.js';
import { FIRST, makeScene, WEEKS } from './publish-scene.js';
import { measureSpeed, measureYears, runPlain } from './publish-speed.js';
import { compareTables } from './publish-tables.js';

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: text,
      events: text,
      tables: text,
      draws: text,
      clones: text,
      plain: text,
      years: text,
      coverage: { type: 'boolean' },
    },
  });
  const rounds = Number(values.rounds ?? 3);
  if (values.plain !== undefined) return runPlain(values.plain);
  const work = new TempFolder();
  if (values.coverage === true) return coverage(Number(values.draws ?? 2000), work);
  if (values.clones !== undefined) return clones(values.clones, work);
  const database = await Database.open();
  try {
    if (values.tables !== undefined) {
      console.log(await compareTables(database, values.tables, (name) => work.join(name.replaceAll(/\W+/g, '-'))));
      return;
    }
    if (values.years !== undefined) {
      console.log(
        await measureYears(database, work, {
          years: values.years.split(',').map(Number),
          events: Number(values.events ?? 5_000_000),
          rounds,
        }),
      );
      return;
    }
    console.log(`${await measureSpeed(work, { events: Number(values.events ?? 5_000_000), rounds })}\n`);
    const bars = await processes(database, work, rounds);
    const [load = 0] = loadavg();
    if (load > 1 + availableParallelism()) console.log(`the machine is busy (load ${load.toFixed(1)}): do not trust these times`);
    console.log(`\n${formatBars(bars)}`);
  } finally {
    database.close();
    work.dispose();
  }
}

async function clones(source: string, work: TempFolder): Promise<void> {
  try {
    const folder = work.join('clones');
    mkdirSync(folder);
    console.log(await compareClones(resolve(source), folder, benchEnvironment(makeHome(work))));
  } finally {
    work.dispose();
  }
}

/** The page is always written: it shows the facts, and the exit code whether they are good enough. */
async function coverage(draws: number, work: TempFolder): Promise<void> {
  try {
    const differences = await compareWithCommandLine(work.join('record'), benchEnvironment(makeHome(work)));
    console.log(differences.length === 0 ? 'The command line gives the same figures.' : differences.join('\n'));
    const cells = simulateCoverage({ draws }, console.log);
    console.log(`\n${writeCoveragePage(cells)}`);
    const broken = brokenPromises(cells);
    console.log(broken.length === 0 ? 'Every promise is kept.' : broken.join('\n'));
    if (differences.length + broken.length > 0) process.exitCode = 1;
  } finally {
    work.dispose();
  }
}

const TYPICAL = 250_000;

/** Measures the size that most users have. */
async function processes(database: Database, work: TempFolder, rounds: number): Promise<readonly Bar[]> {
  const { record } = await makeScene(database, work.join('typical'), TYPICAL);
  const env = benchEnvironment(makeHome(work));
  const contestant = (name: string, ...options: readonly string[]): Contestant => ({
    name,
    run: async () => void (await runCommand(reporting(record, ...options), env)),
  });
  const floor = {
    name: 'node -e 0',
    run: async () => void (await runCommand({ program: process.execPath, args: ['-e', '0'], cwd: record }, env)),
  };
  const measured = await measureInTurn([floor, contestant('report'), contestant('report --format html', '--format', 'html')], rounds);
  console.log(`\nwhole processes, ${TYPICAL} events\n${formatMeasured(measured)}`);
  const [, table, page] = measured.map(({ median }) => median / 1000);
  return [
    { subject: `table of ${TYPICAL} events, s`, value: table ?? Number.NaN, atMost: 1.5 },
    { subject: `page of ${TYPICAL} events, s`, value: page ?? Number.NaN, atMost: 4 },
  ];
}

function reporting(record: string, ...options: readonly string[]): Command {
  const cli = join(findProjectRoot(), 'tools/commit-to-publish/out/cli.cjs');
  const until = new Date((FIRST + WEEKS * WEEK) / 1000).toISOString().slice(0, 10);
  return {
    program: process.execPath,
    args: [cli, 'report', '--record', record, '--channels', 'latest', '--until', until, ...options],
    cwd: record,
  };
}

function makeHome(work: TempFolder): string {
  const home = work.join('home');
  mkdirSync(home, { recursive: true });
  return home;
}
