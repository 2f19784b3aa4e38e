import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refusal } from '@tributary/github/testing/local-github';
import { type HostedState, hostedPull } from '@tributary/github/testing/pull-request-github';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { invalidAnswers } from '@tributary/test-repo/schemas';
import type { ProposedResult, ProposedRunResult } from '../result/proposed-result.js';
import { createForgeFixture, type RequestFixture, TOKEN } from './pull-requests.fixture.js';

// `--pull-request` with the branch of a migration or a sync. The server follows GitHub's description; its git is git's own server.

const cleanUp = cleanUpIn(afterAll);
const OPEN = 'POST /repos/acme/app/pulls';
const settings: Partial<Writable<HostedState>> = { allowMergeCommit: true };
const answers: ProposedRunResult[] = [];
let request: RequestFixture;

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
let command: readonly string[];

beforeAll(async () => {
  request = await createForgeFixture(cleanUp, undefined, settings);
  command = ['left-pad', '--from', `${request.address}/acme/left-pad`, '--no-align', '--pull-request'];
});

async function run(
  args: readonly string[] = command,
): Promise<ProposedResult & { readonly exit: number | null; readonly whole: ProposedRunResult; readonly stderr: string }> {
  const { code, stdout, stderr } = await request.fixture.run([...args, '--json'], { env: TOKEN });
  if (!stdout.includes('"pullRequest"')) throw new Error(`no answer: ${stderr}`);
  const whole = JSON.parse(stdout) as ProposedRunResult;
  answers.push(whole);
  return { ...(whole.pullRequest as ProposedResult), exit: code, whole, stderr };
}

const heads = (): string => request.remote.git('for-each-ref', '--format=%(refname)').replaceAll('refs/heads/', '').replaceAll('\n', ' ');
const callsOf = ({ calls }: ProposedResult): readonly string[] => calls.map(({ call }) => call.split(' ')[0] ?? '');

test('what would keep it from being merged is refused before anything is fetched', async () => {
  const { fixture, forge, decide, remote } = request;
  const refused = (code: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = TOKEN) =>
    fixture.refused(code, [...command, ...args], { env });
  await refused('USAGE', [], {});
  expect((await refused('USAGE', ['--base', 'gone'])).stderr).toContain('The remote origin has no branch gone');
  settings.allowMergeCommit = false;
  expect((await refused('MERGE_COMMITS_REFUSED')).stderr).toContain('Enable "Allow merge commits"');
  settings.allowMergeCommit = true;
  settings.protection = { required_linear_history: { enabled: true } };
  expect((await refused('MERGE_COMMITS_REFUSED')).stderr).toContain(
    'main of acme/app does not allow merge commits: its protection requires a linear',
  );
  settings.protection = undefined;
  decide(() => refusal(401, 'Bad credentials'));
  await refused('GITHUB_REFUSED');
  decide(() => undefined);
  expect([forge.writes, heads(), remote.git('tag')]).toEqual([[], 'main', '']);
});

