import type { CommitId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { correctionsOf } from '../collect/corrections.js';
import { isDeparture } from '../collect/departures.js';
import { keyOf, shortId } from '../collect/event-id.js';
import { attemptOf } from '../collect/events.js';
import type { Event, Micros } from '../model/event.js';
import { eventFlaw, isPossible } from '../model/parse-event.js';
import type { CloneState } from './clone-state.js';
import { type Collected, readCollected, writeCollected } from './collected.js';
import { writeEvents } from './journal.js';
import type { Clone } from './open-clone.js';

interface RecordingWork {
  readonly record: AbsolutePath;
  readonly repo: string;
  readonly clone: Pick<Clone, 'git' | 'head'>;
  /** The first commit of its main line. */
  readonly first: CommitId | undefined;
  /** As in `PushedLine`. */
  readonly swapped: readonly CommitId[];
  /** `behind`: the clone lacks the commit that was collected last, so nothing is retracted. */
  readonly state: CloneState;
  /** `false`: a clone without tags tells nothing about publications. */
  readonly hasTags: boolean;
  /** The repositories collected now from current clones. Nothing is known about upgrades of other consumers. */
  readonly repos: ReadonlySet<string>;
  /** The sources that were asked, besides git. */
  readonly asked: ReadonlySet<Event['source']>;
  /** Tells whether to record an event. Other events are neither recorded nor retracted. */
  readonly isWanted: (event: Event) => boolean;
  readonly what: 'new' | 'all';
  readonly doing: 'record' | 'look';
  readonly now: Micros;
  readonly signal: AbortSignal;
}

export interface Recording {
  /** The number of new events, and of all events. */
  readonly fresh: number;
  readonly all: number;
  /** The number of recorded events that are no longer true. */
  readonly retracted: number;
  /** Versions as `name@version`, sorted: as `Corrections.moved`. */
  readonly moved: readonly string[];
  /** The number of invalid events, for example because a clock was wrong. */
  readonly flawed: number;
  /** Changes whose package left, and that came out elsewhere, as an earlier collection recorded; see `arrivalKey`. */
  readonly arrivedElsewhere: ReadonlySet<string>;
}

/** Returns the key of a change of a package on a channel. */
export function arrivalKey({ change, package: name, channel = '' }: Pick<Event, 'change' | 'package' | 'channel'>): string {
  return [change, name, channel].join('\0');
}

/** The number of events on disk before `collected` lists them. */
const BATCH = 20_000;

/**
 * Records the new events of a collection, and retracts earlier ones that are no longer true. A process killed at any moment has recorded a
 * part, and the next one records the rest. Throws the errors of `readCollected` and `readRecorded`.
 */
export async function recordEvents(found: readonly Event[], work: RecordingWork): Promise<Recording> {
  const before = work.what === 'all' ? undefined : readCollected(work.record, work.repo);
  // Includes invalid events: a wrong clock retracts nothing.
  const collected = new Set(found.map(({ id }) => shortId(id)));
  const known = new Set(before?.events);
  const gone = new Set([...known].filter((id) => !collected.has(id)));
  for (const id of gone) known.delete(id);
  const recorded = work.what === 'all' ? await read(work, 'all') : gone.size === 0 ? [] : await read(work, gone);
  const isKnowable = (event: Event): boolean => work.state === 'current' && couldCollect(event, work);
  const arrivedElsewhere = new Set(recorded.filter((event) => isArrival(event) && !isKnowable(event)).map(arrivalKey));
  const all = found.filter((event) => !isDeparture(event) || !arrivedElsewhere.has(arrivalKey(event)));
  // What is known was sound when it was recorded, so only the clock can be wrong now.
  const isSound = (event: Event): boolean =>
    known.has(shortId(event.id)) ? isPossible(event.endedAt, work.now) : eventFlaw(event, work.now) === undefined;
  const sound = all.filter(isSound);
  const corrections = correctionsOf(recorded, {
    // Usually there are no corrections, and the keys of a million events need not be computed.
    collected: new Map(recorded.length === 0 ? [] : all.map((event) => [keyOf(event), event])),
    couldCollect: isKnowable,
    now: work.now,
  });
  for (const { id } of corrections.kept) known.add(shortId(id));
  const revisions = new Map(Object.entries(before?.revisions ?? {}));
  for (const event of recorded) if (event.revision !== undefined) revisions.set(keyOf(event), event.revision);
  const revised = (event: Event): Event => {
    if (revisions.size === 0 && corrections.revisions.size === 0) return event;
    const key = keyOf(event);
    const last = revisions.get(key);
    const revision = corrections.revisions.get(key) ?? (last === undefined ? 0 : last + 1);
    return revision === 0 ? event : { ...event, revision };
  };
  const wanted = sound.filter(work.isWanted);
  const fresh = wanted
    .filter((event) => !known.has(shortId(event.id)) || (corrections.again.size > 0 && corrections.again.has(keyOf(event))))
    .map(revised);
  const { head, first } = work.state === 'current' || before === undefined ? { head: work.clone.head, first: work.first } : before;
  const hasNews = fresh.length > 0 || gone.size > 0 || head !== before?.head || first !== before.first;
  if (work.doing === 'record' && hasNews) write([...fresh, ...corrections.retractions], { ...work, known, revisions, head, first });
  const flawed = all.filter(work.isWanted).length - wanted.length;
  const moved = [...new Set(corrections.moved.map((event) => `${event.package}@${event.release}`))].sort();
  return { fresh: fresh.length, all: wanted.length, retracted: corrections.retractions.length, moved, flawed, arrivedElsewhere };
}

async function read({ record, repo }: RecordingWork, ids: ReadonlySet<string> | 'all'): Promise<readonly Event[]> {
  const { readRecorded } = await import('./read-recorded.js');
  return readRecorded(record, repo, ids);
}

/** A source that was not asked, and a clone that cannot know, retract nothing. */
function couldCollect(event: Event, { asked, repos, hasTags }: RecordingWork): boolean {
  if (event.consumer !== undefined && !repos.has(event.consumer)) return false;
  if (!hasTags && (event.stage === 'publish' || event.consumer !== undefined)) return false;
  if (isFromElsewhere(event) && ![...repos].some((repo) => attemptOf(event.channel ?? '', 0, repo) === event.attempt)) return false;
  return event.source === 'git' || asked.has(event.source);
}

/** Whether another repository published, which its number says: only a collection with that repository can know better. */
function isFromElsewhere({ stage, outcome, consumer, channel = '', attempt }: Event): boolean {
  const isOut = stage === 'publish' && (outcome === 'success' || outcome === 'unmeasured') && consumer === undefined;
  return isOut && attempt !== attemptOf(channel);
}

/** A publication from elsewhere. A departure has the number of another repository too, but no version. */
function isArrival(event: Event): boolean {
  return isFromElsewhere(event) && !isDeparture(event);
}

interface Writing extends RecordingWork {
  readonly known: Set<string>;
  readonly revisions: Map<string, number>;
  readonly head: Collected['head'];
}

function write(events: readonly Event[], { record, repo, signal, known, revisions, head, first, swapped }: Writing): void {
  const collected = (): Collected => ({
    schemaVersion: 1,
    head,
    first,
    swapped,
    events: [...known],
    revisions: Object.fromEntries(revisions),
  });
  for (let at = 0; at < events.length; at += BATCH) {
    signal.throwIfAborted();
    const batch = events.slice(at, at + BATCH);
    writeEvents(record, batch);
    for (const event of batch) {
      if (event.outcome !== 'retracted') known.add(shortId(event.id));
      if (event.revision !== undefined) revisions.set(keyOf(event), event.revision);
    }
    writeCollected(record, repo, collected());
  }
  if (events.length === 0) writeCollected(record, repo, collected());
}
