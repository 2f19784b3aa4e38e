import type { Git } from '@tributary/git/git';
import { accessIn } from '@tributary/github/token-check';
import { ToolError } from '@tributary/model/errors';
import type { Forge } from '@tributary/model/forge';
import type { CiRepository } from '../engines/ci-change.js';
import { readEnvironment } from './environment.js';

/**
 * Opens the forge that hosts a repository. Only this file knows which forge that is, and it loads the forge's package only when needed.
 * Throws `USAGE` for an invalid address or token.
 */
export async function openForge({ apiUrl, owner, repo }: CiRepository, signal: AbortSignal): Promise<Forge> {
  const { openGitHub } = await import('@tributary/github/open-github');
  return openGitHub({ apiUrl, owner, repo, token: forgeToken(), signal });
}

/** Returns `undefined` if none is set. */
export function forgeToken(): string | undefined {
  return accessIn(readEnvironment()).token;
}

/** Returns the repository in the CI engine's variables, otherwise that of the remote `origin`. Throws `USAGE` if neither is known. */
export async function hostedRepository(git: Git): Promise<CiRepository> {
  const named = variable('GITHUB_REPOSITORY');
  const remote = named === undefined ? await repositoryOfRemote(git) : undefined;
  const [owner = '', repo = ''] = (named ?? remote?.path ?? '').split('/');
  if (owner === '' || repo === '') {
    throw new ToolError({
      code: 'USAGE',
      message: 'The GitHub repository of the pull request is unknown.',
      hint: 'Set GITHUB_REPOSITORY to owner/name, and GITHUB_API_URL for GitHub Enterprise.',
    });
  }
  // The token is valid only for the host of the repository.
  const isPublic = remote === undefined || remote.host === 'github.com';
  const apiUrl = variable('GITHUB_API_URL') ?? (isPublic ? 'https://api.github.com' : `https://${remote.host}/api/v3`);
  return { apiUrl, owner, repo };
}

/** `git@github.com:acme/app.git`, `https://github.com/acme/app` -> github.com, `acme/app`. */
async function repositoryOfRemote(git: Git): Promise<{ host: string; path: string } | undefined> {
  const answer = await git.attempt(['config', '--get', 'remote.origin.url']);
  return repositoryIn(answer.stdout.toString('utf8').trim());
}

/** `undefined` for a path of this machine, such as `C:/acme/app`: the token must go to no host of that name. */
export function repositoryIn(url: string): { host: string; path: string } | undefined {
  const [, host, path] = /^(?:[a-z+]+:\/\/)?(?:[^@/]+@)?([^:/]{2,})(?::\d+)?[:/](?:.*\/)?([^/:]+\/[^/]+?)(?:\.git)?\/?$/.exec(url) ?? [];
  return host === undefined || path === undefined ? undefined : { host, path };
}

/** Treats an empty variable as unset, because CI engines set variables without a value to empty strings. */
function variable(name: string): string | undefined {
  const value = readEnvironment()[name];
  return value === '' ? undefined : value;
}

/** What the environment names, and what the forge says about its token. */
export { accessIn, checkToken } from '@tributary/github/token-check';
