import type { RawChange } from '@tributary/git/parse';

/** The differences between the commit of an observation and the head. Paths are relative to the project's root. */
export interface ChangedSince {
  /** Files that differ. */
  readonly files: ReadonlySet<string>;
  /** Files and folders that were added, removed, or changed in kind. */
  readonly moved: ReadonlySet<string>;
  /** Folders whose entries changed; `.` for the root. */
  readonly listings: ReadonlySet<string>;
}

/** Computes the differences. `tracked`: the files of the head. Omits changes outside the project. */
export function changedSince(changes: readonly RawChange[], tracked: readonly string[], project: string): ChangedSince {
  const top = project === '' ? '' : `${project}/`;
  const inside = changes.filter(({ path }) => path.startsWith(top)).map((change) => ({ ...change, path: change.path.slice(top.length) }));
  const atHead = countByFolder(tracked);
  const added = countByFolder(inside.filter(isAdded).map(({ path }) => path));
  const deleted = countByFolder(inside.filter(isDeleted).map(({ path }) => path));
  const moved = new Set(inside.filter(isOtherKind).map(({ path }) => path));
  for (const folder of new Set([...added.keys(), ...deleted.keys()])) {
    const [head, more, less] = [atHead, added, deleted].map((counts) => counts.get(folder) ?? 0) as [number, number, number];
    if (head === 0 || head - more + less === 0) moved.add(folder);
  }
  return { files: new Set(inside.map(({ path }) => path)), moved, listings: new Set([...moved].map(parentOf)) };
}

function isAdded({ oldMode }: RawChange): boolean {
  return /^0+$/.test(oldMode);
}

function isDeleted({ newMode }: RawChange): boolean {
  return /^0+$/.test(newMode);
}

/** Files, links and submodules differ in the first digits of their modes. */
function isOtherKind({ oldMode, newMode }: RawChange): boolean {
  return oldMode.slice(0, 3) !== newMode.slice(0, 3);
}

/** Returns the number of files below each folder. */
function countByFolder(paths: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) for (let at = parentOf(path); at !== '.'; at = parentOf(at)) counts.set(at, (counts.get(at) ?? 0) + 1);
  return counts;
}

function parentOf(path: string): string {
  const cut = path.lastIndexOf('/');
  return cut < 0 ? '.' : path.slice(0, cut);
}
