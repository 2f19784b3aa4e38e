import { expect, test } from '@jest/globals';
import { countOf, describeReason } from './describe.js';
import type { AffectedReason } from './result.js';

const lock = { kind: 'lockfile', dependency: 'left', entry: 'left@npm:^1' } as const;

test.each<[words: string, reason: AffectedReason]>([
  ['a/x.ts changed', { kind: 'file', file: 'a/x.ts', others: 0 }],
  ['a/x.ts and 1 other file changed', { kind: 'file', file: 'a/x.ts', others: 1 }],
  ['a/x.ts and 2 other files changed', { kind: 'file', file: 'a/x.ts', others: 2 }],
  ['data.json changed (rule "**/*.json")', { kind: 'rule', file: 'data.json', rule: '**/*.json' }],
  ['left resolves differently: left@npm:1.0.0 became left@npm:1.1.0', { ...lock, from: 'left@npm:1.0.0', to: 'left@npm:1.1.0' }],
  [
    'left resolves differently: the entry of left@npm:1.0.0, or what it leads to, changed',
    { ...lock, from: 'left@npm:1.0.0', to: 'left@npm:1.0.0' },
  ],
  ['left resolves differently: left@npm:1.1.0 is new', { ...lock, from: null, to: 'left@npm:1.1.0' }],
  ['left resolves differently: left@npm:1.0.0 is gone', { ...lock, from: 'left@npm:1.0.0', to: null }],
  ['catalog.left changed in .yarnrc.yml', { kind: 'setting', file: '.yarnrc.yml', key: 'catalog.left' }],
  ['it is a new workspace', { kind: 'added' }],
  ['it is no longer a workspace', { kind: 'removed' }],
  ['the folder lib/a inside it is no longer a workspace', { kind: 'nested', folder: 'lib/a', became: 'dissolved' }],
  ['the folder lib/a inside it is now a workspace', { kind: 'nested', folder: 'lib/a', became: 'new' }],
  ['it is always tested', { kind: 'always' }],
  ['every workspace is affected', { kind: 'all' }],
  ['through lib: lib/x changed', { kind: 'dependency', path: ['app', 'lib'], because: { kind: 'file', file: 'lib/x', others: 0 } }],
  ['through ui > lib: it is no longer a workspace', { kind: 'dependency', path: ['app', 'ui', 'lib'], because: { kind: 'removed' } }],
])('%s', (words, reason) => {
  expect(describeReason(reason)).toBe(words);
});

test.each([
  [0, '0 files'],
  [1, '1 file'],
  [2, '2 files'],
])('%d: %s', (count, words) => {
  expect(countOf(count, 'file')).toBe(words);
});
