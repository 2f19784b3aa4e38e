import type { CommitTag } from '@tributary/git/history';
import type { CommitId } from '@tributary/model/ids';
import type { MainLineStep } from './layout.js';
import { LayoutWalk, type ManifestTexts } from './layout-walk.js';
import type { MainCommit } from './main-commit.js';
import type { NameNow } from './renames.js';
import { type TagName, tagReader } from './tag-name.js';
import type { UnreadableContent } from './unreadable.js';

/** The main line of a repository with its packages at each commit. */
export interface MainLine {
  /** Oldest first. */
  readonly steps: readonly MainLineStep[];
  readonly positions: ReadonlyMap<CommitId, number>;
  /** Packages that anybody publishes: not private at some commit, named by a tag, or deployed. */
  readonly published: ReadonlySet<string>;
  /** Those of them that count even while they are private: named by a tag, or deployed. */
  readonly countedPrivate: ReadonlySet<string>;
  /** Packages that were always private, named by no tag, and not deployed. */
  readonly leftOut: ReadonlySet<string>;
  readonly tags: readonly ReleaseTag[];
  /** Unreadable manifests and lists of packages. */
  readonly unreadable: readonly UnreadableContent[];
}

export interface ReleaseTag extends TagName {
  readonly tag: CommitTag;
}

interface MainLineParts {
  readonly commits: readonly MainCommit[];
  readonly texts: ManifestTexts;
  readonly tags: readonly CommitTag[];
  readonly tagPatterns: readonly string[];
  /** Tells whether deployments publish a package. */
  readonly isDeployed: (name: string) => boolean;
  /** The name of the only package if its manifest has none. */
  readonly rootName: string;
  readonly nameNow: NameNow;
  /** Former names of packages, for tags that use them. */
  readonly formerNames: readonly string[];
}

export function walkMainLine({ commits, texts, tags, tagPatterns, isDeployed, rootName, nameNow, formerNames }: MainLineParts): MainLine {
  const walk = new LayoutWalk(texts, rootName, nameNow);
  const steps = commits.map((commit) => walk.next(commit));
  const names = new Map<string, 'public' | 'private'>();
  for (const layout of new Set(steps.map((step) => step.layout)))
    for (const { name, isPrivate } of layout.values())
      if (!isPrivate || !names.has(name)) names.set(name, isPrivate ? 'private' : 'public');
  const former = formerNames.filter((name) => !names.has(name) && names.has(nameNow(name)));
  const read = tagReader(tagPatterns, new Set([...former, ...names.keys()]));
  const releaseTags = tags.flatMap((tag): ReleaseTag[] => {
    const name = read(tag.name);
    return name === undefined
      ? []
      : [{ ...name, package: name.package === undefined || names.has(name.package) ? name.package : nameNow(name.package), tag }];
  });
  const named = new Set(releaseTags.map((tag) => tag.package));
  const countedPrivate = new Set([...names.keys()].filter((name) => named.has(name) || isDeployed(name)));
  const published = new Set([...names].flatMap(([name, kind]) => (kind === 'public' || countedPrivate.has(name) ? [name] : [])));
  return {
    steps,
    positions: new Map(commits.map(({ id }, position) => [id, position])),
    published,
    countedPrivate,
    leftOut: new Set([...names.keys()].filter((name) => !published.has(name))),
    tags: releaseTags,
    unreadable: walk.unreadable,
  };
}
