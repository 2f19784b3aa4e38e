import {
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { hasCode } from './system-error.js';

/** The process that holds a lock. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** The start time of the process, as the kernel counts it, because process ids are reused. Empty if unknown. */
  readonly born: string;
}

/** Creates the error to throw if another process holds the lock; `undefined`: the holder is unknown. */
export type LockFailure = (file: string, holder: LockHolder | undefined) => ToolError;

/**
 * Takes the lock of a folder, so that only one run uses it. Creates the folder if it is missing. Takes over a lock whose process has ended,
 * for example by `kill -9`. Returns a function that releases the lock and removes the folder if it is empty. Throws the error that `locked`
 * creates.
 */
export function takeLock(folder: AbsolutePath, locked: LockFailure): () => void {
  const file = join(folder, 'lock');
  takeFile(folder, locked);
  removeDeadDrafts(folder);
  return () => {
    rmSync(file, { force: true });
    removeIfEmpty(folder);
  };
}

/** How often other runs may remove the folder meanwhile, which they do when they release their lock. */
const ATTEMPTS = 20;

function takeFile(folder: AbsolutePath, locked: LockFailure): void {
  const file = join(folder, 'lock');
  for (let attempt = 1; ; attempt++) {
    makeFolder(folder);
    try {
      if (create(file)) return;
      removeDead(file, locked);
      if (create(file)) return;
      throw locked(file, readHolder(file));
    } catch (error) {
      if (hasCode(error, 'ENOENT') && attempt < ATTEMPTS) continue;
      removeIfEmpty(folder);
      throw error;
    }
  }
}

/** Not `recursive`: with it, Node reports ENOENT if the disk is not writable. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

/** Removes a folder unless something is left in it. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error;
  }
}

/**
 * Creates the lock by linking a finished file into place, so that no other run sees a lock without its holder. Returns false if it exists.
 */
function create(file: string): boolean {
  const draft = `${file}-${process.pid}`;
  try {
    writeFileSync(draft, JSON.stringify(thisProcess()));
    linkOrCopy(draft, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Links the lock, or copies it on file systems without hard links. Another run may see the copy while it is empty and treats it as taken.
 */
function linkOrCopy(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    // EISDIR is how Windows refuses links on FAT and exFAT.
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR')) throw error;
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
  }
}

/**
 * Removes the lock of an ended process. Two runs may find the same dead lock, so each moves it aside and checks it again before deleting
 * it.
 */
function removeDead(file: string, locked: LockFailure): void {
  const holder = readHolder(file);
  if (holder === undefined || isAlive(holder)) throw locked(file, holder);
  const aside = `${file}-dead-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  const moved = readHolder(aside);
  if (moved !== undefined && isAlive(moved)) {
    renameSync(aside, file);
    throw locked(file, moved);
  }
  rmSync(aside, { force: true });
}

/** Removes the drafts of runs that were killed between writing the draft and taking the lock. */
function removeDeadDrafts(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith('lock-'))) {
    const holder = readHolder(join(folder, name));
    const ended = holder === undefined ? birthOf(Number(/\d+$/.exec(name)?.[0])) === undefined : !isAlive(holder);
    if (ended) rmSync(join(folder, name), { force: true });
  }
}

/** Returns the holder that a lock file names; `undefined` if it names none. */
function readHolder(file: string): LockHolder | undefined {
  try {
    const { pid, host, born } = JSON.parse(readFileSync(file, 'utf8')) as Partial<LockHolder>;
    return Number.isInteger(pid) && typeof host === 'string' && typeof born === 'string' ? { pid: Number(pid), host, born } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns this process as the holder of a lock. */
function thisProcess(): LockHolder {
  return { pid: process.pid, host: hostname(), born: birthOf(process.pid) ?? '' };
}

/** Returns whether the holder still runs. A process on another host counts as alive, because its state is unknown. */
function isAlive(holder: LockHolder): boolean {
  if (holder.host !== hostname()) return true;
  const born = birthOf(holder.pid);
  return born !== undefined && (holder.born === '' || born === '' || born === holder.born);
}

/** Returns the start time of a process, empty if unknown; `undefined` if there is no such process. */
function birthOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return undefined;
  }
  try {
    // Field 22 of proc(5). The name in field 2 may contain anything but ends at the last parenthesis.
    return (
      readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ')[19] ?? ''
    );
  } catch {
    return '';
  }
}
