import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import type { VerifyAllResult } from '../result.js';
import { createScene, createSource, failureOf, MigrationScene } from './scene.fixture.js';

// What is proven is what a ref contains: not what a branch beside it still has.

const cleanUp = cleanUpIn(afterEach);
const BRANCH = 'migrate/left-pad';
const PATH = 'packages/left-pad';

let scene: MigrationScene;
let source: TempRepo;
let repo: TempRepo;

beforeEach(async () => {
  scene = createScene(cleanUp);
  source = createSource(cleanUp);
  repo = scene.monorepo;
  expect((await scene.run(['left-pad', '--from', source.path])).code).toBe(0);
});

interface Said {
  readonly code: string;
  readonly state: unknown;
  readonly by: unknown;
  readonly branch: unknown;
}

async function refused(...args: string[]): Promise<Said> {
  const { code, stdout } = await scene.run(['verify', 'left-pad', '--json', ...args]);
  const { error } = JSON.parse(stdout) as { error: { code: string; data: Record<string, unknown> } };
  expect(code).toBe(1);
  return { code: error.code, state: error.data['state'], by: error.data['by'], branch: error.data['branch'] };
}

async function accepted(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await scene.run(['verify', 'left-pad', '--json', ...args]);
  expect({ code, stderr: code === 0 ? '' : `${stderr}${stdout}` }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown>;
}

async function statusOf(): Promise<readonly Record<string, unknown>[]> {
  const { stdout } = await scene.run(['status', '--json']);
  return (JSON.parse(stdout) as { imports: Record<string, unknown>[] }).imports;
}

/** The exit code of `verify --all`, and what it found. */
async function proveAll(...args: string[]): Promise<{
  readonly exit: number | null;
  readonly proven: number;
  readonly removed: readonly string[];
  readonly failed: readonly string[];
}> {
  const { code, stdout } = await scene.run(['verify', '--all', '--json', ...args]);
  const { proven, removed, failed } = JSON.parse(stdout) as VerifyAllResult;
  return {
    exit: code,
    proven: proven.length,
    removed: removed.map((one) => `${one.name} by ${one.by}`),
    failed: failed.map((one) => `${one.name}: ${one.code}`),
  };
}

const LOST = { exit: 1, proven: 0, removed: [], failed: ['left-pad: PROOF_MISSING'] };
const WHOLE = { exit: 0, proven: 1, removed: [], failed: [] };

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
    expect(await refused()).toEqual(said);
    expect(await refused('--refetch')).toEqual(said);
    expect(await refused('--ref', 'main')).toEqual(said);
    expect(await statusOf()).toMatchObject([{ state: 'squashed', by, branch: BRANCH }]);
    expect((await scene.run(['status'])).stdout).toContain(
      `left-pad  ${PATH}: it was squashed into ${by.slice(0, 10)}, its history is lost; ${BRANCH} still has it`,
    );
    expect(await proveAll()).toEqual(LOST);
    expect(await accepted('--ref', BRANCH)).toMatchObject({ contained: 'branch of the migration' });
  });

  test('and the branch is then not discarded: it is the last that has the history', async () => {
    squash('Add left-pad');
    expect((await scene.refused('IMPORT_IN_USE', ['discard', 'left-pad'])).stderr).toContain('without their history');
  });

  test('and the branch is deleted: the message tells', async () => {
    const by = squash();
    repo.git('branch', '-q', '-D', BRANCH);
    expect(await refused()).toEqual({ code: 'PROOF_MISSING', state: 'squashed', by, branch: null });
    expect(await proveAll()).toEqual(LOST);
  });

  test('the advice repairs it', async () => {
    squash();
    const { stderr } = await scene.run(['verify', 'left-pad']);
    expect(stderr).toContain(`git rm -r ${PATH}`);
    repo.git('rm', '-rq', PATH);
    repo.commit('Take it away again');
    expect(await proveAll()).toEqual({ exit: 0, proven: 0, removed: [], failed: [] });
    repo.merge(BRANCH);
    expect(await accepted()).toMatchObject({ contained: 'merged', mergedBy: repo.id('main') });
    expect(await proveAll()).toEqual(WHOLE);
    expect(repo.git('log', '--format=%s', '--', `${PATH}/src/index.js`).split('\n')).toContain('Start');
  });

  test('a branch merged on top of it does not repair it', async () => {
    const by = squash('Add left-pad');
    repo.merge(BRANCH);
    expect(await refused()).toMatchObject({ code: 'PROOF_MISSING', state: 'replaced', by });
    expect(await proveAll()).toEqual(LOST);
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
  const said = await refused();
  expect(said).toMatchObject({ code: 'PROOF_MISSING', state: 'rebased', branch: BRANCH });
  expect(repo.git('log', '-1', '--format=%s', String(said.by))).toBe('Start');
  expect(await proveAll()).toEqual(LOST);
  repo.git('branch', '-q', '-D', BRANCH);
  expect(await refused()).toMatchObject({ code: 'PROOF_MISSING', state: 'rebased', by: repo.id('main') });
  expect(await proveAll()).toEqual(LOST);
  expect((await scene.run(['status'])).stdout).toContain('left-pad  history lost');
});

