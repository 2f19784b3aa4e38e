/** The fewest changes with a P90: 36 are needed for a two-sided 95 % interval of a P90 without assumptions (1 - 0.9^36 >= 0.975). */
export const LEAST_FOR_P90 = 36;
/** The fewest changes with a P50. Fewer are shown one by one. */
export const LEAST_FOR_P50 = 10;
