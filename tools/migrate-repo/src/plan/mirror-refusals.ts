import type { RemoteRef } from '@tributary/git/parse';
import { ToolError } from '@tributary/model/errors';
import { branchRef, type ObjectId } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import type { RepoUrl } from '@tributary/model/repo-url';

/** Rejects the import of a subdirectory: it left out commits, so the original ids cannot be recreated. Throws `MIRROR_UNSUPPORTED`. */
export function refuseFolder({ package: name, subdirectory }: Pick<ImportRecord, 'package' | 'subdirectory'>): void {
  if (subdirectory === undefined) return;
  throw new ToolError({
    code: 'MIRROR_UNSUPPORTED',
    message: `${name} was imported from the folder ${subdirectory} of its repository, so its original commit ids cannot be restored.`,
    hint: 'Archive the old repository, and name the monorepo in its README.',
    data: { name, subdirectory },
  });
}

/**
 * Returns the branch of the mirror: the requested one, else the imported one. If the mirror lacks that but has others,
 * returns the branch of its HEAD. Throws `MIRROR_DIVERGED` if it has branches, but none of these.
 */
export function chooseMirrorRef(
  { sourceRef }: Pick<ImportRecord, 'sourceRef'>,
  announced: readonly RemoteRef[],
  { branch, to }: { readonly branch: string | undefined; readonly to: RepoUrl },
): string {
  if (branch !== undefined) return branchRef(branch);
  const branches = announced.filter(({ ref }) => ref.startsWith('refs/heads/')).map(({ ref }) => ref);
  const recorded = sourceRef === 'HEAD' ? undefined : sourceRef;
  if (recorded !== undefined && (branches.length === 0 || branches.includes(recorded))) return recorded;
  const own = announced.find(({ ref }) => ref === 'HEAD')?.target;
  if (own !== undefined || branches.length === 0) return own ?? 'refs/heads/main';
  throw new ToolError({
    code: 'MIRROR_DIVERGED',
    message: `${to} has ${recorded === undefined ? 'no default branch' : `no branch ${recorded.replace(/^refs\/heads\//, '')}, and no default branch`}. Nothing was pushed.`,
    hint: `Name the branch of the mirror with --branch: ${branches
      .map((ref) => ref.slice('refs/heads/'.length))
      .slice(0, 8)
      .join(', ')}.`,
    data: { branches },
  });
}

/** Returns the error for a mirror whose branch ends with a commit that `mirror` does not create. */
export function diverged(
  { name, to }: { readonly name: string; readonly to: RepoUrl },
  { path }: Pick<ImportRecord, 'path'>,
  { ref, tip }: { readonly ref: string; readonly tip: ObjectId | undefined },
): ToolError {
  const branch = ref.replace(/^refs\/heads\//, '');
  return new ToolError({
    code: 'MIRROR_DIVERGED',
    message: `${branch} of ${to} ends with ${tip?.slice(0, 10)}, which does not come from ${path} at this ref. Nothing was pushed.`,
    hint: `Somebody pushed to it, or your clone is behind. Fetch the monorepo first. To import commits from before it became a mirror, run "migrate-repo sync ${name}".`,
    data: { name, ref, tip },
  });
}

/** Returns the error for tags of a mirror that differ from the imported ones. */
export function movedTags({ name, to }: { readonly name: string; readonly to: RepoUrl }, tags: readonly string[]): ToolError {
  return new ToolError({
    code: 'MIRROR_DIVERGED',
    message: `${to} has ${tags.length === 1 ? 'a tag that differs' : `${tags.length} tags that differ`} from those imported with ${name}: ${tags.slice(0, 5).join(', ')}${tags.length > 5 ? ', …' : ''}. Nothing was pushed.`,
    hint: 'Restore them in the mirror, or do not push tags, with --no-tags.',
    data: { name, tags },
  });
}
