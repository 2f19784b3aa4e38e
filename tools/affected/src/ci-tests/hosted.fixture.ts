import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { type CliResult, runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { ShardRepo } from '../testing/shard-repo.fixture.js';

const root = findProjectRoot();

/** The text of a template, as a team copies it: `circleci/config.yml`. */
export function readTemplate(file: string): string {
  return readFileSync(join(root, 'ci', file), 'utf8');
}

/** What the wrapper below does to the tool, by shard. */
export interface Trouble {
  /** `run-shard` is said to have passed, and nothing ran: no receipt. */
  readonly lost?: readonly string[];
}

export interface HostedOptions {
  readonly names?: readonly string[];
  /** Whose tests fail until `mend` is called. */
  readonly flaky?: string;
  /** How many of them the commit changes; all without it. */
  readonly changed?: number;
  /** In place of a turbo.json that works. */
  readonly turbo?: string;
}

/**
 * A team's repository, and what the machines of CircleCI, Azure Pipelines and Jenkins have in common. These engines cannot be had: what they
 * do with a configuration is written down in the `…-engine.fixture.ts` beside this file, the commands in it run for real.
 */
export class Hosted {
  readonly repo: ShardRepo;
  /** The commit that is tested. */
  readonly commit: string;
  /** How the templates start the tool. */
  readonly affected: string;
  private readonly bin: string;
  private readonly cleanUp: CleanUp;

  constructor(repo: ShardRepo, cleanUp: CleanUp) {
    this.repo = repo;
    this.cleanUp = cleanUp;
    this.commit = repo.repo.git('rev-parse', 'HEAD');
    this.bin = cleanUp.add(new TempFolder()).path;
    // What a machine of a hosted engine has and this one need not have. Yarn is in PATH already.
    this.program('sudo', 'exec "$@"');
    this.program('corepack', '[ "$*" = enable ]');
    this.affected = this.program('affected', wrapper(join(root, 'tools/affected/out/cli.cjs')));
  }

  /** Workspaces whose names are what engines stumble over; each shard tests one of them. */
  static async create(cleanUp: CleanUp, { names = NAMES, flaky, changed = names.length, turbo }: HostedOptions = {}): Promise<Hosted> {
    const packages = Object.fromEntries(names.map((name) => [name, name === flaky ? { test: flakyTest(name) } : {}]));
    const files = { 'flaky.mjs': FLAKY, ...(turbo === undefined ? {} : { 'turbo.json': turbo }) };
    return new Hosted(await ShardRepo.create(cleanUp, packages, { changed: names.slice(0, changed), files }), cleanUp);
  }

  /** What every job finds in its environment. `shards`: on how many machines the plan shall run. */
  environment(shards: number, { lost = [] }: Trouble = {}): Readonly<Record<string, string>> {
    const { PATH = '' } = this.repo.environment;
    return { ...this.repo.environment, PATH: `${this.bin}:${PATH}`, TEST_SHARDS: String(shards), TEST_LOST: lost.join(' ') };
  }

  /** An empty folder, as every machine begins with one. */
  folder(): string {
    return this.cleanUp.add(new TempFolder()).path;
  }

  /** A clone as an engine makes it, with the commit checked out and no branch of its own. */
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

  /** A commit that only the main branch has, so that a merge with it is a commit of its own. */
  advanceMain(): void {
    const { repo } = this.repo;
    repo.git('checkout', '-q', 'main');
    repo.write({ 'NOTES.md': 'later\n' });
    repo.commit('Later');
    repo.git('checkout', '-q', 'topic');
  }

  /** Whose tests really ran, in the order of their names; a name for each time. */
  ran(): readonly string[] {
    return existsSync(this.repo.log) ? readFileSync(this.repo.log, 'utf8').trimEnd().split('\n').sort() : [];
  }

  /** Forgets what ran. */
  forget(): void {
    writeFileSync(this.repo.log, '');
  }

  /** From now on the tests that failed at first pass. */
  mend(): void {
    writeFileSync(`${this.repo.log}.mended`, '');
  }

  /** From now on each call of `run-shard` is noted, with what these words are for a shell there. */
  note(words: string): void {
    const cli = join(root, 'tools/affected/out/cli.cjs');
    const noting = `[ "$1" != run-shard ] || echo "${words}" >> '${this.repo.log}.noted'`;
    this.program('affected', `${noting}\n${wrapper(cli)}`);
  }

  /** What was noted, in its order. */
  noted(): readonly string[] {
    return readFileSync(`${this.repo.log}.noted`, 'utf8').trimEnd().split('\n');
  }

  private program(name: string, script: string): string {
    const file = join(this.bin, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return file;
  }
}

/** The workspaces of `Hosted.create`. */
export const NAMES = ['@acme/ui', '@acme/core.js', 'plus+plus', 'with.dot', '@a-b/c_d', 'seven', 'e8'] as const;

const FLAKY = `import { existsSync } from 'node:fs';
process.exit(existsSync(process.env.RAN_LOG + '.mended') ? 0 : 1);
`;

function flakyTest(name: string): string {
  return `node ../../run-tests.mjs '${name}' 0 && node ../../flaky.mjs`;
}

/** The bundled tool; a plan is made for so many shards as the test says, and some shards only say that they passed. */
function wrapper(cli: string): string {
  return `case "$1" in
  plan) exec node '${cli}' "$@" --shards "$TEST_SHARDS" --max-shards "$TEST_SHARDS" ;;
  run-shard) for lost in $TEST_LOST; do [ "$2" != "$lost" ] || exit 0; done ;;
esac
exec node '${cli}' "$@"`;
}

/** Runs a program to its end; what it printed is added to `log`. */
export async function runScript(
  [program = '', ...args]: readonly string[],
  { cwd, env, log }: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly log: string[] },
): Promise<CliResult> {
  const result = await runProcess(program, args, { cwd, env, timeoutMs: 240_000 });
  log.push(result.stdout, result.stderr);
  return result;
}

/** Copies what is in a folder into another one, which is made if it is not there. */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  cpSync(from, to, { recursive: true });
}
