import { expect, test } from '@jest/globals';
import { type ManifestRows, readManifestRows } from './manifest-rows.js';

type Json = Readonly<Record<string, unknown>>;
const VERSIONS: ManifestRows = { versions: true, testDependencies: [] };

test.each<readonly [what: string, before: Json, after: Json, rows: ManifestRows | undefined]>([
  ['nothing', { a: 1 }, { a: 1 }, { versions: false, testDependencies: [] }],
  ['the order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }, { versions: false, testDependencies: [] }],
  ['the order of conditions', { exports: { node: 'a', import: 'b' } }, { exports: { import: 'b', node: 'a' } }, undefined],
  ['a version', { version: '1' }, { version: '2' }, VERSIONS],
  ['a range of a workspace', { dependencies: { lib: '^1' } }, { dependencies: { lib: '^2' } }, VERSIONS],
  ['a range of a peer', { peerDependencies: { lib: '^1' } }, { peerDependencies: { lib: '^2' } }, VERSIONS],
  ['a range of a package', { dependencies: { left: '^1' } }, { dependencies: { left: '^2' } }, undefined],
  ['a workspace that comes', {}, { dependencies: { lib: '^2' } }, undefined],
  [
    'tools of tests',
    { devDependencies: { jest: '1' } },
    { devDependencies: { mocha: '1' } },
    { versions: false, testDependencies: ['jest', 'mocha'] },
  ],
  ['a tool of tests as a dependency', { dependencies: { jest: '1' } }, { dependencies: { jest: '2' } }, undefined],
  ['a compiler', { devDependencies: { typescript: '1' } }, { devDependencies: { typescript: '2' } }, undefined],
  ['a block that is no object', { dependencies: {} }, { dependencies: ['lib'] }, undefined],
  ['an entry', { main: 'a' }, { main: 'b' }, undefined],
])('%s', (_, before, after, rows) => {
  expect(readManifestRows(before, after, (name) => name === 'lib')).toEqual(rows);
});
