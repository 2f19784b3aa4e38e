import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { plumbing } from '@tributary/git/git';
import type { ObjectId } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { listTracked, streamTexts } from './tracked-files.js';

const cleanUp = cleanUpIn(afterAll);

function gitDirOf(repo: TempRepo): AbsolutePath {
  return parseAbsolutePath(join(repo.path, '.git'));
}

// a and e have the same content, so the same object.
const TEXTS = { a: '1\n', b: '2\n', c: '3\n', d: `${'4'.repeat(8_000_001)}`, e: '1\n' };

test.each<[missing: string, texts: readonly string[]]>([
  ['', ['a: 1', 'b: 2', 'c: 3', 'd', 'e: 1']],
  ['a', ['a', 'b: 2', 'c: 3', 'd', 'e']],
  ['bc', ['a: 1', 'b', 'c', 'd', 'e: 1']],
  ['d', ['a: 1', 'b: 2', 'c: 3', 'd', 'e: 1']],
  ['abcd', ['a', 'b', 'c', 'd', 'e']],
])('the texts of all files but a large one and the missing "%s" are streamed in order', async (missing, texts) => {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('x', { files: TEXTS });
  const git = plumbing(gitDirOf(repo));
  const files = await listTracked(git, 'HEAD', '');
  const ids = new Set<ObjectId>(missing.split('').map((name) => repo.id(`HEAD:${name}`)));
  const streamed: string[] = [];
  for await (const { file, text } of streamTexts(git, files, ids))
    streamed.push(text === undefined ? file.path : `${file.path}: ${text.trim()}`);
  expect(streamed).toEqual(texts);
});
