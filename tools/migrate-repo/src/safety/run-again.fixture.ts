import { renameSync } from 'node:fs';
import { expect } from '@jest/globals';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import type { CliResult } from '@tributary/test-repo/run-cli';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { MigrateResult } from '../result/result.js';
import { createFixture, createSource, type MigrationFixture } from './migration.fixture.js';

/** Imports all three packages, with a JSON document as answer. */
export const COMMAND = ['app', 'lib', 'core', '--json'];

/** The repositories of the packages. */
export type ThreeSources = Readonly<Record<'app' | 'lib' | 'core', TempRepo>>;

/** Creates a monorepo whose tributary.json names three packages, of which `app` needs `lib`. */
export function createThreeSources(cleanUp: CleanUp): { readonly fixture: MigrationFixture; readonly sources: ThreeSources } {
  const fixture = createFixture(cleanUp);
  const sources = {
    app: createSource(cleanUp, 'app', { dependencies: { lib: '^1.0.0' } }),
    lib: createSource(cleanUp, 'lib'),
    core: createSource(cleanUp, 'core'),
  };
  const packages = Object.fromEntries(Object.entries(sources).map(([name, { path }]) => [name, { source: path }]));
  fixture.monorepo.commit('Configure', { files: { 'tributary.json': JSON.stringify({ migrate: { packages } }) } });
  return { fixture, sources };
}

/** Runs the command while only `lib` cannot be reached, which `app` needs. */
export async function runWithoutLib(
  fixture: MigrationFixture,
  sources: ThreeSources,
  command: readonly string[] = COMMAND,
): Promise<MigrateResult> {
  const { path } = sources.lib;
  renameSync(path, `${path}.away`);
  const result = await fixture.run(command);
  renameSync(`${path}.away`, path);
  return answerOf(result, 1);
}

/** Returns the answer of a run that must end with this exit code. */
export function answerOf(result: CliResult, code: number): MigrateResult {
  expect([result.code, result.stdout.slice(0, 1)]).toEqual([code, '{']);
  return JSON.parse(result.stdout) as MigrateResult;
}

/** Returns what was imported, what was left out and why, and the branch. */
export function outcomeOf({ packages, leftOut, branch }: MigrateResult): unknown {
  return { came: packages.map(({ name }) => name), leftOut: leftOut.map(({ name, code }) => `${name} ${code}`), branch };
}
