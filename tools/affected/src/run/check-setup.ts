import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OLDEST_GIT } from '@tributary/git/version';
import { isToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Requirement } from '@tributary/model/requirement';
import { checkGit, checkNode } from '@tributary/process/requirements';
import type { Services } from '@tributary/terminal/main';
import { detectEngine, readCiChange } from '../engines/detect.js';
import type { Survey } from '../init/init-result.js';
import { problemsOf } from '../init/judge-survey.js';
import { readEnvironment, readEventFile } from '../io/environment.js';
import { locate, type RepoLocation } from '../io/locate.js';
import { accessIn, checkToken } from '../io/open-forge.js';
import { surveyProject } from './survey.js';

/** Checks what affected needs from the machine, the clone and the CI job. Runs no code of the monorepo. Throws `INTERRUPTED`. */
export async function checkSetup(cwd: AbsolutePath, services: Pick<Services, 'signal'>): Promise<readonly Requirement[]> {
  const { signal } = services;
  const variables = readEnvironment();
  const git = await checkGit(OLDEST_GIT, signal);
  return [
    git,
    checkNode(process.version),
    ...(git.state === 'ok' ? await checkProject(cwd, services) : []),
    checkEngine(variables),
    await checkToken({
      ...accessIn(variables),
      scopes: ['repo', 'public_repo'],
      permissions: 'actions: read, and for comments pull-requests: write',
      purpose: 'On GitHub, affected needs it to find the last commit that passed, and to comment',
      signal,
    }),
  ];
}

async function checkProject(cwd: AbsolutePath, services: Pick<Services, 'signal'>): Promise<readonly Requirement[]> {
  try {
    const { survey } = await surveyProject(cwd, services);
    const repository = await locate(cwd);
    const folder = join(repository.workTree ?? cwd, repository.project);
    const problems = problemsOf(survey).map(
      ({ message, hint }): Requirement => ({ name: 'shards', state: 'limited', found: message, hint }),
    );
    return [
      {
        name: 'monorepo',
        state: 'ok',
        found: `${survey.workspaces} workspaces, ${nameOfManager(survey)} ${survey.version ?? 'of unknown version'}`,
        hint: null,
      },
      checkHistory(repository),
      ...(problems.length > 0 ? problems : [checkInstalled(folder, survey)]),
    ];
  } catch (error) {
    if (!isToolError(error) || error.code === 'INTERRUPTED') throw error;
    return [{ name: 'monorepo', state: 'missing', found: `${error.message} [${error.code}]`, hint: error.hint ?? null }];
  }
}

function nameOfManager({ packageManager }: Survey): string {
  return packageManager === 'yarn' ? 'Yarn' : packageManager;
}

/** Yarn's Plug'n'Play has no folder for it. */
function checkInstalled(folder: string, { turbo }: Survey): Requirement {
  const isThere = ['node_modules/.bin/turbo', '.pnp.cjs'].some((path) => existsSync(join(folder, path)));
  if (isThere) return { name: 'shards', state: 'ok', found: `turborepo ${turbo}`, hint: null };
  return { name: 'shards', state: 'limited', found: `turborepo ${turbo} is not installed here`, hint: 'Shards need it: yarn install' };
}

function checkHistory({ depth }: RepoLocation): Requirement {
  if (depth === 'full') return { name: 'history', state: 'ok', found: 'full', hint: null };
  const hint = 'affected fetches missing commits, which takes time. To fetch all: git fetch --unshallow; on GitHub: fetch-depth: 0';
  return { name: 'history', state: 'limited', found: 'shallow clone', hint };
}

function checkEngine(variables: Parameters<typeof detectEngine>[0]): Requirement {
  const engine = detectEngine(variables);
  const change = readCiChange(variables, readEventFile);
  if (engine === undefined || change === undefined)
    return { name: 'CI', state: 'ok', found: 'no CI engine: --base is required', hint: 'Name it: affected --base origin/main' };
  const found = `${engine.name}, ${change.event}`;
  if (change.base.kind !== 'unknown') return { name: 'CI', state: 'ok', found, hint: null };
  return {
    name: 'CI',
    state: 'limited',
    found: `${found}: ${change.base.reason}`,
    hint: 'Without a base everything is tested. Set AFFECTED_BASE_REVISION.',
  };
}
