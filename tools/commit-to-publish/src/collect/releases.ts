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

/**
 * The releases of one package, by time within each outlet. Each has the commits since the one before it on the same channel. The first of an outlet measures nothing: nobody knows
 * where it begins.
 */
export function releasesOf(publications: readonly PlacedPublication[]): readonly Release[] {
  const outlets = new Map<string, PlacedPublication[]>();
  for (const publication of publications) {
    // One environment says nothing of another.
    const outlet = publication.outlet === 'deployment' ? publication.channel : publication.outlet;
    outlets.set(outlet, [...(outlets.get(outlet) ?? []), publication]);
  }
  return [...outlets.values()].flatMap(releasesOfOutlet);
}

/** Where everything ends up in the end: it has nothing to do with what came out before on other channels. */
const MAIN_CHANNELS: ReadonlySet<string> = new Set(['latest', 'github-release']);

/** The first on the main channel has all since the first of the outlet; the first of any other channel what no release had yet, for the rest was out long before. */
function releasesOfOutlet(publications: readonly PlacedPublication[]): readonly Release[] {
  const sorted = [...publications].sort((a, b) => a.at - b.at || a.anchor - b.anchor || (a.version < b.version ? -1 : 1));
  const [first] = sorted;
  if (first === undefined) return [];
  const reached = new Map<string, number>([[first.channel, first.anchor]]);
  let reachedByAny = first.anchor;
  const releases: Release[] = [];
  for (const publication of sorted.slice(1)) {
    const { channel, anchor } = publication;
    const after = reached.get(channel) ?? (MAIN_CHANNELS.has(channel) ? first.anchor : reachedByAny);
    if (anchor > after) releases.push({ publication, after, upTo: anchor });
    reached.set(channel, Math.max(after, anchor));
    reachedByAny = Math.max(reachedByAny, anchor);
  }
  return releases;
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
