import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runProcess } from '@tributary/test-repo/run-cli';
import type { Files } from '@tributary/test-repo/temp-repo';
import type { Plan } from '../plan/plan.js';
import { ShardRepo, type TestedPackage } from '../testing/shard-repo.fixture.js';
import { findTool } from './tools.fixture.js';

const root = findProjectRoot();

/** Returns the path of gitlab-ci-local. `undefined` if it is missing, or rsync, which it copies with, is neither in PATH nor beside it. */
export function findGitLabCiLocal(): string | undefined {
  const program = findTool('GITLAB_CI_LOCAL');
  if (program === undefined) return undefined;
  return pathFor(program)
    .split(delimiter)
    .some((folder) => existsSync(join(folder, 'rsync')))
    ? program
    : undefined;
}

function pathFor(program: string): string {
  return [process.env['PATH'] ?? '', dirname(program)].join(delimiter);
}

const TEMPLATES = ['.gitlab-ci.yml', '.gitlab/affected-pipeline.yml', '.gitlab/affected.yml'];
const CHILD = 'child-pipeline.yml';

/** The result of a pipeline, or of some of its jobs. */
export interface GitLabRun {
  readonly code: number | null;
  readonly output: string;
  /** `shard: [01]` → `passed`, without the jobs that did not run. */
  readonly jobs: ReadonlyMap<string, 'passed' | 'failed'>;
}

/** A project with the real files of `ci/gitlab`. gitlab-ci-local runs its pipelines: each job in a copy of the committed files. */
export class GitLabProject {
  readonly shards: ShardRepo;
  private readonly program: string;

  private constructor(program: string, shards: ShardRepo) {
    this.program = program;
    this.shards = shards;
    // Node brings corepack. The real one would write beside the Node of this machine; Yarn is in PATH already.
    this.writeProgram('bin/corepack', '[ "$*" = enable ]');
    // Logs the turborepo remote-cache settings of each call.
    this.writeProgram(
      'affected.sh',
      `echo "$1 $TURBO_CACHE token:$TURBO_TOKEN" >> "${this.callsFile}"\nexec "${process.execPath}" "${join(root, 'tools/affected/out/cli.cjs')}" "$@"`,
    );
    // The last commit changes nothing; all commits together change what the test asked for.
    shards.repo.commit('Say more');
    shards.repo.git('remote', 'add', 'origin', 'https://gitlab.example/acme/shop.git');
    shards.repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    // gitlab-ci-local passes nothing from a parent to its child pipeline. But it copies each artifact to the working tree, and the files
    // that git tracks to every job. So an entry of the index passes the plan on.
    shards.repo.write({ '.tributary/plan.json': '' });
    shards.repo.git('add', '--force', '.tributary/plan.json');
    rmSync(join(shards.repo.path, '.tributary'), { recursive: true });
  }

  /**
   * Creates the project. `main` has the packages. The merge request's branch has a commit that changes `changed`, one that changes `again`,
   * and an empty one.
   */
  static async create(
    program: string,
    cleanUp: CleanUp,
    {
      packages,
      changed,
      again = [],
      files: more = {},
    }: {
      readonly packages: Readonly<Record<string, TestedPackage>>;
      readonly changed: readonly string[];
      readonly again?: readonly string[];
      readonly files?: Files;
    },
  ): Promise<GitLabProject> {
    const files = Object.fromEntries(TEMPLATES.map((file) => [file, readFileSync(join(root, 'ci/gitlab', file), 'utf8')]));
    const shards = await ShardRepo.create(cleanUp, packages, { changed, files: { ...files, ...more } });
    const folderOf = (name: string): string => `packages/p${Object.keys(packages).indexOf(name)}`;
    shards.repo.write(Object.fromEntries(again.map((name) => [`${folderOf(name)}/src.js`, '2;\n'])));
    shards.repo.commit('Change a few again');
    return new GitLabProject(program, shards);
  }

  /** Runs the pipeline of the merge request, with its child. */
  pipeline(variables: Readonly<Record<string, string>> = {}): Promise<GitLabRun> {
    return this.run([], variables);
  }

  /** Runs the job `plan` alone, and stores its child pipeline for `child`, as `tests` would start it. Returns the output of the job. */
  async plan(variables: Readonly<Record<string, string>> = {}): Promise<string> {
    const { code, output } = await this.run(['plan'], variables);
    if (code !== 0) throw new Error(output);
    this.useChild(this.childText);
    return output;
  }

  /** Stores a child pipeline, with what the trigger includes beside it. */
  useChild(text: string, included: object = { local: '.gitlab/affected.yml' }): void {
    writeFileSync(join(this.shards.repo.path, CHILD), `include: [${JSON.stringify(included)}]\n${text}`);
  }

