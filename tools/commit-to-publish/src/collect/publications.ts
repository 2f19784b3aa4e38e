import type { CommitId } from '@tributary/model/ids';
import type { PublishConfig } from '@tributary/model/publish-config';
import SemVer from 'semver/classes/semver.js';
import type { Micros } from '../model/event.js';
import { isPossible } from '../model/parse-event.js';
import type { Landings } from './landings.js';
import type { Picks } from './picks.js';
import {
  channelOf,
  type DistTags,
  higherRelease,
  isChannelSeen,
  placePublication,
  type Refusal,
  type RegistryTrace,
  type VersionTraces,
} from './publication.js';
import type { Anchors, PlacedPublication } from './releases.js';
import type { GitTraces } from './traces.js';

/** What the registry says about a package. */
export interface RegistryFacts {
  readonly versions: ReadonlyMap<string, RegistryTrace>;
  readonly distTags: ReadonlyMap<string, string>;
  /** As in `Packument`. */
  readonly lacks: 'latest' | 'first' | undefined;
}

export type PublicationSource = PublishConfig['sources'][number];

interface PublicationScene {
  readonly traces: GitTraces;
  /** Without packages that the registry does not have. */
  readonly registry: ReadonlyMap<string, RegistryFacts>;
  readonly anchors: Anchors;
  /** As in `MainLine`. */
  readonly mistimed: ReadonlySet<CommitId>;
  readonly landings: Landings;
  readonly picks: Picks;
  readonly now: Micros;
  readonly sources: ReadonlySet<PublicationSource>;
  /** By package: version -> dist-tag that earlier collections saw. */
  readonly channels: KnownChannels;
}

export type KnownChannels = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface Refused {
  readonly package: string;
  readonly version: string;
  readonly why:
    | Refusal
    | 'not in this history'
    | 'before a change in it'
    | 'two tags'
    | 'another package'
    | 'impossible time of the tag'
    | 'impossible time'
    | 'registry lacks its latest'
    | 'registry lacks its first';
}

export interface Publications {
  /** Sorted by time. */
  readonly placed: readonly PlacedPublication[];
  /** Publications built from a history before it was joined to this one. They contain commits up to the one before the join. */
  readonly former: readonly PlacedPublication[];
  /** Versions that are not publications here, and those whose time in the registry does not count. */
  readonly refused: readonly Refused[];
  /** Versions whose time is that of a tag made more than a day after its commit. */
  readonly late: readonly string[];
}

/** Returns the publications of a package, from all that is known about its versions. */
export function publicationsOf(name: string, scene: PublicationScene): Publications {
  const refused: Refused[] = [];
  const late: string[] = [];
  const placed: Omit<PlacedPublication, 'channel'>[] = [];
  const versions = versionsOf(name, scene);
  const facts = scene.registry.get(name);
  const absent = facts === undefined ? undefined : absenceFrom(facts, versions);
  for (const known of versions) {
    const traces = withPossibleTimes(known, scene.now);
    const { version } = traces;
    const absence = traces.registry === undefined ? absent : undefined;
    const found = absence === 'not in the registry' ? absence : placePublication(traces);
    if (typeof found === 'string') {
      refused.push({ package: name, version, why: found });
      continue;
    }
    if (absence !== undefined) refused.push({ package: name, version, why: absence });
    // If it was never published, its changes came out later.
    const isBound = absence !== undefined && absence !== 'another package';
    const { commit, at, source, refused: why } = found;
    if (why !== undefined) refused.push({ package: name, version, why });
    if (traces.tag?.tagged !== known.tag?.tagged) refused.push({ package: name, version, why: 'impossible time of the tag' });
    const isTimeless = !isPossible(at, scene.now) || (source === 'git' && traces.tag?.tagged === undefined && scene.mistimed.has(commit));
    if (isTimeless) refused.push({ package: name, version, why: 'impossible time' });
    const landing = scene.landings.get(commit);
    const anchor = scene.anchors.get(commit) ?? (landing === undefined ? undefined : landing - 1);
    if (anchor === undefined) refused.push({ package: name, version, why: 'not in this history' });
    else
      placed.push({
        package: name,
        outlet: 'version',
        version,
        commit,
        at,
        source,
        confidence: isBound ? 'at-least' : found.confidence,
        ...certainty(anchor, traces, scene),
        ...pickedIn(commit, scene),
        ...(isTimeless ? { isTimeless } : {}),
      });
    if (traces.tag?.other !== undefined) refused.push({ package: name, version, why: 'two tags' });
    // An import creates the tags of the imported history again, so they are never late.
    if (source === 'git' && landing === undefined && isLate(traces)) late.push(version);
  }
  const distTags = { tags: facts?.distTags ?? new Map(), known: scene.channels.get(name) ?? new Map() };
  const all = withChannels(placed, distTags);
  const former = new Set(all.filter(({ commit }) => !scene.anchors.has(commit)));
  return { placed: former.size === 0 ? all : all.filter((one) => !former.has(one)), former: [...former], refused, late };
}

