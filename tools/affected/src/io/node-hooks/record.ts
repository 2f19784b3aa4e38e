import fs from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';
import { type HookAddress, type HookRecord, type HookUse, MOST_PATHS } from '../../observe/hook-record.js';
import type { Gap } from '../../observe/observation.js';

// Runs in the processes of tests, before anything else. Tests may replace any function later, so all are taken here.

/** The functions of `fs` as Node made them. */
export const real: typeof fs = { ...fs };
const { hrtime } = process;
const cwd: () => string = process.cwd.bind(process);

/** Its log. Each line is written at once, so that a process that is killed loses nothing. */
const file = join(__dirname, `${process.pid}-${threadId}-${now()}.log`);
let seen = new Set<string>();
let count = 0;
let log: { readonly descriptor: number; readonly inode: number } | undefined;
let isFull = false;

/** Returns nanoseconds; all processes of a machine share this clock. */
export function now(): number {
  const [seconds, rest] = hrtime();
  return seconds * 1e9 + rest;
}

/** A process that cannot write its log removes it: the missing log makes the observation incomplete. */
export function record(entry: HookRecord): void {
  try {
    log ??= openLog();
    // A test may close a descriptor that is not its own, and open another file under the same number.
    if (real.fstatSync(log.descriptor).ino !== log.inode) throw new Error('the log is closed');
    real.writeSync(log.descriptor, `${JSON.stringify(entry)}\n`);
  } catch {
    real.rmSync(file, { force: true });
  }
}

function openLog(): NonNullable<typeof log> {
  const descriptor = real.openSync(file, 'a', 0o600);
  return { descriptor, inode: real.fstatSync(descriptor).ino };
}

/** Lets paths be recorded again, because they may lead elsewhere now. */
export function forget(): void {
  seen = new Set();
}

/** Records something only once. */
function recordOnce(key: string, entry: () => HookRecord): void {
  if (isFull || seen.has(key)) return;
  if (++count > MOST_PATHS) {
    isFull = true;
    return record(['gap', 'too-many-paths', `process ${process.pid} used more than ${MOST_PATHS}`]);
  }
  seen.add(key);
  record(entry());
}

export function recordGap(gap: Gap, detail: string): void {
  recordOnce(`gap ${gap}`, () => ['gap', gap, detail]);
}

export function recordVariable(name: string): void {
  recordOnce(`variable ${name}`, () => ['variable', name]);
}

export function recordAllVariables(): void {
  recordOnce('variables', () => ['variables']);
}

export function recordAddress(kind: 'reach' | 'serve', address: HookAddress): void {
  recordOnce(`${kind} ${JSON.stringify(address)}`, () => [kind, address]);
}

/**
 * Records a use that only counts if the path exists; otherwise, that it does not. The end of links on the path counts too: after the run, a
 * test may have removed them.
 */
export function see(kind: 'read' | 'found' | 'listed' | 'moved', path: unknown): void {
  const full = fullPath(path);
  if (full === undefined) return;
  // `/proc/self/cwd` is another folder each time.
  recordOnce(`see ${kind} ${/\/(?:proc|dev)\//.test(full) ? endOf(full) : full}`, () => {
    const moment = now();
    const is = exists(full) ? kind : 'absent';
    const end = endOf(full);
    if (end !== full) record(['use', is, end, moment]);
    return ['use', is, full, moment];
  });
}

/** Records a use without looking. `written`: call it when the write has ended. */
export function use(kind: HookUse, path: unknown): void {
  const full = fullPath(path);
  if (full !== undefined) recordOnce(`${kind} ${full}`, () => ['use', kind, full, now()]);
}

export function exists(path: string): boolean {
  try {
    return real.statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // It exists, but is not accessible.
    return true;
  }
}

/** Follows links as they are now. Of a path that does not exist, those of the folders above. */
function endOf(path: string): string {
  try {
    return real.realpathSync.native(path);
  } catch {
    const cut = path.lastIndexOf('/');
    return cut > 0 ? endOf(path.slice(0, cut)) + path.slice(cut) : path;
  }
}

/** Returns an absolute path; `undefined` for a descriptor. Double dots stay, because after a link they lead elsewhere. */
export function fullPath(path: unknown): string | undefined {
  const text = textOf(path);
  if (text === undefined || text === '') return undefined;
  if (sep === '\\') return resolve(text);
  return text.startsWith('/') ? text : `${cwd()}/${text}`;
}

function textOf(path: unknown): string | undefined {
  if (typeof path === 'string') return path;
  if (ArrayBuffer.isView(path)) return Buffer.from(path.buffer, path.byteOffset, path.byteLength).toString('utf8');
  // Not `instanceof`: jest has a URL of its own.
  const { protocol, href } = (path ?? {}) as { readonly protocol?: unknown; readonly href?: unknown };
  return protocol === 'file:' && typeof href === 'string' ? fileURLToPath(href) : undefined;
}
