import { createHash } from 'node:crypto';
import type { ObjectId } from '@tributary/model/ids';
import { parseCommit } from './commit.js';

/** What identifies a commit that a migration makes. Committer, commit date and signature are not part of it. */
export interface MadeCommit {
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  /** As git stores it: `name <address> seconds zone`. */
  readonly author: string;
  readonly message: string;
}

const TRAILER = 'Tributary-Made: ';
// A hash inside a commit cannot cover the commit's own id. This many hexadecimal digits are enough to detect a change
// of the parts that it covers.
const DIGITS = 16;

/**
 * Returns the message with a trailer that names the packages of the commit. It also shows permanently, in any clone,
 * whether the commit was changed.
 */
export function markMade(made: MadeCommit, packages: readonly string[]): string {
  const { message } = made;
  const lines = message.trimEnd().split('\n');
  const isAfterTrailers = /^Tributary-[A-Za-z-]+: /.test(lines.at(-1) ?? '');
  return `${message}${isAfterTrailers ? '' : '\n'}${TRAILER}${hashOf(made)} ${packages.join(' ')}\n`;
}

/** Whether a commit object is unchanged since a migration made it: its files, message, author and parents. */
export function isAsMade(content: Buffer): boolean {
  const { tree, parents, rest } = parseCommit(content);
  // As Latin-1, so that every byte counts in any encoding.
  const text = rest.toString('latin1');
  const end = text.indexOf('\n\n');
  const author = /^author (.*)\n/.exec(text)?.[1] ?? '';
  const match = new RegExp(`^([\\s\\S]*\\n)${TRAILER}([0-9a-f]+) [^\\n]*\\n$`).exec(text.slice(end + 2));
  if (end < 0 || match === null) return false;
  const [, before = '', hash] = match;
  // The empty line before the trailer belongs to it, unless another trailer precedes it.
  return [before, before.replace(/\n$/, '')].some((message) => digest({ tree, parents, author, message }) === hash);
}

function hashOf({ author, message, ...rest }: MadeCommit): string {
  return digest({ ...rest, author: asBytes(author), message: asBytes(message) });
}

function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function digest({ tree, parents, author, message }: MadeCommit): string {
  return createHash('sha256')
    .update([tree, parents.join(' '), author, message].join('\0'), 'latin1')
    .digest('hex')
    .slice(0, DIGITS);
}
