import type { Git } from '@tributary/git/git';
import { ToolError } from '@tributary/model/errors';
import type { Forge } from '@tributary/model/forge';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Instant } from '@tributary/model/time';
import type { Progress } from '@tributary/terminal/progress';
import { type KeptPage, keptPagesIn, pullsIn } from '../collect/pull-walk.js';
import type { Micros } from '../model/event.js';
import { KeptFile } from './kept-file.js';
import { type PullsRead, readPulls } from './read-pulls.js';

export interface KnownPullsAsked {
  /** The name of the repository in the record. */
  readonly name: string;
  readonly git: Git;
  /** `undefined`: the forge is not asked this time. */
  readonly forge: Forge | undefined;
  /** `undefined`: the main branch of the clone. */
  readonly branch: string | undefined;
  readonly record: AbsolutePath;
  /** Only pull requests merged from this time on. */
  readonly since: Micros | undefined;
  readonly what: 'new' | 'all';
  readonly doing: 'record' | 'look';
  readonly progress: Progress;
}

/**
 * Returns the pull requests of a repository as the forge reports them or, if it is not asked this time, as it reported them last. Without
 * the latter, the next collection would replace them by data from git. Throws the errors of `readPulls`, and `USAGE`.
 */
export async function knownPulls({ name, git, forge, since, ...asked }: KnownPullsAsked): Promise<PullsRead> {
  if (forge === undefined) {
    const byCommit = pullsIn(keptPagesIn(new KeptFile<KeptPage>(asked.record, name, 'github').lines()));
    return { byCommit, withoutCommit: 0, clockSkew: undefined };
  }
  const branch = asked.branch ?? (await branchOf(git));
  asked.progress.phase(`Asking ${forge.name} for the pull requests of ${forge.repository}`);
  const onPage = (pulls: number): void => asked.progress.step('', pulls);
  const from = since === undefined ? undefined : (Math.floor(since / 1000) as Instant);
  return readPulls({ ...asked, forge, name, branch, since: from, onPage });
}

/** Returns the name of the main branch of a clone. Throws `USAGE`. */
export async function branchOf(git: Git): Promise<string> {
  for (const ref of ['refs/remotes/origin/HEAD', 'HEAD']) {
    const { exit, stdout } = await git.attempt(['symbolic-ref', '--quiet', ref]);
    const branch = /^refs\/(?:remotes\/origin|heads)\/(.+)\n$/.exec(stdout.toString('utf8'))?.[1];
    if (exit === 0 && branch !== undefined) return branch;
  }
  throw new ToolError({
    code: 'USAGE',
    message: 'The clone does not define its main branch.',
    hint: 'Name it: --branch main.',
  });
}
