import { afterEach, expect, test } from '@jest/globals';
import { plumbing } from '@tributary/git/git';
import { parseListedFiles } from '@tributary/git/parse';
import { type CommitId, parseWorkspaceName } from '@tributary/model/ids';
import { isReadableRecord, parseImportRecord } from '@tributary/model/import-record';
import { parseRepoPath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { planCleanUp } from '../plan/clean-up.js';
import type { TargetFacts } from '../plan/facts.js';
import type { PlannedPackage } from '../plan/plan.js';
import { BranchBuilder, type ImportCommits, type MergeOrder } from './branch.js';
import { gitDirOf, IDENTITY, move } from './moving.fixture.js';

const cleanUp = cleanUpIn(afterEach);
const ROOT_MANIFEST = '{"private":true,"workspaces":["packages/*"]}\n';

/** Creates one repository for both the monorepo and the source: two histories that share no commit. */
function createFixture(sourceFiles: Record<string, string>): { repo: TempRepo; target: TargetFacts; tip: TargetFacts['head'] } {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('source', { files: { 'package.json': '{"name":"x"}', ...sourceFiles } });
  const tip = repo.commit('more', { files: { 'lib.js': '1' } });
  repo.git('checkout', '-q', '--orphan', 'monorepo');
  repo.git('rm', '-rfq', '.');
  const head = repo.commit('monorepo', {
    files: { 'package.json': ROOT_MANIFEST, 'packages/a/package.json': '{"name":"a"}', 'packages.txt': 'x' },
  });
  const files = parseListedFiles(repo.gitBytes('ls-tree', '-r', '-z', head).toString('latin1'));
  const target: TargetFacts = {
    format: 'sha1',
    head,
    headTree: repo.id(`${head}^{tree}`),
    root: '',
    rootManifestText: ROOT_MANIFEST,
    workspaces: [],
    files,
    refs: new Set<string>(),
  };
  return { repo, target, tip };
}

async function arrive(repo: TempRepo, tip: TargetFacts['head'], change: Partial<PlannedPackage> = {}): Promise<MergeOrder> {
  const moved = await move(plumbing(gitDirOf(repo)), { tip, path: change.path ?? 'packages/x' });
  const planned = { ...moved.planned, ...change };
  const record: MergeOrder['record'] = {
    package: parseWorkspaceName('x'),
    path: planned.path,
    source: '/source',
    sourceRef: 'refs/heads/main',
    sourceCommit: tip,
    subdirectory: undefined,
    strategy: 'rewrite',
    messages: 'exact',
    signatures: 'keep',
    tags: undefined,
    importedTip: moved.tip,
  };
  return { history: { ...moved, planned }, record, commits: moved.counts.commits };
}

async function build(
  repo: TempRepo,
  target: TargetFacts,
  orders: readonly MergeOrder[],
): Promise<{ tip: CommitId; imports: readonly ImportCommits[] }> {
  const git = plumbing(gitDirOf(repo));
  const builder = new BranchBuilder({ view: git, out: git }, target, IDENTITY);
  const imports: ImportCommits[] = [];
  for (const order of orders) imports.push(await builder.import(order));
  await builder.store();
  return { tip: builder.tip, imports };
}

test('the merge joins the monorepo and the history, and its tree is both of theirs', async () => {
  const { repo, target, tip } = createFixture({});
  const order = await arrive(repo, tip);
  const { imports, tip: branch } = await build(repo, target, [order]);
  expect(imports).toEqual([{ merge: branch, cleanUp: undefined, registration: undefined }]);
  expect(repo.git('log', '-1', '--format=%P|%an|%cn', branch)).toBe(`${target.head} ${order.history.tip}|Tess Tester|Tess Tester`);
  expect(repo.id(`${branch}:packages/x`)).toBe(repo.id(`${tip}^{tree}`));
  expect(repo.git('diff', '--name-only', target.head, branch).split('\n')).toEqual(['packages/x/lib.js', 'packages/x/package.json']);
  repo.git('fsck', '--strict', '--no-dangling');
});

test('git merge would have made the same tree', async () => {
  const { repo, target, tip } = createFixture({ 'src/a.js': 'a' });
  const order = await arrive(repo, tip);
  const { tip: branch } = await build(repo, target, [order]);
  repo.git('merge', '-q', '--no-ff', '--allow-unrelated-histories', '-m', 'x', order.history.tip);
  expect(repo.id(`${branch}^{tree}`)).toBe(repo.id('HEAD^{tree}'));
});

test('the log of a file under the new path has its old commits, and blame names them', async () => {
  const { repo, target, tip } = createFixture({});
  const { tip: branch } = await build(repo, target, [await arrive(repo, tip)]);
  expect(repo.git('log', '--format=%s', branch, '--', 'packages/x/lib.js')).toBe('more');
  expect(repo.git('log', '--format=%s', branch, '--', 'packages/x/package.json')).toBe('source');
  expect(repo.git('blame', '-s', '--root', branch, '--', 'packages/x/lib.js')).toMatch(/^[0-9a-f]+ 1\) 1$/);
});

