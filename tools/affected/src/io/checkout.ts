import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import type { RepoLocation } from './locate.js';

/** Returns an id that distinguishes checkouts, even between machines, and reveals nothing else. */
export function checkoutId({ gitDir }: RepoLocation): string {
  const { dev, ino } = statSync(gitDir);
  return createHash('sha256').update([hostname(), dev, ino, gitDir].join('\n')).digest('hex').slice(0, 16);
}
