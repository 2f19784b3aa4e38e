import type { Event, Micros } from '../model/event.js';
import { attemptOf, changesIn, type EventScene, eventOf, type MergedChange } from './events.js';
import type { MainLine } from './main-line.js';
import type { PackageReleases, PlacedPublication } from './releases.js';

/** A package that left a repository, with the changes that no release there had brought out and none can any more. */
export interface Departure {
  readonly package: string;
  /** The place of the commit that took it away; of several the last. */
  readonly at: number;
  readonly changes: readonly MergedChange[];
}

interface DepartureScene {
  readonly main: Pick<MainLine, 'steps'>;
  readonly changes: readonly MergedChange[];
  readonly releases: ReadonlyMap<string, PackageReleases>;
  /** Publications from before a package moved in, by its name. */
  readonly former: ReadonlyMap<string, readonly PlacedPublication[]>;
}

/** The departures from a main line. A package that came back brings nothing out that its former publications reach beyond. */
export function departuresOf({ main, changes, releases, former }: DepartureScene): readonly Departure[] {
  const present = namesAt(main.steps.length - 1, main);
  return [...leavesOf(main)].flatMap(([name, at]) => {
    const { measured, first } = releases.get(name) ?? { measured: [], first: [] };
    const own = changes.filter(({ packages }) => packages.includes(name));
    const out = new Set([...measured, ...first].flatMap((release) => changesIn(own, release)));
    const reached = Math.max(-1, ...(former.get(name) ?? []).map(({ anchor }) => anchor));
    const left = own.filter(({ place }) => place < at && (!present.has(name) || place <= reached)).filter((change) => !out.has(change));
    return left.length === 0 ? [] : [{ package: name, at, changes: left }];
  });
}

/** Name -> the place of the last commit that took the package away. */
function leavesOf(main: Pick<MainLine, 'steps'>): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  let before = new Set<string>();
  for (const [place, { layout }] of main.steps.entries()) {
    if (layout === main.steps[place - 1]?.layout) continue;
    const now = namesAt(place, main);
    for (const name of before) if (!now.has(name)) found.set(name, place);
    before = now;
  }
  return found;
}

function namesAt(place: number, { steps }: Pick<MainLine, 'steps'>): Set<string> {
  return new Set([...(steps[place]?.layout.values() ?? [])].map(({ name }) => name));
}

/** The package left with it unreleased: it waits for nothing more here. One for each channel on which the package came out. */
export function departedEvents(
  { package: name, changes }: Pick<Departure, 'package' | 'changes'>,
  { leftAt, channels }: { readonly leftAt: Micros; readonly channels: readonly string[] },
  scene: EventScene,
): readonly Event[] {
  const what = { package: name, stage: 'publish', outcome: 'unmeasured', source: 'git', confidence: 'derived' } as const;
  const times = { startedAt: leftAt, endedAt: leftAt };
  return changes.flatMap((change) =>
    channels.map((channel) => eventOf(change, scene, { ...what, ...times, channel, attempt: attemptOf(channel, 0, scene.repo) })),
  );
}
