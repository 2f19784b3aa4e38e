import type { Services } from '@tributary/terminal/main';
import { type LocalRegistry, registryEnvironment } from '@tributary/test-repo/local-registry';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { yarnClassicPackage } from '../io/package-managers.js';
import { type TypedPlace, typedCommands } from '../io/typed-commands.js';
import { SOURCES } from '../organisation.js';

/** The branch that the migration creates. */
export const BRANCH = 'move-in';

/** Migrates all packages with one command. */
export async function moveAll(place: TypedPlace, registry: LocalRegistry, { ui }: Services): Promise<void> {
  const { stage, narrator } = place;
  narrator.step('One command moves all of them, proves them, and tests them before and after');
  narrator.say(
    'Tests run for real, in each source alone and on the new branch. What was removed, what was aligned and what is to decide follows in the answer.',
  );
  registry.add(yarnClassicPackage(stage.root));
  const home = new TempFolder();
  try {
    // The lockfiles of the sources name the company's registry, which does not exist: the demo's registry replaces it.
    const environment = { ...registryEnvironment(registry.url, home.path), http_proxy: registry.url };
    const commands = typedCommands(stage.monorepo, place, { programs: stage.programs, environment, head: 9 });
    await commands.migrateRepo(...Object.keys(SOURCES), '--branch', BRANCH, '--quiet', '--tests', 'test');
  } finally {
    home.dispose();
  }
  ui.stopProgress();
}

/** Verifies one package again, and inspects it with only git. */
export async function lookAround(place: TypedPlace): Promise<void> {
  place.narrator.step('The proof of one of them again, and its history without --follow');
  await typedCommands(place.stage.monorepo, place, { head: 3 }).migrateRepo('verify', '@harbor/docks', '--ref', BRANCH);
  await typedCommands(place.stage.monorepo, place).git('log', '--oneline', '-3', BRANCH, '--', 'packages/geo/src/distance.js');
}
