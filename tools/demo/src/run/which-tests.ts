import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Services } from '@tributary/terminal/main';
import { startRegistry } from '@tributary/test-repo/local-registry';
import { type Files, TempRepo } from '@tributary/test-repo/temp-repo';
import { install } from '../io/package-managers.js';
import type { DemoFolders } from '../io/stage.js';
import { type TypedPlace, typedCommands } from '../io/typed-commands.js';
import { type CommitAuthor, mara, signatureOf, thirdPartyPackages, tom, yuki } from '../organisation.js';
import { BRANCH } from './move-all.js';

/** Branches of the second clone on top of `BRANCH`, each with one commit. */
const CHANGES = { geo: 'exact-radius', readme: 'only-the-readme' } as const;

/** Shows which tests a change can break in the monorepo. Uses a second clone, because it creates commits. */
export async function askWhichTests(place: TypedPlace, services: Services): Promise<void> {
  const { stage, narrator } = place;
  narrator.step('Which tests does a change need now? Only those that it can break');
  await makeSecondClone(stage, services);
  services.ui.stopProgress();
  narrator.say(
    `In a second clone, "yarn install --immutable" accepts the lockfile of ${BRANCH} as it is. Somebody changed geo, somebody else the README:`,
  );
  const commands = typedCommands(stage.clone, place);
  const since = ['--base', BRANCH] as const;
  await commands.affected(...since);
  await commands.affected(...since, '--head', CHANGES.readme);
}

/** Creates a clone where a developer goes on from `BRANCH`: installed, with turborepo, and two changes on separate branches. */
async function makeSecondClone(stage: DemoFolders, { ui, clock, signal }: Services): Promise<void> {
  const clone = TempRepo.create({ folder: stage.clone });
  clone.git('remote', 'add', 'origin', stage.monorepo);
  clone.git('fetch', '-q', 'origin');
  clone.git('config', 'user.name', mara.name);
  clone.git('config', 'user.email', mara.email);
  clone.checkout(BRANCH);
  ui.progress().phase('Installing the second clone');
  // This registry has no package of the company, so Yarn would fail if the three were not workspaces.
  const registry = await startRegistry({ packages: thirdPartyPackages() });
  try {
    await install(stage.clone, { root: stage.root, registry, signal });
  } finally {
    await registry.close();
  }
  const seconds = Math.floor(clock() / 1000);
  const commit = (by: CommitAuthor, message: string, files: Files): void => {
    clone.commit(`${message}\n`, { files, environment: signatureOf(by, seconds) });
  };
  const propose = (branch: string): void => {
    clone.branch(branch, BRANCH);
    clone.checkout(branch);
  };
  const template = (path: string): string => readFileSync(join(stage.templates, 'harbor', path), 'utf8');
  commit(mara, 'Run the tests through turborepo', { 'turbo.json': template('turbo.json'), '.gitignore': template('.gitignore') });
  propose(CHANGES.readme);
  commit(tom, 'Say who we are', { 'README.md': template('README.md') });
  propose(CHANGES.geo);
  const file = 'packages/geo/src/distance.js';
  const distance = readFileSync(join(stage.clone, file), 'utf8').replace('6371008.8', '6371008.7714');
  commit(yuki, 'Take the mean radius to the millimetre', { [file]: distance });
}
