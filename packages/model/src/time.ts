declare const instant: unique symbol;
declare const duration: unique symbol;

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number & { readonly [instant]: true };

/** Milliseconds. */
export type Duration = number & { readonly [duration]: true };

/** Returns the current time. It is passed in, so that pure code stays pure and tests can stop it. */
export type Clock = () => Instant;

export function between(from: Instant, to: Instant): Duration {
  return (to - from) as Duration;
}

/** Returns `350 ms`, `4.2 s`, `3 min 05 s`. */
export function formatDuration(time: Duration): string {
  // The limits apply to the rounded figures: never "1000 ms", never "60.0 s".
  if (time < 999.5) return `${Math.round(time)} ms`;
  if (time < 59_950) return `${(time / 1000).toFixed(1)} s`;
  const seconds = Math.round(time / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}