test('the record in the message of the merge is read back as it was', async () => {
  const { repo, target, tip } = createFixture({});
  const order = await arrive(repo, tip);
  const { imports } = await build(repo, target, [order]);
  const record = parseImportRecord(repo.git('log', '-1', '--format=%B', imports[0]?.merge ?? ''));
  expect(record !== undefined && isReadableRecord(record) ? record : record?.problem).toEqual(order.record);
  expect(repo.git('log', '-1', '--format=%(trailers:key=Tributary-Imported-Tip,valueonly)', imports[0]?.merge ?? '').trim()).toBe(
    order.history.tip,
  );
});

test('what would override the root goes in a commit of its own, a folder of thousands as one', async () => {
  const cache = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`.yarn/cache/p-${at}.zip`, `${at}`]));
  const { repo, target, tip } = createFixture({ 'yarn.lock': '', '.yarnrc.yml': '', '.yarn/patches/p.patch': 'p', ...cache });
  const files = parseListedFiles(repo.gitBytes('ls-tree', '-r', '-z', tip).toString('latin1'));
  const { imports, tip: branch } = await build(repo, target, [await arrive(repo, tip, { cleanUp: planCleanUp(files) })]);
  expect(imports[0]?.cleanUp).toBe(branch);
  expect(repo.git('diff', '--name-only', '--diff-filter=D', `${branch}^`, branch).split('\n')).toHaveLength(302);
  expect(repo.git('ls-tree', '-r', '--name-only', `${branch}:packages/x`).split('\n')).toEqual([
    '.yarn/patches/p.patch',
    'lib.js',
    'package.json',
  ]);
  expect(repo.git('log', '-1', '--format=%s%n%b', branch)).toMatch(
    /^Remove files of x that would override the root\n- \.yarn\/cache: .*\n- \.yarnrc\.yml: .*\n- yarn\.lock: .*\n\nTributary-Made: [0-9a-f]{16} x\n$/,
  );
});

test('a package that no pattern covers is registered in a commit of its own', async () => {
  const { repo, target, tip } = createFixture({});
  const text = '{"private":true,"workspaces":["packages/*","x"]}\n';
  const { imports, tip: branch } = await build(repo, target, [await arrive(repo, tip, { rootManifestText: text })]);
  expect(imports[0]?.registration).toBe(branch);
  expect(repo.gitBytes('show', `${branch}:package.json`).toString()).toBe(text);
  expect(repo.git('diff', '--name-only', `${branch}^`, branch)).toBe('package.json');
});

test('several imports are contiguous runs of commits on one line', async () => {
  const { repo, target, tip } = createFixture({ 'yarn.lock': '' });
  const one = await arrive(repo, tip, { cleanUp: [{ path: 'yarn.lock', reason: 'a reason' }] });
  const moved = await move(plumbing(gitDirOf(repo)), { tip, path: 'packages/y' });
  const record = { ...one.record, path: moved.planned.path, importedTip: moved.tip };
  const two = { history: moved, record, commits: moved.counts.commits };
  const { tip: branch } = await build(repo, target, [one, two]);
  expect(repo.git('log', '--first-parent', '--reverse', '--format=%s', `${target.head}..${branch}`).split('\n')).toEqual([
    'Bring x into packages/x, with its history',
    'Remove files of x that would override the root',
    'Bring x into packages/y, with its history',
  ]);
  expect(repo.git('ls-tree', '--name-only', `${branch}:packages`).split('\n')).toEqual(['a', 'x', 'y']);
});

test('further changes are commits of their own, of one file or of many, and what is taken away is gone', async () => {
  const { repo, target, tip } = createFixture({});
  const git = plumbing(gitDirOf(repo));
  const builder = new BranchBuilder({ view: git, out: git }, target, IDENTITY);
  await builder.import(await arrive(repo, tip));
  await builder.store();
  const path = parseRepoPath('packages/x/deep/new.js');
  const first = await builder.change(new Map([[path, { mode: '100755', content: Buffer.from('new') }]]), 'Add\n');
  await builder.change(
    new Map([
      [path, undefined],
      [parseRepoPath('packages/x/lib.js'), { mode: '100644', content: Buffer.from('2') }],
    ]),
    'Move\n',
  );
  await builder.store();
  expect(repo.git('show', '--format=%s', '--summary', first)).toBe('Add\n\n create mode 100755 packages/x/deep/new.js');
  expect(repo.git('diff', '--name-status', first, builder.tip).split('\n')).toEqual(['D\tpackages/x/deep/new.js', 'M\tpackages/x/lib.js']);
  repo.git('fsck', '--strict', '--no-dangling');
});
