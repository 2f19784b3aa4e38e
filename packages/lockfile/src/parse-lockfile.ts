import { conflictLine } from '@tributary/model/file-text';
import { parseBerry } from './berry.js';
import { parseClassic } from './classic.js';
import type { LockfileReading, LockfileText } from './lockfile.js';
import { parseNpm } from './npm.js';
import { parsePnpm, parsePnpmKey } from './pnpm.js';

/** Reads a lockfile of any format, which the name of the file and its text tell. Never throws. */
export function parseLockfile({ name, text }: LockfileText): LockfileReading {
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
 * The same with only the entries of packages that have these names, of theirs and of aliases, in a fraction of the time: the rest is cut
 * off before it is parsed. What is wrong there goes unnoticed, and dependencies may resolve to nothing.
 */
export function parseEntriesOf({ name, text }: LockfileText, names: ReadonlySet<string>): LockfileReading {
  if (name !== 'yarn.lock' && name !== 'pnpm-lock.yaml') return parseNpm(text, names);
  const lock = parseLockfile({ name, text: conflictLine(text) === undefined ? cut(name, text, names) : text });
  // The reason has the line of the whole text then.
  return 'entries' in lock ? lock : parseLockfile({ name, text });
}

function cut(name: 'yarn.lock' | 'pnpm-lock.yaml', text: string, names: ReadonlySet<string>): string {
  const [start, isKept] = name === 'yarn.lock' ? [/\n(?=[^\s#:])/, yarnFilter(names)] : [/\n(?=(?: {2})?[^\s#:])/, pnpmFilter(names)];
  const entries = text.split(start).filter((entry) => isKept(firstLine(entry)));
  return entries.join('\n');
}

/** By the descriptors in the line, such as `"kit@npm:tools@^1.0.0":`. A line that has none belongs to the file. */
function yarnFilter(names: ReadonlySet<string>): (line: string) => boolean {
  const escaped = [...names].map((name) => name.replace(/\W/g, '\\$&'));
  const wanted = new RegExp(`(?:^|[\\s",:])(?:${escaped.join('|')})@`);
  return (line) => wanted.test(line) || !line.includes('@');
}

/** Sections of the file begin at the start of a line, entries two blanks in: `  '@acme/ui@1.2.3':`, for a long key `  ? '@acme/ui@1.2.3'`. */
function pnpmFilter(names: ReadonlySet<string>): (line: string) => boolean {
  return (line) => {
    const [, key] = /^ {2}(?:\? )?['"]?(.*)/.exec(line) ?? [];
    return key === undefined || names.has(parsePnpmKey(key)?.name ?? '');
  };
}

function firstLine(entry: string): string {
  const end = entry.indexOf('\n');
  return end < 0 ? entry : entry.slice(0, end);
}
