import type { Git } from '@tributary/git/git';
import { type GitObject, makeObject, type ObjectFormat } from '@tributary/git/object-id';
import type { RemoteRef } from '@tributary/git/parse';
import { nameAsText, textAsName } from '@tributary/git/tree';
import { isToolError } from '@tributary/model/errors';
import type { ObjectId } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import { undoTagBody } from '../history/move-body.js';
import type { CommitMap } from '../history/rewrite.js';
import { readTags, type SourceTag } from '../history/source-history.js';
import type { NamedTag } from '../history/tag-marks.js';
import { formatTagObject } from '../history/tag-object.js';
import { newTagName } from '../plan/names.js';

/** A tag of an import, with the import record. */
export interface ImportedTag extends NamedTag {
  readonly record: ImportRecord;
}

/** A tag as it is in its source. */
export interface OriginalTag {
  readonly name: string;
  readonly id: ObjectId;
  /** The tag objects that it needs. */
  readonly objects: readonly GitObject[];
}

export interface MirroredTags {
  /** Tags that the mirror lacks. */
  readonly missing: readonly OriginalTag[];
  /** Names of tags in the mirror that differ from the imported ones. */
  readonly moved: readonly string[];
  /** Names here of tags whose original name is unknown. */
  readonly unnamed: readonly string[];
}

export interface TagsAsked {
  readonly format: ObjectFormat;
  readonly images: CommitMap;
  /** The refs of the mirror. */
  readonly mirror: readonly RemoteRef[];
  /** Returns the refs of the source. Called only if a tag is not in the mirror. */
  readonly source: () => Promise<readonly RemoteRef[]>;
}

/**
 * Restores the original names and ids of tags. A record does not contain the old names, and `v1.0.0` and `1.0.0` both
 * become `x@1.0.0`. So the name comes from the mirror or the source. It is accepted only if the restored tag has the id
 * that the mirror or source has. Throws `GIT_FAILED`.
 */
export async function findOriginalTags(git: Git, tags: readonly ImportedTag[], asked: TagsAsked): Promise<MirroredTags> {
  const inMirror = new Names(asked.mirror);
  const read = await readTags(
    git,
    tags.map((tag) => ({ ...tag, newName: tag.name })),
  );
  const found = tags.flatMap((tag, at) => {
    const one = read[at];
    return one === undefined ? [] : [{ tag, read: one, candidates: inMirror.of(tag) }];
  });
  const original = ({ tag, read }: (typeof found)[number], names: Names): OriginalTag | undefined =>
    names
      .of(tag)
      .map(({ name, id }) => ({ wanted: id, ...makeOriginal(read, { ...asked, name, names, record: tag.record }) }))
      .find(isTheOne);
  const moved = found.flatMap((one) =>
    one.candidates.length > 0 && original(one, inMirror) === undefined ? [one.candidates[0]?.name ?? one.tag.name] : [],
  );
  const absent = found.filter(({ candidates }) => candidates.length === 0);
  if (absent.length === 0) return { missing: [], moved, unnamed: [] };
  const inSource = new Names(await asked.source());
  const named = absent.map((one) => ({ name: one.tag.name, original: original(one, inSource) }));
  return {
    missing: named.flatMap((one) => one.original ?? []),
    moved,
    unnamed: named.flatMap((one) => (one.original === undefined ? [one.name] : [])),
  };
}

function isTheOne({ wanted, id }: OriginalTag & { readonly wanted: ObjectId }): boolean {
  return wanted === id;
}

/** The tags of a repository, by the names that an import would give them. */
class Names {
  private readonly tags: readonly NamedTag[];
  private readonly byPattern = new Map<string, Map<string, NamedTag[]>>();

  constructor(refs: readonly RemoteRef[]) {
    this.tags = refs.flatMap(({ ref, id }) => (ref.startsWith('refs/tags/') ? [{ name: ref.slice('refs/tags/'.length), id }] : []));
  }

  of({ name, record }: Pick<ImportedTag, 'name' | 'record'>): readonly NamedTag[] {
    const pattern = record.tags?.pattern ?? '';
    const known = this.byPattern.get(pattern) ?? this.index(record, pattern);
    this.byPattern.set(pattern, known);
    return known.get(name) ?? [];
  }

  private index(record: ImportRecord, pattern: string): Map<string, NamedTag[]> {
    const index = new Map<string, NamedTag[]>();
    for (const tag of this.tags) {
      const newName = nameOf(record, pattern, tag.name);
      if (newName !== undefined) index.set(newName, [...(index.get(newName) ?? []), tag]);
    }
    return index;
  }
}

/** Returns the name that an import gives a tag; `undefined` if it is not a valid tag name. */
function nameOf(record: ImportRecord, pattern: string, tag: string): string | undefined {
  try {
    return newTagName(pattern, record.package, tag);
  } catch (error) {
    if (isToolError(error)) return undefined;
    throw error;
  }
}

/** Returns a tag as it was under an original name. With `--strategy merge`, it was never changed. */
function makeOriginal(
  tag: SourceTag,
  {
    format,
    images,
    name,
    names,
    record,
  }: Pick<TagsAsked, 'format' | 'images'> & {
    readonly name: string;
    readonly names: Names;
    readonly record: ImportRecord;
  },
): OriginalTag {
  if (record.strategy === 'merge') return { name, id: tag.id, objects: [] };
  const objects: GitObject[] = [];
  let id = tag.target.type === 'commit' ? (images.get(tag.target.id) ?? tag.target.id) : tag.target.id;
  for (const [depth, link] of [...tag.chain.entries()].reverse()) {
    // The tag object of a nested tag contains the inner tag's name.
    const inner = depth === 0 ? undefined : names.of({ name: nameAsText(link.name), record })[0]?.name;
    const old = textAsName(inner ?? name);
    const isSame = id === link.object && old === link.name;
    const rest = isSame || record.messages === 'exact' ? link.rest : undoTagBody(link.rest);
    const object = makeObject(format, 'tag', formatTagObject({ ...link, object: id, name: old, rest }));
    objects.push(object);
    id = object.id;
  }
  return { name, id, objects };
}
