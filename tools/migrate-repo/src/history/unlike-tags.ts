import type { Git } from '@tributary/git/git';
import { emptyTreeId, type ObjectFormat } from '@tributary/git/object-id';
import { resolveNames } from '@tributary/git/objects';
import { type ObjectId, tagRef } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import type { PlannedTag } from '../plan/plan-tags.js';
import type { MoveOrder } from './move.js';
import { wrapTree } from './wrap.js';

/**
 * Returns the tags whose new names the monorepo certainly has with another content, before any commit is rewritten: the
 * move keeps the kind of a tag, and the files of its commit. Other tags with such names may be the same. Throws
 * `GIT_FAILED`.
 */
export async function findUnlikeTags(
  git: { readonly source: Git; readonly target: Git },
  refs: ReadonlyMap<string, ObjectId>,
  { planned, format, strategy }: Pick<MoveOrder, 'planned' | 'format' | 'strategy'>,
): Promise<readonly PlannedTag[]> {
  const taken = planned.tags.flatMap((tag) => {
    const value = refs.get(tagRef(tag.newName));
    return value === undefined ? [] : [{ tag, value }];
  });
  if (strategy === 'merge') return taken.filter(({ tag, value }) => tag.id !== value).map(({ tag }) => tag);
  const { subdirectory } = planned.source.request;
  const namesOf = ({ id }: PlannedTag): Names => [id, `${id}^{}`, subdirectory === undefined ? `${id}^{tree}` : `${id}^{}:${subdirectory}`];
  const there = await readEnds(
    git.source,
    format,
    taken.map(({ tag }) => namesOf(tag)),
  );
  const here = await readEnds(
    git.target,
    format,
    taken.map(({ value }) => [value, `${value}^{}`, `${value}^{tree}`]),
  );
  return taken.flatMap(({ tag }, at) => (isUnlike(there[at], here[at], { format, path: planned.path }) ? [tag] : []));
}

/** A tag, what it finally points to, and the tree of interest. */
type Names = readonly [string, string, string];

/** What a tag is, and where it leads. */
interface TagEnd {
  readonly type: string | undefined;
  readonly end: { readonly id: ObjectId; readonly type: string } | undefined;
  /** `undefined` if it leads to no commit, or if the imported folder is empty or absent there. */
  readonly tree: ObjectId | undefined;
}

async function readEnds(git: Git, format: ObjectFormat, tags: readonly Names[]): Promise<readonly TagEnd[]> {
  const found = await resolveNames(git, tags.flat());
  return tags.map((_, at) => {
    const [own, end, tree] = found.slice(at * 3, at * 3 + 3);
    return { type: own?.type, end, tree: tree?.type === 'tree' && tree.id !== emptyTreeId(format) ? tree.id : undefined };
  });
}

function isUnlike(
  there: TagEnd | undefined,
  here: TagEnd | undefined,
  { format, path }: { readonly format: ObjectFormat; readonly path: RepoPath },
): boolean {
  if (there?.end === undefined || here?.end === undefined) return false;
  if (there.end.type === 'commit' && there.tree === undefined) return false;
  if (there.type !== here.type || there.end.type !== here.end.type) return true;
  if (there.end.type !== 'commit') return there.end.id !== here.end.id;
  return there.tree !== undefined && here.tree !== wrapTree(format, path, there.tree).root;
}