test('a main whose authors were rewritten', async () => {
  repo.merge(BRANCH);
  expect(await proveAll()).toEqual(WHOLE);
  repo.git('filter-branch', '-f', '--env-filter', 'export GIT_AUTHOR_NAME=Eve', 'main');
  repo.git('update-ref', '-d', 'refs/original/refs/heads/main');
  expect(await refused()).toMatchObject({ code: 'PROOF_MISSING', state: 'rewritten', branch: BRANCH });
  expect(await statusOf()).toMatchObject([{ state: 'rewritten', branch: BRANCH }]);
  expect(await proveAll()).toEqual(LOST);
});

test('a second import, squashed, is not proven by the first', async () => {
  repo.merge(BRANCH);
  repo.git('branch', '-q', '-D', BRANCH);
  repo.clock.advance();
  repo.git('revert', '--no-edit', '-m', '1', 'HEAD');
  expect(await refused()).toMatchObject({ state: 'removed', by: repo.id('HEAD') });
  source.commit('More', { files: { 'more.js': '' } });
  expect((await scene.run(['left-pad', '--from', source.path])).code).toBe(0);
  const by = squash('Add left-pad again');
  expect(await refused()).toMatchObject({ code: 'PROOF_MISSING', state: 'squashed', by, branch: BRANCH });
  expect((await proveAll()).exit).toBe(1);
});

test('one that lies on another branch, or on one of a remote, is named as such', async () => {
  expect(await refused()).toEqual({ code: 'PROOF_MISSING', state: 'waiting', by: null, branch: BRANCH });
  expect(await proveAll()).toEqual({ exit: 0, proven: 0, removed: [], failed: [] });
  repo.git('update-ref', 'refs/remotes/fork/evil', BRANCH);
  repo.git('branch', '-q', '-D', BRANCH);
  expect(await refused()).toEqual({ code: 'PROOF_MISSING', state: 'waiting', by: null, branch: 'fork/evil' });
  expect((await scene.run(['verify', 'left-pad'])).stderr).toContain('only on fork/evil, a branch of a remote');
  expect(await accepted('--ref', 'fork/evil')).toMatchObject({ ref: 'fork/evil' });
});

test('how a ref contains an import', async () => {
  expect(await accepted('--ref', BRANCH)).toMatchObject({ contained: 'branch of the migration', branch: BRANCH, mergedBy: null });
  expect((await scene.run(['verify', 'left-pad', '--ref', BRANCH])).stdout).toContain('not merged yet: it is the branch of the migration');
  const start = repo.id('main');
  repo.merge(BRANCH);
  const mergedBy = repo.id('main');
  expect(await accepted()).toMatchObject({ ref: 'HEAD', refCommit: mergedBy, contained: 'merged', mergedBy });
  expect((await scene.run(['verify', 'left-pad'])).stdout).toContain(`merged by ${mergedBy.slice(0, 10)}`);
  expect(await refused('--ref', start)).toMatchObject({ code: 'PROOF_MISSING', state: 'waiting' });
  expect(failureOf(await scene.run(['verify', 'left-pad', '--ref', 'nowhere']))).toEqual({ exit: 1, code: 'REVISION_MISSING' });
  expect(failureOf(await scene.run(['verify', 'left-pad', '--ref=--all']))).toEqual({ exit: 1, code: 'REVISION_MISSING' });
  repo.git('reset', '-q', '--hard', start);
  repo.git('merge', '-q', '--ff-only', BRANCH);
  repo.git('branch', '-q', '-D', BRANCH);
  expect(await accepted()).toMatchObject({ contained: 'on its line', mergedBy: null, branch: null });
});

test('a pull request whose message quotes the record is no import of its own', async () => {
  const message = repo.git('log', '-1', '--merges', '--format=%B', BRANCH);
  repo.merge(BRANCH, `Merge pull request #7\n\n${message}`);
  expect(await accepted()).toMatchObject({ mergedBy: repo.id('main'), merge: repo.id(`${BRANCH}~1`) });
  expect(await proveAll()).toEqual(WHOLE);
  expect(await statusOf()).toMatchObject([{ state: 'merged' }]);
});

