import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { gitDirOf } from './git.fixture.js';
import { type Git, plumbing } from './git.js';
import { ObjectReader } from './object-reader.js';
import { readNamedBlobs, resolveNames, withObjectReader } from './objects.js';

const cleanUp = cleanUpIn(afterAll);
const repo = cleanUp.add(TempRepo.create());
const large = 'line\n'.repeat(200_000);
const small = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`small/${at}.txt`, `content ${at}\n`]));
repo.commit('x', { files: { large, empty: '', ...small } });
const git = plumbing(gitDirOf(repo));

/** Returns a git that counts the processes it starts. */
function counted(): { git: Git; started: () => number } {
  let count = 0;
  const start: Git['start'] = (args) => {
    count++;
    return git.start(args);
  };
  return { git: { ...git, start }, started: () => count };
}

describe('one process answers', () => {
  test('questions one after the other, and those that nobody waited for', async () => {
    const { git: one, started } = counted();
    const answers = await withObjectReader(one, async (open) => {
      const first = await resolveNames(open, ['HEAD:empty', 'HEAD:gone']);
      const [contents, sizes, more] = await Promise.all([
        readNamedBlobs(open, ['HEAD:large', 'HEAD:gone', 'HEAD:empty']),
        resolveNames(
          open,
          Object.keys(small).map((path) => `HEAD:${path}`),
        ),
        readNamedBlobs(open, ['HEAD:small', 'HEAD:small/299.txt']),
      ]);
      return { first, contents, sizes, more };
    });
    expect(answers.first.map((object) => object?.size)).toEqual([0, undefined]);
    expect(answers.contents.map((blob) => blob?.toString())).toEqual([large, undefined, '']);
    expect(answers.sizes.map((object) => object?.size)).toEqual(Object.values(small).map(({ length }) => length));
    expect(answers.more.map((blob) => blob?.toString())).toEqual([undefined, 'content 299\n']);
    expect(started()).toBe(1);
  });

  test('also for names with line breaks, of which git prints those that are missing', async () => {
    const names = ['HEAD:a\nb missing\nc', 'HEAD:empty', 'HEAD:\n', 'HEAD:large', 'HEAD:gone\n'];
    const sizes = await withObjectReader(
      git,
      async (open) => [await resolveNames(open, names), await readNamedBlobs(open, names)] as const,
    );
    expect(sizes[0].map((object) => object?.size)).toEqual([undefined, 0, undefined, large.length, undefined]);
    expect(sizes[1].map((blob) => blob?.length)).toEqual([undefined, 0, undefined, large.length, undefined]);
  });

  test('nothing without a process', async () => {
    const { git: one, started } = counted();
    expect(await withObjectReader(one, (open) => resolveNames(open, []))).toEqual([]);
    expect(started()).toBe(0);
  });
});

describe('a failure', () => {
  test('of git is that of every question, later ones too', async () => {
    const reader = new ObjectReader(plumbing(`${repo.path}/gone` as TempRepo['path']));
    const questions = [reader.resolve(['HEAD']), reader.read(['HEAD:empty'])];
    for (const question of questions) await expect(question).rejects.toMatchObject({ code: 'GIT_FAILED' });
    await expect(reader.resolve(['HEAD'])).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });

  test('is a git that ends in the middle, not a file that is missing', async () => {
    const cut: Git = { ...git, start: () => git.start(['cat-file', 'blob', 'HEAD:empty']) };
    const reader = new ObjectReader(cut);
    await expect(reader.read(['HEAD:empty'])).rejects.toMatchObject({ code: 'GIT_FAILED', message: 'git ended before it answered.' });
  });

  test('is what comes after the end', async () => {
    const reader = new ObjectReader(git);
    expect(await reader.resolve(['HEAD:empty'])).toHaveLength(1);
    reader.close();
    await expect(reader.resolve(['HEAD:empty'])).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });
});
