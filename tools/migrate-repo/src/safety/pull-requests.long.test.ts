import { afterEach, expect, test } from '@jest/globals';
import { hostedPull } from '@tributary/github/testing/pull-request-github';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import type { Files } from '@tributary/test-repo/temp-repo';
import { bring, createRequestFixture, openInSource, type RequestFixture, TOKEN } from './pull-requests.fixture.js';

// Imports with other options, lost answers, and other people who push at the same time.

const cleanUp = cleanUpIn(afterEach);
const OPEN = 'POST /repos/acme/app/pulls';

function addSmall(request: RequestFixture, number: number, files: Files = { 'small.js': '1\n' }): void {
  request.source.git('checkout', '--quiet', '-b', `branch-${number}`, 'main');
  request.source.commit(`Small ${number}`, { files });
  openInSource(request, number);
}

const branchesOf = ({ remote }: RequestFixture): string => remote.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/left-pad');

test('whatever answer is lost, the next run opens nothing twice, and finishes what was begun', async () => {
  const request = await createRequestFixture(cleanUp);
  const { opened, forge, decide, remote } = request;
  addSmall(request, 7);
  addSmall(request, 8);
  const sent: string[] = [];
  decide((call, body) => {
    if (call !== OPEN) return undefined;
    sent.push(body);
    const { title, body: text, head } = JSON.parse(body) as { title: string; body: string; head: string };
    // The first request arrives, the second does not; both answers are lost.
    if (sent.length === 1) opened.push(hostedPull(1, 'acme/app', { title, body: text, head, sha: 'a'.repeat(40) }));
    return sent.length === 1 ? { status: 502, body: 'Bad Gateway' } : 'hang up';
  });
  const lost = await bring(request);
  expect(lost.pullRequests.map(({ failure }) => failure?.code)).toEqual(['GITHUB_UNREACHABLE', 'GITHUB_UNREACHABLE']);
  expect([sent.length, branchesOf(request)]).toEqual([2, 'left-pad/pr-7\nleft-pad/pr-8']);
  decide(() => undefined);
  const found = await bring(request);
  expect(found.pullRequests.map(({ state }) => state)).toEqual(['unchanged', 'opened']);
  expect(opened.map(({ head }) => head.ref)).toEqual(['left-pad/pr-7', 'left-pad/pr-8']);

  // Somebody pushes to the branch while the command runs.
  request.source.git('checkout', '--quiet', 'branch-7');
  request.source.commit('More', { files: { 'small.js': '2\n' } });
  request.source.git('update-ref', 'refs/pull/7/head', 'HEAD');
  const other = remote.git('commit-tree', '-p', 'left-pad/pr-7', '-m', 'Review', 'left-pad/pr-7^{tree}');
  decide((call) => {
    if (call === 'GET /repos/acme/app/pulls') remote.git('update-ref', 'refs/heads/left-pad/pr-7', other);
    return undefined;
  });
  const raced = await bring(request);
  expect([raced.byNumber.get(7)?.failure?.code, remote.git('rev-parse', 'left-pad/pr-7')]).toEqual(['PUSH_REFUSED', other]);
  expect(forge.flaws).toEqual([]);
});

test('an API that says nothing ends each command in its time, and what was written is found again', async () => {
  const request = await createRequestFixture(cleanUp);
  const { fixture, decide, forge, address, remote, opened } = request;
  addSmall(request, 7);
  const quick = { TRIBUTARY_API_TIMEOUT: '0.2', GITHUB_API_URL: forge.apiUrl };
  const env = { ...TOKEN, ...quick };
  expect((await fixture.refused('USAGE', ['init', 'acme'], { env: { ...env, TRIBUTARY_API_TIMEOUT: 'soon' } })).stderr).toContain('"soon"');
  const before = fixture.state();
  decide(() => 'hang');
  const commands = [
    ['init', 'acme', '--yes'],
    ['pull-requests', 'left-pad'],
    ['right-pad', '--from', `${address}/acme/left-pad`, '--pull-request'],
  ];
  const silent = await Promise.all(commands.map((args) => fixture.run(args, { env })));
  expect(silent.map(({ code, stderr }) => [code, /^error: (.*)$/m.exec(stderr)?.[1]])).toEqual(
    ['the repositories of acme', 'the open pull requests of acme/left-pad', 'acme/app'].map((what) => [
      1,
      `GitHub did not show ${what}: no answer within 200 ms [GITHUB_UNREACHABLE]`,
    ]),
  );
  expect([fixture.state(), forge.writes, branchesOf(request)]).toEqual([before, [], '']);

  // Nobody knows whether it was opened: the branch stays, and is not pushed again.
  decide((call) => (call === OPEN ? 'hang' : undefined));
  expect((await bring(request, [], quick)).pullRequests.map(({ failure }) => failure?.code)).toEqual(['GITHUB_UNREACHABLE']);
  const tip = remote.git('rev-parse', 'left-pad/pr-7');
  decide(() => undefined);
  const [found] = (await bring(request)).pullRequests;
  expect([found?.state, found?.calls.map(({ call }) => call.split(' ')[0]), found?.tip, opened.length]).toEqual([
    'opened',
    ['open'],
    tip,
    1,
  ]);
});

