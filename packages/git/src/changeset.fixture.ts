import { changedFile } from './changeset.js';
import { gitDirOf, type WorkTree } from './git.fixture.js';
import { type Git, plumbing } from './git.js';
import type { RawChange } from './parse.js';

/** Returns the plumbing of a repository with a working tree. */
export function gitOf(repo: WorkTree): Git {
  return plumbing(gitDirOf(repo));
}

/** Returns changes as `M a`, `D b`, `A c (symlink)`, in git's order. */
export function outline(changes: readonly RawChange[] | undefined): readonly string[] | undefined {
  return changes
    ?.map(changedFile)
    .map(({ path, status, kind }) => `${status[0]?.toUpperCase()} ${path}${kind === 'file' ? '' : ` (${kind})`}`);
}
