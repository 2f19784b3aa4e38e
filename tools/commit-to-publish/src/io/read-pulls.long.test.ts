import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { openGitHub } from '@tributary/github/open-github';
import { answerGraphql, at, checkRun, commitId, commitNode, type PullNode, pullNode } from '@tributary/github/testing/graphql-github';
import { startGitHub } from '@tributary/github/testing/local-github';
import type { Instant } from '@tributary/model/time';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { type PullsAsked, type PullsRead, readPulls } from './read-pulls.js';

const cleanUp = cleanUpIn(afterEach);

interface Scene {
  /** GitHub's pull requests; a test may change them. */
  readonly pulls: PullNode[];
  readonly file: () => string;
  /** The number of requests so far, and the number of the one that fails. */
  readonly requests: { count: number; fails: number | undefined };
  readonly read: (more?: Partial<PullsAsked>) => Promise<PullsRead>;
}

async function start(count: number): Promise<Scene> {
  const record = cleanUp.add(new TempFolder()).path;
  const pulls = Array.from({ length: count }, (_, index) => pullNode(index + 1));
  const requests: Scene['requests'] = { count: 0, fails: undefined };
  const server = cleanUp.add(
    await startGitHub((_, body) => (++requests.count === requests.fails ? { status: 401, body: {} } : answerGraphql({ pulls }, body))),
  );
  const asked: PullsAsked = {
    forge: openGitHub({ owner: 'acme', repo: 'app', apiUrl: server.apiUrl, token: 'ghs_x', secondMs: 1 }),
    name: 'acme/app',
    branch: 'main',
    record,
    since: undefined,
    what: 'new',
    doing: 'record',
    onPage: () => {},
  };
  const file = (): string => join(record, 'collected', readdirSync(join(record, 'collected'))[0] ?? '');
  return { pulls, requests, file, read: (more = {}) => readPulls({ ...asked, ...more }) };
}

const numbers = ({ byCommit }: PullsRead): number[] =>
  [...byCommit.values()].map(({ url }) => Number(url.slice(url.lastIndexOf('/') + 1))).sort((a, b) => a - b);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

test('all the first time, then what was touched since, and both are there', async () => {
  const { read, pulls, requests, file } = await start(120);
  expect(numbers(await read())).toEqual(upTo(120));
  // A month later. The last week before the newest stored one is read again.
  pulls.push(pullNode(5000));
  expect(numbers(await read())).toEqual([...upTo(120), 5000]);
  const before = requests.count;
  expect(numbers(await read())).toEqual([...upTo(120), 5000]);
  expect(requests.count).toBe(before + 1);
  // No pull request is stored twice.
  expect(readFileSync(file(), 'utf8').match(/pull\/7"/g)).toHaveLength(1);
});

test('only from a time on, and later from an earlier one', async () => {
  const { read, requests } = await start(200);
  const since = (minute: number): Partial<PullsAsked> => ({ since: Date.parse(at(minute)) as Instant });
  expect(numbers(await read(since(1900)))).toEqual(upTo(200).slice(189));
  expect(requests.count).toBe(1);
  expect(numbers(await read(since(1600)))).toEqual(upTo(200).slice(159));
  expect(numbers(await read())).toEqual(upTo(200));
});

test('after a failure it goes on behind the last page, and nobody is missing', async () => {
  const { read, requests } = await start(120);
  requests.fails = 3;
  await expect(read()).rejects.toMatchObject({ code: 'GITHUB_REFUSED' });
  requests.fails = undefined;
  expect(numbers(await read())).toEqual(upTo(120));
  // Two pages of 25 before the failure, then three of 25.
  expect(requests.count).toBe(6);
});

test.each([0.2, 0.5, 0.9])('killed when %d of a page was written, that page is asked for again', async (share) => {
  const { read, file } = await start(60);
  await read();
  const text = readFileSync(file(), 'utf8');
  const [, first = '', second = ''] = text.split('\n');
  writeFileSync(file(), `\n${first}\n${second.slice(0, second.length * share)}`);
  expect(numbers(await read())).toEqual(upTo(60));
  expect(numbers(await read())).toEqual(upTo(60));
});

test('tests that were under way the last time are known the next time', async () => {
  const { read, pulls } = await start(3);
  const suites = (conclusion: string | null): unknown => [
    { workflowRun: null, checkRuns: { totalCount: 1, nodes: [checkRun('test', 26, conclusion)] } },
  ];
  const merged = (conclusion: string | null): PullNode =>
    pullNode(2, { mergeCommit: commitNode(commitId(2, 'main'), 26, suites(conclusion) as unknown[]) });
  pulls[1] = merged(null);
  const ofSecond = ({ byCommit }: PullsRead): unknown => byCommit.get(commitId(2, 'main') as never)?.postMergeTests;
  expect(ofSecond(await read())).toEqual([]);
  pulls[1] = merged('SUCCESS');
  expect(ofSecond(await read())).toMatchObject([{ outcome: 'success' }]);
});

test('when nothing was merged yet, and after that', async () => {
  const { read, pulls } = await start(0);
  expect(numbers(await read())).toEqual([]);
  pulls.push(pullNode(1));
  expect(numbers(await read())).toEqual([1]);
});

test('a look keeps nothing', async () => {
  const { read, file } = await start(2);
  expect(numbers(await read({ doing: 'look' }))).toEqual([1, 2]);
  expect(() => file()).toThrow('ENOENT');
});

test('everything again, where what is kept is damaged', async () => {
  const { read, file } = await start(2);
  await read();
  appendFileSync(file(), `\n${JSON.stringify({ schemaVersion: 2, branch: 'main', since: null, newest: 4e12, cursor: null, pulls: [] })}`);
  expect(numbers(await read({ what: 'all' }))).toEqual([1, 2]);
});
