import { OLDEST_GIT } from '@tributary/git/version';
import { isToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Requirement } from '@tributary/model/requirement';
import { checkGit, checkNode } from '@tributary/process/requirements';
import type { Services } from '@tributary/terminal/main';
import { openClone } from '../io/open-clone.js';
import { accessIn, checkToken } from '../io/open-forge.js';

/** Checks what collecting and reporting need from the machine and a clone. Changes nothing. Throws `INTERRUPTED`. */
export async function checkSetup(cwd: AbsolutePath, { signal }: Pick<Services, 'signal'>): Promise<readonly Requirement[]> {
  const git = await checkGit(OLDEST_GIT, signal);
  return [
    git,
    checkNode(process.version),
    await checkDatabase(),
    ...(git.state === 'ok' ? [await checkClone(cwd, signal)] : []),
    await checkToken({
      ...accessIn(process.env),
      scopes: ['repo', 'public_repo'],
      permissions: 'contents, pull-requests, actions, deployments: read',
      purpose: 'Reviews, checks and CI jobs are read from GitHub only with a token',
      signal,
    }),
  ];
}

async function checkDatabase(): Promise<Requirement> {
  try {
    await import('../io/database.js');
    return { name: 'DuckDB', state: 'ok', found: 'loaded', hint: null };
  } catch {
    const hint = 'It is installed with this package, but only on some platforms. Install again on this machine, without --omit=optional.';
    return { name: 'DuckDB', state: 'missing', found: 'it cannot be loaded', hint };
  }
}

/** A missing or shallow clone is only a limit, because only `collect` reads a clone. */
async function checkClone(cwd: AbsolutePath, signal: AbortSignal): Promise<Requirement> {
  try {
    const { name } = await openClone(cwd, signal);
    return { name: 'clone', state: 'ok', found: `${name}, full history`, hint: null };
  } catch (error) {
    if (!isToolError(error) || error.code === 'INTERRUPTED') throw error;
    return { name: 'clone', state: 'limited', found: `${error.message} [${error.code}]`, hint: error.hint ?? null };
  }
}
