import { conflictLine } from '@tributary/model/file-text';
import { parseBerry } from './berry.js';
import { parseClassic } from './classic.js';
import type { LockfileReading, LockfileText } from './lockfile.js';
import { parseNpm } from './npm.js';
import { parsePnpm, parsePnpmKey } from './pnpm.js';

/** Parses a lockfile of any format, detected from the file name and the text. Never throws. */
export function parseLockfile({ name, text, importer = '' }: LockfileText): LockfileReading {
  switch (name) {
    case 'yarn.lock': {
      const lock = parseBerry(text);
      return lock.kind === 'classic' ? parseClassic(text) : lock;
    }
    case 'npm-shrinkwrap.json':
    case 'package-lock.json':
      return parseNpm(text, undefined, importer);
    case 'pnpm-lock.yaml':
      return parsePnpm(text, importer);
  }
}

/**
 * Like `parseLockfile`, but with only the entries of packages that have one of these names, or an alias with one. It takes a fraction of
 * the time: the rest is cut off before parsing. Errors in the rest go unnoticed, and dependencies may have no resolution.
 */
export function parseEntriesOf({ name, text }: LockfileText, names: ReadonlySet<string>): LockfileReading {
  if (name !== 'yarn.lock' && name !== 'pnpm-lock.yaml') return parseNpm(text, names);
  const lock = parseLockfile({ name, text: conflictLine(text) === undefined ? cut(name, text, names) : text });
  // Parsed again, so that the reason has the line of the whole text.
  return 'entries' in lock ? lock : parseLockfile({ name, text });
}

function cut(name: 'yarn.lock' | 'pnpm-lock.yaml', text: string, names: ReadonlySet<string>): string {
  const [start, isKept] = name === 'yarn.lock' ? [/\n(?=[^\s#:])/, yarnFilter(names)] : [/\n(?=(?: {2})?[^\s#:])/, pnpmFilter(names)];
  const entries = text.split(start).filter((entry) => isKept(firstLine(entry)));
  return entries.join('\n');
}

/**
 * Returns a filter for lines with a wanted descriptor, such as `"kit@npm:tools@^1.0.0":`. A line without descriptors belongs to the file
 * itself.
 */
function yarnFilter(names: ReadonlySet<string>): (line: string) => boolean {
  const escaped = [...names].map((name) => name.replace(/\W/g, '\\$&'));
  const wanted = new RegExp(`(?:^|[\\s",:])(?:${escaped.join('|')})@`);
  return (line) => wanted.test(line) || !line.includes('@');
}

/**
 * Returns a filter for keys of wanted packages. Sections start at the beginning of a line, entries two blanks in: `  '@acme/ui@1.2.3':`, or
 * for a long key `  ? '@acme/ui@1.2.3'`.
 */
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
