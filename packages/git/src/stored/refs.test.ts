import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { NotPlain } from './not-plain.js';
import { resolveName } from './refs.js';

const cleanUp = cleanUpIn(afterEach);

// Git overlooks some of it, and what is overlooked must not lead on to another ref of that name.
test.each<[title: string, text: (id: string) => string]>([
  ['two spaces', () => 'ref:  refs/heads/main\n'],
  ['a space in the name', () => 'ref: refs/heads/main x\n'],
  ['two lines', () => 'ref: refs/heads/main\nref: refs/heads/main\n'],
  ['no name', () => 'ref: \n'],
  ['a longer id', (id) => `${id}${'a'.repeat(24)}\n`],
  ['a shorter id', (id) => `${id.slice(0, 39)}\n`],
  ['something behind the id', (id) => `${id} x\n`],
  ['large letters', (id) => `${id.toUpperCase()}\n`],
  ['nothing', () => ''],
])('a ref with %s is left to git', (_, text) => {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('One');
  const [id, gitDir] = [repo.id('HEAD'), join(repo.path, '.git')];
  const head = join(gitDir, 'HEAD');
  const resolve = (): string => resolveName({ gitDir, commonDir: gitDir }, 'HEAD');
  writeFileSync(join(gitDir, 'refs/heads/HEAD'), `${id}\n`);
  writeFileSync(head, text(id));
  expect(resolve).toThrow(NotPlain);
  writeFileSync(head, `${id}  \n\n`);
  expect(resolve()).toBe(id);
});
