import { ToolError } from '@tributary/model/errors';
import type { PullRequestHost } from '@tributary/model/pull-request-host';
import type { HostedRepositoryName } from '../plan/hosted-repository.js';
import { VERSION } from '../version.js';

/** A request takes GitHub 10 s at most, but a proxy before it may take longer. */
const REQUEST_LIMIT_MS = 60_000;

/** How a forge is asked. */
export interface ForgeAccess {
  readonly token: string | undefined;
  readonly signal: AbortSignal;
  /** Called before a pause until the limit of requests is renewed. */
  readonly onPause: (seconds: number) => void;
}

/**
 * Opens the pull requests of a repository. This file is the only one here that knows which forge hosts them, and its package is loaded only now. Throws `USAGE` for an impossible
 * address or token.
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
    requestLimitMs: REQUEST_LIMIT_MS,
  });
}

/** The token of the environment; `undefined`: none is set. CI engines set variables without a value to an empty text. */
export function forgeToken(): string | undefined {
  const filled = (name: string): string | undefined => (process.env[name] === '' ? undefined : process.env[name]);
  return filled('GITHUB_TOKEN') ?? filled('GH_TOKEN');
}

/** Throws `USAGE` without a token. */
export function requireToken(): string {
  const token = forgeToken();
  if (token !== undefined) return token;
  throw new ToolError({
    code: 'USAGE',
    message: 'Nothing can be written to GitHub without a token.',
    hint: 'Set GITHUB_TOKEN or GH_TOKEN. It needs the permission "pull-requests: write" in the monorepo, and "pull-requests: read" in the source.',
  });
}

/** Asks the forge what a token may do. */
export { checkToken } from '@tributary/github/token-check';
