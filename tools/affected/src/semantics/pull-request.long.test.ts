import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { CliResult } from '@tributary/test-repo/run-cli';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { checkOut, createOrigin, type Origin } from './github.fixture.js';
import { answerOf, askTool, failureOf, MonorepoScene, readResult } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;
let origin: Origin;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
  origin = createOrigin(scene);
});

interface Listed {
  readonly filename: string;
  readonly status: string;
  readonly previous_filename?: string;
}

interface Pull {
  readonly files: readonly Listed[];
  /** The number of files that the pull request states; by default as many as are listed. */
  readonly count?: number;
  /** The status of every response instead. */
  readonly status?: number;
  /** Its last commit; by default that of the fixture. */
  readonly head?: string;
  /** The path of the API, such as `/api/v3` of GitHub Enterprise. Nothing is outside of it. */
  readonly apiPath?: string;
}

/** Asks about pull request 1, with a GitHub server that knows it. */
async function askAbout(pull: Pull, repo: TempRepo, args: readonly string[] = []): Promise<CliResult> {
  const { apiPath = '' } = pull;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    const [size, page] = ['per_page', 'page'].map((name) => Number(url.searchParams.get(name) ?? 1));
    const next = new URL(url);
    next.searchParams.set('page', String((page ?? 1) + 1));
    const isLast = (page ?? 1) * (size ?? 1) >= pull.files.length;
    const listed = pull.files.slice(((page ?? 1) - 1) * (size ?? 1), (page ?? 1) * (size ?? 1));
    const whole = {
      number: 1,
      base: { sha: origin.start, ref: 'main' },
      head: { sha: pull.head ?? origin.topic },
      changed_files: pull.count ?? pull.files.length,
    };
    const about = `${apiPath}/repos/acme/app/pulls/1`;
    const body = url.pathname === about ? whole : url.pathname === `${about}/files` ? listed : undefined;
    const status = pull.status ?? (body === undefined ? 404 : 200);
    const link = isLast ? {} : { link: `<${next.href}>; rel="next"` };
    response
      .writeHead(status, { 'content-type': 'application/json', ...link })
      .end(JSON.stringify(status === 200 ? body : { message: 'No' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${apiPath}`;
  const env = { GITHUB_API_URL: apiUrl, GITHUB_REPOSITORY: 'acme/app', GITHUB_TOKEN: 'secret' };
  return askTool(repo, ['--pull-request', '1', ...args], { env });
}

function checkedOut(depth: number): TempRepo {
  return checkOut(cleanUp, origin.repo, { commit: origin.merge, ref: 'refs/pull/1/merge', depth });
}

function modified(...names: readonly string[]): Listed[] {
  return names.map((filename) => ({ filename, status: 'modified' }));
}

test('the files that GitHub lists, over several pages', async () => {
  const many = Array.from({ length: 150 }, (_, index) => `packages/alone/${index}.js`);
  const result = readResult(await askAbout({ files: modified(...many, 'packages/tool/a.js') }, checkedOut(1)));
  expect(answerOf(result)).toEqual(['alone', 'monorepo', 'tool']);
  expect([result.base, result.head]).toEqual([origin.start, origin.merge]);
});

test('a moved file has two names', async () => {
  const files = [{ filename: 'packages/tool/a.js', previous_filename: 'packages/ring-a/a.js', status: 'renamed' }];
  expect(answerOf(readResult(await askAbout({ files }, checkedOut(1))))).toEqual(['monorepo', 'ring-a', 'ring-b', 'tool']);
});

test('where the list is shorter than GitHub itself says, git is asked', async () => {
  const result = readResult(await askAbout({ files: modified('packages/tool/a.js'), count: 2 }, checkedOut(0)));
  expect(answerOf(result)).toEqual(['alone', 'monorepo', 'tool']);
  expect(result.warnings).toHaveLength(1);
});

test('and where git cannot tell either, everybody is affected', async () => {
  const pull = { files: modified('packages/tool/a.js'), count: 2 };
  expect(answerOf(readResult(await askAbout(pull, checkedOut(1), ['--no-fetch'])))).toBe('all: API_INCOMPLETE');
});

test.each([1, 0])('with fetch-depth %d: a list that leaves out the rules although they changed affects everybody', async (depth) => {
  const { repo: server } = createOrigin(scene);
  server.checkout('topic');
  const head = server.commit('Switch off', {
    files: { 'tributary.json': '{"affected": {"rules": [{"files": "packages/**", "affects": "none"}]}}\n' },
  });
  const repo = checkOut(cleanUp, server, { commit: head, ref: 'refs/heads/topic', depth });
  expect(answerOf(readResult(await askAbout({ files: modified('packages/alone/a.js'), head }, repo)))).toBe('all: CONFIG_CHANGED');
});

test('a lockfile whose former text is not in this clone affects everybody', async () => {
  expect(answerOf(readResult(await askAbout({ files: modified('yarn.lock') }, checkedOut(1), ['--no-fetch'])))).toBe('all: BASE_UNKNOWN');
});

test('a GitHub Enterprise is asked below the path of its API', async () => {
  const pull = { files: modified('packages/tool/a.js'), apiPath: '/api/v3' };
  expect(answerOf(readResult(await askAbout(pull, checkedOut(1))))).toEqual(['monorepo', 'tool']);
});

test.each([401, 404])('an answer of %d is an error, and not an empty answer', async (status) => {
  const run = await askAbout({ files: [], status }, checkedOut(1));
  expect(failureOf(run)).toEqual({ exit: 1, code: 'GITHUB_REFUSED' });
  expect(run.stdout + run.stderr).not.toContain('secret');
});

test('a GitHub that cannot be reached is an error, or all if the caller prefers that', async () => {
  const env = { GITHUB_API_URL: 'http://127.0.0.1:9', GITHUB_REPOSITORY: 'acme/app' };
  const repo = checkedOut(1);
  expect(failureOf(await askTool(repo, ['--pull-request', '1'], { env }))).toEqual({ exit: 1, code: 'GITHUB_UNREACHABLE' });
  expect(answerOf(readResult(await askTool(repo, ['--pull-request', '1', '--fallback', 'all'], { env })))).toMatch(/^all: /);
});
