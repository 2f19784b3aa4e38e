import type { Narrator } from '../io/narrator.js';
import type { TypedCommands } from '../io/typed-commands.js';
import { SOURCE_FOLDERS } from '../organisation/organisation.js';

/** The branch that the migration makes. */
export const BRANCH = 'move-in';

/** Migrates all packages with one command, lists them, and proves one of them once more. */
export async function moveAll(narrator: Narrator, commands: TypedCommands): Promise<void> {
  narrator.step('One command moves all of them, and proves every commit');
  await commands.migrateRepo(...Object.keys(SOURCE_FOLDERS), '--branch', BRANCH, '--no-install');
  narrator.step('What came from where, and the proof of one of them, repeated');
  await commands.migrateRepo('status');
  await commands.migrateRepo('verify', '@harbor/trips', '--ref', BRANCH);
}
