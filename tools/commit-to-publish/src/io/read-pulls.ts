import type { Forge, PullRequestPage } from '@tributary/model/forge';
import type { CommitId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Duration, Instant } from '@tributary/model/time';
import { type PullTimes, pullTimesOf } from '../collect/pull-times.js';
import { type KeptPage, keptPagesIn, nextWalk, pullsIn } from '../collect/pull-walk.js';
import { KeptFile } from './kept-file.js';

export interface PullsAsked {
  readonly forge: Forge;
  /** The name of the repository in the record. */
  readonly name: string;
  readonly branch: string;
  readonly record: AbsolutePath;
  /** Only pull requests merged from this time on. */
  readonly since: Instant | undefined;
  /** `all`: also those already kept. */
  readonly what: 'new' | 'all';
  readonly doing: 'record' | 'look';
  readonly onPage: (pulls: number) => void;
}

export interface PullsRead {
  readonly byCommit: ReadonlyMap<CommitId, PullTimes>;
  /** The number of merged pull requests for which the forge knows no commit. */
  readonly withoutCommit: number;
  readonly clockSkew: Duration | undefined;
}

/**
 * Reads the merged pull requests of a branch: the kept ones and newer ones. Every page is on disk before the next request, so a killed
 * process continues behind the last page. Throws the errors of `Forge`.
 */
export async function readPulls(asked: PullsAsked): Promise<PullsRead> {
  const { forge, branch } = asked;
  const file = new KeptFile<KeptPage>(asked.record, asked.name, 'github');
  const kept = asked.what === 'all' ? [] : keptPagesIn(file.lines());
  const byCommit = pullsIn(kept);
  const walk = nextWalk(kept, { branch, since: asked.since });
  const { since, after } = walk;
  if (asked.doing === 'record') file.open();
  try {
    let [newest, withoutCommit, clockSkew] = [walk.newest, 0, undefined as Duration | undefined];
    for await (const page of forge.readMergedPullRequests({ branch, since, after })) {
      newest ??= page.pullRequests[0]?.updatedAt;
      const pulls = page.pullRequests.map(pullTimesOf).filter((pull) => !isKept(pull, byCommit));
      if (asked.doing === 'record') file.append(keptPage(page, { branch, since, newest, pulls }));
      for (const pull of pulls) byCommit.set(pull.commit, pull);
      withoutCommit += page.withoutCommit;
      clockSkew = page.clockSkew;
      asked.onPage(page.pullRequests.length);
    }
    return { byCommit, withoutCommit, clockSkew };
  } finally {
    file.close();
  }
}

function keptPage(
  { cursor }: PullRequestPage,
  {
    branch,
    since,
    newest,
    pulls,
  }: { branch: string; since: Instant | undefined; newest: Instant | undefined; pulls: readonly PullTimes[] },
): KeptPage {
  return { schemaVersion: 2, branch, since: since ?? null, newest: newest ?? null, cursor: cursor ?? null, pulls };
}

function isKept(pull: PullTimes, byCommit: ReadonlyMap<CommitId, PullTimes>): boolean {
  return JSON.stringify(byCommit.get(pull.commit)) === JSON.stringify(pull);
}
