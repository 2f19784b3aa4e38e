import type { ForgeOwner } from '@tributary/model/forge';
import { VERSION } from '../version.js';
import { accessIn, requestLimitMs } from './open-forge.js';

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
