import type { Services } from '@tributary/terminal/main';
import { registryEnvironment, startRegistry } from '@tributary/test-repo/local-registry';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { type TypedPlace, typedCommands } from '../io/typed-commands.js';
import { REPOSITORIES, SOURCE_FOLDERS } from '../organisation/organisation.js';
import { releasesOf } from '../organisation/replay.js';
import { thirdPartyPackages } from '../organisation/third-party.js';

/** The branch that the migration makes. */
export const BRANCH = 'move-in';

/** Migrates all packages with one command, lists them, and verifies one of them again. */
export async function moveAll(place: TypedPlace, { ui }: Services): Promise<void> {
  const { stage, narrator } = place;
  narrator.step('One command moves all of them, proves every commit, and installs');
  const registry = await startRegistry({ packages: [...thirdPartyPackages(), ...REPOSITORIES.flatMap(releasesOf)] });
  const home = new TempFolder();
  try {
    const environment = registryEnvironment(registry.url, home.path);
    const commands = typedCommands(stage.monorepo, place, { programs: stage.programs, environment });
    await commands.migrateRepo(...Object.keys(SOURCE_FOLDERS), '--branch', BRANCH, '--quiet');
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
