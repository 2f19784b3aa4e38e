/** Far more than arguments up to 10^6 need. */
const MOST_STEPS = 10_000;
const PRECISION = 1e-14;
const TINY = 1e-300;

/**
 * Returns the share of a beta distribution that lies below `x`: the regularised incomplete beta function, by its continued fraction (DLMF
 * 8.17.22, with Lentz's method). For whole numbers it is a binomial tail: `betaShare(k, n - k + 1, p)` is the chance of `k` or more of `n`.
 */
export function betaShare(a: number, b: number, x: number): number {
  if (a <= 0 || x >= 1) return 1;
  if (b <= 0 || x <= 0) return 0;
  // The continued fraction converges fast only on this side.
  return x < (a + 1) / (a + b + 2) ? lowerShare(a, b, x) : 1 - lowerShare(b, a, 1 - x);
}

function lowerShare(a: number, b: number, x: number): number {
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return (front * fraction(a, b, x)) / a;
}

function fraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= MOST_STEPS; m++) {
    let factor = 1;
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    for (const term of [even, odd]) {
      d = 1 / awayFromZero(1 + term * d);
      c = awayFromZero(1 + term / c);
      factor = d * c;
      value *= factor;
    }
    if (Math.abs(factor - 1) < PRECISION) break;
  }
  return value;
}

function awayFromZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

/** Lanczos' approximation with g = 7 and nine terms: 15 digits. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const t = x + 6.5;
  const sum = LANCZOS.reduce((total, coefficient, at) => total + (at === 0 ? coefficient : coefficient / (x + at - 1)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}
