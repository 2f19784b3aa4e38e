/** One candidate of a comparison. */
export interface Contestant {
  readonly name: string;
  /** Not measured. */
  readonly prepare?: () => Promise<void> | void;
  readonly run: () => Promise<void>;
}

export interface Measured {
  readonly name: string;
  /** In milliseconds, one for each round. */
  readonly times: readonly number[];
  readonly median: number;
  /** The median of its time divided by the first contestant's in the same round. */
  readonly ratio: number;
}

/**
 * Runs all contestants in turn, round by round, so that a machine that gets slower affects all of them. The first round does not count. In
 * the order of the contestants.
 */
export async function measureInTurn(contestants: readonly Contestant[], rounds: number): Promise<Measured[]> {
  const times = contestants.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [at, contestant] of contestants.entries()) {
      await contestant.prepare?.();
      const from = performance.now();
      await contestant.run();
      if (round > 0) times[at]?.push(performance.now() - from);
    }
  }
  const base = times[0] ?? [];
  return contestants.map(({ name }, at) => {
    const own = times[at] ?? [];
    return { name, times: own, median: medianOf(own), ratio: ratioTo(base, own) };
  });
}

/** Returns the median of the quotients of two contestants' times, round by round. */
export function ratioTo(base: readonly number[], own: readonly number[]): number {
  return medianOf(own.map((time, round) => time / (base[round] ?? time)));
}

/** Returns the median; NaN for an empty list. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Returns a table for people: name, median, range, ratio. */
export function formatMeasured(measured: readonly Measured[]): string {
  const width = Math.max(...measured.map(({ name }) => name.length));
  return measured
    .map(({ name, times, median, ratio }) => {
      const range = `${Math.min(...times).toFixed(0)}-${Math.max(...times).toFixed(0)}`;
      return `${name.padEnd(width)}  ${median.toFixed(0).padStart(7)} ms  ${range.padStart(13)}  x ${ratio.toFixed(2)}`;
    })
    .join('\n');
}
