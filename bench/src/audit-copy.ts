import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTurboSummary } from '@tributary/affected/io/turbo';
import { runContained } from '@tributary/process/contained';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runCommand } from './affected-process.js';
import type { Mutant } from './audit-mutants.js';

type Environment = Parameters<typeof runCommand>[1];

/** A workspace with tests; `path` from the root. */
export interface Tested {
  readonly name: string;
  readonly path: string;
}

/** Longer than any installation. */
const LONGEST_MS = 60 * 60_000;

/** A clone in which files are changed and tests run. The user's checkout is only read. */
export class AuditCopy {
  readonly folder: string;
  private readonly work: string;
  private readonly env: Environment;
  private start = '';
  /** Of the run without a change. */
  private usualMs = LONGEST_MS;

  private constructor(work: string, env: Environment) {
    this.work = work;
    this.folder = join(work, 'copy');
    this.env = env;
  }

  /** Clones HEAD of a checkout, and installs. */
  static async make(checkout: string, work: string, env: Environment): Promise<AuditCopy> {
    const copy = new AuditCopy(work, env);
    await runCommand({ program: 'git', args: ['clone', '--quiet', '--shared', '--no-tags', checkout, copy.folder], cwd: work }, env);
    await copy.git('checkout', '--quiet', '--detach');
    copy.start = (await copy.git('rev-parse', 'HEAD')).trim();
    await runCommand({ program: 'yarn', args: ['install', '--immutable'], cwd: copy.folder, timeoutMs: LONGEST_MS }, env);
    return copy;
  }

  get commit(): string {
    return this.start;
  }

  async trackedFiles(): Promise<readonly string[]> {
    return (await this.git('ls-files', '-z')).split('\0').filter((path) => path !== '');
  }

  /** Returns the workspaces below the root that have a script for the task. */
  async tested(task: string): Promise<readonly Tested[]> {
    const lines = await runCommand({ program: 'yarn', args: ['workspaces', 'list', '--json'], cwd: this.folder }, this.env);
    return lines
      .trim()
      .split('\n')
      .flatMap((line): readonly Tested[] => {
        const { name, location } = JSON.parse(line) as { readonly name: string; readonly location: string };
        const manifest = JSON.parse(readFileSync(join(this.folder, location, 'package.json'), 'utf8')) as { readonly scripts?: object };
        return location !== '.' && Object.hasOwn(manifest.scripts ?? {}, task) ? [{ name, path: location }] : [];
      });
  }

  /** Makes one change a commit, and returns the names of the workspaces that affected selects for it. */
  async apply({ file, line, after }: Mutant): Promise<ReadonlySet<string>> {
    const path = join(this.folder, file);
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, lines.with(line - 1, after).join('\n'));
    const author = ['user.name=audit', 'user.email=audit@localhost', 'commit.gpgSign=false'].flatMap((one) => ['-c', one]);
    await this.git(...author, 'commit', '--quiet', '--all', '--no-verify', '--message', 'Mutant');
    const answer = await this.affected('--base', this.start, '--head', 'HEAD', '--json');
    const { workspaces } = JSON.parse(answer) as { readonly workspaces: readonly Tested[] };
    return new Set(workspaces.map(({ name }) => name));
  }

  /** Goes back to the start; what is ignored stays. */
  async restore(): Promise<void> {
    await this.git('reset', '--quiet', '--hard', this.start);
    await this.git('clean', '--quiet', '-d', '--force');
  }

  /** Runs everything without a change, and returns those whose tests pass. */
  async passing(task: string, names: readonly string[]): Promise<readonly string[]> {
    const before = Date.now();
    const failed = await this.failing(task, names);
    this.usualMs = Date.now() - before;
    await this.restore();
    return names.filter((name) => !failed.includes(name));
  }

  /** Runs the task of workspaces without a cache, and returns those that do not pass. What does not end does not pass. */
  async failing(task: string, names: readonly string[]): Promise<readonly string[]> {
    if (names.length === 0) return [];
    const runs = join(this.folder, '.turbo/runs');
    rmSync(runs, { recursive: true, force: true });
    const args = ['run', 'turbo', 'run', task, ...names.map((name) => `--filter=${name}`)];
    const options = ['--cache=local:,remote:', '--continue=dependencies-successful', '--summarize', '--output-logs=errors-only'];
    const { ended, output } = await runContained({
      program: 'yarn',
      args: [...args, ...options],
      env: { ...this.env, TURBO_TELEMETRY_DISABLED: '1' },
      cwd: this.folder,
      log: join(this.work, 'run.log'),
      timeoutMs: Math.min(LONGEST_MS, 20_000 + 5 * this.usualMs),
      signal: undefined,
    });
    const file = existsSync(runs) ? readdirSync(runs).find((name) => name.endsWith('.json')) : undefined;
    if (ended === 'well') return [];
    if (ended === 'badly' && file === undefined) throw new Error(`turborepo did not run: ${output.trim().slice(-500)}`);
    if (file !== undefined) {
      const tasks = readTurboSummary(readFileSync(join(runs, file), 'utf8'), file);
      return names.filter((name) => !tasks.some((one) => one.workspace === name && one.task === task && one.exit === 0));
    }
    if (names.length === 1) return names;
    const alone: string[] = [];
    for (const name of names) alone.push(...(await this.failing(task, [name])));
    return alone;
  }

  private async affected(...args: readonly string[]): Promise<string> {
    const cli = join(findProjectRoot(), 'tools/affected/out/cli.cjs');
    return runCommand({ program: process.execPath, args: [cli, ...args, '--no-fetch'], cwd: this.folder }, this.env);
  }

  private async git(...args: readonly string[]): Promise<string> {
    return runCommand({ program: 'git', args, cwd: this.folder }, this.env);
  }
}
