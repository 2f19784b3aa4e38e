import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { moveIn } from './migration.fixture.js';
import { lookForMigrations, readMigrations } from './read-migrations.js';

const repos: TempRepo[] = [];
afterAll(() => {
  for (const repo of repos) repo.dispose();
});
const { signal } = new AbortController();

function start(): TempRepo {
  const repo = TempRepo.create();
  repos.push(repo);
  repo.commit('Start', { files: { 'package.json': '{}\n' } });
  return repo;
}

test('each import is one, from when its branch was merged; what is not merged yet is none', async () => {
  const repo = start();
  const landing = moveIn(repo, '@acme/ui', 1_780_000_000);
  moveIn(repo, '@acme/geo', 1_790_000_000);
  // The second import is reset, and exists only on its own branch.
  repo.git('reset', '-q', '--hard', 'HEAD~1');
  const found = await readMigrations(repo.path as AbsolutePath, { signal, moved: {} });
  expect(found.migrations).toEqual([
    expect.objectContaining({ package: '@acme/ui', at: 1_780_000_000e6, landing, source: 'https://host.example/acme/ui' }),
  ]);
  expect(found.unreadable).toEqual([]);
});

test('a sync is no move', async () => {
  const repo = start();
  const landing = moveIn(repo, '@acme/ui', 1_780_000_000);
  moveIn(repo, '@acme/ui', 1_790_000_000, repo.id('source-ui'));
  const { migrations } = await readMigrations(repo.path as AbsolutePath, { signal, moved: {} });
  expect(migrations.map((move) => move.landing)).toEqual([landing]);
});

test('a folder that nobody has named may be no clone; what else is wrong with it is told', async () => {
  const repo = start();
  expect(await lookForMigrations(repo.path as AbsolutePath, { signal, moved: {} })).toMatchObject({ migrations: [] });
  const outside = join(repo.path, '..');
  expect(await lookForMigrations(outside as AbsolutePath, { signal, moved: {} })).toMatchObject({ weight: 'none' });
  repo.commit('Second');
  const shallow = TempRepo.create();
  repos.push(shallow);
  shallow.git('fetch', '-q', '--depth=1', `file://${repo.path}`, 'main');
  shallow.git('reset', '-q', '--hard', 'FETCH_HEAD');
  expect(await lookForMigrations(shallow.path as AbsolutePath, { signal, moved: {} })).toMatchObject({
    weight: 'warning',
    problem: expect.stringContaining('shallow'),
  });
  await expect(readMigrations(join(repo.path, 'nowhere') as AbsolutePath, { signal, moved: {} })).rejects.toMatchObject({
    code: 'TARGET_NOT_FOUND',
  });
});

test('a move without a record is what the configuration says, and a commit that is not there is named', async () => {
  const repo = start();
  const commit = repo.commit('Bring it in', { files: { 'packages/pad/package.json': '{"name":"pad"}\n' } });
  const ask = (id: string): ReturnType<typeof readMigrations> => readMigrations(repo.path as AbsolutePath, { signal, moved: { pad: id } });
  const [move] = (await ask(commit.slice(0, 9))).migrations;
  expect(move).toMatchObject({ package: 'pad', merge: commit, landing: commit, source: undefined });
  for (const id of ['1234567', 'abcdefabcdef'])
    expect(await ask(id)).toMatchObject({ migrations: [], notHere: [{ package: 'pad', commit: id }] });
});