function pickedIn(commit: CommitId, { picks }: PublicationScene): Pick<PlacedPublication, 'picked'> {
  const picked = picks.get(commit);
  return picked === undefined ? {} : { picked };
}

function versionsOf(name: string, { traces, registry, sources }: PublicationScene): readonly VersionTraces[] {
  const tags = sources.has('tags') ? traces.tags.get(name) : undefined;
  const bumps = sources.has('versions') ? traces.bumps.get(name) : undefined;
  const uploads = registry.get(name)?.versions;
  const versions = new Set([...(tags?.keys() ?? []), ...(bumps?.keys() ?? []), ...(uploads?.keys() ?? [])]);
  return [...versions].map((version) => ({
    version,
    tag: tags?.get(version),
    bump: bumps?.get(version),
    registry: uploads?.get(version),
  }));
}

/** An impossible time does not count; the time of the commit is then a lower bound. */
function withPossibleTimes(traces: VersionTraces, now: Micros): VersionTraces {
  const { tag, registry } = traces;
  const possible = (time: Micros | undefined): Micros | undefined => (time !== undefined && isPossible(time, now) ? time : undefined);
  if (possible(tag?.tagged) === tag?.tagged && possible(registry?.at) === registry?.at) return traces;
  return {
    ...traces,
    tag: tag === undefined ? undefined : { ...tag, tagged: possible(tag.tagged) },
    registry: registry === undefined ? undefined : { ...registry, at: possible(registry.at) },
  };
}

/** Returns what it means that the registry lacks a version of git. */
function absenceFrom({ lacks }: RegistryFacts, versions: readonly VersionTraces[]): Refused['why'] {
  if (!isOwnPackage(versions)) return 'another package';
  return lacks === undefined ? 'not in the registry' : `registry lacks its ${lacks}`;
}

/** A publication with two tags contains what the later one has, unless the registry names the commit. */
function certainty(
  anchor: number,
  { tag, registry }: VersionTraces,
  { anchors }: PublicationScene,
): Pick<PlacedPublication, 'anchor' | 'isUncertain'> {
  if (tag?.other === undefined || registry?.commit !== undefined) return { anchor };
  return { anchor: Math.max(anchor, anchors.get(tag.other.commit) ?? anchor), isUncertain: true };
}

/**
 * Tells whether the registry's package is seen to be that of the repository: an upload names a commit of the clone, or a version in git is
 * there at a plausible time. Only then was a version that it lacks never published: anybody may have a package of this name.
 */
function isOwnPackage(versions: readonly VersionTraces[]): boolean {
  return versions.some((traces) => {
    if (traces.registry?.commit !== undefined) return true;
    const placed = placePublication(traces);
    return traces.registry !== undefined && typeof placed !== 'string' && placed.refused !== 'registry time is implausible';
  });
}

const DAY = 24 * 3600 * 1e6;

function isLate({ tag }: VersionTraces): boolean {
  return tag?.tagged !== undefined && tag.tagged - tag.committed > DAY;
}

function withChannels(publications: readonly Omit<PlacedPublication, 'channel'>[], distTags: DistTags): readonly PlacedPublication[] {
  const sorted = [...publications].sort((a, b) => a.at - b.at || (a.version < b.version ? -1 : 1));
  let highest: SemVer | undefined;
  return sorted.map((publication) => {
    const version = new SemVer(publication.version);
    const scene = { highest, ...distTags };
    const channel = channelOf(version, scene);
    highest = higherRelease(highest, version);
    // Cherry-picks of a version that nobody tags may be for an older line than `latest`.
    if (publication.picked === undefined || isChannelSeen(version, scene)) return { channel, ...publication };
    const { picked: _, ...own } = publication;
    return { channel, ...own };
  });
}

/**
 * Returns the known dist-tags: for each version the first one it was seen with. Of several at once, `latest` counts, otherwise the first by
 * name.
 */
export function channelsNow(known: KnownChannels, registry: PublicationScene['registry']): KnownChannels {
  const names = [...new Set([...known.keys(), ...registry.keys()])];
  return new Map(
    names.map((name) => {
      const tags = [...(registry.get(name)?.distTags ?? [])];
      const inOrder = [
        ...tags.filter(([tag]) => tag !== 'latest').sort(([a], [b]) => (a < b ? 1 : -1)),
        ...tags.filter(([tag]) => tag === 'latest'),
      ];
      return [name, new Map([...inOrder.map(([tag, version]) => [version, tag] as const), ...(known.get(name) ?? [])])];
    }),
  );
}

/** Returns the commits of publications, to check whether they are beside the main line. */
export function commitsIn({ tags }: Pick<GitTraces, 'tags'>, registry: PublicationScene['registry']): readonly CommitId[] {
  const tagged = [...tags.values()].flatMap((traces) => [...traces.values()].map(({ commit }) => commit));
  const heads = [...registry.values()].flatMap(({ versions }) => [...versions.values()].flatMap(({ commit }) => commit?.id ?? []));
  return [...new Set([...tagged, ...heads])];
}
