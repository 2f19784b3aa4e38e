import type { Event, Micros } from '../model/event.js';
import { idOf, keyOf } from './event-id.js';

/** What a collection says now. */
export interface Saying {
  /** By key. */
  readonly said: ReadonlyMap<string, Event>;
  /** Whether it would say an event, if that were still true: it has asked whoever knows, and sees all of the history. */
  readonly wouldSay: (recorded: Event) => boolean;
  readonly now: Micros;
}

/** How a record comes to say what is said now. */
export interface Corrections {
  /** In place of what is no longer true, with nothing that would be. */
  readonly retractions: readonly Event[];
  /** By key: the revision that an event needs to count, where it is not the first. */
  readonly revisions: ReadonlyMap<string, number>;
  /** Keys of events that are to be recorded, even if they were once before. */
  readonly again: ReadonlySet<string>;
  /** What is recorded, is not said now, and stays, because this collection could not know it. */
  readonly kept: readonly Event[];
}

/** `counting`: events of earlier collections that count so far, retractions too. */
export function correctionsOf(counting: readonly Event[], { said, wouldSay, now }: Saying): Corrections {
  const retractions: Event[] = [];
  const kept: Event[] = [];
  const revisions = new Map<string, number>();
  const again = new Set<string>();
  for (const recorded of counting) {
    const key = keyOf(recorded);
    const event = said.get(key);
    const revision = recorded.revision ?? 0;
    if (event === undefined) {
      if (recorded.outcome === 'retracted') continue;
      if (wouldSay(recorded)) retractions.push(retractionOf(recorded, now));
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