test('a folder that main has moved and rewritten, and a branch gets by a merge of main, is not lost', async () => {
  repo.merge(BRANCH);
  repo.git('branch', 'work');
  repo.write({ 'libs/.keep': '' });
  repo.git('mv', PATH, 'libs/pad');
  repo.commit('Move');
  repo.commit('Rewrite', { files: { 'libs/pad/package.json': '{\n  "name": "left-pad",\n  "version": "9.0.0",\n  "private": true\n}\n' } });
  repo.checkout('work');
  repo.commit('Work', { files: { 'work.txt': '' } });
  repo.git('merge', '-q', '--no-ff', '--no-edit', 'main');
  expect(await proveAll()).toMatchObject({ exit: 0, failed: [] });
});

test('a folder that was moved afterwards is still proven, and one that was put back', async () => {
  repo.merge(BRANCH);
  repo.write({ 'libs/.keep': '' });
  repo.git('mv', PATH, 'libs/pad');
  const moved = repo.commit('Move');
  expect(await accepted()).toMatchObject({ movedTo: 'libs/pad' });
  expect(await statusOf()).toMatchObject([{ state: 'merged', movedTo: 'libs/pad' }]);
  repo.clock.advance();
  repo.git('revert', '--no-edit', moved);
  expect(await accepted()).toMatchObject({ movedTo: null });
  expect(await proveAll()).toEqual(WHOLE);
});

test('after a revert of the merge status says so, and after its revert all is well', async () => {
  const merge = repo.merge(BRANCH);
  repo.clock.advance();
  repo.git('revert', '--no-edit', '-m', '1', merge);
  const by = repo.id('HEAD');
  expect(await refused()).toMatchObject({ code: 'PROOF_MISSING', state: 'removed', by });
  expect((await scene.run(['status'])).stdout).toContain(`merged by ${merge.slice(0, 10)}, taken away by ${by.slice(0, 10)}`);
  expect(await proveAll()).toEqual({ exit: 0, proven: 1, removed: [`left-pad by ${by}`], failed: [] });
  repo.clock.advance();
  repo.git('revert', '--no-edit', by);
  expect(await accepted()).toMatchObject({ mergedBy: merge });
  expect(await proveAll()).toEqual(WHOLE);
});

test('a folder that a merge lost fails, one that was taken away on a branch is named', async () => {
  const start = repo.id('main');
  const merge = repo.merge(BRANCH);
  repo.branch('stale', start);
  repo.checkout('stale');
  repo.commit('Other work', { files: { 'x.txt': '' } });
  repo.checkout('main');
  repo.git('merge', '-q', '--no-ff', '--no-commit', 'stale');
  repo.git('rm', '-rq', PATH);
  const lost = repo.commit('Merge stale');
  expect(await proveAll()).toEqual({ exit: 1, proven: 1, removed: [], failed: ['left-pad: PROOF_MISSING'] });
  expect((await scene.run(['verify', '--all'])).stdout).toContain(`but the merge ${lost.slice(0, 10)} lost ${PATH}`);
  repo.git('reset', '-q', '--hard', merge);
  repo.git('checkout', '-q', '-b', 'clean-up');
  repo.git('rm', '-rq', PATH);
  repo.commit('Take it away');
  repo.checkout('main');
  const by = repo.merge('clean-up');
  expect(await proveAll()).toEqual({ exit: 0, proven: 1, removed: [`left-pad by ${by}`], failed: [] });
});

test('a merge that takes none of the files fails, and a new run repairs it', async () => {
  repo.git('checkout', '-q', '-b', 'integration');
  repo.git('merge', '-q', '--strategy', 'ours', '--no-ff', '--no-edit', BRANCH);
  const by = repo.id('HEAD');
  repo.checkout('main');
  repo.commit('Meanwhile', { files: { 'x.txt': '' } });
  repo.merge('integration');
  expect(await proveAll()).toEqual({ exit: 1, proven: 1, removed: [], failed: ['left-pad: PROOF_MISSING'] });
  expect((await scene.run(['verify', '--all'])).stdout).toContain(`but not its files: the merge ${by.slice(0, 10)} left out ${PATH}`);
  expect(await refused()).toMatchObject({ code: 'PROOF_MISSING', state: 'removed', by });
  repo.git('branch', '-q', '-D', BRANCH);
  scene.monorepo.clock.advance();
  expect((await scene.run(['left-pad', '--from', source.path])).code).toBe(0);
  repo.merge(BRANCH);
  expect(await accepted()).toMatchObject({ contained: 'merged' });
  expect(await proveAll()).toMatchObject({ exit: 0, removed: [], failed: [] });
});

