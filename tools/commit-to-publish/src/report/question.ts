import type { Micros } from '../model/event.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import type { PercentileMethod } from '../statistics/percentile.js';

export type GroupBy = 'package' | 'team' | 'repo' | 'stage';

/** What a report is about. */
export interface ReportQuestion {
  readonly lead: LeadTimeQuestion;
  readonly by: GroupBy;
  /** How many weeks a figure takes together. */
  readonly weeks: number;
  /** The weeks that a chart shows; from a Monday to a Monday, 0:00 UTC. */
  readonly since: Micros;
  readonly until: Micros;
  /** Nothing that ended before it counts, in no figure and in no point; missing: nobody asked for that. */
  readonly earliest?: Micros | undefined;
  /** Nothing that ended from then on counts, in the middle of a week too; missing: `until`. */
  readonly before?: Micros | undefined;
  readonly method: PercentileMethod;
  readonly actor: 'person' | 'bot' | 'all';
}

export const WEEK = 7 * 24 * 3600 * 1e6;
/** A Monday, 0:00 UTC. */
const MONDAY = Date.UTC(1970, 0, 5) * 1000;

/** The number of the week that a moment lies in, from the first Monday of 1970. */
export function weekOf(moment: Micros): number {
  return Math.floor((moment - MONDAY) / WEEK);
}

/** When a week begins. */
export function startOfWeek(week: number): Micros {
  return (MONDAY + week * WEEK) as Micros;
}

/** The time of which the figures of a report are: the last weeks, and nothing outside of what was asked for. */
export function timeOfFigures({ until, weeks, earliest, before }: Pick<ReportQuestion, 'until' | 'weeks' | 'earliest' | 'before'>): {
  readonly from: Micros;
  readonly to: Micros;
} {
  const from = Math.max(until - weeks * WEEK, earliest ?? 0) as Micros;
  return { from, to: before ?? until };
}

/** The same question of as long a time right before. */
export function questionBefore(question: ReportQuestion): ReportQuestion {
  const { from, to } = timeOfFigures(question);
  const earliest = Math.max(0, from - (to - from)) as Micros;
  return {
    ...question,
    since: startOfWeek(weekOf(earliest)),
    earliest,
    before: from,
    until: from,
    weeks: Math.ceil((to - from) / WEEK) + 1,
  };
}
