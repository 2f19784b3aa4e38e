import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parseAbsolutePath } from '@tributary/model/paths';
import { closedEnvironment } from '@tributary/process/environment';
import { runProgram } from '@tributary/process/spawn';
import type { Services } from '@tributary/terminal/main';
import { startRegistry } from '@tributary/test-repo/local-registry';
import type { RepoSnapshot } from '@tributary/test-repo/repo-snapshot';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { buildRepository } from '../io/build-repository.js';
import { type LockfileOf, makeLockfiles } from '../io/lockfiles.js';
import type { DemoFolders } from '../io/stage.js';
import type { LockfileOrder } from '../organisation/lockfile.js';
import { MONOREPO, REPOSITORIES } from '../organisation/organisation.js';
import { mara } from '../organisation/people.js';
import { releasesOf, replay } from '../organisation/replay.js';
import type { Story } from '../organisation/story.js';
import { thirdPartyPackages } from '../organisation/third-party.js';

/** The content of the folder before the migration. */
export interface Organisation {
  readonly repositories: readonly { readonly story: Story; readonly repo: TempRepo }[];
  readonly monorepo: { readonly repo: TempRepo; readonly before: RepoSnapshot };
}

/** Creates the repositories and the monorepo. Throws `PROGRAM_MISSING` without git or npm, `PROGRAM_FAILED` if one of them fails. */
export async function setUp(stage: DemoFolders, services: Services): Promise<Organisation> {
  await runProgram({ program: 'git', args: ['--version'], env: closedEnvironment(process.env), signal: services.signal });
  const progress = services.ui.progress();
  const lockfileOf = await orderLockfiles(stage, services, progress);
  progress.phase('Making repositories', REPOSITORIES.length + 1);
  const build = async (parent: string, story: Story): Promise<TempRepo> => {
    const repo = buildRepository(parseAbsolutePath(join(parent, story.folder)), story, lockfileOf);
    progress.step(story.folder);
    // git runs synchronously: here the progress is redrawn and Ctrl-C handled.
    await setImmediate();
    services.signal.throwIfAborted();
    return repo;
  };
  const repositories: { story: Story; repo: TempRepo }[] = [];
  for (const story of REPOSITORIES) repositories.push({ story, repo: await build(stage.sources, story) });
  return { repositories, monorepo: introduceOwner(await build(stage.folder, MONOREPO)) };
}

/**
 * Makes the lockfile of every state of every manifest before git begins: git runs synchronously, which would block a registry in the same
 * process.
 */
async function orderLockfiles(
  stage: DemoFolders,
  { signal }: Services,
  progress: ReturnType<Services['ui']['progress']>,
): Promise<LockfileOf> {
  const orders = [...REPOSITORIES, MONOREPO].flatMap(lockfileOrders);
  const registry = await startRegistry({ packages: [...thirdPartyPackages(), ...REPOSITORIES.flatMap(releasesOf)] });
  progress.phase('Making lockfiles');
  try {
    return await makeLockfiles(orders, { root: stage.root, registry, signal, onDone: ({ manager }) => progress.step(manager) });
  } finally {
    await registry.close();
  }
}

function lockfileOrders(story: Story): LockfileOrder[] {
  return replay(story).acts.flatMap(({ project }) => (project === undefined ? [] : [{ manager: story.manager, project }]));
}

/** Sets an identity, because a user who tries the demo's commands later may have none. */
function introduceOwner(repo: TempRepo): Organisation['monorepo'] {
  repo.git('config', 'user.name', mara.name);
  repo.git('config', 'user.email', mara.email);
  return { repo, before: repo.snapshot() };
}
