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
  /** When the process was started, as the kernel counts it: numbers of processes are used again. Empty where it cannot be told. */
  readonly born: string;
}

/** What is thrown where another process holds the lock; `undefined`: nobody can be recognised in it. */
export type LockFailure = (file: string, holder: LockHolder | undefined) => ToolError;

/**
 * Keeps two runs on one folder apart, which is made if it is not there. A lock whose process has ended, by `kill -9` for example, is taken over.
 * Returns what gives it back, and the folder with it if nothing else is in it. Throws what `locked` makes.
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

/** How often others may take the folder away, which they do when they give their lock back. */
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

/** Not `recursive`: Node then calls it ENOENT when the disk cannot be written to. */
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

/** Linking a finished file into place, so that no other run ever sees a lock without its holder. */
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

/** Some file systems know no hard links; there the lock is copied, and another run may see it before it is filled, which counts as taken. */
function linkOrCopy(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    // EISDIR is how Windows refuses links on FAT and exFAT.
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR')) throw error;
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
  }
}

/** Two runs may find the same dead lock: each moves it aside and looks again at what it has moved before it throws it away. */
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

/** What runs have left that were killed between writing their name down and taking the lock. */
function removeDeadDrafts(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith('lock-'))) {
    const holder = readHolder(join(folder, name));
    const ended = holder === undefined ? birthOf(Number(/\d+$/.exec(name)?.[0])) === undefined : !isAlive(holder);
    if (ended) rmSync(join(folder, name), { force: true });
  }
}

/** `undefined` where nobody can be recognised. */
function readHolder(file: string): LockHolder | undefined {
  try {
    const { pid, host, born } = JSON.parse(readFileSync(file, 'utf8')) as Partial<LockHolder>;
    return Number.isInteger(pid) && typeof host === 'string' && typeof born === 'string' ? { pid: Number(pid), host, born } : undefined;
  } catch {
    return undefined;
  }
}

/** Who would hold a lock that is taken here. */
export function thisProcess(): LockHolder {
  return { pid: process.pid, host: hostname(), born: birthOf(process.pid) ?? '' };
}

/** A process on another machine counts as alive: it cannot be asked. */
export function isAlive(holder: LockHolder): boolean {
  if (holder.host !== hostname()) return true;
  const born = birthOf(holder.pid);
  return born !== undefined && (holder.born === '' || born === '' || born === holder.born);
}

/** `undefined`: there is no such process. */
function birthOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return undefined;
  }
  try {
    // Field 22 of proc(5); the name in field 2 can hold anything but ends with the last parenthesis.
    return (
      readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ')[19] ?? ''
    );
  } catch {
    return '';
  }
}
