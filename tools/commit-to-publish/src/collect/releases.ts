import type { Publication } from './publication.js';

/** A publication with its anchor: the index of the last main-line commit that it contains. */
export interface PlacedPublication extends Publication {
  readonly anchor: number;
  /** The main-line commits after the anchor that it contains as cherry-picks. */
  readonly picked?: ReadonlySet<number>;
  /** Its time cannot be, or is out of order, and it has no other. */
  readonly isTimeless?: true;
}

/**
 * A publication with the main-line commits that it was the first on its channel to contain: those after index `after`, up to and including
 * `upTo`.
 */
export interface ChannelRelease {
  readonly publication: PlacedPublication;
  readonly after: number;
  readonly upTo: number;
  /** Later commits that it contains as cherry-picks, and was the first to have. */
  readonly picked?: ReadonlySet<number>;
  /** Commits among them that an earlier publication had as cherry-picks. */
  readonly without?: ReadonlySet<number>;
}

/** What the publications of a package contain, by time within each outlet. */
export interface PackageReleases {
  /** Each has the commits since the previous one on the same channel. */
  readonly measured: readonly ChannelRelease[];
  /**
   * The first on a channel, with the commits in it or in earlier ones. The time for which they waited is unknown, so it measures nothing
   * for them.
   */
  readonly first: readonly ChannelRelease[];
}

/**
 * Returns the releases of a package.
 * `counted`: the channels that figures use. Of the other channels, only the first of an outlet and the main ones have a first publication:
 * there may be hundreds, each with the whole history before it.
 * `former`: publications from before the import. They come before all others, and publish nothing here.
 */
export function releasesOf(
  publications: readonly PlacedPublication[],
  counted: ReadonlySet<string>,
  former: readonly PlacedPublication[] = [],
): PackageReleases {
  const all = [...former, ...publications];
  // Environments are independent of each other.
  const outletOf = ({ outlet, channel }: PlacedPublication): string => (outlet === 'deployment' ? channel : outlet);
  const outlets = [...new Set(all.map(outletOf))].map((outlet) => all.filter((one) => outletOf(one) === outlet));
  const found = outlets.map((own) => releasesOfOutlet(own, counted, new Set(former)));
  return { measured: found.flatMap(({ measured }) => measured), first: found.flatMap(({ first }) => first) };
}

const NONE: ReadonlySet<number> = new Set();

/** The index before all commits. */
const BEGINNING = -1;

/** The channels in which every change ends up, independently of publications on other channels. */
const MAIN_CHANNELS: ReadonlySet<string> = new Set(['latest', 'github-release']);

export function isMainChannel(channel: string): boolean {
  return MAIN_CHANNELS.has(channel);
}

/**
 * Returns the releases of one outlet. The first on a main channel has everything since the first of the outlet. The first on any other
 * channel has only what no earlier publication had, because the rest was published long before.
 */
function releasesOfOutlet(
  publications: readonly PlacedPublication[],
  counted: ReadonlySet<string>,
  former: ReadonlySet<PlacedPublication>,
): PackageReleases {
  const timeless = publications.filter(({ isTimeless }) => isTimeless);
  const sorted = publications
    .filter(({ isTimeless }) => !isTimeless)
    .sort((a, b) => a.at - b.at || a.anchor - b.anchor || (a.version < b.version ? -1 : 1));
  const reached = new Map<string, number>();
  const pickedBefore = new Map<string, ReadonlySet<number>>();
  const begin = sorted[0]?.anchor ?? BEGINNING;
  let reachedByAny = begin;
  const measured: ChannelRelease[] = [];
  const first: ChannelRelease[] = [];
  for (const publication of sorted) {
    const { channel, anchor } = publication;
    const after = reached.get(channel) ?? (isMainChannel(channel) ? begin : reachedByAny);
    const isNeeded = reached.size === 0 || isMainChannel(channel) || counted.has(channel);
    const without = pickedBefore.get(channel) ?? NONE;
    const isFresh = (position: number): boolean => position > Math.max(after, anchor) && !without.has(position);
    const picked = publication.picked === undefined ? NONE : new Set([...publication.picked].filter(isFresh));
    if (!reached.has(channel) && isNeeded) first.push({ publication, after: BEGINNING, upTo: after });
    // What came out at an impossible time before, measures nothing by this one.
    const known = Math.max(after, ...timeless.filter((one) => one.channel === channel && one.anchor <= anchor).map((one) => one.anchor));
    if (known > after) first.push({ publication, after, upTo: known });
    if ((anchor > known || picked.size > 0) && !former.has(publication)) {
      // How long the first publication of all was waited for is unknown.
      const isMeasured = publication.isUncertain !== true && (picked.size === 0 || reached.size > 0);
      (isMeasured ? measured : first).push({
        publication,
        after: known,
        upTo: Math.max(known, anchor),
        ...(picked.size === 0 ? {} : { picked }),
        ...(without.size === 0 ? {} : { without }),
      });
      if (picked.size > 0) pickedBefore.set(channel, new Set([...without, ...picked]));
    }
    reached.set(channel, Math.max(after, anchor));
    reachedByAny = Math.max(reachedByAny, anchor);
  }
  // What came out at an impossible time last waits for nothing.
  for (const publication of timeless) {
    const after = reached.get(publication.channel) ?? begin;
    if (publication.anchor <= after) continue;
    first.push({ publication, after, upTo: publication.anchor });
    reached.set(publication.channel, publication.anchor);
  }
  return { measured, first };
}

/** The index of the last main-line commit that a commit contains. */
export type Anchors = ReadonlyMap<string, number>;

/**
 * Returns the anchors of commits. `contained`: the commits in publications beside the main line, parents first. Commits without an anchor
 * share nothing with the main line.
 */
export function anchorsOf(
  mainLine: readonly string[],
  contained: readonly { readonly id: string; readonly parents: readonly string[] }[],
): Anchors {
  const anchors = new Map(mainLine.map((id, position) => [id, position]));
  for (const { id, parents } of contained) {
    if (anchors.has(id)) continue;
    const positions = parents.flatMap((parent) => anchors.get(parent) ?? []);
    if (positions.length > 0) anchors.set(id, Math.max(...positions));
  }
  return anchors;
}
