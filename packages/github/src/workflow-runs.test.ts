import { afterEach, expect, test } from '@jest/globals';
import type { CiRun, Forge } from '@tributary/model/forge';
import type { CommitId } from '@tributary/model/ids';
import type { Instant } from '@tributary/model/time';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { openGitHub } from './open-github.js';
import { DESCRIBED, type DescribedGitHub, startDescribedGitHub } from './testing/described-github.js';
import { startGitHub } from './testing/local-github.js';

const cleanUp = cleanUpIn(afterEach);
const repo = { owner: 'acme', repo: 'app' };
const time = (text: string): Instant => Date.parse(text) as Instant;
const iso = (ms: number): string => new Date(ms).toISOString().replace('.000', '');
const [SINCE, UNTIL] = [time('2026-01-05T00:00:00Z'), time('2026-01-12T00:00:00Z')];

interface Run {
  readonly id: number;
  readonly created_at: string;
  readonly head_sha: string;
}

/** Returns a run created `id` seconds after the beginning. */
function run(id: number, more: Readonly<Record<string, unknown>> = {}): Run {
  const created_at = iso(SINCE + id * 1000);
  const sha = id.toString(16).padStart(40, '0');
  return {
    id,
    head_sha: sha,
    name: 'CI',
    path: '.github/workflows/ci.yml',
    run_attempt: 1,
    created_at,
    conclusion: 'success',
    ...more,
  } as Run;
}

/** Starts a server that filters by `created` as GitHub does, and lists at most a thousand runs. */
async function start(runs: readonly Run[]): Promise<{ server: DescribedGitHub; forge: Forge }> {
  const server = cleanUp.add(
    await startDescribedGitHub((url) => {
      const [from = '', to = '9'] = (url.searchParams.get('created') ?? '').split('..');
      const commit = url.searchParams.get('head_sha');
      const entries = runs.filter(
        ({ created_at, head_sha }) => created_at >= from && created_at <= to && (commit === null || head_sha === commit),
      );
      return { entries, wrap: 'workflow_runs' };
    }),
  );
  return { server, forge: connect(server) };
}

function connect({ apiUrl }: { readonly apiUrl: string }): Forge {
  return openGitHub({ ...repo, apiUrl, token: 'ghs_x', secondMs: 1, timeLimitMs: Number.POSITIVE_INFINITY });
}

async function all(runs: AsyncIterable<readonly CiRun[]>): Promise<CiRun[]> {
  const found: CiRun[] = [];
  for await (const page of runs) found.push(...page);
  return found;
}

test('the runs that pushes to the branch started, as GitHub describes them', async () => {
  const again = { run_attempt: 2, conclusion: null, name: null };
  const { server, forge } = await start([run(1), run(2, again)]);
  await expect(all(forge.readCiRuns({ branch: 'a&b', since: SINCE, until: UNTIL }))).resolves.toMatchObject([
    { id: 1, workflow: 'CI', attempt: 1, conclusion: 'success' },
    { id: 2, workflow: '.github/workflows/ci.yml', attempt: 2, conclusion: undefined },
  ]);
  const created = 'created=2026-01-05T00%3A00%3A00Z..2026-01-11T23%3A59%3A59Z';
  const query = `branch=a%26b&event=push&${created}&exclude_pull_requests=true&per_page=100`;
  expect(server.requests).toEqual([`GET /repos/acme/app/actions/runs?${query}`]);
  expect(server.flaws).toEqual([]);
});

test('more of them than a list shows are read in halves of the time, each once', async () => {
  // All of them are within the first hour of a week.
  const { server, forge } = await start(Array.from({ length: 2500 }, (_, id) => run(id)));
  const found = await all(forge.readCiRuns({ branch: 'main', since: SINCE, until: UNTIL }));
  expect(found.map(({ id }) => id).sort((a, b) => a - b)).toEqual(Array.from({ length: 2500 }, (_, id) => id));
  expect(server.flaws).toEqual([]);
});

test('a thousand within one second are a failure, not a part of them', async () => {
  const { forge } = await start(Array.from({ length: 1000 }, () => run(7)));
  await expect(all(forge.readCiRuns({ branch: 'main', since: SINCE, until: UNTIL }))).rejects.toMatchObject({
    code: 'GITHUB_UNREACHABLE',
    message: expect.stringContaining('2026-01-05T00:00:07Z'),
  });
});

test('no time at all, and no runs', async () => {
  const { server, forge } = await start([]);
  await expect(all(forge.readCiRuns({ branch: 'main', since: SINCE, until: SINCE }))).resolves.toEqual([]);
  expect(server.requests).toEqual([]);
  await expect(all(forge.readCiRuns({ branch: 'main', since: SINCE, until: UNTIL }))).resolves.toEqual([]);
});

test('the runs on a commit, as GitHub describes them', async () => {
  const { server, forge } = await start([run(1), run(2)]);
  const commit = run(1).head_sha as CommitId;
  await expect(forge.readCiRunsOf(commit)).resolves.toMatchObject([{ id: 1, commit }]);
  expect(server.requests).toEqual([`GET /repos/acme/app/actions/runs?head_sha=${commit}&exclude_pull_requests=true&per_page=100`]);
  expect(server.flaws).toEqual([]);
});

test('the jobs of all attempts, as GitHub describes them', async () => {
  const job = { name: 'test', created_at: '2026-01-05T00:00:01Z', started_at: '2026-01-05T00:00:05Z' };
  const jobs = [
    { ...job, run_attempt: 1, completed_at: '2026-01-05T00:09:00Z', conclusion: 'failure' },
    { ...job, run_attempt: 2, completed_at: null, conclusion: null },
  ];
  const server = cleanUp.add(await startDescribedGitHub(() => ({ entries: jobs, wrap: 'jobs' })));
  const forge = connect(server);
  const startedAt = SINCE + 5000;
  await expect(forge.readCiJobs(7)).resolves.toEqual([
    { name: 'test', attempt: 1, startedAt, completedAt: SINCE + 540_000, conclusion: 'failure' },
    { name: 'test', attempt: 2, startedAt, completedAt: undefined, conclusion: undefined },
  ]);
  expect(server.requests).toEqual(['GET /repos/acme/app/actions/runs/7/jobs?filter=all&per_page=100']);
  expect(server.flaws).toEqual([]);
});

test("GitHub's own examples", async () => {
  const runs = DESCRIBED['/repos/{owner}/{repo}/actions/runs']?.example;
  const jobs = DESCRIBED['/repos/{owner}/{repo}/actions/runs/{run_id}/jobs']?.example;
  const server = cleanUp.add(await startGitHub((url) => ({ body: url.pathname.endsWith('/jobs') ? jobs : runs })));
  const forge = connect(server);
  await expect(all(forge.readCiRuns({ branch: 'main', since: SINCE, until: UNTIL }))).resolves.toMatchObject([
    { id: 30433642, workflow: 'Build', conclusion: undefined },
  ]);
  await expect(forge.readCiJobs(7)).resolves.toMatchObject([{ name: 'build', conclusion: 'success' }]);
});
