import type { ChangedFile } from '@tributary/model/changeset';
import type { RepoPath } from '@tributary/model/paths';

export interface ListedFiles {
  /** In git's order, each path once. */
  readonly files: readonly ChangedFile[];
  /** Why the list may be incomplete; `undefined` if every entry was understood. */
  readonly unclear: string | undefined;
}

/**
 * Returns the entries of GitHub's list of changed files (REST, `diff-entry`) as changed files. A rename becomes the old name deleted and
 * the new one added; a copy only its new name. A change of mode (`changed`) and an unknown status become `modified`. The API does not
 * return modes, so a symbolic link becomes `file`; a submodule is recognised by its patch.
 */
export function changedFilesOf(entries: readonly unknown[]): ListedFiles {
  const byPath = new Map<string, ChangedFile>();
  let unclear: string | undefined;
  for (const entry of entries) {
    const files = filesOf(entry);
    if (files === undefined) unclear ??= 'GitHub lists a file without its name, or with a changed name';
    for (const file of files ?? []) byPath.set(file.path, merged(byPath.get(file.path), file));
  }
  return { files: [...byPath.values()].sort(inOrderOfGit), unclear };
}

/** Returns the files of an entry; `undefined` if a name is missing or unreliable. */
function filesOf(entry: unknown): readonly ChangedFile[] | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { filename, previous_filename: previous, status, patch } = entry as Readonly<Record<string, unknown>>;
  if (!isName(filename)) return undefined;
  const kind = isSubmodule(patch) ? 'submodule' : 'file';
  const now: ChangedFile = { path: filename, status: statusOf(status), kind };
  // The original of a copy is unchanged.
  if (status === 'copied' || (previous === undefined && status !== 'renamed')) return [now];
  return isName(previous) ? [{ path: previous, status: 'deleted', kind }, now] : undefined;
}

function statusOf(status: unknown): ChangedFile['status'] {
  switch (status) {
    case 'added':
    case 'copied':
    case 'renamed':
      return 'added';
    case 'removed':
      return 'deleted';
    default:
      return 'modified';
  }
}

/**
 * Returns whether a name is usable. A name that is not valid UTF-8 arrives with replacement characters and may belong to another folder.
 */
function isName(name: unknown): name is RepoPath {
  return typeof name === 'string' && name !== '' && !name.includes('\ufffd');
}

/** Returns whether the patch is that of a submodule: it contains only the commit. */
function isSubmodule(patch: unknown): boolean {
  return typeof patch === 'string' && /^@@ [^\n]*@@\n([-+]Subproject commit [0-9a-f]{40,64}(-dirty)?(\n|$))+$/.test(patch);
}

/** Merges two entries of one path. In a cycle of renames, each name is both deleted and added. */
function merged(known: ChangedFile | undefined, file: ChangedFile): ChangedFile {
  return known === undefined || known.status === file.status ? file : { ...file, status: 'modified' };
}

function inOrderOfGit(one: ChangedFile, other: ChangedFile): number {
  return Buffer.compare(Buffer.from(one.path), Buffer.from(other.path));
}
