/** Fewer changes say nothing about the tenth that takes longest: for 36 there is a two-sided 95 % interval for a P90 without assumptions (1 - 0.9^36 >= 0.975). */
export const LEAST_FOR_P90 = 36;
/** Fewer changes are shown one by one, and no percentile is claimed. */
export const LEAST_FOR_P50 = 10;
