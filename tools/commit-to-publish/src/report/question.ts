import type { Micros } from '../model/event.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';

export type GroupBy = 'package' | 'team' | 'repo' | 'stage';

/** The question that a report answers. */
export interface ReportQuestion {
  readonly lead: LeadTimeQuestion;
  readonly by: GroupBy;
  /** The number of weeks in a figure. */
  readonly weeks: number;
  /** The weeks in a chart, from a Monday to a Monday, 0:00 UTC. */
  readonly since: Micros;
  readonly until: Micros;
  /** Changes that ended before this time count in no figure and no point; missing: no limit. */
  readonly earliest?: Micros | undefined;
  /** Changes that ended at this time or later do not count, even within a week; missing: `until`. */
  readonly before?: Micros | undefined;
  readonly actor: 'person' | 'bot' | 'all';
}

export const WEEK = 7 * 24 * 3600 * 1e6;
/** A Monday, 0:00 UTC. */
const MONDAY = Date.UTC(1970, 0, 5) * 1000;

/** Returns the number of the week of a moment, counted from the first Monday of 1970. */
export function weekOf(moment: Micros): number {
  return Math.floor((moment - MONDAY) / WEEK);
}

/** Returns the moment when a week begins. */
export function startOfWeek(week: number): Micros {
  return (MONDAY + week * WEEK) as Micros;
}

/** Returns the time of a report's figures: the last weeks, within the limits of the question. */
export function timeOfFigures({ until, weeks, earliest, before }: Pick<ReportQuestion, 'until' | 'weeks' | 'earliest' | 'before'>): {
  readonly from: Micros;
  readonly to: Micros;
} {
  const from = Math.max(until - weeks * WEEK, earliest ?? 0) as Micros;
  return { from, to: before ?? until };
}

/** Returns the same question for the time right before, of the same length. */
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
