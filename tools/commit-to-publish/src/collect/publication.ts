import type { CommitId } from '@tributary/model/ids';
import compare from 'semver/functions/compare.js';
import prerelease from 'semver/functions/prerelease.js';
import type { Event, Micros } from '../model/event.js';
import type { TestTimes } from './test-times.js';

/** What comes out, each with a first time of its own: versions, releases at GitHub, and deployments to each environment. */
type Outlet = 'version' | 'release' | 'deployment';

/** A version of a package that was published, or another way in which it came out. */
export interface Publication {
  readonly package: string;
  readonly outlet: Outlet;
  /** Of a deployment, the beginning of its commit. */
  readonly version: string;
  readonly channel: string;
  /** What it was built from. It may lie beside the main line. */
  readonly commit: CommitId;
  /** When somebody began to publish it, where that is known. */
  readonly begun?: Micros;
  readonly at: Micros;
  /** Attempts before it that brought nothing out, where they are known. */
  readonly failed?: readonly TestTimes[];
  readonly source: Extract<Event['source'], 'git' | 'registry' | 'api'>;
  readonly confidence: Event['confidence'];
}

/** Where in the clone a publication may come from: a tag, or the commit that changed the version. */
export interface GitTrace {
  /** The name of the tag; missing for a commit. */
  readonly tag?: string;
  readonly commit: CommitId;
  readonly committed: Micros;
  /** When it was tagged, where the tag says it. */
  readonly tagged: Micros | undefined;
}

/** What the registry says of a version. */
export interface RegistryTrace {
  /** When it was uploaded, or, as a mirror has it, whenever. */
  readonly at: Micros | undefined;
  /** What it was built from, where that is a commit of the clone. */
  readonly commit: { readonly id: CommitId; readonly at: Micros } | undefined;
}

/** All that is known of a version of a package. */
export interface VersionTraces {
  readonly version: string;
  readonly tag: GitTrace | undefined;
  readonly bump: GitTrace | undefined;
  readonly registry: RegistryTrace | undefined;
}

/** What the registry says of a package as a whole. */
export interface DistTags {
  /** Name of the tag -> version, as of now. */
  readonly tags: ReadonlyMap<string, string>;
  /** Version -> name of its tag, as earlier collections saw it: a tag moves on to the next version. */
  readonly known: ReadonlyMap<string, string>;
}

/** Why a version is no publication, or its time is not the registry's. */
export type Refusal = 'no commit' | 'no time' | 'registry time is implausible' | 'no time in the registry' | 'not in the registry';

const DAY = 24 * 3600 * 1e6;

/**
 * When and from which commit a version was published. The commit: what the registry says of it, else the tag, else the change of the version. The time: the registry's where it is within
 * a day of what git says (mirrors write their own), else the tag's, else the commit's.
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
  const refused = registry === undefined ? undefined : uploaded === undefined ? 'no time in the registry' : 'registry time is implausible';
  const at = trace?.tagged ?? trace?.committed;
  return at === undefined
    ? uploaded === undefined
      ? 'no time'
      : 'registry time is implausible'
    : { commit, at, source: 'git', confidence: 'derived', refused };
}

/**
 * The dist-tag of a version as it was known first, or as the registry has it, else what its pre-release is called (`next` of `2.0.0-next.3` and of `2.0.0-next3`), else `latest`. What is the highest so far
 * was `latest` when it came out, whatever it is called now.
 */
export function channelOf(version: string, { tags, known, highest }: DistTagsAt): string {
  const named = [...tags].filter(([, tagged]) => tagged === version).map(([tag]) => tag);
  if (named.includes('latest')) return 'latest';
  const [id] = prerelease(version) ?? [];
  const tag = known.get(version) ?? named.sort()[0];
  if (id !== undefined) return tag ?? (typeof id === 'string' ? withoutNumber(id) : 'prerelease');
  const isHighest = highest === undefined || compare(highest, version) <= 0;
  return isHighest ? 'latest' : (tag ?? 'latest');
}

/** `beta` of `beta30`: numbered pre-releases are one channel. A word with numbers inside, such as the id of a commit, stays. */
function withoutNumber(id: string): string {
  return /^([a-z]+)[-_]?\d+$/i.exec(id)?.[1] ?? id;
}

/** The higher of two releases; a pre-release is none. */
export function higherRelease(known: string | undefined, version: string): string | undefined {
  if (prerelease(version) !== null) return known;
  return known === undefined || compare(known, version) < 0 ? version : known;
}

interface DistTagsAt extends DistTags {
  /** Of the releases that came out before. */
  readonly highest: string | undefined;
}
