import type { Difference } from '../statistics/difference.js';
import type { PercentileMethod } from '../statistics/percentile.js';
import type { Prediction } from './prediction.js';
import type { SideFigures, SideQuestion, UpgradeRate } from './side.js';

export interface ComparisonQuestion {
  readonly before: SideQuestion;
  readonly after: SideQuestion;
  readonly method: PercentileMethod;
}

/** What can be said of a difference. `too few`: one side has too few changes or releases for the percentile. `unclear`: no change at all is as likely. */
export type DifferenceVerdict = 'shorter' | 'longer' | 'unclear' | 'too few';

export interface LeadTimeComparison {
  readonly question: ComparisonQuestion;
  readonly before: SideFigures;
  readonly after: SideFigures;
  readonly p50: ComparedPercentile;
  readonly p90: ComparedPercentile;
  readonly upgrades: ComparedUpgrades;
  /** What the changes before let one expect, had the stages fallen away that fall away in one repository; only where their way ends in a consumer, and that of the others does not. */
  readonly predicted: Prediction | undefined;
}

export interface ComparedPercentile {
  readonly difference: Difference | undefined;
  readonly verdict: DifferenceVerdict;
}

/** What became of the upgrades of consumers. */
export interface ComparedUpgrades {
  /** How many a month fewer there are; negative: more. */
  readonly gonePerMonth: number;
  /** How likely as large a difference is where nothing changed. */
  readonly chance: number;
  readonly verdict: 'fewer' | 'more' | 'unclear' | 'none';
}

/** Only what the interval leaves no doubt of is claimed. */
export function judge(difference: Difference | undefined, counts: { readonly n: number; readonly least: number }): DifferenceVerdict {
  if (counts.n < counts.least || difference?.interval === undefined) return 'too few';
  if (difference.interval.high < 0) return 'shorter';
  return difference.interval.low > 0 ? 'longer' : 'unclear';
}

/** A difference that would come about in one of twenty times without a reason is no claim. */
const DOUBT = 0.05;

export function judgeUpgrades(before: UpgradeRate, after: UpgradeRate, chance: number): ComparedUpgrades {
  const gonePerMonth = before.perMonth - after.perMonth;
  const verdict = before.n + after.n === 0 ? 'none' : chance >= DOUBT ? 'unclear' : gonePerMonth > 0 ? 'fewer' : 'more';
  return { gonePerMonth, chance, verdict };
}
