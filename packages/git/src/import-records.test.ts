import { afterEach, expect, test } from '@jest/globals';
import type { CommitId, WorkspaceName } from '@tributary/model/ids';
import { formatImportRecord, isReadableRecord } from '@tributary/model/import-record';
import type { AbsolutePath, RepoPath } from '@tributary/model/paths';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { plumbing } from './git.js';
import { findLanding, searchImportRecords } from './import-records.js';

const repos: TempRepo[] = [];
afterEach(() => {
  for (const repo of repos.splice(0)) repo.dispose();
});

function start(): { readonly repo: TempRepo; readonly git: ReturnType<typeof plumbing> } {
  const repo = TempRepo.create();
  repos.push(repo);
  repo.commit('Start', { files: { 'a.txt': '1' } });
  return { repo, git: plumbing(`${repo.path}/.git` as AbsolutePath) };
}

/** Creates a branch with an import's merge commit, as migrate-repo creates it, and one commit after it. */
function importOn(repo: TempRepo, branch: string, name: string): CommitId {
  repo.branch(branch);
  repo.branch(`${branch}-source`);
  repo.checkout(`${branch}-source`);
  const tip = repo.commit('Theirs', { files: { [`packages/${name}/index.js`]: '' } }) as CommitId;
  repo.checkout(branch);
  const merge = repo.merge(`${branch}-source`, record(name, tip)) as CommitId;
  repo.commit('Align', { files: { [`${name}.txt`]: '' } });
  repo.checkout('main');
  return merge;
}

function record(name: string, tip: string): string {
  const trailers = formatImportRecord({
    package: name as WorkspaceName,
    path: `packages/${name}` as RepoPath,
    source: `https://host.example/acme/${name}`,
    sourceRef: 'main',
    sourceCommit: tip as CommitId,
    subdirectory: undefined,
    strategy: 'merge',
    messages: 'exact',
    signatures: 'keep',
    tags: undefined,
    importedTip: tip as CommitId,
  });
  return `Import ${name}\n\n${trailers}\n`;
}

test('an import lands with the merge of its branch, not with its own', async () => {
  const { repo, git } = start();
  const merge = importOn(repo, 'move', 'ui');
  const before = repo.commit('Meanwhile', { files: { 'b.txt': '' } }) as CommitId;
  expect(await findLanding(git, merge, before)).toBeUndefined();
  const landing = repo.merge('move', 'Merge the move') as CommitId;
  const head = repo.commit('Later', { files: { 'c.txt': '' } }) as CommitId;
  expect((await searchImportRecords(git, [head])).map((found) => found.merge)).toEqual([merge]);
  expect(await findLanding(git, merge, head)).toMatchObject({ commit: landing });
  expect((await findLanding(git, merge, landing))?.time).toBe(Number(repo.git('show', '-s', '--format=%ct', landing).trim()));
});

test('one that was fast-forwarded is its own landing', async () => {
  const { repo, git } = start();
  const merge = importOn(repo, 'move', 'ui');
  repo.git('merge', '-q', '--ff-only', 'move');
  const head = repo.git('rev-parse', 'HEAD').trim() as CommitId;
  expect(await findLanding(git, merge, head)).toMatchObject({ commit: merge });
  expect(await findLanding(git, merge, merge)).toMatchObject({ commit: merge });
  const root = repo.git('rev-list', '--max-parents=0', '--first-parent', 'HEAD').trim() as CommitId;
  expect(await findLanding(git, root, head)).toMatchObject({ commit: root });
});

test('a record that cannot be read is told', async () => {
  const { repo, git } = start();
  repo.branch('side');
  repo.checkout('side');
  repo.commit('Side', { files: { 's.txt': '' } });
  repo.checkout('main');
  repo.commit('Main', { files: { 'm.txt': '' } });
  repo.merge('side', 'Broken\n\nTributary-Import: 3\n');
  const [found] = (await searchImportRecords(git, ['main'])).map(({ record }) => record);
  expect(found === undefined || isReadableRecord(found) ? '' : found.problem).toMatch(/version 3/);
});

test('what an imported history tells of its own imports is not looked at', async () => {
  const { repo, git } = start();
  const inner = importOn(repo, 'inner', 'inner');
  const outer = importOn(repo, 'outer', 'outer');
  repo.git('merge', '-q', '--ff-only', 'outer');
  repo.git('merge', '-q', '-m', 'Both', 'inner');
  expect((await searchImportRecords(git, ['main'])).map(({ merge }) => merge).sort()).toEqual([inner, outer].sort());
  const around = repo
    .git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD~1', '-p', 'HEAD', '-m', record('around', repo.git('rev-parse', 'HEAD').trim()))
    .trim();
  expect((await searchImportRecords(git, [around])).map(({ merge }) => merge)).toEqual([around]);
});
