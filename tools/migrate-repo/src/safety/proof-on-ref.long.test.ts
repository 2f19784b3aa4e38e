import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { failureOf, MigrationFixture } from './migration.fixture.js';
import { BRANCH, LOST, PATH, ProofFixture, WHOLE } from './proof.fixture.js';

// Only what a ref contains is proven, not what another branch still has.
const cleanUp = cleanUpIn(afterEach);

let proof: ProofFixture;
let fixture: MigrationFixture;
let source: TempRepo;
let repo: TempRepo;

beforeEach(async () => {
  proof = await ProofFixture.create();
  ({ fixture, source, repo } = proof);
});

function squash(message?: string): string {
  repo.git('merge', '-q', '--squash', BRANCH);
  repo.clock.advance();
  repo.git('commit', '-q', ...(message === undefined ? ['--no-edit'] : ['-m', message]));
  return repo.id('HEAD');
}

describe('squashed', () => {
  test.each([
    ['with the words of git', undefined],
    ['with words of their own', 'Add left-pad (#7)'],
  ])('%s, and the branch is left', async (_title, message) => {
    const by = squash(message);
    const said = { code: 'PROOF_MISSING', state: 'squashed', by, branch: BRANCH };
    expect(await proof.refused()).toEqual(said);
    expect(await proof.refused('--refetch')).toEqual(said);
    expect(await proof.refused('--ref', 'main')).toEqual(said);
    expect(await proof.status()).toMatchObject([{ state: 'squashed', by, branch: BRANCH }]);
    expect((await fixture.run(['status'])).stdout).toContain(
      `left-pad  ${PATH}: it was squashed into ${by.slice(0, 10)}, so its history is lost; ${BRANCH} still has it`,
    );
    expect(await proof.proveAll()).toEqual(LOST);
    expect(await proof.accepted('--ref', BRANCH)).toMatchObject({ contained: 'branch of the migration' });
    expect(await proof.proveAll('--ref', BRANCH)).toEqual(WHOLE);
  });

  test('and the branch is then not discarded: it is the last that has the history', async () => {
    squash('Add left-pad');
    expect((await fixture.refused('IMPORT_IN_USE', ['discard', 'left-pad'])).stderr).toContain('without their history');
  });

  test('and the branch is deleted: the message tells', async () => {
    const by = squash();
    repo.git('branch', '-q', '-D', BRANCH);
    expect(await proof.refused()).toEqual({ code: 'PROOF_MISSING', state: 'squashed', by, branch: null });
    expect(await proof.proveAll()).toEqual(LOST);
  });

  test('the advice repairs it', async () => {
    squash();
    const { stderr } = await fixture.run(['verify', 'left-pad']);
    expect(stderr).toContain(`git rm -r ${PATH}`);
    repo.git('rm', '-rq', PATH);
    repo.commit('Take it away again');
    expect(await proof.proveAll()).toEqual({ exit: 0, proven: 0, removed: [], failed: [] });
    repo.merge(BRANCH);
    expect(await proof.accepted()).toMatchObject({ contained: 'merged', mergedBy: repo.id('main') });
    expect(await proof.proveAll()).toEqual(WHOLE);
    expect(repo.git('log', '--format=%s', '--', `${PATH}/src/index.js`).split('\n')).toContain('Start');
  });

  test('a branch merged on top of it does not repair it', async () => {
    const by = squash('Add left-pad');
    repo.merge(BRANCH);
    expect(await proof.refused()).toMatchObject({ code: 'PROOF_MISSING', state: 'replaced', by });
    expect(await proof.proveAll()).toEqual(LOST);
  });
});

test('rebased: the branch is left, or only the commits that followed the import', async () => {
  repo.commit('Meanwhile', { files: { 'x.txt': '' } });
  repo.git('checkout', '-q', '-b', 'rebased', BRANCH);
  repo.clock.advance();
  repo.git('rebase', '-q', 'main');
  repo.checkout('main');
  repo.git('merge', '-q', '--ff-only', 'rebased');
  repo.git('branch', '-q', '-D', 'rebased');
  const said = await proof.refused();
  expect(said).toMatchObject({ code: 'PROOF_MISSING', state: 'rebased', branch: BRANCH });
  expect(repo.git('log', '-1', '--format=%s', String(said.by))).toBe('Start');
  expect(await proof.proveAll()).toEqual(LOST);
  repo.git('branch', '-q', '-D', BRANCH);
  expect(await proof.refused()).toMatchObject({ code: 'PROOF_MISSING', state: 'rebased', by: repo.id('main') });
  expect(await proof.proveAll()).toEqual(LOST);
  expect((await fixture.run(['status'])).stdout).toContain('left-pad  history lost');
});

