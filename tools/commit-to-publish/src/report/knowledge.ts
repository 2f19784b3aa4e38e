import type { Event } from '../model/event.js';
import type { StageTime } from '../model/lead-time.js';

/** What is known of the length of a stage: itself, only a lower bound, or nothing. */
export type Knowledge = 'length' | 'at least' | 'unknown';

/** Returns what a report knows of a stage. `events`: the evidence of the change. */
export function knowledgeOf({ stage, whose, startedAt, endedAt }: StageTime, events: readonly Event[]): Knowledge {
  if (stage === 'upgrade-open' && boundOf('package', events) !== undefined) return 'unknown';
  const bound = boundOf(whose, events);
  // Of a publication without a length, only the end is known.
  if (bound === undefined) return stage === 'publish' && startedAt === endedAt ? 'unknown' : 'length';
  // Tests may have gone on where a publication cuts them off.
  const isBound = stage.startsWith('publish') || (stage === 'post-merge-tests' && endedAt === bound.endedAt);
  return isBound ? 'at least' : 'length';
}

/** Returns the publication, if only a lower bound of its time is known. */
function boundOf(whose: StageTime['whose'], events: readonly Event[]): Event | undefined {
  return events.find(
    ({ stage, confidence, consumer }) =>
      stage === 'publish' && confidence === 'at-least' && (consumer === undefined) === (whose === 'package'),
  );
}
