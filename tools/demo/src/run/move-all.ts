import type { Services } from '@tributary/terminal/main';
import { registryEnvironment, startRegistry } from '@tributary/test-repo/local-registry';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { packageManagers } from '../io/published-managers.js';
import { type TypedPlace, typedCommands } from '../io/typed-commands.js';
import { REPOSITORIES, SOURCE_FOLDERS } from '../organisation/organisation.js';
import { releasesOf } from '../organisation/replay.js';
import { thirdPartyPackages } from '../organisation/third-party.js';

/** The branch that the migration creates. */
export const BRANCH = 'move-in';

/** Migrates all packages with one command, lists them, and verifies one of them again. */
export async function moveAll(place: TypedPlace, { ui }: Services): Promise<void> {
  const { stage, narrator } = place;
  narrator.step('One command moves all of them, proves them, and tests them before and after');
  const registry = await startRegistry({
    packages: [...thirdPartyPackages(), ...REPOSITORIES.flatMap(releasesOf), ...packageManagers(stage.root)],
  });
  const home = new TempFolder();
  try {
    // The lockfiles of the sources name the company's registry, which does not exist: the demo's registry replaces it.
    const environment = { ...registryEnvironment(registry.url, home.path), http_proxy: registry.url };
    narrator.say(
      'Tests run for real, on both sides: before, in each source alone, installed by its own npm, Yarn 1 or Yarn 4; after, in its workspace on the new branch.',
    );
    const commands = typedCommands(stage.monorepo, place, { programs: stage.programs, environment });
    await commands.migrateRepo(...Object.keys(SOURCE_FOLDERS), '--branch', BRANCH, '--quiet', '--tests', 'test');
  } finally {
    home.dispose();
    await registry.close();
  }
  ui.stopProgress();
  narrator.step('What came from where, and the proof of one of them, repeated');
  const commands = typedCommands(stage.monorepo, place);
  await commands.migrateRepo('status');
  await commands.migrateRepo('verify', '@harbor/trips', '--ref', BRANCH);
}
