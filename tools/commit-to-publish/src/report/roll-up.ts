import { LEAST_FOR_P50, LEAST_FOR_P90 } from './least.js';

/** A way to ask that takes more changes together than the rows of a report do. */
export interface Offer {
  /** The option that asks so. */
  readonly option: '--by' | '--window';
  /** Its value: `team`, `repo`, or a number of weeks such as `26w`. */
  readonly value: string;
  /** How many of the rows without a P50 would have one. */
  readonly p50: number;
  /** How many of the rows without a P90 would have one. */
  readonly p90: number;
}

/** What rows lack, and how it could be had. */
export interface RollUps {
  /** How many rows have too few changes for a P50. */
  readonly withoutP50: number;
  /** How many have too few for a P90, those without a P50 among them. */
  readonly withoutP90: number;
  /** Those that help at all; `--by` first, then windows by their length. */
  readonly offers: readonly Offer[];
}

/** How many changes each row has, and would have with some option. */
export interface RollUpCandidate extends Pick<Offer, 'option' | 'value'> {
  /** By the name of the row; of several groups that it is in, the largest. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Which of the options help. `counts`: by the names of the rows, how many changes they have. */
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
