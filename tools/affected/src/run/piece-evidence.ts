import { existsSync, realpathSync } from 'node:fs';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { readTextFile } from '@tributary/process/unusable-file';
import { proofIn, type TaskEvidence } from '../io/task-evidence.js';
import { filesLikeTests } from '../io/test-lists.js';
import type { TurboTask } from '../io/turbo.js';
import type { FileTime } from '../plan/file-parts.js';
import { lineOfOnly } from '../plan/only-tests.js';
import { KEPT_FAILURES, plainText, type RunnerReport } from '../plan/runner-report.js';
import { inOneLine } from '../plan/shape.js';
import type { ReceiptPiece, TestFailure } from '../receipt/receipt.js';

/** The facts about a piece from its processes and its runner. */
export interface PieceEvidence
  extends Pick<ReceiptPiece, 'cpuSeconds' | 'failures' | 'retried' | 'log' | 'tests' | 'only' | 'unheeded' | 'problem'> {
  /** Of all test files that ran, with what each took; `undefined`: the runner did not report. */
  readonly files: readonly FileTime[] | undefined;
}

interface PieceFolder {
  /** The absolute root of the project. */
  readonly project: string;
  /** The workspace's folder, relative to it. */
  readonly workspace: string;
}

/** Combines the evidence that an executed task left. */
export function pieceEvidence(task: TurboTask, evidence: TaskEvidence, place: PieceFolder): PieceEvidence {
  const cpuSeconds = task.state === 'executed' ? evidence.cpuSeconds : null;
  const home = realpathSync(join(place.project, place.workspace));
  // On Windows the letter of a drive may be large or small, which `relative` knows.
  const reports = evidence.runs.filter(({ cwd }) => isAbsolute(cwd) && relative(home, cwd) === '').map(({ report }) => report);
  const read = reports.filter((report): report is RunnerReport => typeof report === 'object');
  const retried = read.flatMap((report) => report.retried.map((one) => fromRoot(one, place)));
  const tries = retried.length === 0 ? {} : { retried };
  if (task.exit !== 0) return { cpuSeconds, files: undefined, ...tries, ...failureOf(task, read, place) };
  const { unheeded, tests, partial } = task.state === 'replayed' ? replayed(task, home, place) : counted(read, reports.length);
  const only = onlyIn(partial, place, task.state === 'replayed');
  return {
    cpuSeconds,
    files: read.length === 1 && reports.length === 1 ? read.flatMap(({ files }) => filesIn(files, home)) : undefined,
    ...tries,
    ...(tests === undefined ? {} : { tests }),
    ...(only.length === 0 ? {} : { only }),
    ...(unheeded === 0 ? {} : { unheeded }),
    ...(reports.includes('cut off') ? { problem: 'The report of its runner is truncated.' } : {}),
  };
}

interface Counts {
  readonly unheeded: number;
  /** How many ran; `undefined`: not known. */
  readonly tests: number | undefined;
  /** Files of which some tests may not have run, absolute. */
  readonly partial: readonly string[];
}

/** `runs`: how many runners there were, with a report or without. */
function counted(read: readonly RunnerReport[], runs: number): Counts {
  const isKnown = runs > 0 && read.length === runs && read.every(({ tests }) => tests !== null);
  return {
    unheeded: read.reduce((sum, report) => sum + report.failed, 0),
    tests: isKnown ? read.reduce((sum, { tests }) => sum + (tests ?? 0), 0) : undefined,
    partial: read.flatMap((report) => report.partial),
  };
}

/** What the run that a cached result is from has said of itself: not of which files. */
function replayed(task: TurboTask, home: string, { project }: PieceFolder): Counts {
  const { unheeded = 0, tests, isPartial = false } = proofIn(project, task) ?? {};
  return { unheeded, tests, partial: isPartial ? filesLikeTests(home).map((file) => join(home, file)) : [] };
}

/** The first places that keep other tests of their file from running, and files of whose tests some did not run without a word in them. */
function onlyIn(files: readonly string[], { project }: PieceFolder, isReplayed: boolean): readonly string[] {
  const root = realpathSync(project);
  const texts = [...new Set(files)].flatMap((path) => {
    const file = below(root, path);
    return file === undefined || !existsSync(path) ? [] : [{ file, text: readTextFile(path) }];
  });
  const places = texts.flatMap(({ file, text }) => {
    const line = lineOfOnly(text);
    return line === undefined ? [] : [`${file}:${line}`];
  });
  const silent = texts.filter(({ text }) => !/skip|todo|pending|runif|\bx(?:it|test|describe)\b/i.test(text)).map(({ file }) => file);
  // Of a cached result it is not known which of the files these are.
  const left = places.length > 0 || (isReplayed && silent.length < texts.length) ? [] : silent;
  return [...places, ...left].slice(0, KEPT_FAILURES);
}

function filesIn(files: RunnerReport['files'], home: string): readonly FileTime[] {
  return files.flatMap(({ path, seconds }) => {
    const file = below(home, path);
    return file === undefined ? [] : [{ file, seconds: Math.round(seconds * 1000) / 1000 }];
  });
}

/** Returns the failed tests, otherwise the end of the log. */
function failureOf(task: TurboTask, reports: readonly RunnerReport[], place: PieceFolder): Pick<ReceiptPiece, 'failures' | 'log'> {
  const failures = reports.flatMap((report) => report.failures.map((one) => fromRoot(one, place)));
  if (failures.length > 0) return { failures };
  const log = endOfLog(place.project, task);
  return log === undefined ? {} : { log };
}

/** Makes a runner's paths relative to the project's root. */
function fromRoot(one: TestFailure, { project }: PieceFolder): TestFailure {
  const root = realpathSync(project);
  const file = one.file === null ? undefined : below(root, one.file);
  const message = one.message.replaceAll(`${root}${sep}`, '');
  // For a file that fails to load, the file is named instead of a test.
  const test = one.test === one.file ? (file ?? basename(one.test)) : one.test;
  return { ...one, test, message, file: file ?? null, line: file === undefined ? null : one.line };
}

/** Returns a path with slashes; `undefined` if it is elsewhere. */
function below(folder: string, path: string): string | undefined {
  const inside = relative(folder, path);
  // On Windows, no relative path leads to another drive.
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? undefined : inOneLine(inside.split(sep).join('/'));
}

const KEPT_LINES = 60;
const KEPT_CHARACTERS = 8000;

/** Returns the last lines that a task printed; `undefined` if they are not there. */
export function endOfLog(project: string, { logFile }: TurboTask): string | undefined {
  const path = logFile === undefined ? undefined : join(project, logFile);
  if (path === undefined || !existsSync(path)) return undefined;
  const lines = plainText(readTextFile(path), Number.POSITIVE_INFINITY).trimEnd().split('\n');
  return lines.slice(-KEPT_LINES).join('\n').slice(-KEPT_CHARACTERS);
}
