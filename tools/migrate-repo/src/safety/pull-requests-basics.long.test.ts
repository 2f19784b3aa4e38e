import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refusal } from '@tributary/github/testing/local-github';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { invalidAnswers } from '@tributary/test-repo/schemas';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { bring, createRequestFixture, openInSource, type RequestFixture, TOKEN } from './pull-requests.fixture.js';

// Open pull requests of a source, brought to a monorepo on a forge. Its API follows GitHub's description; its git is git's own server.

const cleanUp = cleanUpIn(afterAll);
let request: RequestFixture;

beforeAll(async () => {
  request = await createRequestFixture(cleanUp);
});

const BOB = { GIT_AUTHOR_NAME: 'Bob', GIT_AUTHOR_EMAIL: 'bob@example.com', GIT_AUTHOR_DATE: '@1600000500 +0530' };

/** Opens 7: two commits of Bob, with a merge of main between them. */
function addFeature(): void {
  const { source } = request;
  source.git('checkout', '--quiet', '-b', 'feature', 'main~1');
  source.commit('Feature for @ada, fixes #3', {
    files: { 'src/feature.js': '1\n', 'bin.dat': Buffer.from([0, 1, 255]) },
    environment: BOB,
  });
  source.merge('main', 'Merge main into feature');
  source.commit('More of it', { files: { 'src/feature.js': '2\n', 'src/index.js': null }, environment: BOB });
  openInSource(request, 7, {
    title: 'Fixes #3 for @ada',
    body: `Closes #3\r\nSee @acme/team and ${source.id('HEAD~1').slice(0, 10)}.`,
  });
}

/** Opens 8: a draft with 3,000 files. Its account and its fork no longer exist. */
function addLarge(): void {
  const { source } = request;
  const files = Array.from({ length: 3000 }, (_, at) => `M 100644 inline many/${at}.txt\ndata 2\n${at % 10}\n`);
  const person = 'Eve <eve@example.com> 1600000600 +0000';
  source.fastImport(
    `commit refs/heads/large\nauthor ${person}\ncommitter ${person}\ndata 4\nMany\nfrom ${source.id('main')}\n${files.join('')}\n`,
  );
  source.git('update-ref', 'refs/pull/8/head', 'large');
  const pull = openInSource(request, 8, { head: 'main', sha: source.id('large'), draft: true, user: null, title: 'Many' });
  source.git('update-ref', 'refs/pull/8/head', 'large');
  Object.assign(pull.head, { repo: null });
}

/**
 * Opens 9 to 18. 9 to 14 cannot be brought, and 15 builds on 7. A rule protects the branch of 16, the monorepo has all
 * of 17, and 18 builds on 11.
 */
function addOthers(): void {
  const { source } = request;
  openInSource(request, 9, { base: 'gone' });
  source.git('branch', 'release-1', 'main');
  openInSource(request, 10, { base: 'release-1' });
  source.git('checkout', '--quiet', '-b', 'stacked');
  source.commit('On top', { files: { 'top.js': '1\n' } });
  openInSource(request, 15);
  source.git('checkout', '--quiet', 'main');
  source.commit('Later', { files: { 'later.js': '1\n' } });
  source.git('checkout', '--quiet', '-b', 'newer');
  source.commit('Newer', { files: { 'newer.js': '1\n' } });
  openInSource(request, 11);
  source.git('checkout', '--quiet', '-b', 'upon');
  source.commit('Upon', { files: { 'upon.js': '1\n' } });
  openInSource(request, 18, { base: 'newer' });
  source.git('checkout', '--quiet', '--orphan', 'alone');
  source.commit('Alone');
  openInSource(request, 12);
  openInSource(request, 13);
  source.git('update-ref', '-d', 'refs/pull/13/head');
  openInSource(request, 14, { base: 'alone' });
  source.git('checkout', '--quiet', '-f', 'main');
  source.git('checkout', '--quiet', '-b', 'small', 'main~1');
  openInSource(request, 17);
  source.commit('Small', { files: { 'small.js': '1\n' } });
  openInSource(request, 16);
}

