import type { Event, Micros } from '../model/event.js';
import type { LeadTime, LeadTimeQuestion, StageTime, Unfinished } from '../model/lead-time.js';
import type { Stage } from '../model/stage.js';

// The oracle for `lead-times.ts`: an independent implementation of the same definition, event by event. Only tests use it, to check the
// query.

/**
 * Returns the lead time of one change for one package, from the events without a consumer and those of one consumer. Merge, publication,
 * opening and merge of the upgrade are firm times. The other stages lie between them, and what lies outside does not count, such as tests
 * that run again a week after the publication. Of several publications, the first one that counts is the end. A stage whose end is before
 * the stage before it took no time.
 */
export function leadTimeOf(recorded: readonly Event[], question: LeadTimeQuestion): LeadTime | Unfinished {
  const events = recorded.filter(({ outcome }) => outcome !== 'retracted');
  const merge = spanOf(ofPackage(events, 'merge-wait'));
  if (merge === undefined) return 'not merged';
  const publication = firstPublication(events, 'package', question.channels);
  if (publication === undefined) return isUnmeasured(events, 'package', question.channels) ? 'not measured' : 'not published';
  const released = question.until === 'released' ? firstPublication(events, 'consumer', question.channels) : undefined;
  const upgrade = question.until === 'published' ? [] : upgradeMarks(events);
  if (upgrade === undefined) return 'not upgraded';
  if (question.until === 'released' && released === undefined)
    return isUnmeasured(events, 'consumer', question.channels) ? 'not measured' : 'not released';
  const beforeMerge = question.ready === 'approved' ? [...softMark(events, 'pr-tests'), firm('merge-wait', 'package', merge.endedAt)] : [];
  const marks = [
    ...beforeMerge,
    ...softMark(events, 'post-merge-tests'),
    ...publicationMarks(publication, 'package'),
    ...upgrade,
    ...publicationMarks(released, 'consumer'),
  ];
  const readyAt = question.ready === 'approved' ? merge.startedAt : merge.endedAt;
  const stages = chain(readyAt, marks);
  const endedAt = stages.at(-1)?.endedAt ?? readyAt;
  return { readyAt, endedAt, total: endedAt - readyAt, stages, release: (released ?? publication).release };
}

/** The end of a stage. A `firm` end is certain. */
interface Mark extends Pick<StageTime, 'stage' | 'whose'> {
  readonly at: Micros;
  readonly kind: 'firm' | 'soft';
}

/** Ends each stage at its mark, but not before the stage before it. A soft mark is limited by the next firm mark. */
function chain(readyAt: Micros, marks: readonly Mark[]): readonly StageTime[] {
  const stages: StageTime[] = [];
  let now = readyAt;
  for (const [place, { stage, whose, at, kind }] of marks.entries()) {
    const limit = kind === 'firm' ? at : (marks.slice(place).find((mark) => mark.kind === 'firm')?.at ?? at);
    const endedAt = latest(now, earliest(at, limit));
    stages.push({ stage, whose, startedAt: now, endedAt });
    now = endedAt;
  }
  return stages;
}

/** Returns the marks of the upgrade; `undefined` if it is not merged yet. */
function upgradeMarks(events: readonly Event[]): readonly Mark[] | undefined {
  const opened = spanOf(ofConsumer(events, 'upgrade-open'));
  const merged = spanOf(ofConsumer(events, 'upgrade-merge').filter(isSuccess));
  if (merged === undefined) return undefined;
  return [
    ...(opened === undefined ? [] : [firm('upgrade-open', 'consumer', opened.endedAt)]),
    ...softMark(events, 'upgrade-tests', 'consumer'),
    firm('upgrade-merge', 'consumer', merged.endedAt),
  ];
}

/** Returns the marks of a publication. The wait ends when the publication starts, which is known only if the publication has a length. */
function publicationMarks(publication: Event | undefined, whose: StageTime['whose']): readonly Mark[] {
  if (publication === undefined) return [];
  const { startedAt, endedAt } = publication;
  const wait: Mark = { stage: 'publish-wait', whose, at: startedAt, kind: 'soft' };
  return [wait, firm('publish', whose, endedAt)];
}

function firm(stage: Stage, whose: StageTime['whose'], at: Micros): Mark {
  return { stage, whose, at, kind: 'firm' };
}

/** Returns the end of the last attempt as a mark; empty without events. */
function softMark(events: readonly Event[], stage: Stage, whose: StageTime['whose'] = 'package'): readonly Mark[] {
  const span = spanOf(whose === 'package' ? ofPackage(events, stage) : ofConsumer(events, stage));
  return span === undefined ? [] : [{ stage, whose, at: span.endedAt, kind: 'soft' }];
}

function isOf({ consumer }: Event, whose: StageTime['whose']): boolean {
  return (consumer === undefined) === (whose === 'package');
}

function ofPackage(events: readonly Event[], stage: Stage): readonly Event[] {
  return events.filter((event) => event.stage === stage && isOf(event, 'package'));
}

function ofConsumer(events: readonly Event[], stage: Stage): readonly Event[] {
  return events.filter((event) => event.stage === stage && isOf(event, 'consumer'));
}

function isSuccess({ outcome }: Event): boolean {
  return outcome === 'success';
}

/** Returns whether one of the publications that count has the outcome `unmeasured`. */
function isUnmeasured(events: readonly Event[], whose: StageTime['whose'], channels: ReadonlySet<string>): boolean {
  return publicationsOf(events, whose, channels).some(({ outcome }) => outcome === 'unmeasured');
}

function publicationsOf(events: readonly Event[], whose: StageTime['whose'], channels: ReadonlySet<string>): readonly Event[] {
  return events.filter((event) => event.stage === 'publish' && isOf(event, whose) && channels.has(event.channel ?? ''));
}

function firstPublication(events: readonly Event[], whose: StageTime['whose'], channels: ReadonlySet<string>): Event | undefined {
  const counted = publicationsOf(events, whose, channels).filter(isSuccess);
  return counted.reduce<Event | undefined>((first, event) => (first === undefined || isBefore(event, first) ? event : first), undefined);
}

/** Returns whether `a` is before `b`. At the same time the release name decides, so that the order of the events does not matter. */
function isBefore(a: Event, b: Event): boolean {
  if (a.endedAt !== b.endedAt) return a.endedAt < b.endedAt;
  const [of, other] = [a.release ?? '', b.release ?? ''];
  return of < other || (of === other && a.startedAt < b.startedAt);
}

/** Returns the time from the first start to the last end; `undefined` for no events. */
function spanOf(events: readonly Event[]): { readonly startedAt: Micros; readonly endedAt: Micros } | undefined {
  const [first] = events;
  if (first === undefined) return undefined;
  return events.reduce(
    (span, event) => ({ startedAt: earliest(span.startedAt, event.startedAt), endedAt: latest(span.endedAt, event.endedAt) }),
    { startedAt: first.startedAt, endedAt: first.endedAt },
  );
}

function earliest(a: Micros, b: Micros): Micros {
  return a < b ? a : b;
}

function latest(a: Micros, b: Micros): Micros {
  return a > b ? a : b;
}
