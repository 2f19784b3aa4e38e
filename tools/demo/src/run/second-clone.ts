import type { Services } from '@tributary/terminal/main';
import { startRegistry } from '@tributary/test-repo/local-registry';
import { type Files, TempRepo } from '@tributary/test-repo/temp-repo';
import { install } from '../io/install.js';
import type { DemoFolders } from '../io/stage.js';
import { exactRadius } from '../organisation/geo.js';
import { greeting, throughTurborepo } from '../organisation/monorepo.js';
import { mara, signatureOf } from '../organisation/people.js';
import type { CommitEvent } from '../organisation/story.js';
import { thirdPartyPackages } from '../organisation/third-party.js';
import { BRANCH } from './move-all.js';

/** Branches of the clone on top of `BRANCH`, each with one commit. The first is checked out. */
export const CHANGES = { geo: 'exact-radius', readme: 'only-the-readme' } as const;

/**
 * Creates a clone in which a developer continues the branch of the migration: the lockfile installed unchanged, turborepo added, and two
 * changes on separate branches.
 */
export async function makeSecondClone(stage: DemoFolders, services: Services): Promise<void> {
  const clone = TempRepo.create({ folder: stage.clone });
  clone.git('remote', 'add', 'origin', stage.monorepo);
  clone.git('fetch', '-q', 'origin');
  clone.git('config', 'user.name', mara.name);
  clone.git('config', 'user.email', mara.email);
  clone.checkout(BRANCH);
  await installFrom(stage, services);
  const seconds = Math.floor(services.clock() / 1000);
  const commit = ({ by, message }: CommitEvent, files: Files): void => {
    clone.commit(`${message}\n`, { files, environment: signatureOf(by, seconds) });
  };
  commit(throughTurborepo, throughTurborepo.files ?? {});
  const propose = (branch: string, event: CommitEvent, files: Files): void => {
    clone.branch(branch, BRANCH);
    clone.checkout(branch);
    commit(event, files);
  };
  propose(CHANGES.readme, greeting, greeting.files ?? {});
  propose(CHANGES.geo, exactRadius, below('packages/geo', exactRadius.files ?? {}));
}

/** Installs the clone. The registry has no package of the company, so Yarn would fail if the six were not workspaces. */
async function installFrom({ root, clone }: DemoFolders, { ui, signal }: Services): Promise<void> {
  ui.progress().phase('Installing the second clone');
  const registry = await startRegistry({ packages: thirdPartyPackages() });
  try {
    await install(clone, { root, registry, signal });
  } finally {
    await registry.close();
  }
}

function below(folder: string, files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));
}
