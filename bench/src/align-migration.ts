import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { type Command, runCommand } from './affected-process.js';
import { type AlignScene, cloneMonorepo } from './align-scene.js';
import type { Contestant } from './measure.js';

type Environment = Parameters<typeof runCommand>[1];

/** The identity for the commits of a bench. */
export const IDENTITY = {
  GIT_AUTHOR_NAME: 'Bench',
  GIT_AUTHOR_EMAIL: 'bench@example.test',
  GIT_COMMITTER_NAME: 'Bench',
  GIT_COMMITTER_EMAIL: 'bench@example.test',
} as const;

/**
 * Returns the start file of the built tool; MIGRATE_CLI names another one, to compare two of them. Throws an `Error` if it does not exist.
 */
export function migrateCli(): string {
  const file = resolve(process.env['MIGRATE_CLI'] ?? join(findProjectRoot(), 'tools/migrate-repo/out/cli.cjs'));
  if (!existsSync(file)) throw new Error(`${file} is not there: build first`);
  return file;
}

/** The names by which the report finds measurements. */
const NODE = 'node -e 0';
export const HISTORY = 'migrate-repo --no-align';
export const ALIGNED = 'migrate-repo --no-install';

/** Returns whole processes, the baseline first. Each migration gets a fresh clone of the monorepo in `place`. */
export function contestants(scene: AlignScene, place: string, env: Environment): Contestant[] {
  const migrate = (name: string, option: string): Contestant => ({
    name,
    prepare: () => cloneMonorepo(scene, place),
    run: () => runQuietly(migration(scene, place, [option, '--quiet']), env),
  });
  const floor = { program: process.execPath, args: ['-e', '0'], cwd: scene.monorepo };
  return [{ name: NODE, run: () => runQuietly(floor, env) }, migrate(HISTORY, '--no-align'), migrate(ALIGNED, '--no-install')];
}

/** Returns a migration of the imported package into the monorepo at `cwd`. */
export function migration({ importedPackage, source }: AlignScene, cwd: string, options: readonly string[]): Command {
  return { program: process.execPath, args: [migrateCli(), importedPackage.name, '--from', source, '--no-input', ...options], cwd };
}

async function runQuietly(command: Command, env: Environment): Promise<void> {
  await runCommand(command, env);
}
