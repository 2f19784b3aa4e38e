import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { type Environment, installEnvironment } from '@tributary/process/environment';
import { callProgram } from '@tributary/process/spawn';
import { findProjectRoot, yarnRelease } from '@tributary/test-repo/project-root';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { runCommand } from './affected-process.js';
import { changedSuites, suiteFiles } from './plan-suites.js';

/** The fields of a plan that are read. */
interface Plan {
  readonly shards: readonly { readonly id: string; readonly seconds: number }[];
}

/** The fields of a receipt that are read. */
interface Receipt {
  readonly shard: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly pieces: readonly ReceiptTask[];
  readonly builds: readonly ReceiptTask[];
}

interface ReceiptTask {
  readonly cpuSeconds: number | null;
}

/** The result of one shard of a round. */
export interface ShardFigures {
  readonly predicted: number;
  /** According to its receipt. */
  readonly real: number;
}

/** The parameters of a round. */
export interface Round {
  readonly concurrency: number;
  readonly shards: number;
  /** The file with the timings, to which new ones are added. */
  readonly timings: string;
}

export interface RoundFigures {
  readonly shards: readonly ShardFigures[];
  /** The approximate number of processors that other programs used meanwhile. */
  readonly others: number;
}

const MINUTES = 60_000;

/** An installed monorepo of thirty suites, in which rounds run: plan, shards one after the other, collection of times. */
export class SuiteScene {
  private readonly repo: TempRepo;
  private readonly work: string;
  private readonly env: Environment;
  private rounds = 0;

  private constructor(work: string, env: Environment) {
    this.work = work;
    this.env = env;
    this.repo = TempRepo.create({ folder: join(work, 'repo') as TempRepo['path'] });
  }

  /** Installs turborepo and the runners from npm's configured registry. Throws an `Error` if that fails. */
  static async install(work: string): Promise<SuiteScene> {
    const bin = join(work, 'bin');
    mkdirSync(bin, { recursive: true });
    const release = yarnRelease(findProjectRoot());
    writeFileSync(join(bin, 'yarn'), `#!/bin/sh\nexec "${process.execPath}" "${release}" "$@"\n`);
    chmodSync(join(bin, 'yarn'), 0o755);
    const scene = new SuiteScene(work, {
      ...installEnvironment(process.env, await registrySettings()),
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      TURBO_TELEMETRY_DISABLED: '1',
      TURBO_NO_UPDATE_NOTIFIER: '1',
      YARN_ENABLE_TELEMETRY: '0',
      YARN_ENABLE_IMMUTABLE_INSTALLS: '0',
    });
    scene.repo.write(suiteFiles());
    await scene.run(process.execPath, [release, 'install'], 5 * MINUTES);
    scene.repo.commit('Start');
    scene.repo.git('checkout', '-q', '-b', 'topic');
    scene.repo.write(changedSuites());
    scene.repo.commit('Change all suites');
    return scene;
  }

  async runRound({ concurrency, shards, timings }: Round): Promise<RoundFigures> {
    const number = ++this.rounds;
    const [planFile, receipts] = [join(this.work, `plan-${number}.json`), join(this.work, `receipts-${number}`)];
    const known = existsSync(timings) ? ['--timings', timings] : [];
    const options = ['--base', 'main', '--shards', String(shards), '--setup-time', '1s', ...known, '--out', planFile];
    await this.affected(['plan', ...options], concurrency);
    const plan = JSON.parse(readFileSync(planFile, 'utf8')) as Plan;
    rmSync(join(this.repo.path, '.turbo'), { recursive: true, force: true });
    const [before, from] = [busySeconds(), Date.now()];
    for (const { id } of plan.shards) {
      await this.affected(['run-shard', id, '--plan', planFile, '--receipts', receipts], concurrency);
    }
    const [busy, seconds] = [busySeconds() - before, (Date.now() - from) / 1000];
    await this.affected(['timings', 'collect', '--receipts', receipts, '--into', timings], concurrency);
    const read = readdirSync(receipts).map((file) => JSON.parse(readFileSync(join(receipts, file), 'utf8')) as Receipt);
    const own = read.flatMap(({ pieces, builds }) => [...pieces, ...builds]).reduce((sum, one) => sum + (one.cpuSeconds ?? 0), 0);
    return {
      shards: read.map(({ shard, startedAt, endedAt }) => ({
        predicted: plan.shards.find(({ id }) => id === shard)?.seconds ?? Number.NaN,
        real: (endedAt - startedAt) / 1000,
      })),
      others: Math.max(0, busy - own) / seconds,
    };
  }

  private affected(args: readonly string[], concurrency: number): Promise<string> {
    const bundle = join(findProjectRoot(), 'tools/affected/out/cli.cjs');
    return this.run(process.execPath, [bundle, ...args], 15 * MINUTES, { TURBO_CONCURRENCY: String(concurrency) });
  }

  private run(program: string, args: readonly string[], timeoutMs: number, more: Environment = {}): Promise<string> {
    return runCommand({ program, args, cwd: this.repo.path, timeoutMs }, { ...this.env, ...more });
  }
}

/** Returns the busy time of all processors since the machine started. */
function busySeconds(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000;
}

/** Returns the registry for Yarn, which does not read npm's settings. */
async function registrySettings(): Promise<Environment> {
  const own = Object.entries(process.env).filter(([name]) => name.startsWith('YARN_'));
  const env = Object.fromEntries(own.map(([name, value]) => [name, value ?? '']));
  if (env['YARN_NPM_REGISTRY_SERVER'] !== undefined) return env;
  const { stdout } = await callProgram({ program: 'npm', args: ['config', 'get', 'registry'], env: installEnvironment(process.env) });
  const registry = stdout.toString('utf8').trim().replace(/\/$/, '');
  const http = registry.startsWith('http:') ? { YARN_UNSAFE_HTTP_WHITELIST: new URL(registry).hostname } : {};
  return { ...env, YARN_NPM_REGISTRY_SERVER: registry, ...http };
}
