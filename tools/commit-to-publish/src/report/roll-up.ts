import { LEAST_FOR_P50, LEAST_FOR_P90 } from './least.js';

/** An option that combines more changes than the rows of a report do. */
export interface Offer {
  /** The option to add. */
  readonly option: '--by' | '--window';
  /** Its value: `team`, `repo`, or a number of weeks such as `26w`. */
  readonly value: string;
  /** The number of rows without a P50 that would have one. */
  readonly p50: number;
  /** The number of rows without a P90 that would have one. */
  readonly p90: number;
}

/** What rows lack, and the options that would provide it. */
export interface RollUps {
  /** The number of rows with too few changes for a P50. */
  readonly withoutP50: number;
  /** The number of rows with too few for a P90, including those without a P50. */
  readonly withoutP90: number;
  /** Only options that help; `--by` first, then windows by length. */
  readonly offers: readonly Offer[];
}

/** The number of changes that each row would have with an option. */
export interface RollUpCandidate extends Pick<Offer, 'option' | 'value'> {
  /** By the name of the row. If a row is in several groups, the largest counts. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Returns the options that help. `counts` has the number of changes of each row. */
export function offerRollUps(counts: ReadonlyMap<string, number>, candidates: readonly RollUpCandidate[]): RollUps {
  const lacking = (least: number): readonly string[] => [...counts].flatMap(([row, n]) => (n < least ? [row] : []));
  const [few, fewer] = [lacking(LEAST_FOR_P50), lacking(LEAST_FOR_P90)];
  const helped = (rows: readonly string[], candidate: RollUpCandidate, least: number): number =>
    rows.filter((row) => (candidate.counts.get(row) ?? 0) >= least).length;
  const offers = candidates.map((candidate) => ({
    option: candidate.option,
    value: candidate.value,
    p50: helped(few, candidate, LEAST_FOR_P50),
    p90: helped(fewer, candidate, LEAST_FOR_P90),
  }));
  return { withoutP50: few.length, withoutP90: fewer.length, offers: withoutIdle(offers) };
}

/** A longer window that helps no more than a shorter one only makes figures older. */
function withoutIdle(offers: readonly Offer[]): readonly Offer[] {
  return offers.filter(({ option, p50, p90 }, at) => {
    const before = offers.slice(0, at).filter((other) => option === '--window' && other.option === '--window');
    return p50 + p90 > 0 && before.every((other) => other.p50 < p50 || other.p90 < p90);
  });
}