test('one pull request is opened, whatever is refused or lost on the way, and people keep what they have done', async () => {
  const { fixture, forge, decide, remote, opened } = request;
  const before = fixture.state();
  const planned = await run([...command, '--dry-run']);
  expect([planned.exit, planned.state, callsOf(planned), fixture.state(), heads()]).toEqual([
    0,
    'opened',
    ['push', 'open'],
    before,
    'main',
  ]);

  // GitHub refuses: the branch is removed from the remote, and what was migrated stays.
  decide((call) => (call === OPEN ? refusal(422, 'Validation Failed') : undefined));
  const unopened = await run();
  expect([unopened.exit, unopened.failure?.code, callsOf(unopened), heads()]).toEqual([
    1,
    'GITHUB_REFUSED',
    ['push', 'open', 'remove'],
    'main',
  ]);
  expect([unopened.whole.migration?.state, fixture.monorepo.git('branch', '--list', 'migrate/*')]).toEqual([
    'migrated',
    '  migrate/left-pad',
  ]);
  // A rule forbids to remove the branch. The reason why nothing was opened is still reported.
  mkdirSync(join(remote.path, 'hooks'), { recursive: true });
  const hook = join(remote.path, 'hooks', 'update');
  writeFileSync(hook, '#!/bin/sh\ncase $3 in *[!0]*) ;; *) echo "protected branch"; exit 1;; esac\n', { mode: 0o755 });
  const kept = await run();
  expect([kept.failure?.code, callsOf(kept), heads()]).toEqual(['GITHUB_REFUSED', ['push', 'open', 'remove'], 'main migrate/left-pad']);
  expect(kept.failure?.message).toMatch(/422, Validation Failed[\s\S]*Its branch remains on origin[\s\S]*hook declined/);
  remote.git('update-ref', '-d', 'refs/heads/migrate/left-pad');
  // A rule protects the branch.
  writeFileSync(hook, '#!/bin/sh\necho "protected branch"; exit 1\n', { mode: 0o755 });
  const protectedBranch = await run();
  expect([protectedBranch.exit, protectedBranch.failure?.code, callsOf(protectedBranch)]).toEqual([1, 'PUSH_REFUSED', ['push']]);
  writeFileSync(hook, '#!/bin/sh\n', { mode: 0o755 });
  // The request arrives, but the answer is lost.
  decide((call, body) => {
    if (call !== OPEN) return undefined;
    const { title, body: text, head } = JSON.parse(body) as { title: string; body: string; head: string };
    opened.push(hostedPull(1, 'acme/app', { title, body: text, head, sha: 'a'.repeat(40) }));
    return { status: 502, body: 'Bad Gateway' };
  });
  const lost = await run();
  expect([lost.exit, lost.failure?.code, heads()]).toEqual([1, 'GITHUB_UNREACHABLE', 'main migrate/left-pad']);
  decide(() => undefined);
  const again = await run();
  expect([again.exit, again.state, again.target?.number, callsOf(again), opened.length]).toEqual([0, 'unchanged', 1, [], 1]);
  expect([again.whole.migration, again.pushTags]).toEqual([null, 'git push origin refs/tags/left-pad@1.0.0 refs/tags/left-pad@1.1.0']);
  expect(remote.git('rev-parse', 'migrate/left-pad')).toBe(fixture.monorepo.git('rev-parse', 'migrate/left-pad'));
  expect(opened[0]?.body?.split('\n')[0]).toMatch(
    /^\*\*Merge this with a merge commit .* destroys the whole history of left-pad: the \d+ commits/,
  );

  // A person's commit on the branch is pushed too; an edited text stays.
  fixture.monorepo.git('update-ref', 'refs/heads/migrate/left-pad', commitOn(fixture.monorepo, 'migrate/left-pad', 'Mend'));
  Object.assign(opened[0] ?? {}, { body: `Look!\n${opened[0]?.body}`, title: 'Mine' });
  const updated = await run();
  expect([updated.state, updated.notes, opened[0]?.title, opened[0]?.body?.startsWith('Look!\n')]).toEqual([
    'updated',
    ['Its text was edited, so it was not changed.'],
    'Mine',
    true,
  ]);
  expect(opened[0]?.body).toContain(`<!-- migrate-repo: ${fixture.monorepo.git('rev-parse', 'migrate/left-pad')} `);
  // Commits that others pushed on top stay; unknown commits are not overwritten.
  remote.git('update-ref', 'refs/heads/migrate/left-pad', commitOn(remote, 'migrate/left-pad', 'Review'));
  const ahead = await run();
  expect([ahead.state, ahead.notes[0], remote.git('log', '-1', '--format=%s', 'migrate/left-pad')]).toEqual([
    'unchanged',
    'Its branch on the remote has additional commits, which were kept.',
    'Review',
  ]);
  remote.git('update-ref', 'refs/heads/migrate/left-pad', commitOn(remote, 'main', 'Other'));
  const moved = await run();
  expect([moved.exit, moved.failure?.code, remote.git('log', '-1', '--format=%s', 'migrate/left-pad')]).toEqual([
    1,
    'PULL_REQUEST_BRANCH_MOVED',
    'Other',
  ]);

  // After a new migration, what the tool itself had pushed is replaced.
  remote.git('update-ref', 'refs/heads/migrate/left-pad', fixture.monorepo.git('rev-parse', 'migrate/left-pad'));
  fixture.monorepo.git('update-ref', 'refs/heads/migrate/left-pad', 'migrate/left-pad~1');
  await fixture.discarded('left-pad');
  const anew = await run([...command, '--no-tags']);
  expect([anew.exit, anew.state, anew.pushTags, callsOf(anew)]).toEqual([0, 'updated', null, ['push', 'update']]);
  expect(remote.git('rev-parse', 'migrate/left-pad')).toBe(fixture.monorepo.git('rev-parse', 'migrate/left-pad'));
  // It is merged on the forge but not yet fetched: nothing is pushed or opened again.
  Object.assign(opened[0] ?? {}, { state: 'closed', merged_at: '2026-01-03T03:04:05Z' });
  remote.git('update-ref', '-d', 'refs/heads/migrate/left-pad');
  const closed = await run();
  expect([closed.exit, closed.state, closed.notes, heads()]).toEqual([0, 'closed', ['It was merged, and is not changed.'], 'main']);
  expect([forge.flaws, remote.git('tag'), opened.length]).toEqual([[], '', 1]);
});

