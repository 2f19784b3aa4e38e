import { writeSync } from 'node:fs';

/** Writes all bytes before it returns, waiting while a pipe is full. Returns the error if it fails: `EPIPE`, `ENOSPC`. */
export function writeAtOnce(file: number, bytes: Uint8Array): NodeJS.ErrnoException | undefined {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      const failure = error as NodeJS.ErrnoException;
      if (failure.code !== 'EAGAIN') return failure;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
  return undefined;
}
