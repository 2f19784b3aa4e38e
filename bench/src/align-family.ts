import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { registrySettings } from '@tributary/migrate-repo/io/yarn-environment';
import { testsSection } from '@tributary/migrate-repo/report/tests-part';
import type { MigrateResult, VerifyResult } from '@tributary/migrate-repo/result/result';
import { type Environment, networkEnvironment } from '@tributary/process/environment';
import { callProgram, runProgram } from '@tributary/process/spawn';
import { familyTable, formatFamily } from './align-family-table.js';
import { IDENTITY, migrateCli } from './align-migration.js';
import { compareFamily } from './family-compare.js';
import { readSources, repositoriesIn } from './given-repositories.js';

/** The repositories of a family, and their target monorepo; both are only read. */
export interface Family {
  readonly repositories: string;
  readonly monorepo: string;
  /** An empty folder for all output. */
  readonly work: string;
  /** Options for migrate-repo in addition to the names, such as `--internal all`. */
  readonly options: readonly string[];
  /** Whether to compare histories and archives with those of other tools. */
  readonly compare: 'others' | 'nobody';
  /** Whether to run the tests of each package alone and in the monorepo. */
  readonly tests: 'run' | 'leave';
}

export interface FamilyOutcome {
  /** Of the migration, including its installation. */
  readonly seconds: number;
  /** The results of the tests before and after. */
  readonly tests: MigrateResult['tests'];
}

/** Migrates all repositories in one run, with installation, into a clone of the monorepo, and prints the result. */
export async function migrateFamily({ repositories, monorepo, work, options, compare, tests }: Family): Promise<FamilyOutcome> {
  const env = networkEnvironment(process.env, { ...registrySettings(), ...IDENTITY });
  const sources = await readSources(repositoriesIn(resolve(repositories)), env);
  if (sources.size === 0) throw new Error(`${repositories} has no bare repository`);
  const clone = join(work, 'monorepo');
  mkdirSync(work, { recursive: true });
  await runProgram({ program: 'git', args: ['clone', '--quiet', '--no-local', resolve(monorepo), clone], env });
  await configure(clone, sources, env);
  const report = join(work, 'report.md');
  const testing = ['--tests', tests === 'run' ? 'test' : 'off'];
  const answer = await migrate(clone, [...sources.keys(), ...options, ...testing, '--report', report], env);
  // Without the tests.
  const seconds = answer.milliseconds / 1000;
  writeFileSync(join(work, 'answer.json'), `${JSON.stringify(answer, undefined, 2)}\n`);
  console.log(`${answer.packages.length} repositories in one run, installed: ${seconds.toFixed(1)} s\n`);
  const fresh = join(work, 'migrated');
  await runProgram({ program: 'git', args: ['clone', '--quiet', '--no-local', '--branch', answer.branch, clone, fresh], env });
  const proof = await proveAgain(fresh, answer, env);
  if (compare === 'others') console.log(`${await compareFamily(answer, { fresh, work, env })}\n`);
  console.log(`${formatFamily(familyTable(answer), answer.tests?.packages)}\n\n  ${proof}`);
  for (const { name, code, message } of answer.leftOut) console.log(`  left out: ${name}: ${code}: ${message}`);
  for (const warning of answer.warnings) console.log(`  warning: ${warning}`);
  if (tests === 'run') console.log(`\n${testsSection(answer.tests)}`);
  return { seconds, tests: answer.tests };
}

/** Verifies the history of each package in a clone of the branch, as any user can. Throws if a proof fails. */
async function proveAgain(cwd: string, { packages }: MigrateResult, env: Environment): Promise<string> {
  const proofs: VerifyResult[] = [];
  for (const { name } of packages) {
    const args = [migrateCli(), 'verify', name, '--json', '--no-input'];
    proofs.push(JSON.parse((await runProgram({ program: process.execPath, args, cwd, env })).toString('utf8')) as VerifyResult);
  }
  const sum = (count: (proof: VerifyResult) => number): number => proofs.reduce((total, proof) => total + count(proof), 0);
  const [commits, merges, tags] = [sum((proof) => proof.commits), sum((proof) => proof.merges), sum((proof) => proof.tags.here)];
  return `history proven by "migrate-repo verify" in a fresh clone: ${commits} commits (${merges} merges) and ${tags} tags of ${proofs.length} packages`;
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

/** Runs the migration. Some packages may be left out, which the exit code shows; there is still an answer then. */
async function migrate(cwd: string, asked: readonly string[], env: Environment): Promise<MigrateResult> {
  const args = [migrateCli(), ...asked, '--branch', 'family', '--json', '--no-input'];
  const { exit, stdout, stderr } = await callProgram({ program: process.execPath, args, cwd, env });
  if (stdout.length === 0) throw new Error(`migrate-repo ended with exit ${exit}\n${stderr}`);
  const answer = JSON.parse(stdout.toString('utf8')) as MigrateResult | { readonly error: object };
  if ('error' in answer) throw new Error(`migrate-repo ended with exit ${exit}\n${stderr}`);
  return answer;
}
