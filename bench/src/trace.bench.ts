// Measures what `affected run-shard --trace` costs: the processor time of all tests of a repository, with the tracer and without, in turn.
//   npm run bench:trace -- <checkout> [rounds]
// The checkout is of the default branch, and installed, and its tests pass. Needs Linux, strace and GNU time. turborepo takes nothing out of a cache in either run.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { benchEnvironment, type Command, runCommand, takenBy } from './affected-process.js';
import { ratioTo } from './measure.js';

const [given, rounds = '3'] = process.argv.slice(2);
if (given === undefined) throw new Error('Usage: npm run bench:trace -- <checkout> [rounds]');
const work = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
const env = benchEnvironment(work);
const cwd = resolve(given);
const plan = join(work, 'plan.json');

interface WholePlan {
  readonly affected: { readonly all: unknown };
  readonly shards: readonly { readonly pieces: readonly unknown[] }[];
}

void main(Number(rounds)).finally(() => rmSync(work, { recursive: true, force: true }));

async function main(count: number): Promise<void> {
  await runCommand(affected('plan', '--shards', '1', '--out', plan), env);
  const { affected: answer, shards } = JSON.parse(readFileSync(plan, 'utf8')) as WholePlan;
  if (answer.all === null) throw new Error('Check out the default branch: a plan of it tests everything.');
  const pieces = shards.reduce((sum, shard) => sum + shard.pieces.length, 0);
  console.log(`${basename(cwd)}: ${pieces} pieces, processor time in seconds, ${count} rounds in turn`);
  const [plain, traced]: [number[], number[]] = [[], []];
  for (let round = 0; round < count; round++) {
    plain.push(await cpuOf(`plain-${round}`));
    traced.push(await cpuOf(`traced-${round}`, '--trace'));
  }
  const show = (values: readonly number[]): string => values.map((value) => (value / 1000).toFixed(1).padStart(6)).join(' ');
  console.log(`  run-shard          ${show(plain)}\n  run-shard --trace  ${show(traced)}`);
  console.log(`  with / without: ${ratioTo(plain, traced).toFixed(2)} (bar: 1.6)`);
}

/** The whole shard, with a cache of its own. Throws an `Error` if a test fails. */
async function cpuOf(run: string, ...options: readonly string[]): Promise<number> {
  const command = affected('run-shard', '01', '--plan', plan, '--receipts', join(work, run), ...options);
  const { cpuMs } = await takenBy({ ...command, env: { TURBO_CACHE_DIR: join(work, `${run}-cache`) }, timeoutMs: 3_600_000 }, env);
  return cpuMs;
}

function affected(...args: readonly string[]): Command {
  return { program: process.execPath, args: [join(findProjectRoot(), 'tools/affected/out/cli.cjs'), ...args], cwd };
}
