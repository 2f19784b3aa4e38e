import { accessIn } from '@tributary/github/token-check';
import { ToolError } from '@tributary/model/errors';
import type { ForgeOwner } from '@tributary/model/forge';
import type { PullRequestHost } from '@tributary/model/pull-request-host';
import type { HostedRepositoryName } from '../plan/hosted-repository.js';
import { VERSION } from '../version.js';

/** A request takes GitHub 10 s at most, but a proxy before it may take longer. */
const REQUEST_LIMIT_SECONDS = 60;
/** Timers cannot wait much longer. */
const LONGEST_SECONDS = 86_400;

/** How to access a forge. */
export interface ForgeAccess {
  readonly token: string | undefined;
  readonly signal: AbortSignal;
  /** Called before waiting for the rate limit to reset. */
  readonly onPause: (seconds: number) => void;
}

/**
 * Opens the pull requests of a repository. Only this file knows which forge hosts them, and loads the forge's package
 * on demand. Throws `USAGE` for an invalid address or token.
 */
export async function openPullRequestHost(
  { apiUrl, owner, repo }: HostedRepositoryName,
  { token, signal, onPause }: ForgeAccess,
): Promise<PullRequestHost> {
  const { openPullRequests } = await import('@tributary/github/open-pull-requests');
  return openPullRequests({
    owner,
    repo,
    apiUrl,
    token,
    signal,
    onPause,
    userAgent: `migrate-repo/${VERSION}`,
    timeLimitMs: Number.POSITIVE_INFINITY,
    requestLimitMs: requestLimitMs(),
  });
}

/** The token of the environment; `undefined`: none is set. */
export function forgeToken(): string | undefined {
  return accessIn(process.env).token;
}

/** How long one request may take: the seconds of `TRIBUTARY_API_TIMEOUT`, else a minute. Throws `USAGE`. */
function requestLimitMs(): number {
  const text = process.env['TRIBUTARY_API_TIMEOUT'] || undefined;
  const seconds = text === undefined ? REQUEST_LIMIT_SECONDS : Number(text);
  if (seconds > 0 && seconds <= LONGEST_SECONDS) return seconds * 1000;
  throw new ToolError({
    code: 'USAGE',
    message: `TRIBUTARY_API_TIMEOUT is ${JSON.stringify(text)}, and not a number of seconds from more than 0 to ${LONGEST_SECONDS}.`,
    hint: 'Set it to the seconds that one request to GitHub may take, such as 120.',
  });
}

/** Returns the token. Throws `USAGE` if there is none. */
export function requireToken(): string {
  const token = forgeToken();
  if (token !== undefined) return token;
  throw new ToolError({
    code: 'USAGE',
    message: 'Writing to GitHub requires a token.',
    hint: 'Set GITHUB_TOKEN or GH_TOKEN. It needs the permission "pull-requests: write" in the monorepo, and "pull-requests: read" in the source.',
  });
}

/** What the environment names, and what the forge says about its token. */
export { accessIn, checkToken } from '@tributary/github/token-check';

/**
 * Opens the account of an owner on the forge, and loads the forge's package on demand. The API is that of
 * `GITHUB_API_URL`, else github.com. The token is that of `GITHUB_TOKEN` or `GH_TOKEN`. Throws `USAGE` for an invalid
 * address or token.
 */
export async function openOwner(owner: string, signal: AbortSignal, onPause: (seconds: number) => void): Promise<ForgeOwner> {
  const { openGitHubOwner } = await import('@tributary/github/open-github-owner');
  return openGitHubOwner({
    owner,
    ...accessIn(process.env),
    userAgent: `migrate-repo/${VERSION}`,
    timeLimitMs: Number.POSITIVE_INFINITY,
    requestLimitMs: requestLimitMs(),
    signal,
    onPause,
  });
}
