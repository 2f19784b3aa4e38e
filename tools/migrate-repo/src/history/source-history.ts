import type { Git } from '@tributary/git/git';
import type { ObjectType } from '@tributary/git/object-id';
import { readObjects, resolveNames } from '@tributary/git/objects';
import { textAsName } from '@tributary/git/tree';
import type { ObjectId } from '@tributary/model/ids';
import { parseTagObject, type TagParts } from './tag-object.js';

/** A tag to import. */
export interface SourceTag {
  /** Its name in the source: `v1.2.3`. */
  readonly name: string;
  /** Its name after the move: `d3-array@1.2.3`. */
  readonly newName: string;
  /** The object that the ref points to. */
  readonly id: ObjectId;
  /** The tag objects in between, outermost first; empty for a lightweight tag. */
  readonly chain: readonly TagLink[];
  /** The object that the tag finally points to. */
  readonly target: { readonly id: ObjectId; readonly type: ObjectType };
}

/** One tag object between a tag and its final target. */
export interface TagLink extends TagParts {
  readonly id: ObjectId;
  /**
   * The outermost object gets the tag's new name. An inner one that is also a tag of its own gets that tag's name.
   * Bytes as Latin-1 text.
   */
  readonly newName: string;
}

/** Lists every commit that is reachable from `tips` but not from `known`, once, parents before children. Throws `GIT_FAILED`. */
export async function listHistory(git: Git, tips: readonly ObjectId[], known: readonly ObjectId[] = []): Promise<ObjectId[]> {
  const input = [...new Set(tips), ...known.map((id) => `^${id}`)].map((line) => `${line}\n`).join('');
  const output = await git.text(['rev-list', '--topo-order', '--reverse', '--stdin'], { input });
  return output === '' ? [] : (output.split('\n') as ObjectId[]);
}

/** Follows each tag to its final target, in the given order. Throws `GIT_FAILED`. */
export async function readTags(
  git: Git,
  tags: readonly { readonly name: string; readonly newName: string; readonly id: ObjectId }[],
): Promise<SourceTag[]> {
  const targets = await resolveNames(
    git,
    tags.map((tag) => `${tag.id}^{}`),
  );
  const chains = await readTagChains(
    git,
    tags.filter((tag, at) => targets[at]?.id !== tag.id).map((tag) => tag.id),
  );
  const newNames = new Map(tags.map((tag) => [textAsName(tag.name), textAsName(tag.newName)]));
  return tags.map((tag, at) => {
    const target = targets[at];
    if (target === undefined) throw new Error(`the tag ${tag.name} points to nothing`);
    const own = textAsName(tag.newName);
    const chain = chainFrom(tag.id, chains).map((link, depth) => ({
      ...link,
      newName: depth === 0 ? own : (newNames.get(link.name) ?? own),
    }));
    return { ...tag, chain, target: { id: target.id, type: target.type } };
  });
}

/** Reads every tag object reachable from `ids`. A tag may point to a tag. */
async function readTagChains(git: Git, ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, TagParts>> {
  const known = new Map<ObjectId, TagParts>();
  for (let level: readonly ObjectId[] = [...new Set(ids)]; level.length > 0; ) {
    for (const object of await readObjects(git, level)) known.set(object.id, parseTagObject(object.content));
    level = [...new Set(level.flatMap((id) => nextTag(known.get(id))))].filter((id) => !known.has(id));
  }
  return known;
}

function nextTag(parts: TagParts | undefined): ObjectId[] {
  return parts?.type === 'tag' ? [parts.object] : [];
}

function chainFrom(id: ObjectId, known: ReadonlyMap<ObjectId, TagParts>): (TagParts & { id: ObjectId })[] {
  const parts = known.get(id);
  return parts === undefined ? [] : [{ ...parts, id }, ...chainFrom(parts.object, known)];
}
