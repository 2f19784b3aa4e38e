import { type ObjectId, parseObjectId } from '@tributary/model/ids';
import { textAsName } from './tree.js';

/** Splits output with `-z`, in which NUL ends each piece. */
export function splitNul(output: string): string[] {
  return output === '' ? [] : output.replace(/\0$/, '').split('\0');
}

/** A ref as a remote announces it. */
export interface RemoteRef {
  readonly ref: string;
  readonly id: ObjectId;
  /** For HEAD: its branch. */
  readonly target?: string;
  /** For a tag object: the object that it finally points to. */
  readonly peeled?: ObjectId;
}

/** Parses the output of `ls-remote --symref`, in the order of the remote, without peeled entries (`^{}`). */
export function parseRemoteRefs(output: string): RemoteRef[] {
  const targets = new Map<string, string>();
  const refs: RemoteRef[] = [];
  for (const line of output.split('\n')) {
    const [first = '', ref = ''] = line.split('\t');
    const tag = refs.at(-1);
    if (ref === '') continue;
    if (ref.endsWith('^{}')) {
      if (tag !== undefined && ref === `${tag.ref}^{}`) refs[refs.length - 1] = { ...tag, peeled: parseObjectId(first) };
    } else if (first.startsWith('ref: ')) targets.set(ref, first.slice('ref: '.length));
    else refs.push({ ref, id: parseObjectId(first), ...(targets.has(ref) ? { target: targets.get(ref) ?? '' } : {}) });
  }
  return refs;
}

/** A file of a commit, as `ls-tree -r -z` prints it. */
export interface ListedFile {
  readonly mode: string;
  readonly id: ObjectId;
  /** In bytes; `undefined` for a submodule, or if the size was not requested. */
  readonly size: number | undefined;
  /** From the root, bytes as Latin-1 text (see `TreeEntry`). */
  readonly path: string;
}

/** Parses the output of `ls-tree -r -z`, with or without `-l`, read as Latin-1. In the order of the tree. */
export function parseListedFiles(output: string): ListedFile[] {
  return splitNul(output).map((line) => {
    const tab = line.indexOf('\t');
    const [mode = '', , id = '', size] = line.slice(0, tab).split(/ +/);
    return { mode, id: parseObjectId(id), size: size === undefined || size === '-' ? undefined : Number(size), path: line.slice(tab + 1) };
  });
}

/** Returns whether a path of a tree has this file name, for example `package.json`. */
export function hasFileName(path: string, name: string): boolean {
  const wanted = textAsName(name);
  return path === wanted || path.endsWith(`/${wanted}`);
}

/** One line of `diff-tree --raw`. */
export interface RawChange {
  /** `000000` if there is none. */
  readonly oldMode: string;
  readonly newMode: string;
  /** Zeros if there is none. */
  readonly oldId: string;
  readonly newId: string;
  /** From the root, read as UTF-8. */
  readonly path: string;
}

/** Parses the output of `diff-tree -r -z --raw --no-renames --no-abbrev`, read as UTF-8. In git's order. */
export function parseRawDiff(output: string): RawChange[] {
  const pieces = splitNul(output);
  const changes: RawChange[] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = (pieces[at] ?? '').slice(1).split(' ');
    const path = pieces[at + 1];
    if (path === undefined || !/^\d{6}$/.test(newMode)) throw new Error(`git's list of changes is cut off at "${pieces[at] ?? ''}"`);
    changes.push({ oldMode, newMode, oldId, newId, path });
  }
  return changes;
}
