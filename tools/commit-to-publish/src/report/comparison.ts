import type { Difference } from '../statistics/difference.js';
import type { MovePrediction } from './predict.js';
import type { SideFigures, SideQuestion, UpgradeRate } from './side.js';

export interface ComparisonQuestion {
  readonly before: SideQuestion;
  readonly after: SideQuestion;
}

/**
 * What the data say about a difference. `too few`: one side has too few changes or releases for the percentile. `lower bounds`: a side has
 * changes that may have taken longer. `unclear`: the data do not rule out "no change".
 */
export type DifferenceVerdict = 'shorter' | 'longer' | 'unclear' | 'lower bounds' | 'too few';

export interface LeadTimeComparison {
  readonly question: ComparisonQuestion;
  readonly before: SideFigures;
  readonly after: SideFigures;
  readonly p50: ComparedPercentile;
  readonly p90: ComparedPercentile;
  readonly upgrades: ComparedUpgrades;
  /**
   * The lead times that the changes before would have without the stages that one repository makes unnecessary. Only if their way ends in a
   * consumer and that of the changes after does not.
   */
  readonly predicted: MovePrediction | undefined;
}

export interface ComparedPercentile {
  readonly difference: ComparedDifference | undefined;
  readonly verdict: DifferenceVerdict;
}

/** `before` or `after` is a lower bound if that side has any. */
interface ComparedDifference extends Omit<Difference, 'change'> {
  /** As in `Difference`; `undefined`, as is `interval`, if a side has lower bounds. */
  readonly change: number | undefined;
}

/** The difference in upgrades of consumers. */
export interface ComparedUpgrades {
  /** How many fewer upgrades there are per month; negative: more. */
  readonly gonePerMonth: number;
  /** The probability of a difference at least this large if the rate did not change. */
  readonly chance: number;
  readonly verdict: 'fewer' | 'more' | 'unclear' | 'none';
}

/** Returns a claim only if the whole interval supports it. */
export function judge(
  difference: Difference | undefined,
  { n, least, atLeast }: { readonly n: number; readonly least: number; readonly atLeast: number },
): DifferenceVerdict {
  if (n >= least && atLeast > 0) return 'lower bounds';
  if (n < least || difference?.interval === undefined) return 'too few';
  if (difference.interval.high < 0) return 'shorter';
  return difference.interval.low > 0 ? 'longer' : 'unclear';
}

/** The significance level: a difference that chance alone causes at least once in twenty times is `unclear`. */
const DOUBT = 0.05;

export function judgeUpgrades(before: UpgradeRate, after: UpgradeRate, chance: number): ComparedUpgrades {
  const gonePerMonth = before.perMonth - after.perMonth;
  const verdict = before.n + after.n === 0 ? 'none' : chance >= DOUBT ? 'unclear' : gonePerMonth > 0 ? 'fewer' : 'more';
  return { gonePerMonth, chance, verdict };
}
