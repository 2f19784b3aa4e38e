import type { ObjectId } from '@tributary/model/ids';

/** A commit, split where a move changes it. */
export interface CommitParts {
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  /** Everything after the parents, byte for byte: author, committer, unknown headers, signature, message. */
  readonly rest: Buffer;
}

const LINE_FEED = 0x0a;

/** Parses a commit object. Throws a plain error if it does not start with a tree line, although git has checked it before. */
export function parseCommit(content: Buffer): CommitParts {
  const tree = lineAt(content, 0, 'tree ');
  if (tree === undefined) throw new Error('a commit object does not start with its tree');
  const parents: ObjectId[] = [];
  let at = tree.next;
  for (let line = lineAt(content, at, 'parent '); line !== undefined; line = lineAt(content, at, 'parent ')) {
    parents.push(line.id);
    at = line.next;
  }
  return { tree: tree.id, parents, rest: content.subarray(at) };
}

/** The inverse of `parseCommit`. */
export function formatCommit(parts: CommitParts): Buffer {
  const header = `tree ${parts.tree}\n${parts.parents.map((parent) => `parent ${parent}\n`).join('')}`;
  const out = Buffer.allocUnsafe(header.length + parts.rest.length);
  out.write(header, 0, 'latin1');
  parts.rest.copy(out, header.length);
  return out;
}

/** Returns name and address of the author as stored; empty if the commit has no author line. */
export function authorOf(parts: CommitParts): string {
  const end = parts.rest.indexOf(LINE_FEED);
  const line = parts.rest.toString('latin1', 0, end < 0 ? parts.rest.length : end);
  return line.startsWith('author ') ? line.slice('author '.length).replace(/>[^>]*$/, '>') : '';
}

function lineAt(content: Buffer, at: number, key: string): { id: ObjectId; next: number } | undefined {
  if (content.toString('latin1', at, at + key.length) !== key) return undefined;
  const end = content.indexOf(LINE_FEED, at);
  if (end < 0) return undefined;
  return { id: content.toString('latin1', at + key.length, end) as ObjectId, next: end + 1 };
}
