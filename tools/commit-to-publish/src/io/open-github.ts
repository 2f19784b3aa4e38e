import { createGitHub, type GitHub } from '@tributary/github/client';
import { VERSION } from '../version.js';

export interface GitHubAccess {
  readonly apiUrl: string;
  readonly token: string;
  readonly signal: AbortSignal;
  /** How long a second of waiting lasts. Tests make it shorter. */
  readonly secondMs?: number;
}

/** GitHub itself gives up after 10 s, a proxy before it later. */
const REQUEST_LIMIT_MS = 60_000;

/** For work of hours, if need be: no job waits for it. Throws `USAGE`. */
export function openGitHub({ apiUrl, token, signal, secondMs }: GitHubAccess): GitHub {
  return createGitHub({
    ...{ apiUrl, token, signal, userAgent: `commit-to-publish/${VERSION}` },
    ...{ timeLimitMs: Number.POSITIVE_INFINITY, requestLimitMs: REQUEST_LIMIT_MS },
    ...(secondMs === undefined ? {} : { secondMs }),
  });
}