/** Returns each commit's patch without the folder's name, and who wrote it when, as git reports them. */
function patchesOf(repo: TempRepo, range: string, folder = ''): readonly string[] {
  const ids = repo.git('rev-list', '--reverse', '--topo-order', ...range.split(' ')).split('\n');
  return ids.map((id) => {
    const patch = repo.git('show', '--first-parent', '--diff-merges=first-parent', '--binary', '--full-index', '--format=', id);
    const bare = folder === '' ? patch : patch.replaceAll(`/${folder}/`, '/');
    return [
      repo.gitWithInput(`${bare}\n`, 'patch-id', '--stable').split(' ')[0],
      repo.git('show', '--no-patch', '--format=%an %ae %ad %cn %ce %cd', id),
    ].join(' ');
  });
}

test('where none can be brought, the command says why, and nothing is written', async () => {
  const { fixture, source, remote, forge, address, decide } = request;
  const refused = (code: string, args: readonly string[], env: Readonly<Record<string, string>> = TOKEN) =>
    fixture.refused(code, ['pull-requests', 'left-pad', ...args], { env });
  await refused('USAGE', [], {});
  await refused('USAGE', ['--from', source.path, '--dry-run']);
  decide((call) => (call.includes('left-pad') ? refusal(401, 'Bad credentials') : undefined));
  expect((await refused('GITHUB_REFUSED', [])).stderr).toContain('The token is wrong, revoked or has expired.');
  decide((call) => (call.endsWith('/repos/acme/app') ? refusal(404, 'Not Found') : undefined));
  await refused('GITHUB_REFUSED', []);
  decide(() => undefined);
  const proxy = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'http.proxy', GIT_CONFIG_VALUE_0: 'http://127.0.0.1:1' };
  await refused('REMOTE_UNREACHABLE', [], { ...TOKEN, ...proxy });
  const main = remote.git('rev-parse', 'main');
  remote.git('update-ref', 'refs/heads/main', 'main~1');
  const from = forge.requests.length;
  await refused('IMPORT_NOT_PUSHED', ['--from', `${address.replace('127.0.0.1', 'localhost')}/acme/left-pad`]);
  remote.git('update-ref', 'refs/heads/main', main);
  // The token is only for the monorepo's host.
  expect(forge.requests.slice(from).map((one, at) => [one.split('?')[0], forge.authorizations[from + at]])).toEqual([
    ['GET /repos/acme/left-pad/pulls', undefined],
    ['GET /repos/acme/app', 'token ghs_s3cret'],
  ]);
  expect([forge.writes, remote.git('for-each-ref', '--format=%(refname)')]).toEqual([[], 'refs/heads/main']);
});

