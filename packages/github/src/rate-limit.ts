/** GitHub requires at least a minute if it names no time. */
const UNNAMED_SECONDS = 60;

/**
 * Returns how many seconds to wait after a "too many requests" response, from its headers (names in lower case). `x-ratelimit-reset` is a
 * time of the server's clock, so it is compared with the server's `date`. Source: docs.github.com, "Rate limits for the REST API".
 */
export function pauseAfter(headers: Readonly<Record<string, unknown>> | undefined): number {
  const after = Number(headers?.['retry-after'] ?? Number.NaN);
  if (after >= 0) return after;
  const resetAt = Number(headers?.['x-ratelimit-reset'] ?? Number.NaN) * 1000;
  if (headers?.['x-ratelimit-remaining'] !== '0' || Number.isNaN(resetAt)) return UNNAMED_SECONDS;
  const saidAt = Date.parse(String(headers['date']));
  const now = Number.isNaN(saidAt) ? Date.now() : saidAt;
  // Adds a second after the reset, as octokit does.
  return Math.max(0, Math.ceil((resetAt - now) / 1000)) + 1;
}
