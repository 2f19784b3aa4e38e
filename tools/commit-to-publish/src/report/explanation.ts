import type { Event, Micros } from '../model/event.js';
import type { LeadTime, LeadTimeQuestion, Unfinished } from '../model/lead-time.js';

/** What the record says about one change. */
export interface ExplainedChange {
  /** The question that defines the lead time. */
  readonly lead: LeadTimeQuestion;
  readonly repo: string;
  readonly change: string;
  /** Sorted by package, then by consumer. `targets` in the JSON answer. */
  readonly targets: readonly ExplainedTarget[];
}

/** A package that a change is for, with one of its consumers if the question ends with a consumer. */
export interface LeadTimeTarget {
  readonly package: string;
  readonly consumer: string | undefined;
}

/** What the record says about a change for one target. */
export interface ExplainedTarget extends LeadTimeTarget {
  /** `not touched`: the change is merged, but does not touch this package. Its events count for nothing. */
  readonly leadTime: LeadTime | Unfinished | 'not touched';
  /** Without a lead time: the lead time to the furthest end that the change has reached. */
  readonly soFar: LeadTime | undefined;
  /** Without a lead time: when the change was merged. */
  readonly mergedAt: Micros | undefined;
  /** All events, in the order of their ends. */
  readonly events: readonly Event[];
  /** The events that can define stages. Of publications: the first that counts, and the failed attempts before it. */
  readonly evidence: readonly Event[];
  /** Publications of the package on channels that do not count. */
  readonly publishedElsewhere: readonly Event[];
}