test('pull requests come with patch, author and text, nothing comes twice, and one that fails stops no other', async () => {
  const { fixture, source, remote, forge, opened } = request;
  addFeature();
  addLarge();
  addOthers();
  // The user's tags and hooks must not take part.
  fixture.monorepo.git('config', 'push.followTags', 'true');
  fixture.monorepo.write({ '.git/hooks/pre-push': { executable: '#!/bin/sh\nexit 1\n' } });
  mkdirSync(join(remote.path, 'hooks'), { recursive: true });
  const hook = join(remote.path, 'hooks', 'update');
  writeFileSync(hook, '#!/bin/sh\ncase $1 in */pr-16) echo "protected branch"; exit 1;; esac\n', { mode: 0o755 });
  const before = remote.git('for-each-ref');

  const planned = await bring(request, ['--dry-run']);
  expect([planned.state, planned.code, forge.writes, opened, remote.git('for-each-ref')]).toEqual(['planned', 1, [], [], before]);

  const done = await bring(request);
  expect([done.state, done.code]).toEqual(['done', 1]);
  expect(done.pullRequests.map(({ number, state, failure }) => [number, failure?.code ?? state])).toEqual([
    [7, 'opened'],
    [8, 'opened'],
    [9, 'PULL_REQUEST_BASE_UNKNOWN'],
    [10, 'PULL_REQUEST_BASE_UNKNOWN'],
    [11, 'PULL_REQUEST_NOT_IMPORTED'],
    [12, 'PULL_REQUEST_BASE_UNKNOWN'],
    [13, 'PULL_REQUEST_UNREADABLE'],
    [14, 'PULL_REQUEST_BASE_UNKNOWN'],
    [15, 'opened'],
    [16, 'PUSH_REFUSED'],
    [17, 'contained'],
    [18, 'PULL_REQUEST_BASE_UNKNOWN'],
  ]);
  expect(done.pullRequests.filter(({ failure }) => failure !== null && (failure.hint ?? '') === '')).toEqual([]);
  expect(done.byNumber.get(11)?.failure?.message).toContain('has 1 commit of main that the monorepo lacks');
  expect(done.byNumber.get(18)?.failure?.message).toContain('was not imported: the monorepo has no branch sync/left-pad-newer');
  expect(done.byNumber.get(16)?.failure?.message).toMatch(/origin rejected left-pad\/pr-16: \[remote rejected\] \(hook declined\)/);
  // What the plan has shown is what was done, but for what nobody knew: the numbers, and that one push would be refused.
  const callsOf = (one: typeof done, number: number): unknown => one.byNumber.get(number)?.calls.map(({ sent }) => sent);
  for (const number of [7, 8, 15]) expect(callsOf(done, number)).toEqual(callsOf(planned, number));
  expect(planned.pullRequests.flatMap(({ calls }) => calls).filter(({ call }) => call.startsWith('push '))).toHaveLength(4);
  expect(forge.writes).toEqual(['POST /repos/acme/app/pulls', 'POST /repos/acme/app/pulls', 'POST /repos/acme/app/pulls']);

  expect(patchesOf(remote, 'left-pad/pr-7 ^main', 'packages/left-pad')).toEqual(patchesOf(source, 'refs/pull/7/head ^main~1'));
  expect(patchesOf(remote, 'left-pad/pr-8 ^main', 'packages/left-pad')).toEqual(patchesOf(source, 'large ^main~1'));
  expect(remote.git('log', '-1', '--format=%an %ae %ad', 'left-pad/pr-7')).toBe('Bob bob@example.com Sun Sep 13 18:05:00 2020 +0530');
  expect(remote.git('for-each-ref', '--format=%(refname)').split('\n')).toEqual([
    'refs/heads/left-pad/pr-15',
    'refs/heads/left-pad/pr-7',
    'refs/heads/left-pad/pr-8',
    'refs/heads/main',
  ]);
  expect(opened).toMatchObject([
    {
      title: 'Fixes the issue acme/left-pad#3 for @\u200bada',
      draft: false,
      base: { ref: 'main' },
      head: { ref: 'left-pad/pr-7' },
    },
    { title: 'Many', draft: true, body: expect.stringContaining('\n_Opened by a deleted account on 2026-01-02 as https://') },
    { base: { ref: 'main' }, head: { ref: 'left-pad/pr-15' } },
  ]);
  const merged = remote.git('rev-list', '--no-walk', 'left-pad/pr-7~1').slice(0, 10);
  expect(opened[0]?.body?.split('\n').slice(1)).toEqual([
    '_Opened by [ada](https://github.example/ada) on 2026-01-02 as https://github.example/acme/left-pad/pull/7, before left-pad moved here._',
    '',
    'Closes the issue acme/left-pad#3',
    `See @\u200bacme/team and ${merged}.`,
  ]);
  // It merges with the monorepo's main, and changes nothing outside the package.
  fixture.monorepo.git('fetch', '--quiet', remote.path, 'left-pad/pr-7');
  const tree = fixture.monorepo.git('merge-tree', '--write-tree', 'main', 'FETCH_HEAD');
  expect(fixture.monorepo.git('diff', '--no-renames', '--name-status', 'main', tree).split('\n')).toEqual([
    'A\tpackages/left-pad/bin.dat',
    'A\tpackages/left-pad/src/feature.js',
    'D\tpackages/left-pad/src/index.js',
  ]);

  const answers = [planned, done, ...(await againAndAgain())];
  const printed = answers.map(({ code: _, byNumber: __, ...answer }) => answer);
  expect(invalidAnswers(['migrate-repo', 'pull-requests-result'], printed)).toEqual([]);
  expect(forge.flaws).toEqual([]);
  expect(forge.requests.filter((one) => /^(?!GET).* \/repos\/acme\/left-pad/.test(one))).toEqual([]);
});

