import type { CommitId } from '@tributary/model/ids';
import type SemVer from 'semver/classes/semver.js';
import type { Event, Micros } from '../model/event.js';
import type { TestTimes } from './test-times.js';

/** What is published, each with a first time of its own: versions, releases at GitHub, and deployments to each environment. */
type Outlet = 'version' | 'release' | 'deployment';

/** A published version of a package, or another form of its publication. */
export interface Publication {
  readonly package: string;
  readonly outlet: Outlet;
  /** For a deployment, the first digits of its commit. */
  readonly version: string;
  readonly channel: string;
  /** The commit that it was built from, which may be beside the main line. */
  readonly commit: CommitId;
  /** When the publishing began, if that is known. */
  readonly begun?: Micros;
  readonly at: Micros;
  /** Its commit is unknown, so that it measures nothing. */
  readonly isUncertain?: true;
  /** Failed attempts before it, if they are known. */
  readonly failed?: readonly TestTimes[];
  readonly source: Extract<Event['source'], 'git' | 'registry' | 'api'>;
  readonly confidence: Event['confidence'];
}

/** The origin of a publication in the clone: a tag, or the commit that changed the version. */
export interface GitTrace {
  /** The name of the tag; missing for a commit. */
  readonly tag?: string;
  readonly commit: CommitId;
  readonly committed: Micros;
  /** The time of the tag, if it has one: a lightweight tag has none. */
  readonly tagged: Micros | undefined;
  /** Whether the commit is a release commit: it sets the version, and release tools publish right after it. */
  readonly isRelease: boolean;
  /** Whether the tag names the package, and not only the version. */
  readonly isNamed?: boolean;
  /** As in `TagName`. */
  readonly isRare?: boolean;
  /** Another tag of the version, on another commit: which one was published is unknown. */
  readonly other?: { readonly tag: string; readonly commit: CommitId };
}

/** What the registry says about a version. */
export interface RegistryTrace {
  /** The time of the upload; in a mirror, any time. */
  readonly at: Micros | undefined;
  /** The commit that it was built from, if the clone has it. */
  readonly commit: { readonly id: CommitId; readonly at: Micros } | undefined;
}

/** All that is known about a version of a package. */
export interface VersionTraces {
  readonly version: string;
  readonly tag: GitTrace | undefined;
  readonly bump: GitTrace | undefined;
  readonly registry: RegistryTrace | undefined;
}

/** The dist-tags of a package. */
export interface DistTags {
  /** Name of the dist-tag -> version, at present. */
  readonly tags: ReadonlyMap<string, string>;
  /** Version -> dist-tag that earlier collections saw, because a dist-tag moves on to the next version. */
  readonly known: ReadonlyMap<string, string>;
}

/** Why a version is not a publication, or why its time is not the registry's. */
export type Refusal =
  | 'no commit'
  | 'no time'
  | 'registry time is implausible'
  | 'registry time is later'
  | 'no time in the registry'
  | 'not in the registry';

const DAY = 24 * 3600 * 1e6;

/**
 * Returns when and from which commit a version was published.
 * The commit is that of the registry, otherwise of the tag, otherwise of the version change. The time is the registry's if it is within a
 * day of a time in git, because mirrors have their own. Without an annotated tag, git has only times of commits, and a later one of the
 * registry counts too. Otherwise it is that of the tag, otherwise of the commit.
 */
export function placePublication({
  tag,
  bump,
  registry,
}: Omit<VersionTraces, 'version'>):
  | (Pick<Publication, 'commit' | 'at' | 'source' | 'confidence'> & { readonly refused: Refusal | undefined })
  | Refusal {
  const trace = tag ?? bump;
  const commit = registry?.commit?.id ?? trace?.commit;
  if (commit === undefined) return 'no commit';
  const known = [tag?.tagged, tag?.committed, bump?.committed, registry?.commit?.at].filter((time) => time !== undefined);
  const uploaded = registry?.at;
  if (uploaded !== undefined && known.some((time) => Math.abs(time - uploaded) <= DAY))
    return { commit, at: uploaded, source: 'registry', confidence: 'exact', refused: undefined };
  if (uploaded !== undefined && tag?.tagged === undefined && known.every((time) => time < uploaded))
    return { commit, at: uploaded, source: 'registry', confidence: 'exact', refused: 'registry time is later' };
  const refused = registry === undefined ? undefined : uploaded === undefined ? 'no time in the registry' : 'registry time is implausible';
  const at = trace?.tagged ?? trace?.committed;
  return at === undefined
    ? uploaded === undefined
      ? 'no time'
      : 'registry time is implausible'
    : { commit, at, source: 'git', confidence: isLowerBound(trace) ? 'at-least' : 'derived', refused };
}

/** Tells whether a time in git is only that of a commit before the publication. */
function isLowerBound(trace: GitTrace | undefined): boolean {
  return trace?.tagged === undefined && trace?.isRelease !== true;
}

/**
 * Returns the channel of a version.
 * The highest release so far was `latest` when it was published, whatever its dist-tag is now. Any other version has its first known
 * dist-tag, otherwise the registry's, otherwise the name of its pre-release (`next` of `2.0.0-next.3` and of `2.0.0-next3`), otherwise
 * `latest`.
 */
export function channelOf(version: SemVer, { tags, known, highest }: DistTagsAt): string {
  const named = [...tags].filter(([, tagged]) => tagged === version.raw).map(([tag]) => tag);
  if (named.includes('latest')) return 'latest';
  const [id] = version.prerelease;
  const tag = known.get(version.raw) ?? named.sort()[0];
  if (id !== undefined) return tag ?? (typeof id === 'string' ? withoutNumber(id) : 'prerelease');
  const isHighest = highest === undefined || highest.compare(version) <= 0;
  return isHighest ? 'latest' : (tag ?? 'latest');
}

/** Tells whether the channel of a version is known, and not only what is left: a lower release than others, without a dist-tag. */
export function isChannelSeen(version: SemVer, { tags, known, highest }: DistTagsAt): boolean {
  const isTagged = known.has(version.raw) || [...tags.values()].includes(version.raw);
  return isTagged || version.prerelease.length > 0 || highest === undefined || highest.compare(version) <= 0;
}

/** Returns `beta` for `beta30`, because numbered pre-releases are one channel. A word with numbers inside, such as a commit id, stays. */
function withoutNumber(id: string): string {
  return /^([a-z]+)[-_]?\d+$/i.exec(id)?.[1] ?? id;
}

/** Returns the higher of two releases; pre-releases do not count. */
export function higherRelease(known: SemVer | undefined, version: SemVer): SemVer | undefined {
  if (version.prerelease.length > 0) return known;
  return known === undefined || known.compare(version) < 0 ? version : known;
}

interface DistTagsAt extends DistTags {
  /** The highest release published before. */
  readonly highest: SemVer | undefined;
}
