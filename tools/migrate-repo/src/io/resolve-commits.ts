import type { Git } from '@tributary/git/git';
import { resolveNames } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';

/** Returns the commits of tags, each once, without tags of other objects. Throws `GIT_FAILED`. */
export async function resolveCommits(git: Git, tags: readonly ObjectId[]): Promise<readonly ObjectId[]> {
  const found = await resolveNames(
    git,
    tags.map((id) => `${id}^{commit}`),
  );
  return [...new Set(found.flatMap((object) => (object === undefined ? [] : [object.id])))];
}
