import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import { type Plan, pieceName } from '../plan/plan.js';
import { ShardRepo, type TestedPackage } from '../testing/shard-repo.fixture.js';
import { type GitHubRun, legsOf, resultOf } from './github-log.fixture.js';
import { type Form, GitHubRepo, readTemplates } from './github-run.fixture.js';

/** A repository with the files of `ci/github`, and its events and runs. */
export class GitHubScene {
  readonly shards: ShardRepo;
  readonly github: GitHubRepo;

  private constructor(act: string, shards: ShardRepo, cleanUp: CleanUp) {
    this.shards = shards;
    this.github = new GitHubRepo(act, { path: shards.repo.path, environment: shards.environment }, cleanUp);
  }

  /** Creates a scene. `changed` has names, by default all packages. The checked-out commit merges the change with main, as GitHub does. */
  static async create(
    { act, cleanUp }: { readonly act: string; readonly cleanUp: CleanUp },
    packages: Readonly<Record<string, TestedPackage>>,
    {
      changed = Object.keys(packages),
      files = {},
      form = 'workflow',
    }: { readonly changed?: readonly string[]; readonly files?: Readonly<Record<string, string>>; readonly form?: Form } = {},
  ): Promise<GitHubScene> {
    const shards = await ShardRepo.create(cleanUp, packages, { changed, files: { ...readTemplates(form), ...files } });
    shards.repo.git('checkout', '-q', '--detach', 'main');
    shards.repo.merge('topic');
    return new GitHubScene(act, shards, cleanUp);
  }

  /** Returns the pull request's event. Every field that a stranger can write tries to create the file `pwned`. */
  get pullRequest(): { readonly name: 'pull_request'; readonly payload: unknown } {
    const touch = `touch ${this.pwned}`;
    const hostile = `$(${touch})\`${touch}\`"; ${touch} #`;
    const { repo } = this.shards;
    const head = { ref: hostile, sha: repo.id('topic') };
    const base = { ref: 'main', sha: repo.id('main') };
    return { name: 'pull_request', payload: { number: 7, pull_request: { number: 7, title: hostile, body: hostile, head, base } } };
  }

  get pwned(): string {
    return join(this.shards.work, 'pwned');
  }

  /** Returns the planned pieces that the run stored, as text, sorted. */
  planned(): readonly string[] {
    return this.plan()
      .shards.flatMap(({ pieces }) => pieces.map(pieceName))
      .sort();
  }

  /** Returns the id of the shard that has a workspace. */
  shardOf(workspace: string): string {
    return this.plan().shards.find(({ pieces }) => pieces.some((piece) => piece.workspace === workspace))?.id ?? '';
  }

  /** Returns the workspaces whose tests really ran, once for each run, sorted. */
  ran(): readonly string[] {
    const { log } = this.shards;
    return existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').sort() : [];
  }

  private plan(): Plan {
    const artifacts = this.github.folder.join('store/artifacts/1');
    const [artifact = ''] = readdirSync(artifacts).filter((name) => /^affected-plan-\d+-\d+$/.test(name));
    return JSON.parse(readFileSync(join(artifacts, artifact, 'plan.json'), 'utf8'));
  }
}

/** Returns a run as a person sees it. `failed` has the jobs with a failed step. */
export function outcomeOf(run: GitHubRun): {
  readonly code: number | null;
  readonly legs: readonly string[];
  readonly gate: string;
  readonly failed: readonly string[];
} {
  const failed = run.steps.filter(({ result }) => result === 'failure').map(({ job, leg }) => `${job} ${leg}`.trim());
  return { code: run.code, legs: legsOf(run), gate: resultOf(run, 'gate'), failed: [...new Set(failed)] };
}