test('a main whose authors were rewritten', async () => {
  repo.merge(BRANCH);
  expect(await proof.proveAll()).toEqual(WHOLE);
  repo.git('filter-branch', '-f', '--env-filter', 'export GIT_AUTHOR_NAME=Eve', 'main');
  repo.git('update-ref', '-d', 'refs/original/refs/heads/main');
  expect(await proof.refused()).toMatchObject({ code: 'PROOF_MISSING', state: 'rewritten', branch: BRANCH });
  expect(await proof.status()).toMatchObject([{ state: 'rewritten', branch: BRANCH }]);
  expect(await proof.proveAll()).toEqual(LOST);
});

test('a second import, squashed, is not proven by the first', async () => {
  repo.merge(BRANCH);
  repo.git('branch', '-q', '-D', BRANCH);
  repo.clock.advance();
  repo.git('revert', '--no-edit', '-m', '1', 'HEAD');
  expect(await proof.refused()).toMatchObject({ state: 'removed', by: repo.id('HEAD') });
  source.commit('More', { files: { 'more.js': '' } });
  expect((await fixture.run(['left-pad', '--from', source.path])).code).toBe(0);
  const by = squash('Add left-pad again');
  expect(await proof.refused()).toMatchObject({ code: 'PROOF_MISSING', state: 'squashed', by, branch: BRANCH });
  expect((await proof.proveAll()).exit).toBe(1);
});

test('one that lies on another branch, or on one of a remote, is named as such', async () => {
  expect(await proof.refused()).toEqual({ code: 'PROOF_MISSING', state: 'waiting', by: null, branch: BRANCH });
  expect(await proof.proveAll()).toEqual({ exit: 0, proven: 0, removed: [], failed: [] });
  repo.git('update-ref', 'refs/remotes/fork/evil', BRANCH);
  repo.git('branch', '-q', '-D', BRANCH);
  expect(await proof.refused()).toEqual({ code: 'PROOF_MISSING', state: 'waiting', by: null, branch: 'fork/evil' });
  expect((await fixture.run(['verify', 'left-pad'])).stderr).toContain('only on fork/evil, a remote branch');
  expect(await proof.accepted('--ref', 'fork/evil')).toMatchObject({ ref: 'fork/evil' });
});

test('how a ref contains an import', async () => {
  expect(await proof.accepted('--ref', BRANCH)).toMatchObject({ contained: 'branch of the migration', branch: BRANCH, mergedBy: null });
  expect((await fixture.run(['verify', 'left-pad', '--ref', BRANCH])).stdout).toContain(
    'not merged yet: it is the branch of the migration',
  );
  const start = repo.id('main');
  repo.merge(BRANCH);
  const mergedBy = repo.id('main');
  expect(await proof.accepted()).toMatchObject({ ref: 'HEAD', refCommit: mergedBy, contained: 'merged', mergedBy });
  expect((await fixture.run(['verify', 'left-pad'])).stdout).toContain(`merged by ${mergedBy.slice(0, 10)}`);
  expect(await proof.refused('--ref', start)).toMatchObject({ code: 'PROOF_MISSING', state: 'waiting' });
  expect(failureOf(await fixture.run(['verify', 'left-pad', '--ref', 'nowhere']))).toEqual({ exit: 1, code: 'REVISION_MISSING' });
  expect(failureOf(await fixture.run(['verify', 'left-pad', '--ref=--all']))).toEqual({ exit: 1, code: 'REVISION_MISSING' });
  repo.git('reset', '-q', '--hard', start);
  repo.git('merge', '-q', '--ff-only', BRANCH);
  repo.git('branch', '-q', '-D', BRANCH);
  expect(await proof.accepted()).toMatchObject({ contained: 'on its line', mergedBy: null, branch: null });
});

test('a pull request whose message quotes the record is no import of its own', async () => {
  const message = repo.git('log', '-1', '--merges', '--format=%B', BRANCH);
  repo.merge(BRANCH, `Merge pull request #7\n\n${message}`);
  expect(await proof.accepted()).toMatchObject({ mergedBy: repo.id('main'), merge: repo.id(`${BRANCH}~1`) });
  expect(await proof.proveAll()).toEqual(WHOLE);
  expect(await proof.status()).toMatchObject([{ state: 'merged' }]);
});

