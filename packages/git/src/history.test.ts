import { afterEach, expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { plumbing } from './git.js';
import {
  findCommit,
  type HistoryCommit,
  readAuthors,
  readFilesAt,
  readTags,
  streamHistory,
  streamMessages,
  type WrittenCommit,
} from './history.js';

const repos: TempRepo[] = [];
afterEach(() => {
  for (const repo of repos.splice(0)) repo.dispose();
});

function start(): { repo: TempRepo; git: ReturnType<typeof plumbing> } {
  const repo = TempRepo.create();
  repos.push(repo);
  return { repo, git: plumbing(`${repo.path}/.git` as AbsolutePath) };
}

async function all(git: ReturnType<typeof plumbing>): Promise<readonly HistoryCommit[]> {
  const head = await findCommit(git, 'HEAD');
  if (head === undefined) throw new Error('there is no commit');
  const commits: HistoryCommit[] = [];
  for await (const group of streamHistory(git, head)) commits.push(...group);
  return commits;
}

test('the main line from its beginning: what each commit changed, a merge what it brought, an empty one nothing', async () => {
  const { repo, git } = start();
  const first = repo.commit('Start', { files: { 'a.txt': '1', ':odd\n name ü': 'x' } });
  repo.branch('side');
  const empty = repo.commit('', { environment: { GIT_AUTHOR_NAME: 'Ölaf [bot]', GIT_AUTHOR_EMAIL: 'o@example.com' } });
  repo.checkout('side');
  const side = repo.commit('Beside', { files: { 'b.txt': '2' } });
  repo.checkout('main');
  const merge = repo.merge('side', 'Merge it');
  const last = repo.commit('Move', { files: { 'a.txt': null, 'c/a.txt': '1' } });
  const commits = await all(git);
  expect(commits.map(({ id, subject, parents, changes }) => [id, subject, parents, changes.map(({ path }) => path)])).toEqual([
    [first, 'Start', [], [':odd\n name ü', 'a.txt']],
    [empty, '', [first], []],
    [merge, 'Merge it', [empty, side], ['b.txt']],
    [last, 'Move', [merge], ['a.txt', 'c/a.txt']],
  ]);
  expect(commits[1]?.author).toEqual({ name: 'Ölaf [bot]', email: 'o@example.com' });
  expect(commits[0]?.time).toBe(1_600_000_060);
  expect(commits[0]?.changes[1]?.newId).toBe(repo.id(`${first}:a.txt`));
  expect(await readAuthors(git, [side, empty])).toEqual([{ name: 'Ada Author', email: 'ada@example.com' }, commits[1]?.author]);
});

test('a history that comes in many pieces is the same', async () => {
  const { repo, git } = start();
  for (let at = 0; at < 3; at++) {
    const files = Object.fromEntries(Array.from({ length: 600 }, (_, file) => [`${'folder-'.repeat(8)}${file}/ü.txt`, `${at}`]));
    repo.commit(`Number ${at}`, { files });
  }
  const commits = await all(git);
  expect(commits.map(({ changes }) => changes.length)).toEqual([600, 600, 600]);
  expect(new Set(commits[2]?.changes.map(({ path }) => path.replace(/\d+/, ''))).size).toBe(1);
});

test('tags: light, annotated, of an annotated one, and of what is no commit', async () => {
  const { repo, git } = start();
  const commit = repo.commit('Start', { files: { 'a.txt': '1' } });
  repo.tag('v1');
  const object = repo.tag('v2', { message: 'Second' });
  const outer = repo.tag('v3', { message: 'Third', at: 'v2' });
  repo.tag('of-a-file', { at: 'HEAD:a.txt' });
  repo.tag('of-a-tag-of-a-file', { message: 'File', at: repo.tag('inner', { message: 'File', at: 'HEAD:a.txt' }) });
  const committed = 1_600_000_060;
  expect(await readTags(git)).toEqual([
    { name: 'v1', object: commit, commit, committed, tagged: undefined },
    { name: 'v2', object, commit, committed, tagged: committed + 120 },
    { name: 'v3', object: outer, commit, committed, tagged: committed + 180 },
  ]);
});

test('tags of which some objects are known: of these git says nothing again', async () => {
  const { repo, git } = start();
  const [one, two] = [repo.commit('One'), repo.commit('Two')];
  const object = repo.tag('v1', { message: 'First', at: one });
  const known = new Map([[object, { commit: two, committed: 1, tagged: 2 }]]);
  repo.tag('v2', { at: two });
  expect(await readTags(git, known)).toMatchObject([
    { name: 'v1', object, commit: two, committed: 1, tagged: 2 },
    { name: 'v2', object: two, commit: two, tagged: undefined },
  ]);
  repo.git('tag', '-d', 'v1');
  const moved = repo.tag('v1', { message: 'Again', at: one });
  expect(await readTags(git, known)).toMatchObject([{ name: 'v1', object: moved, commit: one }, { name: 'v2' }]);
});

test('all files of a commit, with names of any letters', async () => {
  const { repo, git } = start();
  const commit = repo.commit('Start', { files: { 'a.txt': '1', 'folder/ü .txt': '2' } });
  const files = await readFilesAt(git, commit);
  expect(files.map(({ path, newMode, newId }) => [path, newMode, newId])).toEqual([
    ['a.txt', '100644', repo.id('HEAD:a.txt')],
    ['folder/ü .txt', '100644', repo.id('HEAD:folder/ü .txt')],
  ]);
});

test('what some commits contain, parents first, and with whole messages', async () => {
  const { repo, git } = start();
  const messages = async (...asked: readonly string[][]): Promise<readonly WrittenCommit[]> => {
    const [tips = [], known = []] = asked as CommitId[][];
    const found: WrittenCommit[] = [];
    for await (const group of streamMessages(git, tips, known)) found.push(...group);
    return found;
  };
  const first = repo.commit('Start');
  repo.git('checkout', '-q', '-b', 'release');
  const one = repo.commit('One\n\nÜber\n\nmore');
  repo.checkout('main');
  const main = repo.commit('');
  expect(await messages([one])).toEqual([
    { id: first, parents: [], message: 'Start\n' },
    { id: one, parents: [first], message: 'One\n\nÜber\n\nmore\n' },
  ]);
  const gone = 'f'.repeat(40);
  expect(await messages([one, main], [one, gone])).toEqual([{ id: main, parents: [first], message: '' }]);
  expect(await messages([one, gone], [one])).toEqual([]);
});
