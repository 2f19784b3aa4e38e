import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { ShardRepo, type TestedPackage } from '../testing/shard-repo.fixture.js';
import { BuildkiteBuild } from './buildkite-build.fixture.js';
import type { BuildkiteOptions } from './buildkite-job.fixture.js';

const root = findProjectRoot();

/** What a test changes of a build. */
export type BuildRequest = Partial<Pick<BuildkiteOptions, 'variables' | 'environment' | 'cancel' | 'neverRun'>>;

/**
 * A repository with the real files of `ci/buildkite`. `main` has the packages. `topic`, a pull request, has a commit that changes some of
 * them, where the branch `before` is, and an empty one.
 */
export class BuildkiteRepo {
  readonly shards: ShardRepo;
  private readonly program: string;

  private constructor(program: string, shards: ShardRepo) {
    this.program = program;
    this.shards = shards;
    shards.repo.branch('before');
    shards.repo.commit('Say more');
    // Node brings corepack. The real one would write beside the Node of this machine; Yarn is in PATH already.
    this.writeProgram('bin/corepack', '[ "$*" = enable ]');
    // Logs the turborepo remote-cache settings of each call.
    this.writeProgram(
      'affected.sh',
      `echo "$1 $TURBO_CACHE token:$TURBO_TOKEN" >> "${this.callsFile}"\nexec "${process.execPath}" "${join(root, 'tools/affected/out/cli.cjs')}" "$@"`,
    );
  }

  static async create(
    program: string,
    cleanUp: CleanUp,
    { packages, changed }: { readonly packages: Readonly<Record<string, TestedPackage>>; readonly changed: readonly string[] },
  ): Promise<BuildkiteRepo> {
    const files = Object.fromEntries(
      ['pipeline.yml', 'affected.sh'].map((file) => [`.buildkite/${file}`, readFileSync(join(root, 'ci/buildkite', file), 'utf8')]),
    );
    return new BuildkiteRepo(program, await ShardRepo.create(cleanUp, packages, { changed, files }));
  }

  /** Starts a build of the pull request, on new machines. */
  async build(cleanUp: CleanUp, { variables = {}, environment = {}, ...more }: BuildRequest = {}): Promise<BuildkiteBuild> {
    const build = await BuildkiteBuild.start({
      program: this.program,
      folder: cleanUp.add(new TempFolder()).path,
      environment: { ...this.shards.environment, AFFECTED: `sh ${join(this.shards.work, 'affected.sh')}`, ...environment },
      variables: { ...this.pullRequest(), ...variables },
      ...more,
    });
    cleanUp.add(build.server);
    return build;
  }

  /** Returns the workspaces whose tests ran, once for each run, sorted. */
  get ran(): readonly string[] {
    return [...readLines(this.shards.log)].sort();
  }

  /** Returns turborepo's remote-cache settings for each shard that ran. */
  get cacheSettings(): readonly string[] {
    return readLines(this.callsFile).flatMap((line) => (line.startsWith('run-shard ') ? [line.slice('run-shard '.length)] : []));
  }

  /** Forgets all builds. */
  reset(): void {
    for (const file of [this.shards.log, this.callsFile]) rmSync(file, { force: true });
  }

  private get callsFile(): string {
    return join(this.shards.work, 'calls.log');
  }

  private pullRequest(): Readonly<Record<string, string>> {
    const { path } = this.shards.repo;
    return {
      BUILDKITE_REPO: path,
      BUILDKITE_COMMIT: this.shards.repo.id('topic'),
      BUILDKITE_BRANCH: 'topic',
      BUILDKITE_PULL_REQUEST: '7',
      BUILDKITE_PULL_REQUEST_BASE_BRANCH: 'main',
      BUILDKITE_PULL_REQUEST_REPO: path,
      BUILDKITE_PIPELINE_DEFAULT_BRANCH: 'main',
    };
  }

  private writeProgram(name: string, lines: string): void {
    const file = join(this.shards.work, name);
    writeFileSync(file, `#!/bin/sh\n${lines}\n`);
    chmodSync(file, 0o755);
  }
}

function readLines(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}
