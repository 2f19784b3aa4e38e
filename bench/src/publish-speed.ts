import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '@tributary/commit-to-publish/io/database';
import { WEEK } from '@tributary/commit-to-publish/report/question';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import type { TempFolder } from '@tributary/test-repo/temp-folder';
import { benchEnvironment, type Command, type Taken, takenBy } from './affected-process.js';
import { type Bar, formatBars } from './affected-table.js';
import { medianOf } from './measure.js';
import { FIRST, PACKAGES, WEEKS, writeDelivery } from './publish-events.js';

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

const INGEST = 'ingest';
const COMPACT = 'compact';
const BEFORE = 'report before compaction';
const AFTER = 'report after it';
const PAGE = 'report --format html after it';

/** The number of events for which the bars of times and memory are. */
const MANY = 5_000_000;

/**
 * Measures the path of events through the program, as whole processes in turn: ingest, report, compact, report, page. The first round counts
 * too: between two processes, only the system's file cache persists. Returns a table and the bars.
 */
export async function measureSpeed(
  work: TempFolder,
  { events, rounds }: { readonly events: number; readonly rounds: number },
): Promise<string> {
  const delivery = work.join(`delivery-${events}.ndjson`);
  const database = await Database.open();
  await writeDelivery(database, delivery, events);
  await database.close();
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
  rmSync(delivery);
  const head = `${events} events of ${PACKAGES} packages over ${WEEKS} weeks; whole processes, medians of ${rounds} rounds, in turn`;
  return [head, formatSteps(measured), formatBars(barsOf(measured, events))].join('\n\n');
}

function stepsOf(work: TempFolder, delivery: string): readonly Step[] {
  const [journal, record] = [work.join('journal'), work.join('record')];
  const cli = (...args: readonly string[]): Command => ({
    program: process.execPath,
    args: [join(findProjectRoot(), 'tools/commit-to-publish/out/cli.cjs'), ...args],
    cwd: work.path,
    timeoutMs: 1_800_000,
  });
  const until = new Date((FIRST + WEEKS * WEEK) / 1000).toISOString().slice(0, 10);
  const report = (folder: string, ...more: readonly string[]): Command =>
    cli('report', '--record', folder, '--channels', 'latest', '--until', until, ...more);
  const copyJournal = (): void => {
    rmSync(record, { recursive: true, force: true });
    cpSync(journal, record, { recursive: true });
  };
  return [
    {
      name: INGEST,
      prepare: () => rmSync(journal, { recursive: true, force: true }),
      command: cli('ingest', delivery, '--record', journal),
    },
    { name: BEFORE, command: report(journal) },
    { name: COMPACT, prepare: copyJournal, command: cli('compact', '--record', record) },
    { name: AFTER, command: report(record) },
    { name: PAGE, command: report(record, '--format', 'html') },
  ];
}

function formatSteps(measured: readonly Measured[]): string {
  const seconds = (times: readonly number[]): string => (medianOf(times) / 1000).toFixed(2).padStart(9);
  const lines = measured.map(({ name, runs }) => {
    const times = `${seconds(runs.map(({ cpuMs }) => cpuMs))}${seconds(runs.map(({ wallMs }) => wallMs))}`;
    return `  ${name.padEnd(30)}${times}${medianOf(runs.map(({ peakMb }) => peakMb))
      .toFixed(0)
      .padStart(9)}`;
  });
  return [`  ${''.padEnd(30)}${['CPU s', 'wall s', 'peak MB'].map((cell) => cell.padStart(9)).join('')}`, ...lines].join('\n');
}

/**
 * Returns the bars, by processor time. Two idle cores need no more wall time than that, and other load on the machine affects it far less
 * than wall time.
 */
function barsOf(measured: readonly Measured[], events: number): readonly Bar[] {
  const median = (name: string, of: keyof Taken): number =>
    medianOf((measured.find((one) => one.name === name)?.runs ?? []).map((run) => run[of]));
  const seconds = (name: string): number => median(name, 'cpuMs') / 1000;
  const always: readonly Bar[] = [{ subject: 'report after compaction / before', value: seconds(AFTER) / seconds(BEFORE), atMost: 1 }];
  if (events < MANY) return always;
  return [
    ...always,
    { subject: 'report, CPU s', value: seconds(AFTER), atMost: 5 },
    { subject: 'report, peak MB', value: median(AFTER, 'peakMb'), atMost: 1000 },
    { subject: 'report --format html, CPU s', value: seconds(PAGE), atMost: 10 },
    { subject: 'report --format html, peak MB', value: median(PAGE, 'peakMb'), atMost: 1000 },
    { subject: 'compact, CPU s', value: seconds(COMPACT), atMost: 25 },
    { subject: 'ingest, events for a CPU s', value: events / seconds(INGEST), atLeast: 100_000 },
  ];
}
