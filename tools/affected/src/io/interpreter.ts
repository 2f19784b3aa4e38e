import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import { hasCode } from '@tributary/process/system-error';
import type { FindInterpreter } from '../observe/executions.js';

/** The kernel reads no more of the first line. */
const LINE = 256;
/** The type of the program header that names an interpreter. */
const PT_INTERP = 3;

/**
 * Finds the program that the kernel starts for a file: that of a line `#!`, or the loader of a native program. `path` has one character per
 * byte, and so has the answer. Source: execve(2), elf(5).
 */
export const findInterpreter: FindInterpreter = (path) => {
  const name = Buffer.from(path, 'latin1');
  try {
    const end = realpathSync.native(name, 'latin1');
    const descriptor = openSync(name, 'r');
    try {
      return interpreterIn((at, count) => readAt(descriptor, at, count), end);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    // What the user may run and not read is no script.
    return hasCode(error, 'EACCES') ? { interpreter: undefined, end: path } : undefined;
  }
};

type Read = (at: number, count: number) => Buffer;

function interpreterIn(read: Read, end: string): ReturnType<FindInterpreter> {
  const start = read(0, LINE);
  if (start.toString('latin1', 0, 2) === '#!') return { interpreter: scriptInterpreter(start), end };
  if (start.toString('latin1', 0, 4) !== '\x7fELF') return { interpreter: undefined, end };
  // Big-endian programs are not read.
  return start[5] === 1 ? { interpreter: loaderIn(start, read), end } : undefined;
}

function readAt(descriptor: number, at: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, count, at));
}

function scriptInterpreter(start: Buffer): string | undefined {
  return /^#![ \t]*([^ \t\n\0]+)/.exec(start.toString('latin1'))?.[1];
}

/** `undefined`: a static program. */
function loaderIn(start: Buffer, read: Read): string | undefined {
  const is64 = start[4] === 2;
  const size = start.readUInt16LE(is64 ? 54 : 42);
  const table = read(numberAt(start, is64 ? 32 : 28, is64), size * start.readUInt16LE(is64 ? 56 : 44));
  for (let at = 0; at + size <= table.length && size > 0; at += size) {
    if (table.readUInt32LE(at) !== PT_INTERP) continue;
    const name = read(numberAt(table, at + (is64 ? 8 : 4), is64), numberAt(table, at + (is64 ? 32 : 16), is64));
    return name.toString('latin1').replace(/\0.*$/s, '');
  }
  return undefined;
}

function numberAt(bytes: Buffer, at: number, is64: boolean): number {
  return is64 ? Number(bytes.readBigUInt64LE(at)) : bytes.readUInt32LE(at);
}
