import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { readPackage, versionOfRunner } from '../io/packages.js';
import { readTaskEnvironment } from '../io/task-environment.js';
import { filesLikeTests, listTestFiles, type Suite } from '../io/test-lists.js';
import type { Call } from '../plan/calls.js';
import { cutFiles, type FileTime, fileArguments, markOfList, markOfNames } from '../plan/file-parts.js';
import { type Piece, pieceName } from '../plan/plan.js';
import { partArguments, type Runner, runnerOf } from '../plan/runner.js';
import { inOneLine } from '../plan/shape.js';
import { taskId } from '../plan/upstream.js';
import type { ReceiptPiece } from '../receipt/receipt.js';
import type { PieceEvidence } from './piece-evidence.js';
import { goneFrom, nameForTurbo, pathOf } from './planned-workspace.js';
import type { ShardJob } from './shard-job.js';

/** Returns the suite of a piece; `undefined` if its script is not a single call of a runner. */
export function suiteOf({ workspace }: Piece, job: ShardJob): Suite | undefined {
  const script = scriptOf(workspace, job);
  const runner = runnerOf(script);
  const environment = (): ReturnType<Suite['environment']> => environmentOf(workspace, job);
  return runner === undefined ? undefined : { folder: homeOf(workspace, job), task: job.plan.task, script, runner, environment };
}

/** Returns the variables of its tests: settings may select other files for another value. */
function environmentOf(workspace: string, { plan, folder, services, environments }: ShardJob): ReturnType<Suite['environment']> {
  const { signal } = services;
  const id = taskId(workspace, plan.task);
  const known = environments.get(id) ?? readTaskEnvironment({ folder, task: plan.task, workspace: nameForTurbo(workspace, plan), signal });
  environments.set(id, known);
  return known;
}

/** Returns the present script of a workspace for the task; '' if there is none. */
export function scriptOf(workspace: string, job: Pick<ShardJob, 'plan' | 'folder'>): string {
  return readPackage(homeOf(workspace, job))?.scripts.get(job.plan.task) ?? '';
}

function homeOf(workspace: string, { plan, folder }: Pick<ShardJob, 'plan' | 'folder'>): string {
  return join(folder, pathOf(workspace, plan) ?? '');
}

/** Returns the absolute paths of the files that a part must run. */
export function namedFiles({ pieces: [piece] }: Call, job: Pick<ShardJob, 'plan' | 'folder'>, cut: Cut | undefined): readonly string[] {
  if (piece === undefined || cut?.files === undefined) return [];
  const home = realpathSync(homeOf(piece.workspace, job));
  return cut.files.map((file) => join(home, file));
}

/** The arguments that select a part. */
export interface Cut {
  readonly args: readonly string[];
  /** The same for all parts cut in the same way out of the same files. */
  readonly list: string;
  /** The files of the part, if they are named individually. */
  readonly files: readonly string[] | undefined;
  /** How many test files all parts together have to run by their own reports; `undefined`: reports do not tell. */
  readonly count?: number;
}

/**
 * Returns how to cut a part: by the times of its files if they are known, otherwise in the runner's own way; `undefined` if it is not a
 * part. Its files are those on disk now. Throws `INTERRUPTED`, and `PLAN_STALE` for a changed script.
 */
export async function cutOf({ pieces: [piece] }: Call, job: ShardJob): Promise<Cut | undefined> {
  if (piece === undefined || piece.part === null) return undefined;
  const suite = suiteOf(piece, job);
  if (suite === undefined) throw goneFrom(`${pieceName(piece)} cannot be run in parts: its script differs from the one in the plan.`);
  const times = job.plan.fileTimes.find(({ workspace }) => workspace === piece.workspace)?.files ?? [];
  const listed = await listTestFiles(suite, job.services.signal);
  const files = listed?.files;
  const isEnough = files !== undefined && times.length > 0 && !isIncomplete(files, times, suite);
  const part = isEnough ? cutFiles(suite.runner, files, { times, part: piece.part }) : undefined;
  if (part !== undefined) return { ...part, args: fileArguments(suite.runner, part.files, suite.folder) };
  // If the runner lists no files, different file names are also a reason for doubt.
  const version = versionOfRunner(suite.runner, suite.folder);
  const list = listed === undefined ? markOfNames(filesLikeTests(suite.folder), version) : markOfList(listed, version);
  return { args: partArguments(suite.runner, piece.part), list, files: undefined, ...countOf(suite.runner, files) };
}

/** jest and vitest let settings replace the way they cut, and report each file, if it is one of the workspace. */
function countOf(runner: Runner, files: readonly string[] | undefined): Pick<Cut, 'count'> {
  if (files === undefined || !(runner === 'jest' || runner === 'vitest') || files.some((file) => file.startsWith('../'))) return {};
  return { count: new Set(files).size };
}

/** Tells whether a list lacks a file that ran before and still exists. */
function isIncomplete(files: readonly string[], times: readonly FileTime[], { folder }: Suite): boolean {
  const listed = new Set(files);
  return times.some(({ file }) => !listed.has(file) && existsSync(join(folder, file)));
}

/** Checks that the named files ran, if the runner reports it. Additional files do no harm: vitest matches parts of paths. */
export function listOf(cut: Cut | undefined, ran: PieceEvidence['files']): Pick<ReceiptPiece, 'list' | 'problem'> {
  if (cut === undefined) return {};
  const names = new Set(ran?.map(({ file }) => file));
  const named = cut.files ?? [];
  const missing = ran === undefined ? [] : named.filter((file) => !names.has(inOneLine(file)));
  if (missing.length === 0) return { list: cut.list };
  return { list: cut.list, problem: `Its runner did not run ${missing.length} of the ${named.length} test files of this part.` };
}
