import type { Git } from '@tributary/git/git';
import { resolveNames, streamObjects } from '@tributary/git/objects';
import { ToolError } from '@tributary/model/errors';
import type { ObjectId } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import { parseCommit } from '../history/commit.js';
import { mirroredCommit } from '../history/mirror-body.js';

/** Returns the commits of a source that `mirror` created from commits of this monorepo, in the given order. Throws `GIT_FAILED`. */
export async function findMirrored(source: Git, monorepo: Git, ids: readonly ObjectId[]): Promise<readonly ObjectId[]> {
  const claims: { readonly id: ObjectId; readonly original: string }[] = [];
  for await (const group of streamObjects(source, ids)) {
    for (const { id, content } of group) {
      const original = mirroredCommit(parseCommit(content).rest);
      if (original !== undefined) claims.push({ id, original });
    }
  }
  const here = await resolveNames(
    monorepo,
    claims.map(({ original }) => original),
  );
  return claims.filter((_, at) => here[at]?.type === 'commit').map(({ id }) => id);
}

/**
 * Throws `SOURCE_IS_MIRROR` if a source is now the mirror of its own package: a sync would import the monorepo's
 * commits as new ones. `source` is a repository with its commits.
 */
export async function refuseMirror(
  source: Git,
  monorepo: Git,
  { record, tip }: { readonly record: ImportRecord; readonly tip: ObjectId },
): Promise<void> {
  const listed = await source.text(['rev-list', '--topo-order', tip, `^${record.sourceCommit}`]);
  const [newest] = await findMirrored(source, monorepo, listed === '' ? [] : (listed.split('\n') as ObjectId[]));
  if (newest !== undefined) throw isMirror(record, { id: newest, tip });
}

function isMirror(
  { package: name, path, source }: ImportRecord,
  { id, tip }: { readonly id: ObjectId; readonly tip: ObjectId },
): ToolError {
  return new ToolError({
    code: 'SOURCE_IS_MIRROR',
    message: `${source} is a mirror of this package: "migrate-repo mirror" made its commit ${id.slice(0, 10)}.`,
    hint:
      id === tip
        ? 'The monorepo already has everything.'
        : `Import later commits as patches: "git format-patch --stdout ${id.slice(0, 10)}..${tip.slice(0, 10)}" there, "git am --directory=${path}" here. Then undo them there.`,
    data: { name, source, commit: id, tip },
  });
}
