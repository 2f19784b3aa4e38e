import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

/** Returns the SHA-256 of a file of any size; `readFileSync` refuses more than 2 GiB. */
export function checksumOf(file: string): string {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(1 << 20);
  const opened = openSync(file, 'r');
  try {
    for (let read = readSync(opened, buffer); read > 0; read = readSync(opened, buffer)) hash.update(buffer.subarray(0, read));
  } finally {
    closeSync(opened);
  }
  return hash.digest('hex');
}