test('a folder that was moved, or taken away, on the branch before the merge is no loss', async () => {
  repo.commit('Meanwhile', { files: { 'x.txt': '' } });
  repo.checkout(BRANCH);
  repo.write({ 'libs/.keep': '' });
  repo.git('mv', PATH, 'libs/pad');
  repo.commit('Move');
  repo.checkout('main');
  const start = repo.id('main');
  repo.merge(BRANCH);
  expect(await accepted()).toMatchObject({ movedTo: 'libs/pad' });
  expect(await proveAll()).toEqual(WHOLE);
  repo.git('mv', 'libs/pad', 'libs/left');
  repo.commit('Move again');
  expect(await accepted()).toMatchObject({ movedTo: 'libs/left' });
  expect(await proveAll()).toEqual(WHOLE);
  repo.git('reset', '-q', '--hard', start);
  repo.checkout(BRANCH);
  repo.git('rm', '-rq', 'libs/pad');
  const by = repo.commit('Take it away');
  repo.checkout('main');
  repo.merge(BRANCH);
  expect(await proveAll()).toEqual({ exit: 0, proven: 1, removed: [`left-pad by ${by}`], failed: [] });
});

/** The merge commit of the import made again with other words or files, and the branch moved there. */
function tamper(change: (commit: string) => string): void {
  const merge = repo.git('log', '-1', '--merges', '--format=%H', BRANCH);
  const content = change(`${repo.git('cat-file', 'commit', merge)}\n`);
  repo.git('update-ref', `refs/heads/${BRANCH}`, repo.writeObject('commit', content));
}

describe('a merge commit that is not as the migration made it', () => {
  test('an extra file beside the import fails', async () => {
    const merge = repo.id(`${BRANCH}~1`);
    const blob = repo.writeObject('blob', 'evil\n');
    repo.git('read-tree', merge);
    repo.git('update-index', '--add', '--cacheinfo', `100644,${blob},.github/workflows/evil.yml`);
    const tree = repo.git('write-tree');
    repo.git('reset', '-q', '--hard');
    tamper((commit) => commit.replace(/^tree .*/, `tree ${tree}`));
    const { stderr } = await scene.run(['verify', 'left-pad', '--ref', BRANCH]);
    expect(stderr).toMatch(/also changes \.github\/workflows\/evil\.yml.*\[PROOF_FAILED\]/s);
    expect(await proveAll('--ref', BRANCH)).toEqual({ exit: 1, proven: 0, removed: [], failed: ['left-pad: PROOF_FAILED'] });
  });

  test('an unreadable record fails', async () => {
    tamper((commit) => commit.replace('Tributary-Import: 1', 'Tributary-Import: 99'));
    expect(await refused('--ref', BRANCH)).toMatchObject({ code: 'PROOF_FAILED' });
    expect(await proveAll('--ref', BRANCH)).toEqual({ exit: 1, proven: 0, removed: [], failed: ['left-pad: PROOF_FAILED'] });
    repo.merge(BRANCH);
    expect(await refused()).toMatchObject({ code: 'PROOF_FAILED' });
  });

  test('an unreadable record is told alone, though another branch has the same import with a record that can be read', async () => {
    repo.git('branch', 'readable', BRANCH);
    tamper((commit) => commit.replace('Tributary-Import: 1', 'Tributary-Import: 99'));
    repo.merge(BRANCH);
    expect(await proveAll()).toEqual({ exit: 1, proven: 0, removed: [], failed: ['left-pad: PROOF_FAILED'] });
  });
});

describe('a record that was forged consistently', () => {
  /** A history of one's own in the place of the source's, with a record that fits it. */
  async function forge(): Promise<void> {
    source.git('checkout', '-q', '-b', 'forged');
    source.commit('Evil', { files: { 'evil.js': '' } });
    repo.git('branch', '-q', '-D', BRANCH);
    for (const tag of repo.git('tag').split('\n')) repo.git('tag', '-d', tag);
    expect((await scene.run(['left-pad', '--from', source.path, '--source-branch', 'forged', '--no-tags'])).code).toBe(0);
    tamper((commit) => commit.replace('Source-Ref: refs/heads/forged', 'Source-Ref: refs/heads/main'));
    source.checkout('main');
    repo.merge(BRANCH);
  }

  test('is proven offline, which says that it compared with the record alone, and fails with --refetch', async () => {
    await forge();
    expect(await accepted()).toMatchObject({ fetched: null });
    expect((await scene.run(['verify', 'left-pad'])).stdout).toContain('Compared with the import record alone, not with the source');
    expect(await refused('--refetch')).toMatchObject({ code: 'PROOF_FAILED' });
    expect(await proveAll()).toEqual(WHOLE);
    expect(await proveAll('--refetch')).toEqual({ exit: 1, proven: 0, removed: [], failed: ['left-pad: PROOF_FAILED'] });
  });
});

