import type { Services } from '@tributary/terminal/main';
import { type LocalRegistry, registryEnvironment } from '@tributary/test-repo/local-registry';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { yarnClassicPackage } from '../io/package-managers.js';
import { type TypedPlace, typedCommands } from '../io/typed-commands.js';
import { SOURCES } from '../organisation.js';

/** The branch that the migration creates. */
export const BRANCH = 'move-in';

/** Migrates all packages with one command, lists them, and verifies one of them again. */
export async function moveAll(place: TypedPlace, registry: LocalRegistry, { ui }: Services): Promise<void> {
  const { stage, narrator } = place;
  narrator.step('One command moves all of them, proves them, and tests them before and after');
  narrator.say(
    'Tests run for real, on both sides: before, in each source alone, installed by its own npm, Yarn 1 or Yarn 4; after, in its workspace on the new branch.',
  );
  registry.add(yarnClassicPackage(stage.root));
  const home = new TempFolder();
  try {
    // The lockfiles of the sources name the company's registry, which does not exist: the demo's registry replaces it.
    const environment = { ...registryEnvironment(registry.url, home.path), http_proxy: registry.url };
    const commands = typedCommands(stage.monorepo, place, { programs: stage.programs, environment });
    await commands.migrateRepo(...Object.keys(SOURCES), '--branch', BRANCH, '--quiet', '--tests', 'test');
  } finally {
    home.dispose();
  }
  ui.stopProgress();
  narrator.step('What came from where, and the proof of one of them, repeated');
  const commands = typedCommands(stage.monorepo, place);
  await commands.migrateRepo('status');
  await commands.migrateRepo('verify', '@harbor/docks', '--ref', BRANCH);
}

/** Inspects the result with only git. */
export async function lookAround(place: TypedPlace): Promise<void> {
  place.narrator.step('git sees files that have always been there, without --follow');
  const commands = typedCommands(place.stage.monorepo, place);
  const file = 'packages/geo/src/distance.js';
  await commands.git('log', '--oneline', '-3', BRANCH, '--', file);
  await commands.git('blame', '--date=short', '-L5,8', BRANCH, '--', file);
}
