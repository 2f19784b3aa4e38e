import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { registrySettings } from '@tributary/migrate-repo/io/yarn-environment';
import type { MigrateResult } from '@tributary/migrate-repo/result';
import { type Environment, networkEnvironment } from '@tributary/process/environment';
import { callProgram, runProgram } from '@tributary/process/spawn';
import { familyTable, formatFamily } from './align-family-table.js';
import { IDENTITY, migrateCli } from './align-migration.js';
import { readSources, repositoriesIn } from './given-repositories.js';

/** Where the repositories of a family lie, and the monorepo that they go to; both are only read. */
export interface Family {
  readonly repositories: string;
  readonly monorepo: string;
  /** An empty folder that all happens in. */
  readonly work: string;
}

/** Migrates all repositories in one run, installed, into a clone of the monorepo, and prints what came of it; the seconds that it took. */
export async function migrateFamily({ repositories, monorepo, work }: Family): Promise<number> {
  const env = networkEnvironment(process.env, { ...registrySettings(), ...IDENTITY });
  const sources = await readSources(repositoriesIn(resolve(repositories)), env);
  if (sources.size === 0) throw new Error(`${repositories} has no bare repository`);
  const clone = join(work, 'monorepo');
  mkdirSync(work, { recursive: true });
  await runProgram({ program: 'git', args: ['clone', '--quiet', '--no-local', resolve(monorepo), clone], env });
  await configure(clone, sources, env);
  const from = performance.now();
  const answer = await migrate(clone, [...sources.keys()], env);
  const seconds = (performance.now() - from) / 1000;
  console.log(`${answer.packages.length} repositories in one run, installed: ${seconds.toFixed(1)} s\n`);
  console.log(formatFamily(familyTable(answer)));
  for (const { name, code, message } of answer.leftOut) console.log(`  left out: ${name}: ${code}: ${message}`);
  for (const warning of answer.warnings) console.log(`  warning: ${warning}`);
  return seconds;
}

/** Adds the sources to the tributary.json of the clone. */
async function configure(clone: string, sources: ReadonlyMap<string, string>, env: Environment): Promise<void> {
  const file = join(clone, 'tributary.json');
  const listed = (await runProgram({ program: 'git', args: ['ls-files', '--', 'tributary.json'], cwd: clone, env })).toString();
  const config = listed === '' ? {} : (JSON.parse(readFileSync(file, 'utf8')) as { migrate?: { packages?: object } });
  const packages = { ...config.migrate?.packages, ...Object.fromEntries([...sources].map(([name, source]) => [name, { source }])) };
  writeFileSync(file, `${JSON.stringify({ ...config, migrate: { ...config.migrate, packages } }, undefined, 2)}\n`);
  await runProgram({ program: 'git', args: ['add', '--', 'tributary.json'], cwd: clone, env });
  await runProgram({ program: 'git', args: ['commit', '--quiet', '--message', 'Name the sources'], cwd: clone, env });
}

/** Some may be left out, which the exit code tells; then there is an answer all the same. */
async function migrate(cwd: string, names: readonly string[], env: Environment): Promise<MigrateResult> {
  const args = [migrateCli(), ...names, '--branch', 'family', '--json', '--no-input'];
  const { exit, stdout, stderr } = await callProgram({ program: process.execPath, args, cwd, env });
  if (stdout.length === 0) throw new Error(`migrate-repo ended with exit ${exit}\n${stderr}`);
  const answer = JSON.parse(stdout.toString('utf8')) as MigrateResult | { readonly error: object };
  if ('error' in answer) throw new Error(`migrate-repo ended with exit ${exit}\n${stderr}`);
  return answer;
}
