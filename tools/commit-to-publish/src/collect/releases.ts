import type { Publication } from './publication.js';

/** A publication with how far it reaches: it contains the commits of the main line up to this place. */
export interface PlacedPublication extends Publication {
  readonly anchor: number;
}

/** A publication and the commits of the main line that it was the first on its channel to contain: from behind `after` up to `upTo`. */
export interface Release {
  readonly publication: PlacedPublication;
  readonly after: number;
  readonly upTo: number;
}

/** What the publications of a package brought out, by time within each outlet. */
export interface PackageReleases {
  /** Each has the commits since the one before it on the same channel. */
  readonly measured: readonly Release[];
  /** The first on a channel, with the commits that were out with it or before it: nobody knows since when they waited for it, so it measures nothing of them. */
  readonly first: readonly Release[];
}

/** `counted`: the channels that the figures of the repository are about. Of others only those that an outlet begins with, and the main ones, have a first: there may be hundreds, each with the whole history before it. `former`: publications from before the package moved in; they come before all others, and bring out nothing here. */
export function releasesOf(
  publications: readonly PlacedPublication[],
  counted: ReadonlySet<string>,
  former: readonly PlacedPublication[] = [],
): PackageReleases {
  const outlets = new Map<string, PlacedPublication[]>();
  for (const publication of [...former, ...publications]) {
    // One environment says nothing of another.
    const outlet = publication.outlet === 'deployment' ? publication.channel : publication.outlet;
    outlets.set(outlet, [...(outlets.get(outlet) ?? []), publication]);
  }
  const found = [...outlets.values()].map((own) => releasesOfOutlet(own, counted, new Set(former)));
  return { measured: found.flatMap(({ measured }) => measured), first: found.flatMap(({ first }) => first) };
}

/** Before all commits. */
const BEGINNING = -1;

/** Where everything ends up in the end: it has nothing to do with what came out before on other channels. */
const MAIN_CHANNELS: ReadonlySet<string> = new Set(['latest', 'github-release']);

/** The first on the main channel has all since the first of the outlet; the first of any other channel what no release had yet, for the rest was out long before. */
function releasesOfOutlet(
  publications: readonly PlacedPublication[],
  counted: ReadonlySet<string>,
  former: ReadonlySet<PlacedPublication>,
): PackageReleases {
  const sorted = [...publications].sort((a, b) => a.at - b.at || a.anchor - b.anchor || (a.version < b.version ? -1 : 1));
  const reached = new Map<string, number>();
  const begin = sorted[0]?.anchor ?? BEGINNING;
  let reachedByAny = begin;
  const measured: Release[] = [];
  const first: Release[] = [];
  for (const publication of sorted) {
    const { channel, anchor } = publication;
    const after = reached.get(channel) ?? (MAIN_CHANNELS.has(channel) ? begin : reachedByAny);
    const isNeeded = first.length === 0 || MAIN_CHANNELS.has(channel) || counted.has(channel);
    if (!reached.has(channel) && isNeeded) first.push({ publication, after: BEGINNING, upTo: after });
    if (anchor > after && !former.has(publication)) measured.push({ publication, after, upTo: anchor });
    reached.set(channel, Math.max(after, anchor));
    reachedByAny = Math.max(reachedByAny, anchor);
  }
  return { measured, first };
}

/** How far a commit reaches: the place of the last commit of the main line that it contains. */
export type Anchors = ReadonlyMap<string, number>;

/** `contained`: the commits that publications beside the main line contain, parents first. Those without a place share nothing with it. */
export function anchorsOf(
  mainLine: readonly string[],
  contained: readonly { readonly id: string; readonly parents: readonly string[] }[],
): Anchors {
  const anchors = new Map(mainLine.map((id, place) => [id, place]));
  for (const { id, parents } of contained) {
    if (anchors.has(id)) continue;
    const places = parents.flatMap((parent) => anchors.get(parent) ?? []);
    if (places.length > 0) anchors.set(id, Math.max(...places));
  }
  return anchors;
}
