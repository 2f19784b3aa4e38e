import type { Git } from '@tributary/git/git';
import { emptyTreeId, type ObjectFormat } from '@tributary/git/object-id';
import { resolveNames } from '@tributary/git/objects';
import { type ObjectId, tagRef } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import type { PlannedTag } from '../plan/plan-tags.js';
import type { Strategy } from '../strategy.js';
import { readWrappers } from './invert.js';
import type { MoveOrder } from './move.js';
import { unwrapTree, wrapTree } from './wrap.js';

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
  const taken = takenTags(planned.tags, refs);
  if (strategy === 'merge') return taken.filter(isOtherId).map(({ tag }) => tag);
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

/** The tags that a source announces, with their new names, and where they would go. */
export interface AnnouncedTags {
  readonly tags: readonly PlannedTag[];
  readonly path: RepoPath;
  readonly format: ObjectFormat;
  readonly strategy: Strategy;
}

/**
 * Returns the tags whose new names the monorepo certainly has with another content, before anything is fetched: the move
 * keeps the kind of a tag, and its commit has no file outside the path. Throws `GIT_FAILED`.
 */
export async function findForeignTags(
  git: Git,
  refs: ReadonlyMap<string, ObjectId>,
  { tags, path, format, strategy }: AnnouncedTags,
): Promise<readonly PlannedTag[]> {
  const taken = takenTags(tags, refs);
  if (strategy === 'merge') return taken.filter(isOtherId).map(({ tag }) => tag);
  const here = await readEnds(
    git,
    format,
    taken.map(({ value }) => [value, `${value}^{}`, `${value}^{tree}`]),
  );
  const roots = new Set(here.flatMap(({ tree }) => tree ?? []));
  const trees = await readWrappers(git, { format, path }, roots);
  const isForeign = ({ type, end, tree }: TagEnd, { target }: PlannedTag): boolean => {
    if (end === undefined) return false;
    if ((type === 'tag') !== (target !== undefined)) return true;
    return (
      tree !== undefined && end.type === 'commit' && unwrapTree(format, path, { root: tree, trees: (id) => trees.get(id) }) === undefined
    );
  };
  return taken.flatMap(({ tag }, at) => (isForeign(here[at] ?? NOTHING, tag) ? [tag] : []));
}

const NOTHING: TagEnd = { type: undefined, end: undefined, tree: undefined };

interface TakenTag {
  readonly tag: PlannedTag;
  /** The monorepo's ref under its new name. */
  readonly value: ObjectId;
}

function takenTags(tags: readonly PlannedTag[], refs: ReadonlyMap<string, ObjectId>): readonly TakenTag[] {
  return tags.flatMap((tag) => {
    const value = refs.get(tagRef(tag.newName));
    return value === undefined ? [] : [{ tag, value }];
  });
}

/** With --strategy merge, tags keep their ids. */
function isOtherId({ tag, value }: TakenTag): boolean {
  return tag.id !== value;
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
