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

/** What stands in the folder before anything is migrated. */
export interface Organisation {
  readonly repositories: readonly { readonly story: Story; readonly repo: TempRepo }[];
  readonly monorepo: { readonly repo: TempRepo; readonly before: RepoSnapshot };
}

/** Makes the repositories and the monorepo. Throws `PROGRAM_MISSING` without git or npm, `PROGRAM_FAILED` if one of them fails. */
export async function setUp(stage: DemoFolders, services: Services): Promise<Organisation> {
  await runProgram({ program: 'git', args: ['--version'], env: closedEnvironment(process.env), signal: services.signal });
  const progress = services.ui.progress();
  const lockfileOf = await orderLockfiles(stage, services, progress);
  progress.phase('Making repositories', REPOSITORIES.length + 1);
  const build = async (parent: string, story: Story): Promise<TempRepo> => {
    const repo = buildRepository(parseAbsolutePath(join(parent, story.folder)), story, lockfileOf);
    progress.step(story.folder);
    // git was waited for: let the progress be drawn, and Ctrl-C be heard.
    await setImmediate();
    services.signal.throwIfAborted();
    return repo;
  };
  const repositories: { story: Story; repo: TempRepo }[] = [];
  for (const story of REPOSITORIES) repositories.push({ story, repo: await build(stage.sources, story) });
  return { repositories, monorepo: introduceOwner(await build(stage.folder, MONOREPO)) };
}

/** Every state of every manifest gets its lockfile before git begins: git is waited for, and a registry in the same process would be still. */
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

/** Whoever tries the commands of the demo afterwards may have no git identity. */
function introduceOwner(repo: TempRepo): Organisation['monorepo'] {
  repo.git('config', 'user.name', mara.name);
  repo.git('config', 'user.email', mara.email);
  return { repo, before: repo.snapshot() };
}
