import { betaShare } from './beta.js';

/** For a set of releases: the sums of counts and sizes, and of their squares and products. */
export interface Sums {
  readonly releases: number;
  readonly count: number;
  readonly size: number;
  readonly countSquares: number;
  readonly products: number;
  readonly sizeSquares: number;
}

interface Indexes {
  /** How many changes of each release are counted. */
  readonly counts: Float64Array;
  readonly sizes: Float64Array;
  /** The releases in the order of the sums. */
  readonly indexes: Uint32Array;
}

/** Returns the sums of the releases at the positions `from` up to, but not including, `to`. */
export function sumsOf({ counts, sizes, indexes }: Indexes, from: number, to: number): Sums {
  let [count, size, countSquares, products, sizeSquares] = [0, 0, 0, 0, 0];
  for (let at = from; at < to; at++) {
    const release = indexes[at] ?? 0;
    const [own, all] = [counts[release] ?? 0, sizes[release] ?? 0];
    count += own;
    size += all;
    countSquares += own * own;
    products += own * all;
    sizeSquares += all * all;
  }
  return { releases: to - from, count, size, countSquares, products, sizeSquares };
}

/** Returns the sums of the releases in `all` that are not in `some`. */
export function restOf(all: Sums, some: Sums): Sums {
  return {
    releases: all.releases - some.releases,
    count: all.count - some.count,
    size: all.size - some.size,
    countSquares: all.countSquares - some.countSquares,
    products: all.products - some.products,
    sizeSquares: all.sizeSquares - some.sizeSquares,
  };
}

export const ROUNDING = 1e-12;

/** Returns the variance of a share, estimated from the differences between its releases. */
export function varianceOf({ releases, count, size, countSquares, products, sizeSquares }: Sums): number {
  const share = count / size;
  const squares = countSquares - 2 * share * products + share * share * sizeSquares;
  return squares <= ROUNDING * countSquares ? 0 : (squares * releases) / (releases - 1) / size ** 2;
}

/**
 * Returns the probability that two shares differ by at least this much by chance; 1 if they do not differ.
 * Uses Student's t with standard errors around the common share, and the degrees of freedom of Welch and Satterthwaite. Large releases
 * weigh more in them than small ones.
 */
export function chanceByT(some: Sums, others: Sums): number {
  const share = (some.count + others.count) / (some.size + others.size);
  const error = scatterAround(share, some) + scatterAround(share, others);
  if (error === 0) return 1;
  const t = (some.count / some.size - others.count / others.size) ** 2 / error;
  const [own, rest] = [varianceOf(some), varianceOf(others)];
  const freedom = (own + rest) ** 2 / (own ** 2 / freedomOf(some) + rest ** 2 / freedomOf(others));
  // Two different sides without any scatter have no degrees of freedom, so nothing is known about chance.
  return Number.isNaN(freedom) ? 0 : betaShare(freedom / 2, 0.5, freedom / (freedom + t));
}

function scatterAround(share: number, { size, countSquares, products, sizeSquares }: Sums): number {
  return Math.max(0, countSquares - 2 * share * products + share * share * sizeSquares) / size ** 2;
}

/** Releases of equal size count one each. */
function freedomOf({ size, sizeSquares }: Sums): number {
  return Math.max(1, size ** 2 / sizeSquares - 1);
}
