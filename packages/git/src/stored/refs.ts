import { join } from 'node:path';
import type { ObjectId } from '@tributary/model/ids';
import { readIfThere } from './files.js';
import { NotPlain } from './not-plain.js';

/** The folders of a repository; of a linked work tree they are two. */
export interface GitFolders {
  readonly gitDir: string;
  readonly commonDir: string;
}

const ID = /^[0-9a-f]{40}$/;

/** The id of an object in a repository with SHA-1 ids. Throws `NotPlain`. */
export function parseId(text: string): ObjectId {
  if (!ID.test(text)) throw new NotPlain('an id of another form');
  return text as ObjectId;
}

/** Where git looks for a name, in its order (gitrevisions). */
const PLACES: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => `refs/${name}`,
  (name) => `refs/tags/${name}`,
  (name) => `refs/heads/${name}`,
  (name) => `refs/remotes/${name}`,
  (name) => `refs/remotes/${name}/HEAD`,
];

/** The object that a name stands for: `HEAD`, a branch, a tag, a whole id. Throws `NotPlain` for every other, be it there or not. */
export function resolveName(folders: GitFolders, name: string): ObjectId {
  if (ID.test(name)) return parseId(name);
  for (const place of PLACES) {
    const id = readRef(folders, place(name), 0);
    if (id !== undefined) return id;
  }
  throw new NotPlain('a name that is no ref');
}

/** Of a linked work tree these are its own. */
const OWN = ['refs/bisect/', 'refs/worktree/', 'refs/rewritten/'];
const LEADS_TO = 'ref: ';

function readRef(folders: GitFolders, ref: string, depth: number): ObjectId | undefined {
  if (depth > 5 || OWN.some((folder) => ref.startsWith(folder))) throw new NotPlain('an unusual ref');
  const text = readIfThere(join(ref.startsWith('refs/') ? folders.commonDir : folders.gitDir, ref))?.toString('latin1');
  if (text === undefined) return readPackedRef(folders, ref);
  const value = text.trimEnd();
  // Throws for some other file of the repository, and for a ref that is not written as git would.
  if (!value.startsWith(LEADS_TO)) return parseId(value);
  const target = value.slice(LEADS_TO.length);
  if (target === '' || /\s/.test(target)) throw new NotPlain('no ref');
  return readRef(folders, target, depth + 1);
}

function readPackedRef({ commonDir }: GitFolders, ref: string): ObjectId | undefined {
  const text = readIfThere(join(commonDir, 'packed-refs'))?.toString('utf8') ?? '';
  const end = text.indexOf(` ${ref}\n`);
  return end === -1 ? undefined : parseId(text.slice(text.lastIndexOf('\n', end) + 1, end));
}
