import type { Git } from '@tributary/git/git';
import { readObjects, resolveNames } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import { parseCommit } from './commit.js';
import type { CommitMap } from './rewrite.js';

/**
 * Returns the new ids of source commits. Ids that are not commits of the source have none. Neither has a commit that
 * the history of a folder leaves out because it changed nothing there; its map entry is that of its parent. `map`:
 * `undefined` if commits keep their ids. Throws `GIT_FAILED`.
 */
export async function readNewIds(git: Git, ids: readonly ObjectId[], map: CommitMap | undefined): Promise<ReadonlyMap<ObjectId, ObjectId>> {
  if (map === undefined) return readOwnIds(git, ids);
  const known = ids.filter((id) => map.has(id));
  const commits = await readObjects(git, known);
  return new Map(
    commits.flatMap(({ id, content }) => {
      const newId = map.get(id);
      const isLeftOut = parseCommit(content).parents.some((parent) => map.get(parent) === newId);
      return newId === undefined || isLeftOut ? [] : [[id, newId] as const];
    }),
  );
}

async function readOwnIds(git: Git, ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, ObjectId>> {
  const found = await resolveNames(
    git,
    ids.map((id) => `${id}^{commit}`),
  );
  return new Map(ids.filter((id, at) => found[at]?.id === id).map((id) => [id, id]));
}
