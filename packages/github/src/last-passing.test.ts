import { afterEach, expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { openGitHub } from './open-github.js';
import { type HttpAnswer, refusal, startGitHub } from './testing/local-github.js';

const cleanUp = cleanUpIn(afterEach);
const [A, B] = ['a'.repeat(40), 'b'.repeat(40)] as [CommitId, CommitId];
const run = { head_branch: 'main', event: 'push', conclusion: 'success', status: 'completed', run_number: 1, head_sha: A };

async function find(answer: HttpAnswer, branch = 'main'): Promise<{ commit: CommitId | undefined; requests: readonly string[] }> {
  const server = cleanUp.add(await startGitHub(() => answer));
  const forge = openGitHub({ owner: 'acme', repo: 'app', apiUrl: server.apiUrl, token: 'ghs_x', secondMs: 5 });
  const commit = await forge.findLastPassingCommit({ branch, workflow: 'ci.yml' });
  return { commit, requests: server.requests };
}

const runs = (...workflow_runs: unknown[]): HttpAnswer => ({ body: { total_count: workflow_runs.length, workflow_runs } });

test('the commit of the newest run that a push started and that succeeded', async () => {
  const { commit, requests } = await find(runs({ ...run, run_number: 8 }, { ...run, run_number: 9, head_sha: B }));
  expect(commit).toBe(B);
  const query = 'branch=main&event=push&status=success&exclude_pull_requests=true&per_page=30';
  expect(requests).toEqual([`GET /repos/acme/app/actions/workflows/ci.yml/runs?${query}`]);
});

test('no such run', async () => {
  await expect(find(runs())).resolves.toMatchObject({ commit: undefined });
});

test.each([
  ['another branch', { head_branch: 'next' }],
  ['a schedule', { event: 'schedule' }],
  ['a failure', { conclusion: 'failure' }],
  ['one that is not over', { conclusion: null, status: 'in_progress' }],
])('a server that does not filter: %s does not count', async (_, other) => {
  await expect(find(runs({ ...run, run_number: 9, head_sha: B, ...other }, run))).resolves.toMatchObject({ commit: A });
});

test('an odd name of a branch stays one value', async () => {
  const { requests } = await find(runs(), 'a&b=c d/../x');
  expect(requests[0]).toContain('branch=a%26b%3Dc%20d%2F..%2Fx&');
});

test('a workflow that is not there, or a token that may not look', async () => {
  await expect(find(refusal(404, 'Not Found'))).rejects.toMatchObject({
    code: 'GITHUB_REFUSED',
    hint: expect.stringContaining('actions: read'),
  });
});

test.each([[{ body: {} }], [{ body: null }], [{ body: '<html>' }], [runs({ ...run, head_sha: 'HEAD' })]])(
  '%j is no answer',
  async (answer) => {
    await expect(find(answer)).rejects.toMatchObject({ code: 'GITHUB_UNREACHABLE' });
  },
);
