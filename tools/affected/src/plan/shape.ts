import { isPlainObject } from '@tributary/model/plain-object';
import { FLAW_KINDS } from '../scripts/script-flaw.js';
import type { Plan } from './plan.js';
import { REPORTING_RUNNERS } from './runner-call.js';

/**
 * Tells whether a parsed value has the shape of a plan, as far as it is used: a hash proves that nobody edited it by mistake, but not its
 * origin. Ids go into engine configurations, names and the task into command lines and logs, paths onto the disk.
 */
export function isPlan(value: unknown): value is Plan {
  if (!isPlainObject(value) || value['schemaVersion'] !== 3) return false;
  const { setupSeconds, turbo = 'not known', node = 1, shards, machine, unusedShards } = value;
  const { also: more } = value;
  const also = more ?? [];
  if (!isTaskPlan(value) || !isListOf(also, isTaskPlan) || (more !== undefined && also.length === 0)) return false;
  const tasks = [value, ...also].map(({ task, changedSets }): KnownTask => ({ task, sets: changedSets.length }));
  return (
    isAmount(setupSeconds) &&
    Number.isInteger(unusedShards) &&
    isAmount(unusedShards) &&
    (machine === null || isMachine(machine)) &&
    isName(turbo) &&
    isCount(node) &&
    (also.length === 0 || areSeveral([value, ...also])) &&
    isListOf(shards, (shard) => isShard(shard, tasks)) &&
    new Set(shards.map(({ id }) => id)).size === shards.length
  );
}

/** Tells whether the parts of a plan are for different tasks of one commit, and no name of a piece is that of another one. */
function areSeveral(parts: readonly { readonly task: string; readonly affected: unknown }[]): boolean {
  const tasks = parts.map(({ task }) => task);
  const heads = parts.map(({ affected }) => (isPlainObject(affected) ? affected['head'] : undefined));
  return new Set(tasks).size === tasks.length && new Set(heads).size === 1 && !tasks.some((task) => task.includes('#'));
}

/** A task of a plan, with the number of its changed sets. */
interface KnownTask {
  readonly task: unknown;
  readonly sets: number;
}

function isTaskPlan(
  value: unknown,
): value is { readonly task: string; readonly affected: unknown; readonly changedSets: readonly unknown[] } {
  if (!isPlainObject(value)) return false;
  const {
    affected,
    task,
    changed,
    changedSets,
    outside,
    fileTimes,
    leftOut,
    unselected = [],
    atBase,
    scriptFlaws = [],
    strictScripts = true,
    guessed,
    everythingSeconds,
  } = value;
  return (
    isAffected(affected) &&
    isTask(task) &&
    isListOf(changed, isChangedFiles) &&
    isListOf(changedSets, isPlainObject) &&
    changedSets.every((set, at) => isChangedSet(set, { changed: changed.length, before: at })) &&
    (outside === null || isName(outside)) &&
    isListOf(fileTimes, isSuite) &&
    isListOf(leftOut, isLeftOut) &&
    isListOf(unselected, (one) => isLeftOut(one) && isFolder(one['path'])) &&
    isAtBase(atBase) &&
    isListOf(scriptFlaws, isScriptFlaw) &&
    strictScripts === true &&
    Number.isInteger(guessed) &&
    isAmount(guessed) &&
    (everythingSeconds === null || isAmount(everythingSeconds))
  );
}

function isLeftOut(value: unknown): value is { readonly [key: string]: unknown } {
  return isPlainObject(value) && isLine(value['workspace']) && isLine(value['reason']);
}

function isAtBase(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const { unknown, workspaces, lost } = value;
  const isLost = (one: unknown): boolean => isLeftOut(one) && (one['agreed'] === null || isLine(one['agreed']));
  return (unknown === null || isLine(unknown)) && Number.isInteger(workspaces) && isAmount(workspaces) && isListOf(lost, isLost);
}

function isScriptFlaw(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const { workspace, kind, what } = value;
  return isLine(workspace) && FLAW_KINDS.some((one) => one === kind) && isLine(what);
}

function isRunner(value: unknown): boolean {
  return REPORTING_RUNNERS.some((one) => one === value);
}

function isTestsAtBase(value: unknown): boolean {
  return isPlainObject(value) && isListOf(value['runners'], isRunner) && isCount(value['files']);
}

function isChangedFiles(value: unknown): boolean {
  return isPlainObject(value) && isLine(value['workspace']) && isListOf(value['files'], isText);
}

function isMachine(value: unknown): boolean {
  return isPlainObject(value) && [value['cores'], value['concurrency']].every(isCount);
}

