import { changedFile } from './changeset.js';
import { gitDirOf, type WorkTree } from './git.fixture.js';
import { type Git, plumbing } from './git.js';
import type { RawChange } from './parse.js';

/** The plumbing of a repository with a work tree. */
export function gitOf(repo: WorkTree): Git {
  return plumbing(gitDirOf(repo));
}

/** `M a`, `D b`, `A c (symlink)`, in the order of git. */
export function outline(changes: readonly RawChange[] | undefined): readonly string[] | undefined {
  return changes
    ?.map(changedFile)
    .map(({ path, status, kind }) => `${status[0]?.toUpperCase()} ${path}${kind === 'file' ? '' : ` (${kind})`}`);
}