test('with --strategy merge, --refetch asks the source too', async () => {
  await scene.discarded('left-pad');
  expect((await scene.run(['left-pad', '--from', source.path, '--strategy', 'merge'])).code).toBe(0);
  repo.merge(BRANCH);
  expect(await accepted('--refetch')).toMatchObject({ method: 'found again', fetched: { ref: 'refs/heads/main', state: 'recorded' } });
  source.git('reset', '-q', '--hard', 'v1.0.0');
  expect(await accepted()).toMatchObject({ method: 'ancestor', fetched: null });
  expect(await refused('--refetch')).toMatchObject({ code: 'PROOF_FAILED' });
});

describe('a renamed default branch of the source', () => {
  beforeEach(() => {
    repo.merge(BRANCH);
    source.git('branch', '-m', 'main', 'trunk');
  });

  test('is followed', async () => {
    expect(await accepted('--refetch')).toMatchObject({ fetched: { ref: 'refs/heads/trunk', state: 'renamed' } });
    expect((await scene.run(['verify', 'left-pad', '--refetch'])).stdout.replaceAll('\n', ' ')).toContain('its default branch now');
    source.commit('More');
    expect(await statusOf()).toMatchObject([{ askedRef: 'refs/heads/trunk', news: { state: 'commits', count: 1 } }]);
    expect((await scene.run(['status'])).stdout).toContain('of main (trunk now)');
  });

  test('and where it does not contain the import, that is said, and another can be named', async () => {
    source.branch('old', 'trunk');
    source.git('reset', '-q', '--hard', 'v1.0.0');
    source.commit('Another way');
    expect(await refused('--refetch')).toMatchObject({ code: 'PROOF_FAILED' });
    expect((await scene.run(['verify', 'left-pad', '--refetch'])).stderr).toContain('name that with --source-branch');
    expect(await statusOf()).toMatchObject([{ news: { state: 'unknown', why: expect.stringContaining('refs/heads/trunk') } }]);
    expect(await accepted('--source-branch', 'old')).toMatchObject({ fetched: { ref: 'refs/heads/old', state: 'chosen' } });
    expect(await refused('--source-branch', 'gone')).toMatchObject({ code: 'SOURCE_BRANCH_MISSING' });
  });
});

test('a subdirectory: --source-branch names the branch, and --all proves it without the source', async () => {
  source.commit('Add a library', { files: { 'libs/ui/package.json': '{ "name": "ui" }\n' } });
  expect((await scene.run(['ui', '--from', source.path, '--subdirectory', 'libs/ui', '--no-tags'])).code).toBe(0);
  repo.merge('migrate/ui');
  source.git('branch', '-m', 'main', 'trunk');
  const prove = async (...args: string[]): Promise<unknown> => JSON.parse((await scene.run(['verify', 'ui', '--json', ...args])).stdout);
  expect(await prove()).toMatchObject({ method: 'moved again', fetched: { state: 'renamed' } });
  expect(await prove('--source-branch', 'trunk')).toMatchObject({ method: 'moved again', fetched: { state: 'chosen' } });
  source.dispose();
  expect(JSON.parse((await scene.run(['verify', '--all', '--json'])).stdout)).toMatchObject({
    proven: [{ name: 'ui', method: 'recorded' }],
    failed: [],
  });
});

test('a shallow clone is refused, and so is nothing else: a fresh clone proves', async () => {
  repo.merge(BRANCH);
  const shallow = new MigrationScene(cleanUp.add(TempRepo.cloneOf(repo, '--depth=1')), scene.home);
  expect(failureOf(await shallow.run(['verify', '--all']))).toEqual({ exit: 1, code: 'TARGET_SHALLOW' });
  const fresh = new MigrationScene(cleanUp.add(TempRepo.cloneOf(repo)), scene.home);
  expect((await fresh.run(['verify', '--all'])).stdout).toContain('1 import proven, 0 not.');
  fresh.monorepo.git('checkout', '-q', '--detach');
  expect((await fresh.run(['verify', '--all'])).code).toBe(0);
});
