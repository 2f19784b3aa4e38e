import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';

/**
 * Returns the variable, as `NAME=value`, that marks test processes: the same for all runs in a folder, and different
 * for every other folder. A random number in the folder distinguishes containers with repositories at the same path.
 * The path distinguishes a copy from the original.
 */
export function testMark(home: AbsolutePath): string {
  const file = join(home, 'mark');
  const known = existsSync(file) ? readFileSync(file, 'latin1') : '';
  const id = /^[0-9a-f]{32}$/.test(known) ? known : randomBytes(16).toString('hex');
  if (id !== known) writeFileSync(file, id);
  return `TRIBUTARY_TESTS=${createHash('sha256').update(`${id} ${home}`).digest('hex').slice(0, 24)}`;
}
