import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { ListedTests } from '../plan/runner.js';
import { filesLikeTests, listTestFiles } from './test-lists.js';

const cleanUp = cleanUpIn(afterAll);

describe('the test files of node', () => {
  const list = (paths: readonly string[], links: Readonly<Record<string, string>> = {}): Promise<ListedTests | undefined> => {
    const folder = cleanUp.add(new TempFolder()).path;
    for (const path of paths) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), '');
    }
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(folder, path));
    return listTestFiles(
      { folder, task: 'test', script: 'node --test', runner: 'node', environment: () => Promise.resolve({}) },
      new AbortController().signal,
    );
  };

  test('are those of its rule', async () => {
    const files = await list(['a.test.js', 'src/b.js', 'test/c.cjs', 'node_modules/x/d.test.js', 'src/types.ts']);
    expect(files?.files.toSorted()).toEqual(['a.test.js', 'test/c.cjs']);
  });

  test('are not known where its version decides: of TypeScript, or behind a link', async () => {
    expect(await list(['a.test.js', 'b.test.ts'])).toBeUndefined();
    expect(await list(['a.test.js', 'test/b.mts'])).toBeUndefined();
    expect(await list(['a.test.js', 'shared.js'], { 'b.test.js': 'shared.js' })).toBeUndefined();
    expect(await list(['a.test.js', 'lib/b.test.js'], { linked: 'lib' })).toBeUndefined();
  });
});

test('what looks like a test counts where nobody lists, in TypeScript and behind a link too', () => {
  const folder = cleanUp.add(new TempFolder()).path;
  for (const path of ['a.test.ts', 'test/b.mts', 'src/c.ts', 'node_modules/x/d.test.ts']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  symlinkSync('src/c.ts', join(folder, 'd.spec.ts'));
  expect(filesLikeTests(folder)).toEqual(['a.test.ts', 'd.spec.ts', 'test/b.mts']);
});
