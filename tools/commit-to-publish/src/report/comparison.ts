import type { Micros } from '../model/event.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import type { Stage } from '../model/stage.js';
import type { Difference } from '../statistics/difference.js';
import type { PercentileMethod } from '../statistics/percentile.js';

/** One side of a comparison: which changes, and where their way ends. */
export interface Side {
  readonly lead: LeadTimeQuestion;
  /** Changes that ended in this time. */
  readonly since: Micros;
  readonly until: Micros;
  /** Of these repositories only; empty: of all. */
  readonly repos: readonly string[];
  /** Of these packages only; empty: of all. */
  readonly packages: readonly string[];
}

export interface ComparisonQuestion {
  readonly before: Side;
  readonly after: Side;
  readonly method: PercentileMethod;
}

/** What one side holds; lengths in microseconds. */
export interface SideFigures {
  readonly n: number;
  readonly releases: number;
  /** How many upgrades of consumers were merged in a month (30 days) of its time. */
  readonly upgradesPerMonth: number;
  /** The mean length of each stage over all of its changes. */
  readonly stages: readonly { readonly stage: Stage; readonly whose: 'package' | 'consumer'; readonly mean: number }[];
}

/** What can be said of a difference. `too few`: one side has too few changes for the percentile. `unclear`: no change at all is as likely. */
export type Verdict = 'shorter' | 'longer' | 'unclear' | 'too few';

export interface Comparison {
  readonly question: ComparisonQuestion;
  readonly before: SideFigures;
  readonly after: SideFigures;
  readonly p50: { readonly difference: Difference | undefined; readonly verdict: Verdict };
  readonly p90: { readonly difference: Difference | undefined; readonly verdict: Verdict };
}

/** Only what the interval leaves no doubt of is claimed. */
export function judge(difference: Difference | undefined, counts: { readonly n: number; readonly least: number }): Verdict {
  if (counts.n < counts.least || difference?.interval === undefined) return 'too few';
  if (difference.interval.high < 0) return 'shorter';
  return difference.interval.low > 0 ? 'longer' : 'unclear';
}
