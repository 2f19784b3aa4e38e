import type { Event, Micros } from '../model/event.js';
import type { LeadTime, LeadTimeQuestion, Unfinished } from '../model/lead-time.js';

/** What the record knows of one change. */
export interface ExplainedChange {
  /** What was measured. */
  readonly lead: LeadTimeQuestion;
  readonly repo: string;
  readonly change: string;
  /** By package, then by consumer. `targets` in the JSON answer. */
  readonly targets: readonly ExplainedTarget[];
}

/** A package that a change is for, and one consumer of it where the question ends with a consumer. */
export interface LeadTimeTarget {
  readonly package: string;
  readonly consumer: string | undefined;
}

/** What the record knows of a change for one target. */
export interface ExplainedTarget extends LeadTimeTarget {
  /** `not touched`: the change is merged, but not in this package. Its events count for nothing. */
  readonly leadTime: LeadTime | Unfinished | 'not touched';
  /** Without a lead time: the one to the furthest end that the change has reached. */
  readonly soFar: LeadTime | undefined;
  /** Without a lead time: when the change was merged. */
  readonly mergedAt: Micros | undefined;
  /** All that is known, in the order it ended. */
  readonly events: readonly Event[];
  /** The events that stages may stand on. Of publications: the first that counts, and the attempts before it that failed. */
  readonly evidence: readonly Event[];
  /** Publications of the package on channels that do not count. */
  readonly publishedElsewhere: readonly Event[];
}
