import { resolve } from 'node:path';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { readCwd } from '@tributary/terminal/global-options';
import type { Services } from '@tributary/terminal/main';
import type { Command } from 'commander';
import { type FoundMigrations, lookForMigrations, type MigrationSearch, readMigrations } from '../io/read-migrations.js';
import type { Migration } from '../report/migration.js';

/** The clone whose import records are read. */
export const MONOREPO = [
  '--monorepo <clone>',
  'clone whose import records show when packages moved in (default: the current folder, if it is a clone)',
] as const;

export interface MonorepoOptions {
  readonly monorepo?: string;
}

export interface MonorepoLocation {
  readonly folder: AbsolutePath;
  /** `found`: the default folder, which may not be a clone. */
  readonly asked: 'named' | 'found';
}

export function readMonorepo(command: Command, { monorepo }: MonorepoOptions): MonorepoLocation {
  const cwd = readCwd(command);
  return monorepo === undefined ? { folder: cwd, asked: 'found' } : { folder: parseAbsolutePath(resolve(cwd, monorepo)), asked: 'named' };
}

/**
 * Returns the migrations of a monorepo; none if the default folder is not a clone. Throws the errors of `readMigrations` if the user named
 * the clone.
 */
export async function migrationsAround(
  { folder, asked }: MonorepoLocation,
  moved: MigrationSearch['moved'],
  { ui, signal }: Services,
): Promise<readonly Migration[]> {
  const found = asked === 'named' ? await readMigrations(folder, { signal, moved }) : await lookForMigrations(folder, { signal, moved });
  if ('problem' in found) {
    if (found.weight === 'none') ui.verbose(`No migrations were looked for: ${found.problem}`);
    else ui.warning(`It is unknown when packages moved in: ${found.problem}`);
    return [];
  }
  warnOfUnreadableImports(found, ui);
  warnOfMovesElsewhere(found, ui);
  return found.migrations;
}

/** A mistyped commit looks like one of another repository. */
export function warnOfMovesElsewhere({ repo, notHere }: Pick<FoundMigrations, 'repo' | 'notHere'>, ui: Services['ui']): void {
  for (const { package: name, commit } of notHere)
    ui.warning(
      `The main line of ${repo} does not contain ${commit}, the commit of ${name} in "publish.moved". Another repository may have it.`,
    );
}

export function warnOfUnreadableImports({ unreadable }: FoundMigrations, ui: Services['ui']): void {
  for (const { merge, problem } of unreadable) ui.warning(`The import record in ${merge.slice(0, 12)} is not readable: ${problem}.`);
}
