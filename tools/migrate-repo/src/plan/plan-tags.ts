import type { SourceFacts } from './facts.js';
import { isOfOtherPackage, isOwnTag, newTagName, versionOfTag } from './names.js';
import { oneOfEach } from './twin-tags.js';

export interface PlannedTag {
  readonly name: string;
  readonly newName: string;
  readonly id: SourceFacts['tip'];
  /** The object that a tag object points to. */
  readonly target?: SourceTag['target'];
}

export interface PlannedTags {
  readonly tags: readonly PlannedTag[];
  /** Tags of the source that do not belong to the package, and are not imported. */
  readonly otherTags: readonly string[];
  /** Those of `tags` that got another name, because another one on another commit has theirs. */
  readonly apart: readonly PlannedTag[];
  /** Tags for whose commit another one of `tags` has their new name. They are not imported. */
  readonly twins: readonly PlannedTag[];
}

type SourceTag = SourceFacts['tags'][number];

/** Returns the tags to import, with their new names; none without a pattern. Throws `USAGE`. */
export function planTags({ request, tags: all }: Pick<SourceFacts, 'request' | 'tags'>, pattern: string | undefined): PlannedTags {
  if (pattern === undefined) return { tags: [], otherTags: [], apart: [], twins: [] };
  const { name, subdirectory } = request;
  const own = all.filter((tag) => subdirectory === undefined || belongs(tag, name));
  const renamed = own.map((tag) => ({ ...tag, newName: newTagName(pattern, name, tag.name) }));
  const named = oneOfEach(renamed);
  const taken = new Map<string, SourceTag>();
  for (const tag of named) if (!taken.has(tag.newName) || tag.name === tag.newName) taken.set(tag.newName, tag);
  const pairs = new Set(named.flatMap((tag) => (taken.get(tag.newName)?.id === tag.id ? [] : [tag.newName])));
  // The tag that has the name already keeps it: the others get theirs in full.
  const isApart = ({ name: tag, newName }: PlannedTag): boolean => pairs.has(newName) && tag !== newName;
  const used = new Set(named.flatMap((tag) => (isApart(tag) ? [] : [tag.newName])));
  const tags = named.map((tag) => (isApart(tag) ? { ...tag, newName: nameApart(tag.name, { pattern, name, used }) } : tag));
  const kept = new Set(own);
  return {
    tags,
    otherTags: all.filter((tag) => !kept.has(tag)).map((tag) => tag.name),
    apart: tags.filter(({ newName }, at) => named[at]?.newName !== newName),
    twins: renamed.filter((tag) => !named.includes(tag)),
  };
}

/** Returns a name that no other tag gets: with the former one in full, and with a number if that is taken too. Records it as used. */
function nameApart(tag: string, { pattern, name, used }: Naming): string {
  const withoutVersion = pattern.replaceAll('{version}', '{tag}');
  const full = newTagName(
    withoutVersion.replaceAll('{tag}', () => tag),
    name,
    tag,
  );
  let found = newTagName(withoutVersion, name, tag);
  // A number after a hyphen would be a prerelease.
  for (let count = 1; used.has(found); count++) found = count === 1 ? full : `${full}_${count}`;
  used.add(found);
  return found;
}

interface Naming {
  readonly pattern: string;
  readonly name: SourceFacts['request']['name'];
  readonly used: Set<string>;
}

/** Returns the imported tags that name a version, although their commits have no package.json that could have it. */
export function findUnversioned(
  { request, tags }: Pick<SourceFacts, 'request' | 'tags'>,
  imported: readonly PlannedTag[],
): readonly PlannedTag[] {
  const missing = new Set(tags.flatMap(({ name, manifest }) => (manifest === 'missing' ? [name] : [])));
  return imported.filter(({ name }) => missing.has(name) && /^\d/.test(versionOfTag(request.name, name)));
}

/**
 * Whether a tag of a repository with several packages belongs to one of them: it names the package, or the package.json
 * at its commit has the package's name and the tag's version.
 */
function belongs({ name: tag, release }: SourceTag, name: SourceFacts['request']['name']): boolean {
  if (isOfOtherPackage(name, tag)) return false;
  return isOwnTag(name, tag) || (release?.name === name && release.version === versionOfTag(name, tag));
}