test('3,000 files come; merges of main come with it, unless they bring what the monorepo lacks; a base that is gone is named', async () => {
  const request = await createRequestFixture(cleanUp);
  const { source, remote } = request;
  addSmall(request, 7, Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`many/${at}.js`, `${at}\n`])));
  source.git('checkout', '--quiet', '-b', 'gone', 'main');
  source.commit('On a base that is gone', { files: { 'gone.js': '1\n' } });
  openInSource(request, 8, { base: 'no-more' });
  source.git('checkout', '--quiet', '-b', 'joined', 'main~1');
  source.commit('Before', { files: { 'before.js': '1\n' } });
  source.merge('main', 'Merge main');
  openInSource(request, 9);
  source.git('checkout', '--quiet', 'main');
  source.commit('Later', { files: { 'later.js': '1\n' } });
  source.git('checkout', '--quiet', '-b', 'newer', 'joined');
  source.merge('main', 'Merge main again');
  openInSource(request, 10);
  const { code, pullRequests } = await bring(request);
  expect(pullRequests.map(({ number, state, failure }) => [number, failure?.code ?? state])).toEqual([
    [7, 'opened'],
    [8, 'PULL_REQUEST_BASE_UNKNOWN'],
    [9, 'opened'],
    [10, 'PULL_REQUEST_NOT_IMPORTED'],
  ]);
  expect([code, branchesOf(request)]).toEqual([1, 'left-pad/pr-7\nleft-pad/pr-9']);
  expect(remote.git('diff', '--name-only', 'main...left-pad/pr-7').split('\n')).toHaveLength(3000);
  expect(remote.git('log', '-1', '--format=%s %p', 'left-pad/pr-9').split(' ')).toHaveLength(4);
});

test('of a subdirectory the part that was imported comes, and what is left out is told', async () => {
  const request = await createRequestFixture(cleanUp, ['--subdirectory', 'libs/pad'], (source) => {
    source.commit('Add a folder', { files: { 'libs/pad/package.json': formatManifest({ name: 'left-pad' }) } });
  });
  const { source, remote } = request;
  source.git('checkout', '--quiet', '-b', 'both', 'main');
  source.commit('Both', { files: { 'libs/pad/a.js': '1\n', 'beside.js': '1\n' } });
  source.commit('Beside', { files: { 'beside.js': '2\n' } });
  openInSource(request, 7);
  source.git('checkout', '--quiet', '-b', 'beside', 'main');
  source.commit('Beside', { files: { 'beside.js': '3\n' } });
  openInSource(request, 8);
  const { pullRequests } = await bring(request);
  expect(pullRequests).toMatchObject([
    {
      state: 'opened',
      commits: 1,
      notes: ['Its changes outside libs/pad are left out.', '1 commit changes nothing in libs/pad.'],
    },
    { state: 'contained', commits: 0, calls: [] },
  ]);
  expect(remote.git('diff', '--name-only', 'main...left-pad/pr-7')).toBe('packages/left-pad/a.js');
});

test('one for another branch goes to the branch that a sync has made of it; after a merge strategy none can come', async () => {
  const request = await createRequestFixture(cleanUp);
  const { fixture, source, remote } = request;
  source.git('checkout', '--quiet', '-b', 'release-1', 'main');
  source.commit('Patch', { files: { 'patch.js': '1\n' } });
  await fixture.accepted(['sync', 'left-pad', '--source-branch', 'release-1', '--no-align']);
  fixture.monorepo.git('push', '--quiet', remote.path, 'release/left-pad-1');
  source.git('checkout', '--quiet', '-b', 'fix', 'release-1');
  source.commit('Fix', { files: { 'patch.js': '2\n' } });
  openInSource(request, 7, { base: 'release-1' });
  const { pullRequests } = await bring(request);
  expect(pullRequests).toMatchObject([{ state: 'opened', base: 'release/left-pad-1', commits: 1 }]);
  expect(remote.git('diff', '--name-only', 'release/left-pad-1...left-pad/pr-7')).toBe('packages/left-pad/patch.js');

  const joined = await createRequestFixture(cleanUp, ['--strategy', 'merge']);
  await joined.fixture.refused('IMPORT_NOT_REWRITTEN', ['pull-requests', 'left-pad'], { env: TOKEN });
});
