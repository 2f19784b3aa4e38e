import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Git, plumbing } from '@tributary/git/git';
import type { CommitId, ObjectId } from '@tributary/model/ids';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { signWithSsh } from '@tributary/test-repo/ssh-signing';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { type MovedHistory, previewChanges } from './move.js';
import { gitDirOf, move, QUALIFIED, short } from './moving.fixture.js';
import { proveMove } from './prove.js';

const cleanUp = cleanUpIn(afterEach);

let repo: TempRepo;
let git: Git;
let ids: Record<'first' | 'second' | 'reverting' | 'signed', CommitId>;
let moved: MovedHistory;
const tagId = (): ObjectId => repo.id('refs/tags/v1.0.0');

/** Creates a commit and a tag signed with an SSH key, and messages with everything that is rewritten. */
beforeEach(async () => {
  repo = cleanUp.add(TempRepo.create());
  signWithSsh(repo, cleanUp.add(new TempFolder()));
  const first = repo.commit('Start (#1)', { files: { 'package.json': '{}' } });
  const second = repo.commit('Fixes #12, thanks @ada\n\n    closes GH-13\n', { files: { a: '1' } });
  const reverting = repo.commit(`Revert "Fixes"\n\nThis reverts commit ${second}, see ${short(first)}.\n`, { files: { a: null } });
  repo.write({ b: '1' });
  repo.git('add', '-A');
  repo.git('commit', '-q', '-S', '-m', 'Signed');
  ids = { first, second, reverting, signed: repo.id('HEAD') };
  repo.git('tag', '-s', '-m', 'One, fixes #12', 'v1.0.0');
  git = plumbing(gitDirOf(repo));
  moved = await move(git, { tip: ids.signed, tags: [{ name: 'v1.0.0', id: tagId() }], messages: QUALIFIED });
});

const image = (id: CommitId): ObjectId => moved.map?.get(id) ?? id;
const messageOf = (id: ObjectId): string => repo.git('log', '-1', '--format=%B', id).trim();

test('messages are rewritten, the history is proven, and what was done is counted', async () => {
  expect(await proveMove(git, moved, { format: 'sha1' })).toMatchObject({ method: 'inverse', counts: { commits: 4 }, tags: 1 });
  expect(messageOf(image(ids.first))).toBe('Start (acme/x#1)');
  expect(messageOf(image(ids.second))).toBe('Fixes the issue acme/x#12, thanks @ ada\n\n    closes the issue GH-13');
  const [second, first] = [image(ids.second), image(ids.first).slice(0, short(ids.first).length)];
  expect(messageOf(image(ids.reverting))).toBe(`Revert "Fixes"\n\nThis reverts commit ${second}, see ${first}.`);
  expect(moved.changes).toMatchObject({
    messages: 3,
    references: 2,
    unqualified: 0,
    closingWords: 2,
    mentions: 1,
    commitIds: 2,
    signatures: 2,
  });
  expect(moved.changes.samples).toEqual([
    { commit: ids.second, before: 'Fixes #12, thanks @ada', after: 'Fixes the issue acme/x#12, thanks @ ada' },
    { commit: ids.first, before: 'Start (#1)', after: 'Start (acme/x#1)' },
    expect.objectContaining({ commit: ids.reverting }),
  ]);
});

test('a preview counts the same and writes nothing', async () => {
  const clone = cleanUp.add(TempRepo.cloneOf(repo, '--mirror'));
  const objects = clone.git('cat-file', '--batch-all-objects', '--batch-check');
  expect(await previewChanges(plumbing(clone.path), { planned: moved.planned, format: 'sha1', strategy: 'rewrite' })).toEqual(
    moved.changes,
  );
  expect(clone.git('cat-file', '--batch-all-objects', '--batch-check')).toBe(objects);
  expect(await previewChanges(git, { planned: moved.planned, format: 'sha1', strategy: 'merge' })).toMatchObject({
    messages: 0,
    signatures: 0,
  });
});

test('exact: nothing changes, and the false signatures are counted', async () => {
  const exact = await move(git, { tip: ids.signed, tags: [{ name: 'v1.0.0', id: tagId() }] });
  expect(repo.git('log', '--format=%B', exact.tip)).toBe(repo.git('log', '--format=%B', ids.signed));
  expect(repo.git('cat-file', 'commit', exact.tip)).toContain('\ngpgsig ');
  expect(exact.changes).toMatchObject({ messages: 0, references: 0, samples: [], signatures: 2 });
});