  /** Puts files of `ci/gitlab` where gitlab-ci-local keeps what it has fetched of another project, by `acme/tributary@commit`. */
  bringIncludes(reference: string, files: readonly string[]): void {
    const folder = `.gitlab-ci-local/includes/gitlab.example/${reference.replace('@', '/')}/ci/gitlab`;
    const texts = files.map((file) => [`${folder}/${file}`, readFileSync(join(root, 'ci/gitlab', file), 'utf8')]);
    this.shards.repo.write(Object.fromEntries(texts));
  }

  get childText(): string {
    return this.read('.tributary/child.yml');
  }

  /** Runs the child pipeline, or some of its jobs. gitlab-ci-local always takes the parent for passed. */
  child(jobs: readonly string[] = [], variables: Readonly<Record<string, string>> = {}): Promise<GitLabRun> {
    return this.run(['--file', CHILD, ...jobs], variables);
  }

  readPlan(): Plan {
    return JSON.parse(this.read('.tributary/plan.json'));
  }

  /** Returns turborepo's remote-cache settings for each shard that ran. */
  get cacheSettings(): readonly string[] {
    return readLines(this.callsFile).flatMap((line) => (line.startsWith('run-shard ') ? [line.slice('run-shard '.length)] : []));
  }

  /** Returns the workspaces whose tests ran, once for each run, sorted. */
  get ran(): readonly string[] {
    return [...readLines(this.shards.log)].sort();
  }

  /** Returns the files of timings in the cache. */
  keptTimings(): readonly string[] {
    const cache = join(this.shards.repo.path, '.gitlab-ci-local/cache');
    const names = readdirSync(cache, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('timings.json')).map((name) => join(cache, name));
  }

  /** Deletes the receipts of a leg, as if its machine had gone away. */
  loseReceipts(leg: string): void {
    rmSync(join(this.artifactsOf(leg), '.tributary/receipts'), { recursive: true });
  }

  /** Forgets all runs. */
  reset(): void {
    for (const path of ['.gitlab-ci-local', '.tributary', CHILD])
      rmSync(join(this.shards.repo.path, path), { recursive: true, force: true });
    for (const file of [this.shards.log, this.callsFile]) rmSync(file, { force: true });
  }

  /** Lists the jobs of the child pipeline in the engine's view, without running any. */
  list(): Promise<GitLabRun> {
    return this.run(['--file', CHILD, '--list-json'], {});
  }

  private get callsFile(): string {
    return join(this.shards.work, 'calls.log');
  }

  /** Returns the folder of a leg's artifacts. The engine writes `[` and `]` in base64url. */
  private artifactsOf(leg: string): string {
    return join(this.shards.repo.path, `.gitlab-ci-local/artifacts/shardOiBb${leg}XQ`);
  }

  private async run(args: readonly string[], variables: Readonly<Record<string, string>>): Promise<GitLabRun> {
    this.writeVariables({ AFFECTED: `sh ${join(this.shards.work, 'affected.sh')}`, ...this.mergeRequest(), ...variables });
    const { code, stdout, stderr } = await runProcess(
      this.program,
      ['--force-shell-executor', '--shell-isolation', '--concurrency', '4', ...args],
      {
        cwd: this.shards.repo.path,
        env: { ...this.shards.environment, NO_COLOR: '1', PATH: `${join(this.shards.work, 'bin')}:${pathFor(this.program)}` },
        timeoutMs: 280_000,
      },
    );
    const output = stdout + stderr;
    return { code, output, jobs: readJobs(output) };
  }

  /** Writes variables as in a project's settings, which win over those of the templates. */
  private writeVariables(variables: Readonly<Record<string, string>>): void {
    const lines = Object.entries(variables).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
    writeFileSync(join(this.shards.repo.path, '.gitlab-ci-local-variables.yml'), lines.join(''));
  }

  private mergeRequest(): Readonly<Record<string, string>> {
    return {
      CI_PIPELINE_SOURCE: 'merge_request_event',
      CI_MERGE_REQUEST_IID: '7',
      CI_MERGE_REQUEST_TARGET_BRANCH_SHA: this.shards.repo.id('main'),
    };
  }

  private writeProgram(name: string, lines: string): void {
    const file = join(this.shards.work, name);
    writeFileSync(file, `#!/bin/sh\n${lines}\n`);
    chmodSync(file, 0o755);
  }

  private read(file: string): string {
    return readFileSync(join(this.shards.repo.path, file), 'utf8');
  }
}

/** Reads the results of jobs. The engine's output ends with a line for each job that ran: ` PASS  [tests] -> shard: [01]`. */
function readJobs(output: string): ReadonlyMap<string, 'passed' | 'failed'> {
  const lines = [...output.matchAll(/^ (PASS|FAIL) +(?:\[tests\] -> )?(\S.*?) *$/gm)];
  return new Map(lines.map(([, state, name]) => [name ?? '', state === 'PASS' ? 'passed' : 'failed']));
}

function readLines(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}
