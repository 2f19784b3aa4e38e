import type { Event, Micros } from '../model/event.js';
import { isReverted } from './apart.js';
import { attemptOf, changesByPackage, changesIn, type EventScene, eventOf, type MergedChange } from './events.js';
import { publishedIn } from './layout.js';
import type { MainLine } from './main-line.js';
import type { Publications } from './publications.js';
import { isMainChannel, type PackageReleases, type PlacedPublication } from './releases.js';

/** A package that left a repository, or became private, with changes that no release there had brought out and none can any more. */
export interface Departure {
  readonly package: string;
  /** The position of the commit that took it away; of several the last. */
  readonly at: number;
  /** The channels on which the changes never came out. */
  readonly channels: readonly string[];
  /** `in part`: the changes came out on another channel. */
  readonly released: 'never' | 'in part';
  readonly changes: readonly MergedChange[];
}

type DepartureLine = Pick<MainLine, 'steps' | 'countedPrivate'>;

interface DepartureScene {
  readonly main: DepartureLine;
  readonly changes: readonly MergedChange[];
  readonly publications: ReadonlyMap<string, Pick<Publications, 'placed'>>;
  readonly releases: ReadonlyMap<string, PackageReleases>;
  /** Publications from before a package moved in, by its name. */
  readonly former: ReadonlyMap<string, readonly PlacedPublication[]>;
  /** The channels that figures use. */
  readonly counted: ReadonlySet<string>;
}

/**
 * Returns the departures from a main line: one for each package and each set of channels. A package that came back brings nothing out that
 * its former publications reach beyond.
 */
export function departuresOf(scene: DepartureScene): readonly Departure[] {
  const { main, changes, former } = scene;
  const present = publishedIn(main.steps.at(-1)?.layout ?? new Map(), main.countedPrivate);
  const changesOf = changesByPackage(changes);
  return [...leavesOf(main)].flatMap(([name, at]) => {
    const own = changesOf.get(name) ?? [];
    const reached = Math.max(-1, ...(former.get(name) ?? []).map(({ anchor }) => anchor));
    const left = own.filter(({ position }) => position < at && (!present.has(name) || position <= reached));
    return left.length === 0 ? [] : withoutRelease(left, name, scene).map((one) => ({ package: name, at, ...one }));
  });
}

/** Groups changes by the channels on which they did not come out. */
function withoutRelease(
  left: readonly MergedChange[],
  name: string,
  { publications, releases, former, counted }: DepartureScene,
): readonly Omit<Departure, 'package' | 'at'>[] {
  const known = [...(publications.get(name)?.placed ?? []), ...(former.get(name) ?? [])].map(({ channel }) => channel);
  const all = [...new Set([...known, ...counted])].sort();
  const channels = all.length === 0 ? ['latest'] : all;
  const out = new Map<MergedChange, Set<string>>();
  const { measured, first } = releases.get(name) ?? { measured: [], first: [] };
  for (const release of [...measured, ...first])
    for (const change of changesIn(left, release)) out.set(change, (out.get(change) ?? new Set()).add(release.publication.channel));
  const groups = new Map<string, Omit<Departure, 'package' | 'at'> & { readonly changes: MergedChange[] }>();
  for (const change of left) {
    const own = out.get(change);
    // Of hundreds of other channels, no first release is known either.
    const missing = own === undefined ? channels : channels.filter((one) => !own.has(one) && (isMainChannel(one) || counted.has(one)));
    if (missing.length === 0) continue;
    const released = own === undefined ? 'never' : 'in part';
    const key = [released, ...missing].join('\0');
    const group = groups.get(key) ?? { channels: missing, released, changes: [] };
    group.changes.push(change);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Name -> the position of the last commit that took the package away. */
function leavesOf({ steps, countedPrivate }: DepartureLine): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  let before: ReadonlySet<string> = new Set();
  for (const [position, { layout }] of steps.entries()) {
    if (layout === steps[position - 1]?.layout) continue;
    const now = publishedIn(layout, countedPrivate);
    for (const name of before) if (!now.has(name)) found.set(name, position);
    before = now;
  }
  return found;
}

/** Returns the events of changes that wait for nothing more here: their package left with them unreleased. One for each channel. */
export function departedEvents(
  { package: name, changes, channels }: Omit<Departure, 'at' | 'released'>,
  leftAt: Micros,
  scene: EventScene,
): readonly Event[] {
  const what = { package: name, stage: 'publish', outcome: 'unmeasured', source: 'git', confidence: 'derived' } as const;
  const times = { startedAt: leftAt, endedAt: leftAt };
  return changes.flatMap((change) =>
    channels.map((channel) => eventOf(change, scene, { ...what, ...times, channel, attempt: attemptOf(channel, 0, scene.repo) })),
  );
}

/** Tells whether `departedEvents` made an event. A publication that git knows has a version. */
export function isDeparture(event: Event): boolean {
  const { stage, outcome, source, release } = event;
  return stage === 'publish' && outcome === 'unmeasured' && source === 'git' && release === undefined && !isReverted(event);
}
