import { expect, test } from '@jest/globals';
import { comparePackedFiles, proposeFiles } from './packed-files.js';

test('the same files, in another order', () => {
  expect(comparePackedFiles({ packer: 'npm', before: ['b', 'a'], after: ['a', 'b'], present: ['a', 'b', 'c'] })).toMatchObject({
    outcome: 'equal',
    done: { text: 'npm would publish the same files as before.', detail: '2 files' },
    decision: undefined,
  });
});

test('what the migration took away need not be decided about', () => {
  expect(comparePackedFiles({ packer: 'npm', before: ['a', '.travis.yml'], after: ['a'], present: ['a'] })).toMatchObject({
    outcome: 'differs',
    takenAway: ['.travis.yml'],
    missing: [],
    done: { text: expect.stringContaining('except those that the migration removed'), detail: 'one file no longer (.travis.yml)' },
    decision: undefined,
  });
});

test('what is hidden, and what is new, is decided by a list of files', () => {
  const packed = {
    before: ['package.json', 'lib/a.js', 'lib/b.js', 'src/a.ts', 'README.md'],
    present: ['package.json', 'lib/a.js', 'lib/b.js', 'src/a.ts', 'src/a.test.ts', 'README.md'],
  };
  expect(comparePackedFiles({ packer: 'npm', ...packed, after: ['package.json', 'src/a.ts', 'src/a.test.ts', 'README.md'] })).toMatchObject(
    {
      missing: ['lib/a.js', 'lib/b.js'],
      added: ['src/a.test.ts'],
      done: { detail: '2 files no longer (lib/a.js, lib/b.js) and one file in addition (src/a.test.ts)' },
      decision: {
        detail: '2 files no longer (lib/a.js, lib/b.js) and one file in addition (src/a.test.ts): `"files": ["lib","src/a.ts"]`',
      },
    },
  );
});

test('a list of files names whole folders where it can', () => {
  const present = ['a/b/c.js', 'a/b/d.js', 'a/e.js', 'f.js', 'a/x.js'];
  expect(proposeFiles({ before: ['a/b/c.js', 'a/b/d.js', 'f.js'], present })).toEqual(['a/b', 'f.js']);
});
