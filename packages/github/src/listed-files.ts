import type { ChangedFile } from '@tributary/model/changeset';
import type { RepoPath } from '@tributary/model/paths';

export interface ListedFiles {
  /** In the order of git, each path once. */
  readonly files: readonly ChangedFile[];
  /** Why they may not be all; `undefined` if every entry was understood. */
  readonly unclear: string | undefined;
}

/**
 * Entries of GitHub's list of changed files (REST, `diff-entry`) as the model has them. A rename is its old name deleted and its new one
 * added, a copy its new name; a change of mode (`changed`) and a status we do not know are `modified`. The API does not tell modes: a
 * symbolic link comes out as `file`; a submodule is known by its patch.
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

/** `undefined` where a name is missing or not to be trusted. */
function filesOf(entry: unknown): readonly ChangedFile[] | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { filename, previous_filename: previous, status, patch } = entry as Readonly<Record<string, unknown>>;
  if (!isName(filename)) return undefined;
  const kind = isSubmodule(patch) ? 'submodule' : 'file';
  const now: ChangedFile = { path: filename, status: statusOf(status), kind };
  // Where a copy comes from is unchanged.
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

/** A name that is not UTF-8 comes with replacement characters: it may belong to another folder. */
function isName(name: unknown): name is RepoPath {
  return typeof name === 'string' && name !== '' && !name.includes('\ufffd');
}

/** The whole difference of a submodule is its commit. */
function isSubmodule(patch: unknown): boolean {
  return typeof patch === 'string' && /^@@ [^\n]*@@\n([-+]Subproject commit [0-9a-f]{40,64}(-dirty)?(\n|$))+$/.test(patch);
}

/** Of a circle of renames each name is both deleted and added. */
function merged(known: ChangedFile | undefined, file: ChangedFile): ChangedFile {
  return known === undefined || known.status === file.status ? file : { ...file, status: 'modified' };
}

function inOrderOfGit(one: ChangedFile, other: ChangedFile): number {
  return Buffer.compare(Buffer.from(one.path), Buffer.from(other.path));
}
