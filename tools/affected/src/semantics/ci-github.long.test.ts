import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { checkOut, createOrigin, type Origin, QUEUE } from './github.fixture.js';
import { type Answer, answerOf, ask, askTool, MonorepoScene, readResult } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;
let origin: Origin;
/** Thirty commits on each side: more than one step of deepening. */
let long: Origin;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
  origin = createOrigin(scene);
  long = createOrigin(scene, 30);
});

type Variables = Readonly<Record<string, string>>;

const ACTIONS: Variables = { CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/app', GITHUB_SERVER_URL: 'https://github.com' };

function ofPullRequest({ merge }: Origin): Variables {
  return {
    ...ACTIONS,
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_REF: 'refs/pull/1/merge',
    GITHUB_SHA: merge,
    GITHUB_BASE_REF: 'main',
    GITHUB_HEAD_REF: 'topic',
  };
}

/** Returns the variables of an event whose other data are in a file. */
function withEvent(repo: TempRepo, name: string, event: unknown): Variables {
  repo.write({ '.git/event.json': typeof event === 'string' ? event : JSON.stringify(event) });
  return {
    ...ACTIONS,
    GITHUB_EVENT_NAME: name,
    GITHUB_EVENT_PATH: `${repo.path}/.git/event.json`,
    GITHUB_SHA: repo.id('HEAD'),
    GITHUB_REF: 'refs/heads/main',
  };
}

describe('pull_request', () => {
  test.each([1, 2, 0])('with fetch-depth %d: what the pull request changes, and nothing that happened on its target', async (depth) => {
    for (const one of [origin, long]) {
      const repo = checkOut(cleanUp, one.repo, { commit: one.merge, ref: 'refs/pull/1/merge', depth });
      const result = readResult(await askTool(repo, [], { env: ofPullRequest(one) }));
      expect(result.workspaces.map(({ name }) => name)).toEqual(['alone']);
      expect([result.base, result.head, result.mergeBase]).toEqual([one.target, one.merge, one.target]);
      expect(repo.id('HEAD')).toBe(one.merge);
    }
  });

  test('the frozen base of the event is not looked at', async () => {
    const repo = checkOut(cleanUp, origin.repo, { commit: origin.merge, ref: 'refs/pull/1/merge', depth: 0 });
    const event = { pull_request: { number: 1, base: { sha: origin.start, ref: 'main' }, head: { sha: origin.topic } } };
    expect(await ask(repo, [], { env: { ...withEvent(repo, 'pull_request', event), ...ofPullRequest(origin) } })).toEqual(['alone']);
  });

  test.each([1, 2, 0])('where the branch itself was checked out, with fetch-depth %d: since it left its target', async (depth) => {
    for (const one of [origin, long]) {
      const repo = checkOut(cleanUp, one.repo, { commit: one.topic, ref: 'refs/heads/topic', depth });
      expect(await ask(repo, [], { env: ofPullRequest(one) })).toEqual(['alone']);
    }
  });

  test('a merge in the branch itself is not taken for the merge ref', async () => {
    const { repo: server } = createOrigin(scene);
    server.checkout('topic');
    const merged = server.merge('main', 'Bring main in');
    server.git('update-ref', 'refs/pull/1/merge', merged);
    const repo = checkOut(cleanUp, server, { commit: merged, ref: 'refs/heads/topic', depth: 0 });
    expect(await ask(repo, [], { env: { ...ofPullRequest(origin), GITHUB_SHA: 'f'.repeat(40) } })).toEqual(['alone']);
  });

  test('whose target is not known affects everybody', async () => {
    const repo = checkOut(cleanUp, origin.repo, { commit: origin.topic, ref: 'refs/heads/topic', depth: 0 });
    expect(await ask(repo, [], { env: { ...ofPullRequest(origin), GITHUB_BASE_REF: '' } })).toBe('all: BASE_UNKNOWN');
    expect(await ask(repo, [], { env: { ...ofPullRequest(origin), GITHUB_BASE_REF: 'gone' } })).toBe('all: BASE_UNKNOWN');
  });

  test('a base that is given is taken all the same', async () => {
    const repo = checkOut(cleanUp, origin.repo, { commit: origin.merge, ref: 'refs/pull/1/merge', depth: 0 });
    expect(await ask(repo, ['--base', origin.start], { env: ofPullRequest(origin) })).toEqual(['alone', 'monorepo', 'tool']);
  });

  test('from the target branch, as pull_request_target checks it out, affects everybody', async () => {
    const repo = checkOut(cleanUp, origin.repo, { commit: origin.target, ref: 'refs/heads/main', depth: 0 });
    const event = { pull_request: { number: 1, base: { ref: 'main' }, head: { sha: origin.topic } } };
    expect(await ask(repo, [], { env: withEvent(repo, 'pull_request_target', event) })).toBe('all: BASE_UNKNOWN');
  });
});

describe('merge_group', () => {
  test.each([1, 0])('with fetch-depth %d: since the base that the event names', async (depth) => {
    const repo = checkOut(cleanUp, origin.repo, { commit: origin.merge, ref: QUEUE, depth });
    const event = { merge_group: { base_sha: origin.target, head_sha: origin.merge, base_ref: 'refs/heads/main' } };
    expect(await ask(repo, [], { env: withEvent(repo, 'merge_group', event) })).toEqual(['alone']);
  });

  test('without a base in the event affects everybody', async () => {
    const repo = checkOut(cleanUp, origin.repo, { commit: origin.merge, ref: QUEUE, depth: 0 });
    expect(await ask(repo, [], { env: withEvent(repo, 'merge_group', { merge_group: {} }) })).toBe('all: BASE_UNKNOWN');
  });
});

describe('push', () => {
  function pushed(depth: number): TempRepo {
    return checkOut(cleanUp, origin.repo, { commit: origin.repo.id('main'), ref: 'refs/heads/main', depth });
  }

  test.each<[sentence: string, event: (one: Origin) => unknown, affected: Answer]>([
    ['since the commit before it', ({ target }) => ({ before: target, forced: false }), ['ring-a', 'ring-b']],
    [
      'of several commits since the commit before it',
      ({ start }) => ({ before: start, forced: false }),
      ['monorepo', 'ring-a', 'ring-b', 'tool'],
    ],
    ['of a new branch affects everybody', () => ({ before: '0'.repeat(40), forced: false }), 'all: BASE_UNKNOWN'],
    ['since a commit that is not there affects everybody', () => ({ before: 'a'.repeat(40), forced: false }), 'all: BASE_UNKNOWN'],
    ['that was forced affects everybody', ({ target }) => ({ before: target, forced: true }), 'all: BASE_REWRITTEN'],
    ['that took commits away affects everybody', ({ topic }) => ({ before: topic, forced: false }), 'all: BASE_REWRITTEN'],
    ['of nothing new affects everybody', ({ repo }) => ({ before: repo.id('main'), forced: false }), 'all: BASE_IS_HEAD'],
    ['whose event says nothing affects everybody', () => ({}), 'all: BASE_UNKNOWN'],
    ['whose event is no JSON affects everybody', () => 'not JSON', 'all: BASE_UNKNOWN'],
  ])('%s', async (_, event, affected) => {
    for (const depth of [1, 0]) {
      const repo = pushed(depth);
      expect(await ask(repo, [], { env: withEvent(repo, 'push', event(origin)) })).toEqual(affected);
    }
  });

  test('whose event file is not there affects everybody', async () => {
    const repo = pushed(0);
    const env = { ...withEvent(repo, 'push', {}), GITHUB_EVENT_PATH: `${repo.path}/.git/nowhere.json` };
    expect(await ask(repo, [], { env })).toBe('all: BASE_UNKNOWN');
  });

  test('of a tag affects everybody', async () => {
    const repo = pushed(0);
    const env = { ...withEvent(repo, 'push', { before: origin.target, forced: false }), GITHUB_REF: 'refs/tags/v1' };
    expect(await ask(repo, [], { env })).toBe('all: BASE_UNKNOWN');
  });

  test.each<[sentence: string, status: number, conclusion: string, affected: Answer]>([
    ['counts since the last commit that passed, which the API tells', 200, 'success', ['monorepo', 'ring-a', 'ring-b', 'tool']],
    ['affects everybody if no run has passed yet', 200, 'failure', 'all: BASE_UNKNOWN'],
    ['affects everybody if the token may not ask', 403, 'success', 'all: BASE_UNKNOWN'],
  ])('%s', async (_, status, conclusion, affected) => {
    const run = { head_branch: 'main', event: 'push', conclusion, status: 'completed', run_number: 7, head_sha: origin.start };
    const server = createServer((__, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ total_count: 1, workflow_runs: [run] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanUp.defer(() => server.close());
    const repo = pushed(0);
    const api = {
      GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      GITHUB_TOKEN: 'secret',
      GITHUB_WORKFLOW_REF: 'acme/app/.github/workflows/ci.yml@refs/heads/main',
    };
    const result = await askTool(repo, [], { env: { ...withEvent(repo, 'push', { before: origin.target, forced: false }), ...api } });
    expect(answerOf(readResult(result))).toEqual(affected);
    expect(result.stdout + result.stderr).not.toContain('secret');
  });
});

test.each(['workflow_dispatch', 'schedule', 'release'])('%s has nothing to compare with, and affects everybody', async (name) => {
  const repo = checkOut(cleanUp, origin.repo, { commit: origin.target, ref: 'refs/heads/main', depth: 0 });
  expect(await ask(repo, [], { env: withEvent(repo, name, {}) })).toBe('all: BASE_UNKNOWN');
});