/** Expects that later runs bring changes of the source and keep what people did in the monorepo. */
async function againAndAgain(): Promise<Awaited<ReturnType<typeof bring>>[]> {
  const { fixture, source, remote, forge, opened, pulls, decide } = request;
  const writes = forge.writes.length;
  const tips = remote.git('for-each-ref');
  source.git('checkout', '--quiet', 'feature');
  const again = await bring(request, ['--no-forks']);
  expect([7, 8, 15].map((number) => again.byNumber.get(number)?.state)).toEqual(['unchanged', 'left out', 'unchanged']);
  expect([forge.writes.length, remote.git('for-each-ref')]).toEqual([writes, tips]);

  // 7 is force-pushed, the text of 8 was edited, and the branch of 15 got a commit. 16 may now be pushed but not opened.
  source.git('commit', '--quiet', '--amend', '-m', 'Amended');
  source.git('update-ref', 'refs/pull/7/head', 'HEAD');
  Object.assign(pulls.find(({ number }) => number === 7) ?? {}, { title: 'Better' });
  Object.assign(opened[1] ?? {}, { body: `${opened[1]?.body}\n\nEdited here.` });
  const review = fixture.monorepo.git('commit-tree', '-p', 'FETCH_HEAD', '-m', 'Review', 'FETCH_HEAD^{tree}');
  const own = remote.git('commit-tree', '-p', 'left-pad/pr-15', '-m', 'Review', 'left-pad/pr-15^{tree}');
  remote.git('update-ref', 'refs/heads/left-pad/pr-15', own);
  expect(review).not.toBe(own);
  writeFileSync(join(remote.path, 'hooks', 'update'), '#!/bin/sh\n', { mode: 0o755 });
  decide((call) => (call === 'POST /repos/acme/app/pulls' ? refusal(422, 'Draft pull requests are not supported') : undefined));
  const third = await bring(request);
  expect([7, 8, 15, 16].map((number) => third.byNumber.get(number)?.state)).toEqual(['updated', 'unchanged', 'unchanged', 'failed']);
  expect(third.byNumber.get(16)?.failure).toMatchObject({ code: 'GITHUB_REFUSED', message: expect.stringContaining('422') });
  expect(third.byNumber.get(16)?.calls.map(({ call }) => call.split(' ')[0])).toEqual(['push', 'open', 'remove']);
  expect(third.byNumber.get(8)?.notes[0]).toMatch(/^It comes from a fork\./);
  expect([third.byNumber.get(8)?.notes.slice(1), third.byNumber.get(15)?.notes]).toEqual([
    ['Its text was edited in the monorepo, so it was not changed.'],
    ['Its branch in the monorepo has other commits, which were kept.'],
  ]);
  expect(remote.git('for-each-ref', '--format=%(refname) %(contents:subject)')).toBe(
    'refs/heads/left-pad/pr-15 Review\nrefs/heads/left-pad/pr-7 Amended\nrefs/heads/left-pad/pr-8 Many\nrefs/heads/main Merge left-pad',
  );
  expect([opened.length, opened[0]?.title, opened[1]?.body?.endsWith('Edited here.')]).toEqual([3, 'Better', true]);

  // The answer to 16 is lost after it was opened. 7 is force-pushed again, but its branch holds an unknown commit. 8 was merged.
  decide(() => undefined);
  source.git('commit', '--quiet', '--amend', '-m', 'Amended again');
  source.git('update-ref', 'refs/pull/7/head', 'HEAD');
  remote.git('update-ref', 'refs/heads/left-pad/pr-7', own);
  Object.assign(opened[1] ?? {}, { state: 'closed', merged_at: '2026-01-03T03:04:05Z' });
  remote.git('update-ref', '-d', 'refs/heads/left-pad/pr-8');
  const fourth = await bring(request);
  expect([7, 8, 16].map((number) => fourth.byNumber.get(number)).map((one) => one?.failure?.code ?? one?.state)).toEqual([
    'PULL_REQUEST_BRANCH_MOVED',
    'closed',
    'opened',
  ]);
  expect([remote.git('rev-parse', 'left-pad/pr-7'), remote.git('branch', '--list', '*8'), opened.length]).toEqual([own, '', 4]);
  return [again, third, fourth];
}
