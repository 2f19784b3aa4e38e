import type { Event, Micros } from '../model/event.js';
import { idOf, keyOf } from './event-id.js';

/** What a collection found, and what it was able to find. */
interface CorrectionScene {
  /** By key. */
  readonly collected: ReadonlyMap<string, Event>;
  /**
   * Tells whether the collection would have found this event if it were still true: it asked the right source and sees the whole history.
   */
  readonly couldCollect: (recorded: Event) => boolean;
  readonly now: Micros;
}

/** What to record so that the record agrees with the collection. */
interface Corrections {
  /** Replace events that are no longer true and have no successor. */
  readonly retractions: readonly Event[];
  /** By key: the revision that an event needs in order to count; only if it needs one. */
  readonly revisions: ReadonlyMap<string, number>;
  /** Keys of events to record, even if they were recorded before. */
  readonly again: ReadonlySet<string>;
  /** Recorded events that the collection did not find and could not have found. They remain valid. */
  readonly kept: readonly Event[];
  /** Recorded publications that git now has at another time, or for another release, as after a tag moved. */
  readonly moved: readonly Event[];
}

/** Compares a collection with the record. `counting`: events of earlier collections that count so far, including retractions. */
export function correctionsOf(counting: readonly Event[], { collected, couldCollect, now }: CorrectionScene): Corrections {
  const retractions: Event[] = [];
  const kept: Event[] = [];
  const moved: Event[] = [];
  const revisions = new Map<string, number>();
  const again = new Set<string>();
  for (const recorded of counting) {
    const key = keyOf(recorded);
    const event = collected.get(key);
    const revision = recorded.revision ?? 0;
    if (event !== undefined && hasMoved(recorded, event)) moved.push(recorded);
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
  return { retractions, revisions, again, kept, moved };
}

/**
 * Tells whether a derived event replaces an exact one: only if it is about another publication. Otherwise the exact one counts, so that the
 * registry need not be asked each time.
 */
function contradicts(event: Event, recorded: Event): boolean {
  return recorded.confidence === 'exact' && event.confidence !== 'exact' && event.release !== recorded.release;
}

function hasMoved(recorded: Event, now: Event): boolean {
  const isOfGit = recorded.release !== undefined && recorded.source === 'git' && now.source === 'git' && recorded.outcome !== 'retracted';
  return isOfGit && (recorded.endedAt !== now.endedAt || recorded.release !== now.release);
}

function retractionOf({ id: _, ...recorded }: Event, now: Micros): Event {
  const facts = { ...recorded, outcome: 'retracted' as const, revision: (recorded.revision ?? 0) + 1, recordedAt: now };
  return { ...facts, id: idOf(facts) };
}
