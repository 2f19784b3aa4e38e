import type { CommitId, ObjectId } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import type { Comparison, Revision } from '../changeset.js';
import type { RawChange } from '../parse.js';
import { isFolder, parseTree, textAsName } from '../tree.js';
import { type RoomFor, readCheckedOut } from './checked-out.js';
import { NotPlain } from './not-plain.js';
import { StoredObjects } from './objects.js';
import { type GitFolders, parseId, resolveName } from './refs.js';

/** The files of one folder at a commit. */
export interface StoredFiles {
  /** By name; of symbolic links too. */
  readonly ids: ReadonlyMap<string, ObjectId>;
  /** `undefined` if it cannot be read here. */
  readonly read: (id: ObjectId) => Buffer | undefined;
  /** The same of a file by its name, from a work tree if the very blob lies there as a regular file; else `undefined`. It is read to `roomFor`. */
  readonly readCheckedOut: (workTree: string, name: string, roomFor?: RoomFor) => Buffer | undefined;
}

/** Two commits of which the first is an ancestor of the second, and what is in the second. */
export interface StoredComparison {
  readonly comparison: Comparison;
  readonly changes: readonly RawChange[];
  readonly files: StoredFiles;
}

/**
 * Compares two commits without git, out of the files of the repository: for the usual case, a base that is an ancestor of the head and not
 * far from it, in a repository with SHA-1 ids whose history is whole. `undefined` for every other, and wherever anything is not as expected:
 * then git is to be asked.
 */
export function readStoredComparison(
  folders: GitFolders,
  { base, head, folder }: { readonly base: Revision; readonly head: Revision; readonly folder: RepoFolder },
): StoredComparison | undefined {
  return unlessUnusual(folders, (objects) => {
    const history = new History(folders, objects);
    const [from, to] = [history.resolve(base), history.resolve(head)];
    if (!history.isNear(from, to)) return undefined;
    const changes = objects.diffTrees(history.read(from).tree, history.read(to).tree);
    return {
      comparison: { base: from as Comparison['base'], head: to as Comparison['head'], mergeBases: [from as Comparison['base']] },
      changes,
      files: filesIn(folders, objects, { root: history.read(to).tree, folder }),
    };
  });
}

/** The files of a folder at a commit, read in the same way; `undefined` where git is to be asked. */
export function readStoredFiles(folders: GitFolders, commit: CommitId, folder: RepoFolder): StoredFiles | undefined {
  return unlessUnusual(folders, (objects) => filesIn(folders, objects, { root: new History(folders, objects).read(commit).tree, folder }));
}

/** What was opened for a question serves the next one of the same caller. Where there are two copies of this module, each opens its own. */
const opened = new WeakMap<GitFolders, StoredObjects>();

/** Whatever goes wrong in a repository, git knows better what to say; it may have been packed anew meanwhile. */
function unlessUnusual<Result>(folders: GitFolders, read: (objects: StoredObjects) => Result): Result | undefined {
  try {
    const objects = opened.get(folders) ?? new StoredObjects(folders.commonDir);
    opened.set(folders, objects);
    return read(objects);
  } catch {
    opened.delete(folders);
    return undefined;
  }
}

interface Commit {
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
}

/** How many commits are looked at for the base. */
const NEAR = 24;

/** Behind a name they lead to other objects. */
const SIGNS = ['~', '^', '@'];

class History {
  private readonly folders: GitFolders;
  private readonly objects: StoredObjects;
  private readonly names = new Map<string, ObjectId>();
  private readonly commits = new Map<ObjectId, Commit>();

  constructor(folders: GitFolders, objects: StoredObjects) {
    this.folders = folders;
    this.objects = objects;
  }

