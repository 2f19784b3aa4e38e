import { join } from 'node:path';
import { OLDEST_GIT } from '@tributary/git/version';
import { isToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import type { Requirement } from '@tributary/model/requirement';
import { checkGit, checkNode, checkProgram } from '@tributary/process/requirements';
import type { Services } from '@tributary/terminal/main';
import { findYarn } from '../io/find-yarn.js';
import { accessIn, checkToken } from '../io/open-forge.js';
import { type LocalRepository, openRepository, readTarget } from '../io/target.js';

/** Returns the requirements of a migration on the machine and the monorepo, each with its state. Changes nothing. Throws `INTERRUPTED`. */
export async function checkSetup(into: AbsolutePath, { signal }: Pick<Services, 'signal'>): Promise<readonly Requirement[]> {
  const git = await checkGit(OLDEST_GIT, signal);
  return [
    git,
    checkNode(process.version),
    ...(git.state === 'ok' ? await checkTarget(into, signal) : []),
    await checkProgram({
      name: 'npm',
      program: 'npm',
      oldest: undefined,
      hint: 'npm comes with Node. Without it, name each repository with --from or in tributary.json.',
      without: 'limited',
      signal,
    }),
    await checkToken({
      ...accessIn(process.env),
      scopes: ['repo', 'public_repo'],
      permissions: 'contents: read, pull-requests: write',
      purpose: '"init" needs a token for private repositories, and "pull-requests" needs one to write',
      signal,
    }),
  ];
}

/** Checks the monorepo. The first missing requirement hides the others. */
async function checkTarget(into: AbsolutePath, signal: AbortSignal): Promise<readonly Requirement[]> {
  try {
    const repository = await openRepository(into, signal);
    const { facts } = await readTarget(repository);
    const root = repository.workTree === undefined ? undefined : parseAbsolutePath(join(repository.workTree, facts.root));
    return [
      { name: 'monorepo', state: 'ok', found: String(root ?? repository.gitDir), hint: null },
      await checkHistory(repository),
      await checkIdentity(repository),
      await checkYarn(root, signal),
    ];
  } catch (error) {
    return [requirementOf('monorepo', 'missing', error)];
  }
}

async function checkHistory({ git }: LocalRepository): Promise<Requirement> {
  const shallow = (await git.text(['rev-parse', '--is-shallow-repository'])) === 'true';
  return shallow
    ? { name: 'history', state: 'missing', found: 'shallow clone', hint: 'git fetch --unshallow' }
    : { name: 'history', state: 'ok', found: 'full', hint: null };
}

async function checkIdentity({ userGit }: LocalRepository): Promise<Requirement> {
  const answer = await userGit.attempt(['var', 'GIT_COMMITTER_IDENT']);
  const hint = 'git config user.name "Your Name"; git config user.email you@example.org';
  if (answer.exit !== 0) return { name: 'identity', state: 'missing', found: 'none', hint };
  return { name: 'identity', state: 'ok', found: answer.stdout.toString('utf8').replace(/>.*/s, '>'), hint: null };
}

async function checkYarn(root: AbsolutePath | undefined, signal: AbortSignal): Promise<Requirement> {
  if (root === undefined)
    return { name: 'Yarn', state: 'limited', found: 'bare repository', hint: 'Without a working tree use --no-install.' };
  try {
    const { program, args } = await findYarn(root, signal);
    return { name: 'Yarn', state: 'ok', found: args[0] ?? program, hint: null };
  } catch (error) {
    return requirementOf('Yarn', 'limited', error);
  }
}

/** Returns a failed requirement for a named error. Rethrows interruptions and all other errors. */
function requirementOf(name: string, state: 'missing' | 'limited', error: unknown): Requirement {
  if (!isToolError(error) || error.code === 'INTERRUPTED') throw error;
  return { name, state, found: `${error.message} [${error.code}]`, hint: error.hint ?? null };
}
