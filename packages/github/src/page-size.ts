/** How many entries the next page asks for, and how many pages of this size came. */
export interface PageSize {
  readonly size: number;
  readonly successes: number;
}

export const FIRST_PAGE: PageSize = { size: 25, successes: 0 };
const MOST = 50;
const SUCCESSES = 3;

/** Twice as many after three pages that came; half as many, at least one, after one that was too much for the server. */
export function nextPageSize({ size, successes }: PageSize, outcome: 'came' | 'failed'): PageSize {
  if (outcome === 'failed') return { size: Math.max(1, Math.floor(size / 2)), successes: 0 };
  return successes + 1 < SUCCESSES ? { size, successes: successes + 1 } : { size: Math.min(MOST, size * 2), successes: 0 };
}
