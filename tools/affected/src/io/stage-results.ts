import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { arch, platform, version } from 'node:process';
import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';
import { writeOutput } from '@tributary/process/output-file';
import { orUnusable } from '@tributary/process/unusable-file';
import { parse } from 'jsonc-parser';
import { inOneLine } from '../plan/shape.js';
import type { TaskId } from '../plan/upstream.js';
import { checksumOf } from './checksum.js';
import { readEnvironment } from './environment.js';
import { readTurboFile } from './machine.js';
import { listFiles } from './receipts.js';

/**
 * The results of a stage: for each job a folder with entries of turborepo's cache, and a list of them. The list is written last, and has
 * the checksum of each file, so files that are cut off are noticed.
 */
interface StageList {
  readonly schemaVersion: 1;
  /** The hash of the plan. */
  readonly plan: string;
  /** What turborepo's hash leaves out: `linux x64 v24.1.0`. */
  readonly machine: string;
  readonly builds: readonly StageEntry[];
}

const MACHINE = `${platform} ${arch} ${version}`;

interface StageEntry {
  readonly task: TaskId;
  /** turborepo's hash. */
  readonly hash: string;
  /** SHA-256 of the files `<hash>.tar.zst` and `<hash>-meta.json`. */
  readonly files: readonly string[];
}

const LIST = 'stage.json';
/** An entry may have a third file, without which turborepo works too. It describes files of the machine that wrote it. */
const ENDINGS = ['.tar.zst', '-meta.json'];

/** The folder of a job's results. */
export function stageJobFolder(stage: string, job: string): string {
  return join(stage, job);
}

/** Removes what an earlier run left there. Throws `FILE_UNUSABLE`, also for a folder with anything else: it may be somebody's own. */
export function removeStageResults(folder: string): void {
  if (!existsSync(folder)) return;
  const other = orUnusable(folder, 'read', () => readdirSync(folder)).find((name) => !OWN_FILE.test(name));
  if (other !== undefined)
    throw new ToolError({
      code: 'FILE_UNUSABLE',
      message: `${folder} is not replaced, because it has a file that is no result of a build stage: ${other}.`,
      hint: 'Name another folder with --stage.',
      data: { file: folder },
    });
  orUnusable(folder, 'written', () => rmSync(folder, { recursive: true, force: true }));
}

const OWN_FILE = /^(?:stage\.json|[0-9a-f]+(?:\.tar\.zst|-(?:meta|manifest)\.json))(?:\.\w+)*$/;

/** Lists the results of builds that turborepo has put into a job's folder. Returns the tasks without one. Throws `FILE_UNUSABLE`, `DISK_FULL`. */
export function listStageResults(
  folder: string,
  { plan, builds }: { readonly plan: string; readonly builds: readonly Pick<StageEntry, 'task' | 'hash'>[] },
): readonly TaskId[] {
  const entries = builds.flatMap(({ task, hash }): readonly StageEntry[] => {
    const files = ENDINGS.map((ending) => join(folder, `${hash}${ending}`));
    return files.every((file) => existsSync(file)) ? [{ task, hash, files: files.map(checksumOf) }] : [];
  });
  const list: StageList = { schemaVersion: 1, plan, machine: MACHINE, builds: entries };
  writeOutput(join(folder, LIST), `${JSON.stringify(list, undefined, 1)}\n`);
  return builds.map(({ task }) => task).filter((task) => !entries.some((entry) => entry.task === task));
}

/** What a shard takes from a stage. */
export interface StageTaken {
  /** By turborepo's hash. */
  readonly builds: ReadonlyMap<string, TaskId>;
  /** Why others are missing, as clauses. */
  readonly problems: readonly string[];
}

/**
 * Copies results of a stage into a cache folder: only those of the wanted tasks, only with the wanted hash, only of this plan, and only
 * undamaged files. `wanted`: turborepo's hash for this checkout, by task. Throws `FILE_UNUSABLE`, `DISK_FULL`.
 */
export function takeStageResults(
  stage: string,
  { plan, wanted, into }: { readonly plan: string; readonly wanted: ReadonlyMap<TaskId, string>; readonly into: string },
): StageTaken {
  const builds = new Map<string, TaskId>();
  const problems = new Set<string>();
  const lists = listFiles(stage, LIST);
  if (lists.length === 0) problems.add('the results of the stage are missing');
  for (const path of lists) {
    const list = readList(join(stage, path));
    if (list === undefined) problems.add('a list of its results is damaged');
    else if (list.plan !== plan) problems.add('its results are for another plan');
    else if (list.machine !== MACHINE) problems.add(`its results are of another kind of machine (${inOneLine(list.machine)})`);
    else {
      for (const entry of list.builds) {
        if (wanted.get(entry.task) !== entry.hash || builds.has(entry.hash)) continue;
        if (copyEntry(entry, join(stage, path, '..'), into)) builds.set(entry.hash, entry.task);
        else problems.add('a result is damaged');
      }
    }
  }
  return { builds, problems: [...problems] };
}

/** Returns whether all files of an entry are as they were listed. */
function copyEntry({ hash, files }: StageEntry, from: string, into: string): boolean {
  const names = ENDINGS.map((ending) => `${hash}${ending}`);
  const isWhole = names.every((name, at) => {
    const file = join(from, name);
    return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true && checksumOf(file) === files[at];
  });
  if (!isWhole) return false;
  orUnusable(into, 'written', () => {
    mkdirSync(into, { recursive: true });
    for (const name of names) copyFileSync(join(from, name), join(into, name));
  });
  return true;
}

function readList(path: string): StageList | undefined {
  const value = readJson(path);
  if (!isPlainObject(value) || value['schemaVersion'] !== 1) return undefined;
  const { plan, machine, builds } = value;
  return typeof plan === 'string' && typeof machine === 'string' && Array.isArray(builds) && builds.every(isEntry)
    ? (value as unknown as StageList)
    : undefined;
}

/** The hash becomes the name of a file. */
function isEntry(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const { task, hash, files } = value;
  return (
    typeof task === 'string' &&
    typeof hash === 'string' &&
    /^[0-9a-f]{1,64}$/.test(hash) &&
    Array.isArray(files) &&
    files.length === ENDINGS.length
  );
}

function readJson(path: string): unknown {
  // Reading a pipe would wait for ever.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Returns the folder of turborepo's cache in a project: that of the job's TURBO_CACHE_DIR or of turbo.json, otherwise the default. */
export function cacheFolderOf(project: string): string {
  const value: unknown = parse(readTurboFile(project) ?? '{}');
  const declared = isPlainObject(value) ? value['cacheDir'] : undefined;
  return resolve(project, readEnvironment()['TURBO_CACHE_DIR'] || (typeof declared === 'string' ? declared : '.turbo/cache'));
}
