import type { CommitId } from '@tributary/model/ids';
import type { Event, Micros } from '../model/event.js';
import { attemptOf, type EventScene, eventOf, type MergedChange } from './events.js';
import type { MainLine } from './main-line.js';
import type { Publications } from './publications.js';
import { type ChannelRelease, isMainChannel, type PackageReleases, type PlacedPublication } from './releases.js';

/** A change of a package that a release of the main line has, and that is not measured by it on a channel. */
export interface ChangeApart {
  readonly package: string;
  readonly channel: string;
  readonly change: MergedChange;
  /** `reverted`: before any release had it. `brought back`: the release branch had published it. */
  readonly why: 'reverted' | 'brought back';
  readonly at: Micros;
  /** The version that had it, if it was brought back. */
  readonly publication?: PlacedPublication;
}

interface ApartScene {
  readonly main: Pick<MainLine, 'reverts' | 'positions'>;
  readonly changes: readonly MergedChange[];
  readonly publications: ReadonlyMap<string, Pick<Publications, 'placed'>>;
  readonly releases: ReadonlyMap<string, PackageReleases>;
  /** As `backMergesOf` returns them. */
  readonly backMerges: ReadonlyMap<CommitId, number>;
  readonly counted: ReadonlySet<string>;
}

/** Returns the changes to count apart, each once for a package and a channel. */
export function changesApart(scene: ApartScene): readonly ChangeApart[] {
  const { main, changes, publications, releases, counted, backMerges } = scene;
  if (main.reverts.size + backMerges.size === 0) return [];
  const at = new Map(changes.map((change) => [change.position, change]));
  const reverts = [...main.reverts].flatMap(([by, reverted]) => {
    const [last, first] = [at.get(main.positions.get(by) ?? -1), at.get(main.positions.get(reverted) ?? -1)];
    return last === undefined || first === undefined ? [] : [{ by: last, reverted: first }];
  });
  const found = [...publications].flatMap(([name, { placed }]) => {
    const own = reverts.filter(({ by, reverted }) => by.packages.includes(name) && reverted.packages.includes(name));
    const inReleases = own.length === 0 ? [] : revertedIn(own, releasesByChannel(placed, releases.get(name), counted), counted);
    const apart = inReleases.map((one) => ({ package: name, why: 'reverted' as const, ...one }));
    return [...apart, ...broughtBack(name, placed, { at, backMerges })];
  });
  return [...new Map(found.map((one) => [keyOf({ ...one, change: one.change.commit.id }), one])).values()];
}

interface Revert {
  readonly by: MergedChange;
  readonly reverted: MergedChange;
}

type OfChannels = ReadonlyMap<string, PackageReleases>;

/** Returns the releases of each channel, also of one that counts and has none. */
function releasesByChannel(
  placed: readonly PlacedPublication[],
  releases: PackageReleases | undefined,
  counted: ReadonlySet<string>,
): OfChannels {
  const found = new Map<string, { measured: ChannelRelease[]; first: ChannelRelease[] }>();
  for (const channel of [...placed.map((one) => one.channel), ...counted]) found.set(channel, { measured: [], first: [] });
  for (const one of releases?.measured ?? []) found.get(one.publication.channel)?.measured.push(one);
  for (const one of releases?.first ?? []) found.get(one.publication.channel)?.first.push(one);
  return found;
}

/** On a main channel, and on one that counts, nothing waits for the release of what is gone. On the others nothing waits at all. */
function revertedIn(
  reverts: readonly Revert[],
  ofChannels: OfChannels,
  counted: ReadonlySet<string>,
): readonly Pick<ChangeApart, 'channel' | 'change' | 'at'>[] {
  return [...ofChannels].flatMap(([channel, releases]) => {
    const isWaited = isMainChannel(channel) || counted.has(channel);
    return revertedOn(reverts, releases, isWaited).map((one) => ({ channel, ...one }));
  });
}

/**
 * Returns the changes that were reverted before a release of one channel, and what reverted them. A revert that was reverted itself counts
 * for nothing. `isWaited`: also those that no release had yet.
 */
function revertedOn(
  reverts: readonly Revert[],
  { measured, first }: PackageReleases,
  isWaited: boolean,
): readonly Pick<ChangeApart, 'change' | 'at'>[] {
  const all = [...measured, ...first];
  const ends = all.map((one) => one.upTo);
  const releaseOf = (position: number): number => Math.min(...ends.filter((end) => end >= position));
  const picked = new Set(all.flatMap((one) => [...(one.picked ?? [])]));
  const begin = Math.min(...(first.length > 0 ? first.map((one) => one.upTo) : measured.map((one) => one.after)));
  const undone = new Map<MergedChange, Micros>();
  for (const { by, reverted } of [...reverts].sort((a, b) => b.by.position - a.by.position)) {
    const release = releaseOf(by.position);
    const isPicked = picked.has(by.position) || picked.has(reverted.position);
    const isOut = isPicked || release !== releaseOf(reverted.position) || (Number.isFinite(begin) && reverted.position <= begin);
    if (isOut || undone.has(by) || !(isWaited || Number.isFinite(release))) continue;
    for (const change of [by, reverted]) undone.set(change, by.commit.at);
  }
  return [...undone].map(([change, at]) => ({ change, at }));
}

/** Returns the merges that brought a published release branch back after its publication. */
function broughtBack(
  name: string,
  placed: readonly PlacedPublication[],
  { at: changeAt, backMerges }: Pick<ApartScene, 'backMerges'> & { readonly at: ReadonlyMap<number, MergedChange> },
): readonly ChangeApart[] {
  return placed.flatMap((publication): ChangeApart[] => {
    const change = changeAt.get(backMerges.get(publication.commit) ?? -1);
    const { channel, at } = publication;
    if (change === undefined || at > change.commit.at || !change.packages.includes(name)) return [];
    return [{ package: name, channel, change, why: 'brought back', at, publication }];
  });
}

function keyOf({ change, package: name, channel = '' }: Pick<Event, 'change' | 'package' | 'channel'>): string {
  return [change, name, channel].join('\0');
}

/** Replaces the publications of changes that count apart by events that end their wait without a measurement. */
export function withApart(events: readonly Event[], apart: readonly ChangeApart[], scene: EventScene): readonly Event[] {
  if (apart.length === 0) return events;
  const keys = new Set(apart.map((one) => keyOf({ ...one, change: one.change.commit.id })));
  const rest = events.filter((event) => event.stage !== 'publish' || event.consumer !== undefined || !keys.has(keyOf(event)));
  return [
    ...rest,
    ...apart.map(({ package: name, channel, change, at, publication }) => {
      const { source, confidence } = publication ?? { source: 'git' as const, confidence: 'derived' as const };
      const release = publication === undefined ? {} : { release: publication.version };
      const what = { package: name, stage: 'publish', attempt: attemptOf(channel), outcome: 'unmeasured', channel, ...release } as const;
      return eventOf(change, scene, { ...what, startedAt: at, endedAt: at, source, confidence });
    }),
  ];
}

/** Tells whether an event is of a reverted change. Those of a departure have the number of a repository. */
export function isReverted({ stage, outcome, source, release, channel = '', attempt }: Event): boolean {
  return stage === 'publish' && outcome === 'unmeasured' && source === 'git' && release === undefined && attempt === attemptOf(channel);
}
