import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { type CliResult, runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { ShardRepo } from '../testing/shard-repo.fixture.js';

const root = findProjectRoot();

/** Returns the text of a template as a team copies it: `circleci/config.yml`. */
export function readTemplate(file: string): string {
  return readFileSync(join(root, 'ci', file), 'utf8');
}

/** Faults that the wrapper below adds to the tool, by shard. */
export interface Trouble {
  /** Shards whose `run-shard` ends with 0 without a run: no receipt. */
  readonly lost?: readonly string[];
}

export interface HostedOptions {
  readonly names?: readonly string[];
  /** The workspace whose tests fail until `mend` is called. */
  readonly flaky?: string;
  /** How many of them the commit changes; by default all. */
  readonly changed?: number;
  /** Another text for turbo.json, instead of a valid one. */
  readonly turbo?: string;
}

/**
 * A team's repository, and what the machines of CircleCI, Azure Pipelines and Jenkins have in common. These engines do not run locally. The
 * `…-engine.fixture.ts` beside this file model their handling of a configuration; the commands in it really run.
 */
export class Hosted {
  readonly repo: ShardRepo;
  /** The commit under test. */
  readonly commit: string;
  /** The command with which the templates start the tool. */
  readonly affected: string;
  private readonly bin: string;
  private readonly cleanUp: CleanUp;

  constructor(repo: ShardRepo, cleanUp: CleanUp) {
    this.repo = repo;
    this.cleanUp = cleanUp;
    this.commit = repo.repo.git('rev-parse', 'HEAD');
    this.bin = cleanUp.add(new TempFolder()).path;
    // Programs that machines of hosted engines have, and this one may lack. Yarn is in PATH already.
    this.program('sudo', 'exec "$@"');
    this.program('corepack', '[ "$*" = enable ]');
    this.affected = this.program('affected', wrapper(join(root, 'tools/affected/out/cli.cjs')));
  }

  /** Creates workspaces with names that are difficult for engines. Each shard tests one of them. */
  static async create(cleanUp: CleanUp, { names = NAMES, flaky, changed = names.length, turbo }: HostedOptions = {}): Promise<Hosted> {
    const packages = Object.fromEntries(names.map((name) => [name, name === flaky ? { test: flakyTest(name) } : {}]));
    const files = { 'flaky.mjs': FLAKY, ...(turbo === undefined ? {} : { 'turbo.json': turbo }) };
    return new Hosted(await ShardRepo.create(cleanUp, packages, { changed: names.slice(0, changed), files }), cleanUp);
  }

  /** Returns the environment of every job. `shards` is the number of planned machines. */
  environment(shards: number, { lost = [] }: Trouble = {}): Readonly<Record<string, string>> {
    const { PATH = '' } = this.repo.environment;
    return { ...this.repo.environment, PATH: `${this.bin}:${PATH}`, TEST_SHARDS: String(shards), TEST_LOST: lost.join(' ') };
  }

  /** Returns an empty folder, as every new machine has one. */
  folder(): string {
    return this.cleanUp.add(new TempFolder()).path;
  }

  /** Clones as an engine does: the commit is checked out, without a local branch. */
  async checkOut(folder: string, depth?: string): Promise<void> {
    const address = `file://${this.repo.repo.path}`;
    const shallow = depth === undefined || depth === '0' ? [] : [`--depth=${depth}`];
    for (const args of [
      ['init', '--quiet'],
      ['remote', 'add', 'origin', address],
      ['fetch', '--quiet', ...shallow, 'origin', ...(shallow.length > 0 ? [this.commit] : ['+refs/heads/*:refs/remotes/origin/*'])],
      ['checkout', '--quiet', '--detach', this.commit],
    ]) {
      const { code, stderr } = await runProcess('git', args, { cwd: folder });
      if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    }
  }

  /** Adds a commit that only the main branch has, so that a merge with it needs a merge commit. */
  advanceMain(): void {
    const { repo } = this.repo;
    repo.git('checkout', '-q', 'main');
    repo.write({ 'NOTES.md': 'later\n' });
    repo.commit('Later');
    repo.git('checkout', '-q', 'topic');
  }

  /** Returns the workspaces whose tests really ran, sorted by name, once for each run. */
  ran(): readonly string[] {
    return existsSync(this.repo.log) ? readFileSync(this.repo.log, 'utf8').trimEnd().split('\n').sort() : [];
  }

  /** Clears the log of runs. */
  forget(): void {
    writeFileSync(this.repo.log, '');
  }

  /** Makes the failing tests pass from now on. */
  mend(): void {
    writeFileSync(`${this.repo.log}.mended`, '');
  }

  /** Logs each later call of `run-shard` with these words, as the shell there expands them. */
  note(words: string): void {
    const cli = join(root, 'tools/affected/out/cli.cjs');
    const noting = `[ "$1" != run-shard ] || echo "${words}" >> '${this.repo.log}.noted'`;
    this.program('affected', `${noting}\n${wrapper(cli)}`);
  }

  /** Returns the logged lines in order. */
  noted(): readonly string[] {
    return readFileSync(`${this.repo.log}.noted`, 'utf8').trimEnd().split('\n');
  }

  private program(name: string, script: string): string {
    const file = join(this.bin, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return file;
  }
}

/** The default workspaces of `Hosted.create`. */
export const NAMES = ['@acme/ui', 'plus+plus', 'with.dot', '@a-b/c_d', 'e8'] as const;

const FLAKY = `import { existsSync } from 'node:fs';
process.exit(existsSync(process.env.RAN_LOG + '.mended') ? 0 : 1);
`;

function flakyTest(name: string): string {
  return `node ../../run-tests.mjs '${name}' 0 && node ../../flaky.mjs`;
}

/** Returns a script of the bundled tool. It plans the number of shards that the test sets, and some shards only claim to have passed. */
function wrapper(cli: string): string {
  return `case "$1" in
  plan) exec node '${cli}' "$@" --shards "$TEST_SHARDS" --max-shards "$TEST_SHARDS" ;;
  run-shard) for lost in $TEST_LOST; do [ "$2" != "$lost" ] || exit 0; done ;;
esac
exec node '${cli}' "$@"`;
}

/** Runs a program to its end, and appends its output to `log`. */
export async function runScript(
  [program = '', ...args]: readonly string[],
  { cwd, env, log }: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly log: string[] },
): Promise<CliResult> {
  const result = await runProcess(program, args, { cwd, env, timeoutMs: 240_000 });
  log.push(result.stdout, result.stderr);
  return result;
}

/** Copies the content of a folder into another one, which it creates if needed. */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  cpSync(from, to, { recursive: true });
}
