import type { Git } from '@tributary/git/git';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Instant } from '@tributary/model/time';
import type { Progress } from '@tributary/terminal/progress';
import { type KeptPage, keptPagesIn, pullsIn } from '../collect/pull-walk.js';
import type { Micros } from '../model/event.js';
import { KeptFile } from './kept-file.js';
import { onPauseOf } from './on-pause.js';
import type { PullsRead } from './read-pulls.js';

/** Where pull requests are asked for. */
export interface GitHubSource {
  readonly owner: string;
  readonly repo: string;
  /** Its main branch; `undefined`: as the clone says. */
  readonly branch: string | undefined;
  readonly apiUrl: string;
  readonly token: string;
}

export interface KnownPullsAsked {
  /** What the repository is called in the record. */
  readonly name: string;
  readonly git: Git;
  readonly github: GitHubSource | undefined;
  readonly record: AbsolutePath;
  /** Only those that were merged from then on. */
  readonly since: Micros | undefined;
  readonly what: 'new' | 'all';
  readonly doing: 'record' | 'look';
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/**
 * The pull requests of a repository: what GitHub says, or, where it is not asked this time, what it has said before. Else the next collection would put what git says in its place.
 * Throws as `readPulls`, and `USAGE`.
 */
export async function knownPulls({ name, git, github, since, ...asked }: KnownPullsAsked): Promise<PullsRead> {
  if (github === undefined) {
    const byCommit = pullsIn(keptPagesIn(new KeptFile<KeptPage>(asked.record, name, 'github').lines()));
    return { byCommit, withoutCommit: 0, clockSkew: undefined };
  }
  const { readPulls } = await import('./read-pulls.js');
  const branch = github.branch ?? (await branchOf(git));
  const what = `${github.owner}/${github.repo}`;
  asked.progress.phase(`Asking GitHub for the pull requests of ${what}`);
  const onPage = (pulls: number): void => asked.progress.step('', pulls);
  const onPause = onPauseOf(asked.progress);
  const from = since === undefined ? undefined : (Math.floor(since / 1000) as Instant);
  return readPulls({ ...asked, ...github, name, branch, since: from, onPage, onPause });
}

/** What the main branch of a clone is called. Throws `USAGE`. */
export async function branchOf(git: Git): Promise<string> {
  for (const ref of ['refs/remotes/origin/HEAD', 'HEAD']) {
    const { exit, stdout } = await git.attempt(['symbolic-ref', '--quiet', ref]);
    const branch = /^refs\/(?:remotes\/origin|heads)\/(.+)\n$/.exec(stdout.toString('utf8'))?.[1];
    if (exit === 0 && branch !== undefined) return branch;
  }
  throw new ToolError({
    code: 'USAGE',
    message: 'The clone does not say what its main branch is called.',
    hint: 'Name it: --branch main.',
  });
}