test('a sync is proposed too; several packages are one pull request, and what is left out stays out', async () => {
  const { fixture, source, remote, opened, address, forge } = request;
  fixture.monorepo.merge('migrate/left-pad', 'Merge left-pad');
  // Merge settings are unknown, the remote is a fork, and a person's commit comes along.
  Object.assign(settings, { allowMergeCommit: undefined, protection: 'hidden', parent: 'up/app' });
  source.commit('Gain', { files: { 'gain.js': '1\n' } });
  const sync = ['sync', 'left-pad', '--no-align', '--pull-request'];
  const planned = await run([...sync, '--dry-run']);
  expect([planned.state, planned.whole.sync?.state, callsOf(planned)]).toEqual(['opened', 'planned', ['push', 'open']]);
  const synced = await run(sync);
  expect([synced.exit, synced.state, synced.branch, opened.length]).toEqual([0, 'opened', 'sync/left-pad', 2]);
  expect(synced.notes).toEqual([
    'It is unknown whether acme/app allows merge commits: the token cannot read that setting. Check it before you merge.',
    'It is unknown whether main of acme/app requires a linear history: the token cannot read its protection. Check it before you merge.',
    'The remote origin is acme/app, a fork of up/app. The pull request is opened in the fork. To open it in up/app, name a remote of up/app with --remote.',
    expect.stringMatching(/^\d+ commits of your branch are included that main of origin does not have\.$/),
  ]);
  expect(opened[1]?.title).toBe('Import new commits of left-pad');
  Object.assign(settings, { allowMergeCommit: true, protection: undefined, parent: undefined });
  const again = await run(sync);
  expect([again.state, again.whole.sync, opened.length]).toEqual(['unchanged', null, 2]);

  // The sync is merged and the source has nothing new: there is no branch.
  fixture.monorepo.merge('sync/left-pad', 'Merge the sync');
  fixture.monorepo.git('push', '--quiet', remote.path, 'main');
  const nothing = await run(sync);
  expect([nothing.exit, nothing.whole.sync?.state, nothing.whole.pullRequest]).toEqual([0, 'nothing new', null]);

  const missing = { 'right-pad': { source: `${address}/acme/nowhere` }, 'up-pad': { source: source.path } };
  fixture.monorepo.commit('List', { files: { 'tributary.json': JSON.stringify({ migrate: { packages: missing } }) } });
  fixture.monorepo.git('push', '--quiet', remote.path, 'main');
  source.commit('Call it so', { files: { 'package.json': '{"name":"up-pad","version":"1.0.0"}\n' } });
  // The answer is lost. One package is enough to find the branch again, while --all would retry what has failed.
  request.decide((call) => (call === OPEN ? 'hang up' : undefined));
  const lost = await run(['--all', '--no-align', '--no-tags', '--pull-request', '--branch', 'migrate/all']);
  expect([lost.exit, lost.failure?.code, lost.branch]).toEqual([1, 'GITHUB_UNREACHABLE', 'migrate/all']);
  expect(lost.whole.migration?.leftOut.map(({ name }) => name)).toEqual(['right-pad']);
  request.decide(() => undefined);
  const all = await run(['up-pad', '--pull-request']);
  expect([all.exit, all.state, all.branch, opened[2]?.title]).toEqual([0, 'opened', 'migrate/all', 'Migrate up-pad to packages/up-pad']);
  // The same command as before: what still cannot be migrated is told, and the branch of the others is proposed.
  const same = await run(['--all', '--no-align', '--no-tags', '--pull-request', '--branch', 'migrate/all']);
  expect([same.exit, same.state, same.branch, same.whole.migration, opened.length]).toEqual([1, 'unchanged', 'migrate/all', null, 3]);
  expect(same.whole.leftOut.map(({ name, code }) => [name, code])).toEqual([['right-pad', 'TARGET_BRANCH_TAKEN']]);
  const told = same.stderr.replaceAll(/\s+/g, ' ');
  expect(told).toContain('right-pad was not migrated. The branch migrate/all cannot be created: refs/heads/migrate/all exists.');
  expect(told).toContain('merge migrate/all, delete it, and run the command again.');
  expect(told).not.toContain('discard');
  // Without the name of the branch, the source of the other is asked, and its own reason is told.
  const rest = await run(['--all', '--no-align', '--no-tags', '--pull-request']);
  expect([rest.exit, rest.branch, rest.whole.leftOut.map(({ name }) => name)]).toEqual([1, 'migrate/all', ['right-pad']]);
  expect(rest.whole.leftOut[0]?.code).not.toBe('TARGET_BRANCH_TAKEN');
  expect(rest.stderr).toContain('right-pad: ');

  expect([forge.flaws, remote.git('tag')]).toEqual([[], '']);
  expect(invalidAnswers(['migrate-repo', 'proposed-result'], answers)).toEqual([]);
});

function commitOn(repo: RequestFixture['remote'], ref: string, message: string): string {
  return repo.git('commit-tree', '-p', ref, '-m', message, `${ref}^{tree}`);
}
