import type { Git } from '@tributary/git/git';
import { readObjects, resolveNames } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import { parseCommit } from './commit.js';
import type { CommitMap } from './rewrite.js';

/**
 * The ids that commits of a source have in the history that came; none for what is no commit of it, or for one that the history of a folder leaves out because it
 * changed nothing there: its entry in the map is that of the commit before. `map`: `undefined` if commits kept their ids. Throws `GIT_FAILED`.
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