function isSuite(value: unknown): boolean {
  const isFile = (one: unknown): boolean => isPlainObject(one) && isLine(one['file']) && isAmount(one['seconds']);
  return isPlainObject(value) && isLine(value['workspace']) && isListOf(value['files'], isFile);
}

function isChangedSet(
  value: Readonly<Record<string, unknown>>,
  { changed, before }: { readonly changed: number; readonly before: number },
): boolean {
  return isListOf(value['changed'], (place) => isPlace(place, changed)) && isListOf(value['sets'], (place) => isPlace(place, before));
}

function isPlace(value: unknown, count: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < count;
}

function isShardId(value: unknown): value is string {
  return typeof value === 'string' && /^\d{2,9}$/.test(value);
}

function isShard(value: unknown, tasks: readonly KnownTask[]): value is { readonly id: string } {
  if (!isPlainObject(value)) return false;
  const { id, seconds, builds, pieces } = value;
  return (
    isShardId(id) && [seconds, builds].every(isAmount) && isListOf(pieces, (piece) => isPlannedPiece(piece, tasks)) && pieces.length > 0
  );
}

function isPlannedPiece(value: unknown, tasks: readonly KnownTask[]): boolean {
  if (!isPlainObject(value)) return false;
  // It has a task exactly if the plan has several.
  const known = tasks.find(({ task }) => value['task'] === (tasks.length === 1 ? undefined : task));
  const { workspace, part, seconds, tests = 1, testsAtBase, agreed, fresh, why, changed } = value;
  return (
    known !== undefined &&
    isPieceName(workspace) &&
    (part === null || isPart(part)) &&
    isAmount(seconds) &&
    isCount(tests) &&
    (testsAtBase === undefined || isTestsAtBase(testsAtBase)) &&
    (agreed === undefined || isLine(agreed)) &&
    (why === undefined || isLine(why)) &&
    (fresh === true || (fresh === false && isPlace(changed, known.sets)))
  );
}

/** Checks the fields that the gate and summaries use. */
function isAffected(value: unknown): boolean {
  if (!isPlainObject(value) || value['schemaVersion'] !== 1) return false;
  const { base, head, mergeBase, all, workspaces, workspaceCount, unclaimedFiles, warnings } = value;
  return (
    [base, head, mergeBase].every((commit) => commit === null || isCommit(commit)) &&
    (all === null || (isPlainObject(all) && isText(all['code']) && isText(all['reason']))) &&
    isListOf(workspaces, isAffectedWorkspace) &&
    Number.isInteger(workspaceCount) &&
    isAmount(workspaceCount) &&
    isListOf(unclaimedFiles, isText) &&
    isListOf(warnings, isText)
  );
}

function isCommit(value: unknown): boolean {
  return isText(value) && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}

function isAffectedWorkspace(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const { name, path, reasons } = value;
  return isLine(name) && isFolder(path) && isListOf(reasons, (reason) => isPlainObject(reason) && isText(reason['kind']));
}

/** Excludes options, because it is an argument of turborepo. */
function isTask(value: unknown): value is string {
  return isName(value) && !value.startsWith('-');
}

/** Accepts paths relative to the project's root that do not leave it. */
function isFolder(value: unknown): boolean {
  return isLine(value) && !value.startsWith('/') && !value.split('/').includes('..');
}

/** Accepts durations and counts. */
function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** Accepts `[1, 3]`, the first of three parts. */
export function isPart(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [part, of]: readonly unknown[] = value;
  return isCount(part) && isCount(of) && part <= of;
}

export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 1_000_000;
}

/** Tells whether a workspace of this name can be a piece. No package registry accepts a quote or backslash in a name. */
export function isPieceName(value: unknown): value is string {
  return isName(value) && !/["'`\\]/.test(value);
}

export function isName(value: unknown): value is string {
  return isLine(value) && value.length <= 300;
}

/** Returns a path for printing: git allows line breaks in names. */
export function inOneLine(path: string): string {
  return path.replace(/[\p{Cc}\u2028\u2029]/gu, '?');
}

/** Rejects line breaks, because a printed line break would start a log line with someone else's text. */
export function isLine(value: unknown): value is string {
  return isText(value) && value !== '' && !/[\p{Cc}\u2028\u2029]/u.test(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isListOf<Value>(value: unknown, isOne: (one: unknown) => one is Value): value is readonly Value[];
function isListOf(value: unknown, isOne: (one: unknown) => boolean): value is readonly unknown[];
function isListOf(value: unknown, isOne: (one: unknown) => boolean): value is readonly unknown[] {
  return Array.isArray(value) && value.every((one) => isOne(one));
}
