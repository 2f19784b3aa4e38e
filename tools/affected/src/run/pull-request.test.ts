import { afterEach, expect, test } from '@jest/globals';
import { parseRevision } from '@tributary/git/changeset';
import { plumbing } from '@tributary/git/git';
import type { Forge, PullRequestFiles } from '@tributary/model/forge';
import type { CommitId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import { systemClock } from '@tributary/terminal/clock';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { locate } from '../io/locate.js';
import type { Changes } from './compare.js';
import { changesOfPullRequest } from './pull-request.js';

const cleanUp = cleanUpIn(afterEach);
const ui = new Ui(recordStreams(), {}, { quiet: true, verbose: false, color: 'never', input: 'never', json: false });

/** Returns another forge than GitHub, with one pull request and nothing else. */
function forgeWith(pullRequest: PullRequestFiles): Forge {
  return {
    name: 'Memory',
    repository: 'acme/app',
    readPullRequestFiles: async () => pullRequest,
    findLastPassingCommit: async () => undefined,
    async *readMergedPullRequests() {},
    readReleases: async () => ({ releases: [], etag: undefined }),
    async *readDeployments() {},
    async *readCiRuns() {},
    readCiRunsOf: async () => [],
    readCiJobs: async () => [],
    writeComment: async () => 'created',
  };
}

/** Reads the changes. The checked-out branch `topic` changes `a`; the forge lists `b`, unless `more` says otherwise. */
async function changesWith(more: Partial<PullRequestFiles>): Promise<Changes> {
  const repo = cleanUp.add(TempRepo.create());
  const base = repo.commit('Base', { files: { a: '1', b: '1' } }) as CommitId;
  repo.git('checkout', '-q', '-b', 'topic');
  const head = repo.commit('Topic', { files: { a: '2' } }) as CommitId;
  const repository = await locate(repo.path);
  const signal = new AbortController().signal;
  const request = { cwd: repo.path, base: undefined, head: undefined, filesFrom: undefined, pullRequest: 7 };
  const scene = {
    request: { ...request, uncommitted: 'without', fetch: 'never' } as const,
    services: { ui, clock: systemClock, signal },
    repository,
    git: plumbing(repository.gitDir, { signal }),
    head: parseRevision('HEAD'),
  };
  const files = [{ path: 'b' as RepoPath, status: 'modified', kind: 'file' } as const];
  const pullRequest = { files, base, baseRef: 'main', head, mergeCommit: null, completeness: { kind: 'complete' } as const };
  return changesOfPullRequest(scene, forgeWith({ ...pullRequest, ...more }), 7);
}

test('the files are those that any forge lists', async () => {
  expect(await changesWith({})).toMatchObject({ files: [{ path: 'b' }], all: undefined, warnings: [] });
});

test('where its list is not whole, git is asked', async () => {
  const changes = await changesWith({ completeness: { kind: 'incomplete', reason: 'Memory forgot some' } });
  expect(changes).toMatchObject({ files: [{ path: 'a' }], all: undefined, warnings: ['Memory forgot some. So affected used git.'] });
});

test('every workspace is affected where git cannot tell either', async () => {
  const completeness = { kind: 'incomplete', reason: 'Memory forgot some' } as const;
  expect(await changesWith({ base: 'e'.repeat(40) as CommitId, completeness })).toMatchObject({
    files: [],
    all: { code: 'API_INCOMPLETE' },
  });
});

test('every workspace is affected where another commit is checked out', async () => {
  expect(await changesWith({ head: 'f'.repeat(40) as CommitId })).toMatchObject({ files: [], all: { code: 'HEAD_UNRELATED' } });
});
