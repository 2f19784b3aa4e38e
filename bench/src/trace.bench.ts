// Measures what `affected run-shard --trace` costs: the processor time of all tests of a repository, without a tracer, with strace, and with
// hooks in Node, in turn.
//   npm run bench:trace -- <checkout> [rounds]
// The checkout is of the default branch, and installed, and its tests pass. Needs Linux, strace and GNU time. turborepo takes nothing out of a cache in any run.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join, resolve } from 'node:path';
import type { Environment } from '@tributary/process/environment';
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
  const runs: readonly Run[] = [
    { name: 'run-shard', options: [], env: {}, times: [] },
    { name: 'with strace', options: ['--trace'], env: {}, times: [], atMost: 1.6 },
    { name: 'with hooks', options: ['--trace'], env: withoutStrace(), times: [], atMost: 1.15 },
  ];
  for (let round = 0; round < count; round++) {
    for (const run of runs) run.times.push(await cpuOf(run, round));
  }
  const [plain] = runs;
  for (const { name, times, atMost } of runs) {
    const shown = times.map((value) => (value / 1000).toFixed(1).padStart(6)).join(' ');
    const ratio = atMost === undefined ? '' : `  x ${ratioTo(plain?.times ?? [], times).toFixed(2)} (bar: ${atMost})`;
    console.log(`  ${name.padEnd(11)} ${shown}${ratio}`);
  }
}

interface Run {
  readonly name: string;
  readonly options: readonly string[];
  readonly env: Environment;
  /** Milliseconds, by round. */
  readonly times: number[];
  readonly atMost?: number;
}

/** A strace that does not work is passed over for the hooks. */
function withoutStrace(): Environment {
  const folder = join(work, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'strace'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  return { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
}

/** The whole shard, with a cache of its own. Throws an `Error` if a test fails. */
async function cpuOf({ name, options, env: more }: Run, round: number): Promise<number> {
  const id = `${name.replace(' ', '-')}-${round}`;
  const command = affected('run-shard', '01', '--plan', plan, '--receipts', join(work, id), ...options);
  const own = { ...more, TURBO_CACHE_DIR: join(work, `${id}-cache`) };
  const { cpuMs } = await takenBy({ ...command, env: own, timeoutMs: 3_600_000 }, env);
  return cpuMs;
}

function affected(...args: readonly string[]): Command {
  return { program: process.execPath, args: [join(findProjectRoot(), 'tools/affected/out/cli.cjs'), ...args], cwd };
}
