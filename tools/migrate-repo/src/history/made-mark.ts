import { createHash } from 'node:crypto';
import type { ObjectId } from '@tributary/model/ids';
import { parseCommit } from './commit.js';

/** What a commit that a migration makes is told by. Who commits it, and when, and a signature are not part of it. */
export interface MadeCommit {
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  /** As git stores it: `name <address> seconds zone`. */
  readonly author: string;
  readonly message: string;
}

const TRAILER = 'Tributary-Made: ';
// A hash in a commit cannot cover the commit's own id; of what the id covers, so many hexadecimal digits are enough to see a change.
const DIGITS = 16;

/** The message with a trailer that says for which packages the commit was made, and tells for ever, in any clone, whether it was changed since. */
export function markMade(made: MadeCommit, packages: readonly string[]): string {
  const { message } = made;
  const lines = message.trimEnd().split('\n');
  const isAfterTrailers = /^Tributary-[A-Za-z-]+: /.test(lines.at(-1) ?? '');
  return `${message}${isAfterTrailers ? '' : '\n'}${TRAILER}${hashOf(made)} ${packages.join(' ')}\n`;
}

/** Whether a commit object is still the one that a migration made: nobody has changed its files, its message, its author or its parents. */
export function isAsMade(content: Buffer): boolean {
  const { tree, parents, rest } = parseCommit(content);
  // As Latin-1, so that every byte counts whatever the encoding.
  const text = rest.toString('latin1');
  const end = text.indexOf('\n\n');
  const author = /^author (.*)\n/.exec(text)?.[1] ?? '';
  const match = new RegExp(`^([\\s\\S]*\\n)${TRAILER}([0-9a-f]+) [^\\n]*\\n$`).exec(text.slice(end + 2));
  if (end < 0 || match === null) return false;
  const [, before = '', hash] = match;
  // The empty line before the trailer belongs to it where no other trailer stands there.
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
