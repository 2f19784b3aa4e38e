import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { readSubjects } from './read-subjects.js';

const cleanUp = cleanUpIn(afterEach);

test('subject lines are those of commits that the clone has, short, and without signs that turn the text around them', async () => {
  const repo = cleanUp.add(TempRepo.create());
  const plain = repo.commit('Fix it\n\nBecause');
  const turned = repo.commit('Fix \u202eti\u0007 now');
  const long = repo.commit('x'.repeat(500));
  const found = await readSubjects(repo.path, [plain, turned, long, 'f'.repeat(40), '#12', '--all'], new AbortController().signal);
  expect(found.get(plain)).toBe('Fix it');
  expect(found.get(turned)).toBe('Fix \ufffdti\ufffd now');
  expect(found.get(long)).toBe(`${'x'.repeat(120)}…`);
  expect(found.size).toBe(3);
});
