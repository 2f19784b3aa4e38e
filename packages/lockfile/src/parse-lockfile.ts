import { conflictLine } from '@tributary/model/file-text';
import { parseBerry } from './berry.js';
import { parseClassic } from './classic.js';
import type { Lockfile, LockfileText, UnreadableLockfile, UnsupportedLockfile } from './lockfile.js';
import { parseNpm } from './npm.js';
import { parsePnpm, parsePnpmKey } from './pnpm.js';

/** Reads a lockfile of any format, which the name of the file and its text tell. Never throws. */
export function parseLockfile({ name, text }: LockfileText): Lockfile | UnreadableLockfile | UnsupportedLockfile {
  switch (name) {
    case 'yarn.lock': {
      const lock = parseBerry(text);
      return lock.kind === 'classic' ? parseClassic(text) : lock;
    }
    case 'npm-shrinkwrap.json':
    case 'package-lock.json':
      return parseNpm(text);
    case 'pnpm-lock.yaml':
      return parsePnpm(text);
  }
}

/**
 * Empties the lines of the entries that have none of these names: the same parser then reads the rest in a fraction of the time, and
 * counts the lines as before. What is wrong with the other entries goes unnoticed, and dependencies may resolve to nothing.
 */
export function keepEntries({ name, text }: LockfileText, names: ReadonlySet<string>): LockfileText {
  if (name !== 'yarn.lock' && name !== 'pnpm-lock.yaml') return { name, text };
  if (conflictLine(text) !== undefined) return { name, text };
  const isKept = name === 'yarn.lock' ? isYarnKept : isPnpmKept;
  let keeps = true;
  const lines = text.split('\n').map((line) => {
    keeps = isKept(line, names) ?? keeps;
    return keeps ? line : '';
  });
  return { name, text: lines.join('\n') };
}

/** `undefined` for a line that does not begin an entry. */
function isYarnKept(line: string, names: ReadonlySet<string>): boolean | undefined {
  if (line === '' || ' #:\r'.includes(line.charAt(0))) return undefined;
  let hasNames = false;
  // Also the names of aliases: `"kit@npm:tools@^1.0.0":`.
  for (const [, name = ''] of line.matchAll(/((?:@[^@/\s",:]+\/)?[^@/\s",:]+)@/g)) {
    if (names.has(name)) return true;
    hasNames = true;
  }
  return !hasNames;
}

/** Sections begin at the start of a line, entries of `packages` and `snapshots` two blanks in, importers too. */
function isPnpmKept(line: string, names: ReadonlySet<string>): boolean | undefined {
  if (line !== '' && !line.startsWith(' ')) return true;
  // A long key stands behind `?`, and its value behind `:` on the next line.
  const [, key] = /^ {2}(?:\? )?['"]?([^\s'":?][^\s'"]*)/.exec(line) ?? [];
  return key === undefined ? undefined : names.has(parsePnpmKey(key)?.name ?? '');
}
