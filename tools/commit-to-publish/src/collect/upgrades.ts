import type { Event, Micros } from '../model/event.js';
import { adoptionOf, type Resolution } from './adoptions.js';
import { type Change, changesIn, type EventScene, eventOf } from './events.js';
import type { Release } from './releases.js';

/** What a consumer's lockfile has resolved a package to, in the order of its main line. */
export interface ConsumerHistory {
  readonly consumer: string;
  readonly package: string;
  readonly resolutions: readonly Resolution[];
}

export interface Upgrades {
  readonly events: readonly Event[];
  /** Versions that came out while the consumer had the package: taken as they are, skipped for a later one, not reached yet. */
  readonly counts: { readonly taken: number; readonly skipped: number; readonly open: number };
}

/** When the changes of a package reached a consumer: with the first of their versions that it took or went beyond. `changes`: those of the package. */
export function upgradesOf(
  changes: readonly Change[],
  releases: readonly Release[],
  { history, scene }: { readonly history: ConsumerHistory; readonly scene: EventScene },
): Upgrades {
  const began = history.resolutions[0];
  const counts = { taken: 0, skipped: 0, open: 0 };
  const first = new Map<Change, { readonly published: Micros; readonly at: Micros }>();
  for (const release of releases) {
    const { version, at } = release.publication;
    const adoption = adoptionOf(version, history.resolutions);
    if (adoption !== undefined) counts[adoption.way]++;
    else if (began !== undefined && at >= began.at && !isBehind(version, history)) counts.open++;
    if (adoption === undefined || began === undefined) continue;
    const published = Math.min(Math.max(at, began.at), adoption.at) as Micros;
    for (const change of changesIn(changes, release))
      if (adoption.at < (first.get(change)?.at ?? Number.POSITIVE_INFINITY)) first.set(change, { published, at: adoption.at });
  }
  const events = [...first].map(([change, { published, at }]) =>
    eventOf(change, scene, {
      ...{ package: history.package, consumer: history.consumer, stage: 'upgrade-merge', attempt: 1 },
      ...{ startedAt: published, endedAt: at, source: 'git', confidence: 'derived' },
    }),
  );
  return { events, counts };
}

/** What the consumer had from the beginning, or beyond it, is no upgrade that it has still to make. */
function isBehind(version: string, { resolutions }: ConsumerHistory): boolean {
  return adoptionOf(version, [{ at: 0 as Micros, version: '0.0.0-0' }, ...resolutions.slice(0, 1)]) !== undefined;
}
