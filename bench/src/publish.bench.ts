// What commit-to-publish takes for many events, beside plain DuckDB over the same files, and as whole processes.
//   npm run bench:publish [-- [--rounds 5] [--events 5000000]]
// A record is made in a temporary folder, with some 300 bytes for each event, and removed at the end.
//   npm run bench:publish -- --tables <folder>
// What a report says of the real releases in a folder (`d3-releases.json` and others), beside what was computed independently.
//   npm run bench:publish -- --coverage [--draws 2000]
// How often the intervals of a report hold what they promise, and what a comparison claims, by simulation; writes docs/reference/coverage.md.
//   npm run bench:publish -- --clones <a clone of babel/babel>
// What real clones say of the move of babylon into babel, beside what was computed independently.
import { mkdirSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { horizonOf } from '@tributary/commit-to-publish/engine/report-queries';
import { Database } from '@tributary/commit-to-publish/io/database';
import { makeMomentTables } from '@tributary/commit-to-publish/io/moment-tables';
import { readTrailing } from '@tributary/commit-to-publish/io/read-report';
import { withEvents } from '@tributary/commit-to-publish/io/record';
import type { Micros } from '@tributary/commit-to-publish/model/event';
import { type ReportQuestion, WEEK } from '@tributary/commit-to-publish/report/question';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { benchEnvironment, type Command, peakOf, runCommand } from './affected-process.js';
import { type Bar, formatBars } from './affected-table.js';
import { type Contestant, formatMeasured, measureInTurn } from './measure.js';
import { compareClones } from './publish-clones.js';
import { brokenPromises, simulateCoverage, writeCoveragePage } from './publish-coverage.js';
import { compareWithCommandLine } from './publish-coverage-cli.js';
import { FIRST, makeScene, PACKAGES, type PublishScene, WEEKS, writeDelivery } from './publish-scene.js';
import { compareTables } from './publish-tables.js';

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: text, events: text, tables: text, draws: text, clones: text, coverage: { type: 'boolean' } },
  });
  const rounds = Number(values.rounds ?? 5);
  const work = new TempFolder();
  if (values.coverage === true) return coverage(Number(values.draws ?? 2000), work);
  if (values.clones !== undefined) return clones(values.clones, work);
  const database = await Database.open();
  try {
    if (values.tables !== undefined) {
      console.log(await compareTables(database, values.tables, (name) => work.join(name.replaceAll(/\W+/g, '-'))));
      return;
    }
    const large = await makeScene(database, work.join('large'), Number(values.events ?? 5_000_000));
    console.log(`${large.events} events of ${PACKAGES} packages over ${WEEKS} weeks; medians of ${rounds} rounds, in turn\n`);
    const bars = [
      loading(large),
      ...(await trailing(database, large, rounds)),
      ...(await processes(database, work, rounds)),
      await memory(large, work),
      ...(await ingesting(database, work)),
    ];
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

/** The page is written in any case: it shows what is, and the exit code whether that will do. */
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

function loading({ events, compactedMs }: PublishScene): Bar {
  return { subject: 'journal into Parquet, events/s', value: events / (compactedMs / 1000), atLeast: 300_000 };
}

const QUESTION: ReportQuestion = {
  lead: { ready: 'merged', until: 'published', channels: new Set(['latest']) },
  by: 'package',
  weeks: 6,
  since: FIRST as Micros,
  until: (FIRST + WEEKS * WEEK) as Micros,
  method: 'linear',
  actor: 'all',
};

/** P50 and P90 of six trailing weeks, for every package and week. */
async function trailing(database: Database, { record }: PublishScene, rounds: number): Promise<Bar[]> {
  const plain: Contestant = {
    name: 'plain DuckDB',
    run: async () => void (await database.rows(plainQuery(join(record, 'events/*/*.parquet')))),
  };
  const ours: Contestant = {
    name: 'commit-to-publish',
    run: () => withEvents(database, record, () => trailingOf(database)),
  };
  const measured = await measureInTurn([plain, ours], rounds);
  console.log(formatMeasured(measured));
  return [{ subject: 'trailing percentiles over plain DuckDB', value: measured[1]?.ratio ?? Number.NaN, atMost: 1.5 }];
}

async function trailingOf(database: Database): Promise<void> {
  await makeMomentTables(database, QUESTION, { moments: 'ends', horizon: horizonOf(QUESTION) });
  await readTrailing(database, QUESTION);
}

/** The same answer as somebody would ask for it who knows that every event is there once. */
function plainQuery(files: string): string {
  return `
    with path as (
      select package, max(endedAt) filter (stage = 'publish') as ended, max(endedAt) filter (stage = 'merge-wait') as merged
      from read_parquet('${files}') group by repo, change, package
    ), timed as (select package, (ended - ${FIRST}) // ${WEEK}::bigint as week, (ended - merged)::double as total from path where ended is not null),
    weeks as (select unnest(range(${WEEKS})) as week)
    select package, weeks.week, count(*) as n, quantile_cont(total, [0.5, 0.9]) as percentiles
    from timed join weeks on timed.week between weeks.week - 5 and weeks.week group by all order by all`;
}

const TYPICAL = 250_000;

async function processes(database: Database, work: TempFolder, rounds: number): Promise<Bar[]> {
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

async function memory({ record }: PublishScene, work: TempFolder): Promise<Bar> {
  const peak = await peakOf(reporting(record), benchEnvironment(makeHome(work)));
  return { subject: 'peak memory of a report over all, MB', value: peak ?? Number.NaN, atMost: 1500 };
}

const LINES = 1_000_000;

/** A file of events, as CI would deliver it, through the program: what it holds must not grow with the file. */
async function ingesting(database: Database, work: TempFolder): Promise<Bar[]> {
  const file = work.join('events.ndjson');
  await writeDelivery(database, file, LINES);
  const env = benchEnvironment(makeHome(work));
  const args = [join(findProjectRoot(), 'tools/commit-to-publish/out/cli.cjs'), 'ingest', file, '--record', work.join('ingested')];
  const command: Command = { program: process.execPath, args, cwd: work.path };
  const from = performance.now();
  await runCommand(command, env);
  const seconds = (performance.now() - from) / 1000;
  return [
    { subject: `ingestion of ${LINES} lines, events/s`, value: LINES / seconds, atLeast: 50_000 },
    { subject: 'peak memory of it, MB', value: (await peakOf(command, env)) ?? Number.NaN, atMost: 400 },
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
