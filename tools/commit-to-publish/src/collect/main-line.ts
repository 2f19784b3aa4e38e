import type { CommitTag } from '@tributary/git/history';
import type { CommitId } from '@tributary/model/ids';
import { outOfOrder } from './clock-order.js';
import type { Layout, MainLineStep } from './layout.js';
import type { Walked } from './layout-walk.js';
import type { NameNow } from './renames.js';
import type { Reverts } from './reverts.js';
import { type AmbiguousTag, type TagName, tagReader } from './tag-name.js';
import type { UnreadableContent } from './unreadable.js';

/** The main line of a repository with its packages at each commit. */
export interface MainLine {
  /** Oldest first. */
  readonly steps: readonly MainLineStep[];
  readonly positions: ReadonlyMap<CommitId, number>;
  /** Commits whose time is more than an hour out of order, as by a wrong clock. */
  readonly mistimed: ReadonlySet<CommitId>;
  /** Packages that anybody publishes: not private at some commit, named by a tag, or deployed. */
  readonly published: ReadonlySet<string>;
  /** Those of them that count even while they are private: a tag of that time names them, or they are deployed. */
  readonly countedPrivate: ReadonlySet<string>;
  /** Packages that were always private, named by no tag, and not deployed. */
  readonly leftOut: ReadonlySet<string>;
  readonly tags: readonly ReleaseTag[];
  readonly reverts: Reverts;
  /** Names of tags that match no pattern, and of those that several packages could have. */
  readonly otherTags: OtherTags;
  /** Unreadable manifests and lists of packages. */
  readonly unreadable: readonly UnreadableContent[];
}

export interface ReleaseTag extends TagName {
  readonly tag: CommitTag;
}

interface OtherTags {
  readonly unmatched: readonly string[];
  readonly ambiguous: readonly string[];
}

interface MainLineParts {
  readonly walked: Pick<Walked, 'steps' | 'unreadable'>;
  readonly tags: readonly CommitTag[];
  readonly reverts: Reverts;
  readonly tagPatterns: readonly string[];
  /** Tells whether deployments publish a package. */
  readonly isDeployed: (name: string) => boolean;
  readonly nameNow: NameNow;
  /** Former names of packages, for tags that use them. */
  readonly formerNames: readonly string[];
}

export function mainLineOf({ walked, tags, reverts, tagPatterns, isDeployed, nameNow, formerNames }: MainLineParts): MainLine {
  const { steps, unreadable } = walked;
  const [open, closed] = [new Set<string>(), new Set<string>()];
  const folders = new Map<string, Set<string>>();
  for (const layout of new Set(steps.map((step) => step.layout)))
    for (const { name, path, isPrivate } of layout.values()) {
      (isPrivate ? closed : open).add(name);
      if (path !== '') folders.set(path, (folders.get(path) ?? new Set()).add(name));
    }
  const names = new Set([...open, ...closed]);
  const former = formerNames.filter((name) => !names.has(name) && names.has(nameNow(name)));
  const read = tagReader(tagPatterns, new Set([...former, ...names]), folders);
  const positions = new Map(steps.map(({ commit }, position) => [commit.id, position]));
  const unmatched: string[] = [];
  const ambiguous: string[] = [];
  const releaseTags = tags.flatMap((tag): ReleaseTag[] => {
    const found = read(tag.name);
    const at = steps[positions.get(tag.commit) ?? -1]?.layout;
    const name = found === undefined || 'package' in found ? found : thereAt(found, at, nameNow);
    if (name !== undefined) return [{ tag, ...name, package: currentName(name.package, names, nameNow) }];
    (found === undefined ? unmatched : ambiguous).push(tag.name);
    return [];
  });
  // The tags that a package got while it was public say nothing of the time since it is private.
  const isPublicAt = ({ package: name, tag }: ReleaseTag): boolean =>
    [...(steps[positions.get(tag.commit) ?? -1]?.layout.values() ?? [])].some((member) => member.name === name && !member.isPrivate);
  const ofPrivate = releaseTags.filter(({ package: name = '' }) => closed.has(name));
  const namedPrivate = new Set(ofPrivate.flatMap((tag) => (isPublicAt(tag) ? [] : [tag.package])));
  const countedPrivate = new Set([...closed].filter((name) => namedPrivate.has(name) || isDeployed(name)));
  const published = new Set([...open, ...countedPrivate]);
  return {
    steps,
    positions,
    mistimed: mistimedIn(steps),
    published,
    countedPrivate,
    leftOut: new Set([...closed].filter((name) => !published.has(name))),
    tags: releaseTags,
    reverts,
    otherTags: { unmatched, ambiguous },
    unreadable,
  };
}

/** A history that was joined with its own times brings a package with its first commit. It is in order itself. */
function mistimedIn(steps: readonly MainLineStep[]): ReadonlySet<CommitId> {
  const wrong = outOfOrder(steps.map(({ commit }) => commit.at));
  let isJoined = false;
  const found = [...wrong]
    .sort((a, b) => a - b)
    .flatMap((place): CommitId[] => {
      const step = steps[place];
      if (!wrong.has(place - 1)) isJoined = (step?.appeared.size ?? 0) > 0;
      return isJoined || step === undefined ? [] : [step.commit.id];
    });
  return new Set(found);
}

function currentName(name: string | undefined, names: ReadonlySet<string>, nameNow: NameNow): string | undefined {
  return name === undefined || names.has(name) ? name : nameNow(name);
}

/** Returns the one of several packages of a short name that was there when the tag was made, if there was just one. */
function thereAt({ candidates, ...tag }: AmbiguousTag, layout: Layout | undefined, nameNow: NameNow): TagName | undefined {
  const there = new Set([...(layout?.values() ?? [])].map(({ name }) => name));
  const left = new Set(candidates.map(nameNow).filter((name) => layout === undefined || there.has(name)));
  const [name] = left;
  return left.size === 1 ? { package: name, ...tag } : undefined;
}
