/** How sure the bound is. */
const CONFIDENCE = 0.95;

/**
 * The one-sided upper 95 % bound of Clopper and Pearson: the largest rate at which this few escapes in `trials` are still as likely as 5 %.
 * 1 without a trial. Source: Clopper and Pearson, Biometrika 26 (1934).
 */
export function upperBound(escapes: number, trials: number): number {
  if (trials === 0 || escapes >= trials) return 1;
  let [low, high] = [escapes / trials, 1];
  // 60 halvings: below the precision of a number.
  for (let step = 0; step < 60; step += 1) {
    const rate = (low + high) / 2;
    if (chanceOfAtMost(escapes, { trials, rate }) > 1 - CONFIDENCE) low = rate;
    else high = rate;
  }
  return high;
}

/** The chance of at most `count` in so many trials at this rate: a sum of the binomial distribution. */
function chanceOfAtMost(count: number, { trials, rate }: { readonly trials: number; readonly rate: number }): number {
  let logOfTerm = trials * Math.log1p(-rate);
  let sum = Math.exp(logOfTerm);
  for (let k = 1; k <= count; k += 1) {
    logOfTerm += Math.log((trials - k + 1) / k) + Math.log(rate) - Math.log1p(-rate);
    sum += Math.exp(logOfTerm);
  }
  return sum;
}