describe('git takes such commits and tags', () => {
  test('fsck --strict finds nothing', () => {
    repo.git('update-ref', 'refs/heads/moved', moved.tip);
    repo.git('update-ref', 'refs/tags/moved', moved.tags[0]?.id ?? '');
    expect(repo.git('fsck', '--strict', '--no-dangling', '--no-progress')).toBe('');
  });

  test('a signature that is false is shown nowhere, and the original stands in the commit', () => {
    expect(repo.git('cat-file', '-p', ids.signed)).toContain('\ngpgsig -----BEGIN SSH SIGNATURE-----\n');
    expect(repo.git('log', '--format=%G?', moved.tip).split('\n')).toEqual(['N', 'N', 'N', 'N']);
    expect(repo.git('log', '--show-signature', '-1', moved.tip)).toContain('Signed');
    expect(repo.git('cat-file', '-p', moved.tip)).toMatch(/\ntributary-gpgsig -----BEGIN SSH SIGNATURE-----\n /);
    expect(repo.git('cat-file', '-p', image(ids.second))).toContain('\ntributary-message Fixes #12, thanks @ada\n \n     closes GH-13\n');
  });

  test('a tag is read, its message ends before the signature, and nothing claims that it is signed', () => {
    repo.git('update-ref', 'refs/tags/moved', moved.tags[0]?.id ?? '');
    expect(repo.git('for-each-ref', '--format=%(contents)|%(contents:signature)|%(taggername)', 'refs/tags/moved')).toBe(
      'One, fixes #12\n||Ada Author',
    );
    const verified = repo.git('-c', 'gpg.ssh.allowedSignersFile=/dev/null', 'show', '-s', 'refs/tags/moved');
    expect(verified).toContain('One, fixes #12');
    expect(() => repo.git('tag', '-v', 'moved')).toThrow(/no signature found/);
  });

  test('fast-export, rebase, cherry-pick and a clone go on', () => {
    repo.git('update-ref', 'refs/heads/moved', moved.tip);
    expect(repo.git('fast-export', 'refs/heads/moved')).toContain('Fixes the issue acme/x#12');
    repo.git('checkout', '-q', 'moved');
    repo.git('rebase', '-q', '--force-rebase', '--root');
    expect(messageOf(repo.id('HEAD~2'))).toBe(messageOf(image(ids.second)));
    repo.git('checkout', '-q', '-B', 'picked', image(ids.first));
    repo.git('cherry-pick', image(ids.second));
    expect(cleanUp.add(TempRepo.cloneOf(repo, '--branch', 'picked')).git('log', '-1', '--format=%s')).toContain('acme/x#12');
  });
});

test('a source that was itself moved so comes back byte for byte, and is moved again', async () => {
  const again = await move(git, { tip: moved.tip, path: 'libs/y', messages: { repository: { name: 'acme/monorepo', forge: 'gitlab' } } });
  expect(await proveMove(git, again, { format: 'sha1' })).toMatchObject({ method: 'inverse', counts: { commits: 4 } });
  expect(repo.git('cat-file', '-p', again.tip)).toMatch(/\ntributary-tributary-gpgsig /);
  const second = again.map?.get(image(ids.second)) ?? again.tip;
  expect(messageOf(second)).toBe(messageOf(image(ids.second)));
});

test('a merge quotes commits of both its sides, and not one that only another branch has', async () => {
  repo.branch('side', ids.first);
  repo.checkout('side');
  const side = repo.commit('Side', { files: { s: '1' } });
  const stranger = repo.commit('Stranger', { files: { t: '1' } });
  repo.git('reset', '-q', '--hard', side);
  repo.checkout('main');
  const merge = repo.merge('side', `Merge ${short(side)} into ${short(ids.signed)}, without ${short(stranger)}`);
  const source = { tip: merge, tags: [{ name: 'stranger', id: stranger }], messages: QUALIFIED };
  const all = await move(git, source);
  await proveMove(git, all, { format: 'sha1' });
  const [left, right] = [side, ids.signed].map((id) => all.map?.get(id)?.slice(0, short(id).length));
  expect(messageOf(all.tip)).toBe(`Merge ${left} into ${right}, without ${short(stranger)}`);
  expect((await move(git, { ...source, tags: [] })).tip).toBe(all.tip);
});

test('in the history of a folder, an id of a commit that was left out stays', async () => {
  repo.commit('Folder', { files: { 'lib/package.json': '{}' } });
  const outside = repo.commit('Outside', { files: { o: '1' } });
  const inside = repo.commit('Inside', { files: { 'lib/a': '1' } });
  const tip = repo.commit(`See ${short(outside)} and ${short(inside)}`, { files: { 'lib/a': '2' } });
  const folder = await move(git, { tip, subdirectory: 'lib', messages: QUALIFIED });
  expect(await proveMove(git, folder, { format: 'sha1' })).toMatchObject({ method: 'compared' });
  expect(messageOf(folder.tip)).toBe(`See ${short(outside)} and ${folder.map?.get(inside)?.slice(0, short(inside).length)}`);
});