test('with --strategy merge, --refetch asks the source too', async () => {
  await fixture.discarded('left-pad');
  expect((await fixture.run(['left-pad', '--from', source.path, '--strategy', 'merge'])).code).toBe(0);
  repo.merge(BRANCH);
  expect(await proof.accepted('--refetch')).toMatchObject({
    method: 'found again',
    fetched: { ref: 'refs/heads/main', state: 'recorded' },
  });
  source.git('reset', '-q', '--hard', 'v1.0.0');
  expect(await proof.accepted()).toMatchObject({ method: 'ancestor', fetched: null });
  expect(await proof.refused('--refetch')).toMatchObject({ code: 'PROOF_FAILED' });
});

describe('a renamed default branch of the source', () => {
  beforeEach(() => {
    repo.merge(BRANCH);
    source.git('branch', '-m', 'main', 'trunk');
  });

  test('is followed', async () => {
    expect(await proof.accepted('--refetch')).toMatchObject({ fetched: { ref: 'refs/heads/trunk', state: 'renamed' } });
    expect((await fixture.run(['verify', 'left-pad', '--refetch'])).stdout.replaceAll('\n', ' ')).toContain('now its default branch');
    source.commit('More');
    expect(await proof.status()).toMatchObject([{ askedRef: 'refs/heads/trunk', news: { state: 'commits', count: 1 } }]);
    expect((await fixture.run(['status'])).stdout).toContain('of main (trunk now)');
  });

  test('and where it does not contain the import, that is said, and another can be named', async () => {
    source.branch('old', 'trunk');
    source.git('reset', '-q', '--hard', 'v1.0.0');
    source.commit('Another way');
    expect(await proof.refused('--refetch')).toMatchObject({ code: 'PROOF_FAILED' });
    expect((await fixture.run(['verify', 'left-pad', '--refetch'])).stderr).toContain('name that with --source-branch');
    expect(await proof.status()).toMatchObject([{ news: { state: 'unknown', why: expect.stringContaining('refs/heads/trunk') } }]);
    expect(await proof.accepted('--source-branch', 'old')).toMatchObject({ fetched: { ref: 'refs/heads/old', state: 'chosen' } });
    expect(await proof.refused('--source-branch', 'gone')).toMatchObject({ code: 'SOURCE_BRANCH_MISSING' });
  });
});

test('a subdirectory: --source-branch names the branch, and --all proves it without the source', async () => {
  source.commit('Add a library', { files: { 'libs/ui/package.json': '{ "name": "ui" }\n' } });
  expect((await fixture.run(['ui', '--from', source.path, '--subdirectory', 'libs/ui', '--no-tags'])).code).toBe(0);
  repo.merge('migrate/ui');
  source.git('branch', '-m', 'main', 'trunk');
  const prove = async (...args: string[]): Promise<unknown> => JSON.parse((await fixture.run(['verify', 'ui', '--json', ...args])).stdout);
  expect(await prove()).toMatchObject({ method: 'moved again', fetched: { state: 'renamed' } });
  expect(await prove('--source-branch', 'trunk')).toMatchObject({ method: 'moved again', fetched: { state: 'chosen' } });
  source.dispose();
  expect(JSON.parse((await fixture.run(['verify', '--all', '--json'])).stdout)).toMatchObject({
    proven: [{ name: 'ui', method: 'recorded' }],
    failed: [],
  });
});

test('a shallow clone is refused, and so is nothing else: a fresh clone proves', async () => {
  repo.merge(BRANCH);
  const shallow = new MigrationFixture(cleanUp.add(TempRepo.cloneOf(repo, '--depth=1')), fixture.home);
  expect(failureOf(await shallow.run(['verify', '--all']))).toEqual({ exit: 1, code: 'TARGET_SHALLOW' });
  const fresh = new MigrationFixture(cleanUp.add(TempRepo.cloneOf(repo)), fixture.home);
  expect((await fresh.run(['verify', '--all'])).stdout).toContain('1 import proven, 0 not.');
  fresh.monorepo.git('checkout', '-q', '--detach');
  expect((await fresh.run(['verify', '--all'])).code).toBe(0);
});
