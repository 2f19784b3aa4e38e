import type { CommitId } from '@tributary/model/ids';
import type { CleanUp } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import type { MonorepoScene } from './scene.fixture.js';

/** A repository on a server, with a pull request. */
export interface Origin {
  readonly repo: TempRepo;
  /** The commit where `topic` left `main`; `pull_request.base.sha` in an event. */
  readonly start: CommitId;
  /** `main` when the merge ref was made. It changed `tool` after `topic` had left. */
  readonly target: CommitId;
  /** The last commit of `topic`, which changed `alone`. */
  readonly topic: CommitId;
  /** `refs/pull/1/merge`: `target` with `topic` merged into it. */
  readonly merge: CommitId;
}

/** A merge queue's branch, with the same commit as the merge ref. */
export const QUEUE = 'refs/heads/gh-readonly-queue/main/pr-1';

/**
 * Creates the repository of a pull request with `commits` commits. `main` got one more commit, on `ring-a`, after the merge ref was made.
 */
export function createOrigin(scene: MonorepoScene, commits = 1): Origin {
  const repo = scene.copy();
  const start = repo.id('HEAD');
  repo.git('checkout', '-q', '-b', 'topic');
  for (let i = 0; i < commits; i++) repo.commit(`Topic ${i}`, { files: { 'packages/alone/a.js': `${i}\n` } });
  const topic = repo.id('HEAD');
  repo.checkout('main');
  for (let i = 0; i < commits; i++) repo.commit(`Main ${i}`, { files: { 'packages/tool/a.js': `${i}\n` } });
  const target = repo.id('HEAD');
  repo.git('checkout', '-q', '--detach');
  const merge = repo.merge('topic');
  repo.git('update-ref', 'refs/pull/1/merge', merge);
  repo.git('update-ref', 'refs/pull/1/head', topic);
  repo.git('update-ref', QUEUE, merge);
  repo.checkout('main');
  repo.commit('Main moves on', { files: { 'packages/ring-a/a.js': '' } });
  return { repo, start, target, topic, merge };
}

/** Checks out one commit as actions/checkout does, with the requested depth. Depth 0 fetches all branches and their history. */
export function checkOut(cleanUp: CleanUp, origin: TempRepo, what: { commit: CommitId; ref: string; depth: number }): TempRepo {
  const repo = cleanUp.add(TempRepo.create());
  repo.git('remote', 'add', 'origin', `file://${origin.path}`);
  const isBranch = what.ref.startsWith('refs/heads/');
  const local = isBranch ? what.ref.replace('refs/heads/', 'refs/remotes/origin/') : what.ref.replace('refs/', 'refs/remotes/');
  const branches = what.depth === 0 ? ['+refs/heads/*:refs/remotes/origin/*'] : [];
  const depth = what.depth === 0 ? [] : [`--depth=${what.depth}`];
  repo.git(
    'fetch',
    '-q',
    '--no-tags',
    '--prune',
    ...depth,
    'origin',
    ...branches,
    ...(isBranch && what.depth === 0 ? [] : [`+${what.commit}:${local}`]),
  );
  if (isBranch) repo.git('checkout', '-q', '-B', what.ref.slice('refs/heads/'.length), what.commit);
  else repo.git('checkout', '-q', '--detach', what.commit);
  return repo;
}
