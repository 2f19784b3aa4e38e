/** The size of the next page, and how many pages of this size arrived. */
export interface PageSize {
  readonly size: number;
  readonly successes: number;
}

export const FIRST_PAGE: PageSize = { size: 25, successes: 0 };
const MOST = 50;
const SUCCESSES = 3;

/**
 * Returns the next page size: doubled after three successful pages; halved, but at least one, after a page that was too much for the
 * server.
 */
export function nextPageSize({ size, successes }: PageSize, outcome: 'came' | 'failed'): PageSize {
  if (outcome === 'failed') return { size: Math.max(1, Math.floor(size / 2)), successes: 0 };
  return successes + 1 < SUCCESSES ? { size, successes: successes + 1 } : { size: Math.min(MOST, size * 2), successes: 0 };
}
