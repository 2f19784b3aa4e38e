import { isPlainObject } from '@tributary/model/plain-object';
import { changedKeys } from '../same-value.js';
import { kindOfTask, type TaskKind } from '../task-kinds.js';
import type { Settings } from './lerna.js';

/**
 * Returns the changed keys of nx.json that a task of this kind may depend on, such as `namedInputs`; entries of `targetDefaults` as
 * `targetDefaults.build`. `dependsOn`: whether other files of the project define dependencies between targets too.
 */
export function diffNx(base: Settings, head: Settings, kind: TaskKind, dependsOn: 'here alone' | 'elsewhere too'): readonly string[] {
  const changed = changedKeys(base, head, () => 'counts');
  if (kind === 'other') return changed;
  const sides = [base['targetDefaults'], head['targetDefaults']];
  const isReadable = sides.every((side) => side === undefined || isPlainObject(side));
  const targets = changedKeys(...pair(sides), () => 'counts').filter((target) => mayMatter(target, sides, kind, dependsOn));
  return changed
    .filter((key) => !NOBODY.has(key))
    .flatMap((key) => (key === 'targetDefaults' && isReadable ? targets.map((target) => `targetDefaults.${target}`) : [key]));
}

/** Keys for caches, the cloud, `nx affected`, generators and releases, which do not change what a task does. */
const NOBODY: ReadonlySet<string> = new Set([
  '$schema',
  'affected',
  'analytics',
  'cacheDirectory',
  'cli',
  'defaultBase',
  'defaultProject',
  'generators',
  'maxCacheSize',
  'neverConnectToCloud',
  'nxCloudAccessToken',
  'nxCloudId',
  'nxCloudUrl',
  'parallel',
  'release',
  'tui',
  'useDaemonProcess',
]);

function pair([base, head]: readonly unknown[]): readonly [unknown, unknown] {
  return [base, head];
}

/**
 * Returns whether a target may concern tasks of a kind. It is named by its task, by a glob, or by its executor (`@nx/js:tsc`), which shows
 * no kind.
 */
function mayMatter(target: string, sides: readonly unknown[], kind: TaskKind, dependsOn: 'here alone' | 'elsewhere too'): boolean {
  const targetKind = kindOfTask(target);
  if (targetKind === kind || targetKind === 'other' || dependsOn === 'elsewhere too') return true;
  return sides.some((side) => namesInDependsOn(side).some((name) => name === '*' || mayName(name, target)));
}

/** Returns whether an entry may name a target: `^build`, `lib:build`. The object form `{ "target": "build" }` is read as text too. */
function mayName(written: string, target: string): boolean {
  return written.replace(/^\^/, '').split(':').includes(target) || /[*{]/.test(written);
}

function namesInDependsOn(targetDefaults: unknown): readonly string[] {
  if (!isPlainObject(targetDefaults)) return [];
  return Object.values(targetDefaults).flatMap((target) => (isPlainObject(target) ? textsIn(target['dependsOn']) : []));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
