import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { writeFilesOf } from './write-files.js';

const cleanUp = cleanUpIn(afterEach);

async function written(repo: TempRepo): Promise<string> {
  const folder = join(cleanUp.add(new TempFolder()).path, 'files');
  await writeFilesOf(parseAbsolutePath(join(repo.path, '.git')), repo.id('HEAD'), { folder: parseAbsolutePath(folder) });
  return folder;
}

test.each(['false', 'true'])(
  'the files of a commit are written, with their modes, and the repository stays as it is (bare: %s)',
  async (bare) => {
    const repo = cleanUp.add(TempRepo.create());
    repo.commit('one', { files: { 'a.sh': { executable: 'a' }, 'deep/b.txt': 'b' } });
    repo.git('config', 'core.bare', bare);
    const index = readFileSync(join(repo.path, '.git/index'));
    const folder = await written(repo);
    expect(readdirSync(folder).sort()).toEqual(['a.sh', 'deep']);
    expect(readFileSync(join(folder, 'deep/b.txt'), 'utf8')).toBe('b');
    expect(lstatSync(join(folder, 'a.sh')).mode & 0o100).toBe(0o100);
    expect(readFileSync(join(repo.path, '.git/index'))).toEqual(index);
    expect(existsSync(`${folder}.index`)).toBe(false);
  },
);

test('a symbolic link is written as a file, so that nothing is written behind it', async () => {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('one', { files: { out: { symlink: '..' } } });
  const folder = await written(repo);
  expect(lstatSync(join(folder, 'out')).isFile()).toBe(true);
  expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('..');
});

test('objects may be borrowed from another repository, whose filters then do not run', async () => {
  const repo = cleanUp.add(TempRepo.create());
  const commit = repo.commit('one', { files: { '.gitattributes': '*.txt filter=loud\n', 'a.txt': 'a' } });
  repo.git('config', 'filter.loud.smudge', 'sh -c "cat; echo changed"');
  const scratch = cleanUp.add(TempRepo.create({ bare: true }));
  const folder = parseAbsolutePath(join(cleanUp.add(new TempFolder()).path, 'files'));
  await writeFilesOf(scratch.path, commit, { folder, alternates: [parseAbsolutePath(join(repo.path, '.git/objects'))] });
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('a');
});

test('line ends are those of the commit, also where the system or the repository has others', async () => {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('one', { files: { '.gitattributes': '* text=auto\n', 'package.json': '{}\n' } });
  repo.git('config', 'core.autocrlf', 'true');
  expect(readFileSync(join(await written(repo), 'package.json'), 'utf8')).toBe('{}\n');
  repo.git('config', 'core.autocrlf', 'false');
  repo.git('config', 'core.eol', 'crlf');
  expect(readFileSync(join(await written(repo), 'package.json'), 'utf8')).toBe('{}\n');
});
