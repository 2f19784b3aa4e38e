import type { Event, Micros } from '../model/event.js';
import { idOf, keyOf } from './event-id.js';

/** What a collection has found, and what it could have found. */
interface CorrectionScene {
  /** By key. */
  readonly collected: ReadonlyMap<string, Event>;
  /** Whether the collection would have found an event that is still true: it asked the source that knows, and sees the whole history. */
  readonly couldCollect: (recorded: Event) => boolean;
  readonly now: Micros;
}

/** What has to be recorded, so that the record agrees with the collection. */
interface Corrections {
  /** In place of what is no longer true, with nothing that would be. */
  readonly retractions: readonly Event[];
  /** By key: the revision that an event needs to count, where it is not the first. */
  readonly revisions: ReadonlyMap<string, number>;
  /** Keys of events that are to be recorded, even if they were once before. */
  readonly again: ReadonlySet<string>;
  /** Recorded events that the collection did not find and could not have found. They stay. */
  readonly kept: readonly Event[];
}

/** `counting`: events of earlier collections that count so far, retractions too. */
export function correctionsOf(counting: readonly Event[], { collected, couldCollect, now }: CorrectionScene): Corrections {
  const retractions: Event[] = [];
  const kept: Event[] = [];
  const revisions = new Map<string, number>();
  const again = new Set<string>();
  for (const recorded of counting) {
    const key = keyOf(recorded);
    const event = collected.get(key);
    const revision = recorded.revision ?? 0;
    if (event === undefined) {
      if (recorded.outcome === 'retracted') continue;
      if (couldCollect(recorded)) retractions.push(retractionOf(recorded, now));
      else kept.push(recorded);
    } else if (event.id === recorded.id) {
      if (revision > 0) revisions.set(key, revision);
    } else if (revision > 0 || contradicts(event, recorded)) {
      revisions.set(key, revision + 1);
      again.add(key);
    }
  }
  return { retractions, revisions, again, kept };
}

/** What somebody saw is not replaced by what is derived later (the registry need not be asked each time), unless it is about another publication. */
function contradicts(event: Event, recorded: Event): boolean {
  return recorded.confidence === 'exact' && event.confidence === 'derived' && event.release !== recorded.release;
}

function retractionOf({ id: _, ...recorded }: Event, now: Micros): Event {
  const facts = { ...recorded, outcome: 'retracted' as const, revision: (recorded.revision ?? 0) + 1, recordedAt: now };
  return { ...facts, id: idOf(facts) };
}