  /** `main`, `HEAD^1`, `v1.0~3`: the commit, whatever tags lead to it. */
  resolve(revision: Revision): ObjectId {
    // Nearly every head is a name alone, for which no expression need be compiled.
    if (!SIGNS.some((sign) => revision.includes(sign))) return this.named(revision);
    const [, name = '', steps = ''] = /^([^~^@]+)((?:~\d*|\^\d*)*)$/.exec(revision) ?? [];
    let id = this.named(name);
    for (const [, sign, digits] of steps.matchAll(/([~^])(\d*)/g)) {
      const count = digits === '' ? 1 : Number(digits);
      if (sign === '^') id = count === 0 ? id : this.parent(id, count);
      else for (let step = 0; step < count; step++) id = this.parent(id, 1);
    }
    return id;
  }

  read(id: ObjectId): Commit {
    return this.commits.get(id) ?? this.note(id, this.objects.readAs('commit', id));
  }

  /** Whether a commit is another one or among its nearest ancestors. */
  isNear(ancestor: ObjectId, id: ObjectId): boolean {
    const queue = [id];
    const known = new Set(queue);
    for (const one of queue) {
      if (one === ancestor) return true;
      if (known.size > NEAR) continue;
      for (const parent of this.read(one).parents) {
        if (!known.has(parent)) queue.push(parent);
        known.add(parent);
      }
    }
    return false;
  }

  /** Of one name there is one answer, though somebody may be at work in the repository: `HEAD~1` and `HEAD` are of one history. */
  private named(name: string): ObjectId {
    const id = this.names.get(name) ?? this.peel(resolveName(this.folders, name));
    this.names.set(name, id);
    return id;
  }

  private note(id: ObjectId, content: Buffer): Commit {
    const [head = ''] = content.toString('latin1').split('\n\n', 1);
    const lines = head.split('\n');
    const [tree] = idsBehind('tree ', lines);
    if (tree === undefined) throw new NotPlain('a commit without a tree');
    const commit = { tree, parents: idsBehind('parent ', lines) };
    this.commits.set(id, commit);
    return commit;
  }

  private parent(id: ObjectId, number: number): ObjectId {
    const parent = this.read(id).parents[number - 1];
    if (parent === undefined) throw new NotPlain('a commit without that parent');
    return parent;
  }

  private peel(id: ObjectId): ObjectId {
    const { type, content } = this.objects.read(id);
    if (type === 'commit') this.note(id, content);
    if (type !== 'tag') return id;
    const [, target] = /^object ([0-9a-f]{40})\n/.exec(content.toString('latin1')) ?? [];
    if (target === undefined) throw new NotPlain('a tag of nothing');
    return this.peel(target as ObjectId);
  }
}

/** Other lines of a commit begin with other words, and further lines of those with a space. */
function idsBehind(word: string, lines: readonly string[]): readonly ObjectId[] {
  return lines.filter((line) => line.startsWith(word)).map((line) => parseId(line.slice(word.length)));
}

function filesIn(
  folders: GitFolders,
  objects: StoredObjects,
  { root, folder }: { readonly root: ObjectId; readonly folder: RepoFolder },
): StoredFiles {
  let entries = parseTree('sha1', objects.readAs('tree', root));
  for (const name of folder === '' ? [] : textAsName(folder).split('/')) {
    const below = entries.find((entry) => entry.name === name && isFolder(entry));
    entries = below === undefined ? [] : parseTree('sha1', objects.readAs('tree', below.id));
  }
  const files = entries.filter(({ mode }) => mode.startsWith('100') || mode.startsWith('120'));
  const read = (id: ObjectId): Buffer | undefined => unlessUnusual(folders, (now) => now.readAs('blob', id));
  const ids = new Map(files.map(({ name, id }) => [name, id]));
  const readFromDisk: StoredFiles['readCheckedOut'] = (workTree, name, roomFor) => {
    const [id, path] = [ids.get(name), folder === '' ? name : `${folder}/${name}`];
    return id && unlessUnusual(folders, (now) => readCheckedOut(now, { ...folders, workTree }, { path, id, roomFor }));
  };
  return { ids, read, readCheckedOut: readFromDisk };
}
