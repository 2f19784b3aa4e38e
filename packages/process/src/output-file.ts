import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { finishFirst } from './hold-signals.js';
import { refuseLinks } from './links-on-the-way.js';
import { hasCode } from './system-error.js';
import { orUnusable, unusable } from './unusable-file.js';

/** The actual location of an output file, with links followed. */
type Output =
  | { readonly kind: 'file'; readonly path: string; readonly mode: number | undefined }
  | { readonly kind: 'device'; readonly path: string }
  | { readonly kind: 'descriptor'; readonly descriptor: number };

/**
 * Returns the absolute path of a user-supplied output file. Throws `FILE_UNUSABLE` for a name that can only be a folder, such as `out/`, and
 * for one behind a link in the checkout.
 */
export function outputPath(cwd: string, named: string): string {
  const path = resolve(cwd, named);
  if (['', '.', '..'].includes(named.split(sep === '/' ? '/' : /[\\/]/).at(-1) ?? ''))
    throw unusable({ path, what: 'written', code: 'EISDIR' });
  refuseLinks(cwd, dirname(path));
  return path;
}

/**
 * Writes an output file and creates missing folders above it. A regular file is replaced atomically and keeps its mode. A device, a pipe or
 * a descriptor (`/dev/stdout`, `/dev/fd/3`) is written to directly. A link stays, and its target is replaced. The target must be a device,
 * or be inside the link's folder. Waits a few seconds for the reader of a named pipe. Throws `FILE_UNUSABLE`, `DISK_FULL`.
 */
export function writeOutput(path: string, text: string): void {
  writeTo(path, text, replaceFile);
}

/** Appends to an output file; otherwise the same as `writeOutput`. */
export function appendOutput(path: string, text: string): void {
  writeTo(path, text, (file) => appendFileSync(file.path, text));
}

/** Checks, without writing, that `path` is a possible output file in an existing folder. Throws `FILE_UNUSABLE`. */
export function checkOutput(path: string): void {
  orUnusable(path, 'written', () => {
    const folder = statSync(dirname(path));
    if (!folder.isDirectory()) throw unusable({ path, what: 'written', code: 'ENOTDIR' });
    findOutput(path);
  });
}

/** Returns whether an output file is a device, a pipe or a descriptor, which has no earlier content to read. Throws `FILE_UNUSABLE`. */
export function isOutputStream(path: string): boolean {
  return orUnusable(path, 'written', () => existsSync(dirname(path)) && findOutput(path).kind !== 'file');
}

function writeTo(path: string, text: string, writeFile: (file: Extract<Output, { kind: 'file' }>, text: string) => void): void {
  orUnusable(path, 'written', () => {
    mkdirSync(dirname(path), { recursive: true });
    const output = findOutput(path);
    // A signal must not leave half of it.
    if (output.kind === 'file') finishFirst(() => writeFile(output, text));
    else if (output.kind === 'device') writeDevice(output.path, text);
    else writeDescriptor(output.descriptor, text);
  });
}

/** Not write-file-atomic: it adds to the name, so a file with the longest possible name could not be written. */
function replaceFile({ path, mode }: Extract<Output, { kind: 'file' }>, text: string): void {
  const part = join(dirname(path), `.tributary-${randomUUID()}.part`);
  try {
    writeFileSync(part, text, { flag: 'wx', mode: mode ?? 0o666 });
    // The umask may have removed bits.
    if (mode !== undefined) chmodSync(part, mode);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

function writeDevice(path: string, text: string): void {
  const descriptor = openDevice(path);
  try {
    writeDescriptor(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Opens a device without creating or truncating it. The call must not block: a process that waits in the kernel for a reader ignores
 * Ctrl-C.
 */
function openDevice(path: string): number {
  for (let pauses = 0; ; pauses++) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      const waitsForReader = hasCode(error, 'ENXIO') && statSync(path).isFIFO() && pauses < LONGEST_WAIT_MS / PAUSE_MS;
      if (!waitsForReader) throw error;
      pause();
    }
  }
}

/** How long to wait for the reader of a named pipe: the shell may start it later than this program. */
const LONGEST_WAIT_MS = 5000;
const PAUSE_MS = 5;

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

function writeDescriptor(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      // EAGAIN: the pipe is full for the moment.
      if (!hasCode(error, 'EAGAIN')) throw error;
      pause();
    }
  }
}

function findOutput(named: string): Output {
  const target = followLinks(named);
  const descriptor = descriptorOf(target);
  // Descriptors are written to directly: reopening a file would write from its beginning, and a socket cannot be reopened.
  if (descriptor !== undefined) return { kind: 'descriptor', descriptor };
  const found = statSync(target, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) {
    refuseOutside(named, target);
    return { kind: 'file', path: target, mode: found && found.mode & 0o777 };
  }
  if (found.isDirectory()) throw unusable({ path: named, what: 'written', code: 'EISDIR' });
  if (found.isBlockDevice()) throw refused(named, 'it is a disk', 'Give a file, a pipe, or a device such as /dev/null.');
  return { kind: 'device', path: target };
}

/** The limit of Linux. */
const MOST_LINKS = 40;

/** Returns the path behind all links, which may not exist. A descriptor is not followed. */
function followLinks(named: string): string {
  let path = named;
  for (let count = 0; count <= MOST_LINKS; count++) {
    // Not Node's other realpath: it removes ".." before it follows the link in front of it.
    path = join(realpathSync.native(dirname(path)), basename(path));
    if (descriptorOf(path) !== undefined) return path;
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
    const link = readlinkSync(path);
    path = isAbsolute(link) ? link : `${dirname(path)}${sep}${link}`;
  }
  throw unusable({ path: named, what: 'written', code: 'ELOOP' });
}

/** Returns the number in `/dev/fd/3` or `/proc/self/fd/3`; `undefined` for other paths. */
function descriptorOf(path: string): number | undefined {
  const isOwn = existsSync('/dev/fd') && dirname(path) === realpathSync.native('/dev/fd');
  return isOwn && /^\d+$/.test(basename(path)) ? Number(basename(path)) : undefined;
}

/** Rejects a target outside the link's folder: an unreviewed link in a checkout must not make a CI job write elsewhere. */
function refuseOutside(named: string, target: string): void {
  const folder = realpathSync.native(dirname(named));
  if (target.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)) return;
  throw refused(
    named,
    `it is a link to ${target}, which is outside of its folder: a link in a checkout could redirect the output`,
    `To write there, give ${target} itself.`,
  );
}

function refused(path: string, why: string, hint: string): ToolError {
  return new ToolError({ code: 'FILE_UNUSABLE', message: `${path} cannot be written, because ${why}.`, hint, data: { file: path } });
}
