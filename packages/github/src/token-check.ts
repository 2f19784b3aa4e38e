import type { Requirement } from '@tributary/model/requirement';

/** What a token is needed for. */
export interface TokenCheck {
  /** `https://api.github.com` */
  readonly apiUrl: string;
  readonly token: string | undefined;
  /** The scopes of a classic token; any one of them is sufficient. */
  readonly scopes: readonly string[];
  /** The permissions of a fine-grained token, in words. */
  readonly permissions: string;
  /** What does not work without the token. */
  readonly purpose: string;
  readonly signal: AbortSignal;
}

/** Returns the API and the token that the environment names. An empty variable counts as unset, because CI engines set variables so. */
export function accessIn(env: Readonly<Record<string, string | undefined>>): Pick<TokenCheck, 'apiUrl' | 'token'> {
  const { GITHUB_API_URL, GITHUB_TOKEN, GH_TOKEN } = env;
  return { apiUrl: GITHUB_API_URL || 'https://api.github.com', token: GITHUB_TOKEN || GH_TOKEN || undefined };
}

const NAME = 'token';

/**
 * Returns whether GitHub accepts a token, and what the token may do. It takes one request, which does not count against the rate limit.
 * GitHub returns scopes only for classic tokens. Throws `INTERRUPTED`.
 */
export async function checkToken({ apiUrl, token, scopes, permissions, purpose, signal }: TokenCheck): Promise<Requirement> {
  const how = `${purpose}: set GITHUB_TOKEN to a token with ${permissions} (classic: ${scopes.join(' or ')}).`;
  if (token === undefined) return { name: NAME, state: 'limited', found: 'none', hint: how };
  let response: Response;
  try {
    const headers = { authorization: `Bearer ${token}`, 'user-agent': 'tributary' };
    response = await fetch(`${apiUrl.replace(/\/$/, '')}/rate_limit`, {
      headers,
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    });
  } catch {
    signal.throwIfAborted();
    return {
      name: NAME,
      state: 'unknown',
      found: `${hostOf(apiUrl)} does not answer`,
      hint: 'Check the network, the proxy, and GITHUB_API_URL.',
    };
  }
  if (response.status === 401) return { name: NAME, state: 'limited', found: 'GitHub refuses it', hint: how };
  const told = response.headers.get('x-oauth-scopes');
  if (!response.ok) return { name: NAME, state: 'unknown', found: `GitHub answers ${response.status}`, hint: how };
  if (told === null)
    return { name: NAME, state: 'ok', found: `valid; GitHub does not show its permissions`, hint: `It needs ${permissions}.` };
  const given = told.split(',').map((scope) => scope.trim());
  const isEnough = scopes.some((scope) => given.includes(scope));
  const found = `scopes: ${told.trim() === '' ? 'none' : told}`;
  return isEnough ? { name: NAME, state: 'ok', found, hint: null } : { name: NAME, state: 'limited', found, hint: how };
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : 'GITHUB_API_URL';
}
