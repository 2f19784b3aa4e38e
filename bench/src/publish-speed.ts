import { linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '@tributary/commit-to-publish/io/database';
import { WEEK } from '@tributary/commit-to-publish/report/question';
import type { AbsolutePath } from '@tributary/model/paths';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import type { TempFolder } from '@tributary/test-repo/temp-folder';
import { benchEnvironment, type Command, type Taken, takenBy } from './affected-process.js';
import { type Bar, formatBars } from './affected-table.js';
import { medianOf, ratioTo } from './measure.js';
import { FIRST, makeScene, PACKAGES, plainQuery, WEEKS, writeDelivery } from './publish-scene.js';

interface Scene {
  readonly events: number;
  readonly rounds: number;
}

/** A whole process that is measured in every round. */
interface Step {
  readonly name: string;
  readonly prepare?: () => void;
  readonly command: Command;
}

interface Measured {
  readonly name: string;
  readonly runs: readonly Taken[];
}

/**
 * Measures the path of events through the program, as whole processes in turn: ingest, compact, report, page, and beside them plain DuckDB
 * over the same files. The first round counts too: between two processes, only the system's file cache persists. Returns a table and the
 * bars.
 */
export async function measureSpeed(work: TempFolder, { events, rounds }: Scene): Promise<string> {
  const delivery = work.join('delivery.ndjson');
  const database = await Database.open();
  await writeDelivery(database, delivery, events);
  database.close();
  const env = benchEnvironment(work.join('home'));
  mkdirSync(work.join('home'), { recursive: true });
  const steps = stepsOf(work, delivery);
  const measured = steps.map(({ name }) => ({ name, runs: [] as Taken[] }));
  for (let round = 0; round < rounds; round++) {
    for (const [at, { prepare, command }] of steps.entries()) {
      prepare?.();
      measured[at]?.runs.push(await takenBy(command, env));
    }
  }
  const head = `${events} events of ${PACKAGES} packages over ${WEEKS} weeks; whole processes, medians of ${rounds} rounds, in turn`;
  return [head, formatSteps(measured), formatBars(barsOf(measured, events))].join('\n\n');
}

const PLAIN = 'plain DuckDB, all weeks';
const INGEST = 'ingest';
const COMPACT = 'compact';
const UNCHECKED = 'compact without checksums';
const REPORT = 'report';
const PAGE = 'report --format html';
const WHOLE = 'report, all weeks';

interface Years {
  readonly years: readonly number[];
  /** In a year. */
  readonly events: number;
  readonly rounds: number;
}

/** Measures a report of the last weeks on records of several lengths. Returns a table. */
export async function measureYears(database: Database, work: TempFolder, { years, events, rounds }: Years): Promise<string> {
  const env = benchEnvironment(work.join('home'));
  mkdirSync(work.join('home'), { recursive: true });
  for (const year of years) await makeScene(database, work.join(`years-${year}`), year * events, year * 52);
  const runs = years.map((): Taken[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [at, year] of years.entries()) runs[at]?.push(await takenBy(reportOf(work, work.join(`years-${year}`)), env));
  const lines = runs.map((own, at) => {
    const [cpu, peak] = [medianOf(own.map(({ cpuMs }) => cpuMs)) / 1000, medianOf(own.map(({ peakMb }) => peakMb))];
    return `  ${String(years[at]).padStart(5)}${cpu.toFixed(2).padStart(9)}${peak.toFixed(0).padStart(9)}`;
  });
  return [
    `a report of six weeks, ${events} events a year; whole processes, medians of ${rounds} rounds, in turn`,
    `  years    CPU s  peak MB`,
    ...lines,
  ].join('\n');
}

function reportOf(work: TempFolder, record: string, ...more: readonly string[]): Command {
  const until = new Date((FIRST + WEEKS * WEEK) / 1000).toISOString().slice(0, 10);
  const args = ['report', '--record', record, '--channels', 'latest', '--until', until, ...more];
  return commandOf(work, ...args);
}

function commandOf(work: TempFolder, ...args: readonly string[]): Command {
  const cli = join(findProjectRoot(), 'tools/commit-to-publish/out/cli.cjs');
  return { program: process.execPath, args: [cli, ...args], cwd: work.path, timeoutMs: 1_800_000 };
}

function stepsOf(work: TempFolder, delivery: string): readonly Step[] {
  const [journal, record, unchecked] = [work.join('ingested'), work.join('record'), work.join('unchecked')];
  const removed = (folder: string) => (): void => rmSync(folder, { recursive: true, force: true });
  const cli = (...args: readonly string[]): Command => commandOf(work, ...args);
  const report = (...more: readonly string[]): Command => reportOf(work, record, ...more);
  return [
    { name: INGEST, prepare: removed(journal), command: cli('ingest', delivery, '--record', journal) },
    { name: COMPACT, prepare: () => linkJournal(journal, record, /./), command: cli('compact', '--record', record) },
    { name: UNCHECKED, prepare: () => linkJournal(journal, unchecked, /\.ndjson$/), command: cli('compact', '--record', unchecked) },
    { name: PLAIN, command: { ...cli(), args: [process.argv[1] ?? '', '--plain', join(record, 'events/*/*.parquet')] } },
    { name: REPORT, command: report() },
    { name: PAGE, command: report('--format', 'html') },
    { name: WHOLE, command: report('--since', new Date(FIRST / 1000).toISOString().slice(0, 10), '--window', '6w') },
  ];
}

/** Creates a record with the same journal by hard links. */
function linkJournal(from: AbsolutePath, to: AbsolutePath, which: RegExp): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(join(to, 'journal'), { recursive: true });
  for (const name of readdirSync(join(from, 'journal')))
    if (which.test(name)) linkSync(join(from, 'journal', name), join(to, 'journal', name));
}

/** Computes only P50 and P90 of six trailing weeks for every package and week, in the process of `--plain`. */
export async function runPlain(files: string): Promise<void> {
  const database = await Database.open();
  console.log((await database.rows(plainQuery(files))).length);
  database.close();
}

function formatSteps(measured: readonly Measured[]): string {
  const plain = runsOf(measured, PLAIN).map(({ cpuMs }) => cpuMs);
  const seconds = (times: readonly number[]): string => (medianOf(times) / 1000).toFixed(2).padStart(9);
  const lines = measured.map(({ name, runs }) => {
    const ratio = ratioTo(
      plain,
      runs.map(({ cpuMs }) => cpuMs),
    );
    const times = `${seconds(runs.map(({ cpuMs }) => cpuMs))}${seconds(runs.map(({ wallMs }) => wallMs))}`;
    return `  ${name.padEnd(28)}${times}${medianOf(runs.map(({ peakMb }) => peakMb))
      .toFixed(0)
      .padStart(9)}${ratio.toFixed(2).padStart(9)}`;
  });
  return [`  ${''.padEnd(28)}${['CPU s', 'wall s', 'peak MB', 'x plain'].map((cell) => cell.padStart(9)).join('')}`, ...lines].join('\n');
}

/**
 * Returns the bars, by processor time. Two idle cores need no more wall time than that, and other load on the machine affects it far less
 * than wall time.
 */
function barsOf(measured: readonly Measured[], events: number): readonly Bar[] {
  const median = (name: string, of: keyof Taken): number => medianOf(runsOf(measured, name).map((run) => run[of]));
  const seconds = (name: string): number => median(name, 'cpuMs') / 1000;
  return [
    { subject: 'report, CPU s', value: seconds(REPORT), atMost: 5 },
    { subject: 'report, peak MB', value: median(REPORT, 'peakMb'), atMost: 1000 },
    { subject: 'report --format html, CPU s', value: seconds(PAGE), atMost: 10 },
    { subject: 'compact, CPU s', value: seconds(COMPACT), atMost: 25 },
    { subject: 'ingest, events for a CPU s', value: events / seconds(INGEST), atLeast: 100_000 },
    { subject: 'compact over compact without checksums', value: seconds(COMPACT) / seconds(UNCHECKED), atMost: 1.2 },
  ];
}

function runsOf(measured: readonly Measured[], name: string): readonly Taken[] {
  return measured.find((one) => one.name === name)?.runs ?? [];
}
