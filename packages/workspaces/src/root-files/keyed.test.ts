import { expect, test } from '@jest/globals';
import type { TaskKind } from '../task-kinds.js';
import { diffLerna } from './lerna.js';
import { diffNx } from './nx.js';
import { findConfigMention, mentionTexts, referencesOf } from './tsconfig.js';

test.each<[kind: TaskKind, keys: readonly string[]]>([
  ['test', ['command.run']],
  ['build', ['command.run']],
  ['lint', ['command.run']],
  ['format', ['command.run']],
  ['other', ['changelogPreset', 'command.publish', 'command.run', 'version']],
])('of lerna.json, %s depends on %j', (kind, keys) => {
  const head = { version: '2', changelogPreset: 'a', command: { publish: {}, run: {} } };
  expect(diffLerna({ version: '1' }, head, kind)).toEqual(keys);
});

test.each<[kind: TaskKind, where: 'here alone' | 'elsewhere too', keys: readonly string[]]>([
  ['test', 'here alone', ['targetDefaults.docs', 'targetDefaults.test']],
  ['lint', 'here alone', ['targetDefaults.docs', 'targetDefaults.lint']],
  ['build', 'here alone', ['targetDefaults.docs']],
  ['build', 'elsewhere too', ['targetDefaults.docs', 'targetDefaults.lint', 'targetDefaults.test']],
  ['other', 'here alone', ['targetDefaults']],
])('of nx.json, %s depends with targets %s on %j', (kind, where, keys) => {
  expect(diffNx({}, { targetDefaults: { lint: {}, test: {}, docs: {} } }, kind, where)).toEqual(keys);
});

test.each(['lint', '^lint', 'lib:lint', '*'])('a target that is named as %j is one of those that depend on it', (name) => {
  const targets = (cache: boolean): object => ({ lint: { cache }, test: { dependsOn: [{ target: name }] } });
  expect(diffNx({ targetDefaults: targets(true) }, { targetDefaults: targets(false) }, 'test', 'here alone')).toEqual([
    'targetDefaults.lint',
  ]);
});

test('target defaults that are no map are not looked into', () => {
  expect(diffNx({ targetDefaults: {} }, { targetDefaults: [] }, 'test', 'here alone')).toEqual(['targetDefaults']);
});

test.each<[text: string, mention: 'here' | 'elsewhere' | 'none']>([
  ["'tsconfig.web.json'", 'here'],
  ['"./tsconfig.web"', 'here'],
  ['tsc -p tsconfig.web.json', 'here'],
  ['"../../tsconfig.web.json"', 'elsewhere'],
  ['<rootDir>/tsconfig.web.json', 'elsewhere'],
  ['tsconfig.web.test.json', 'none'],
  ['my-tsconfig.web.json', 'none'],
  ['a.tsconfig.web.json', 'none'],
  ['tsconfig.website.json', 'none'],
  ['tsconfig.*.json', 'elsewhere'],
  ["'tsconfig.' + name", 'elsewhere'],
])('%s names tsconfig.web.json %s', (text, mention) => {
  const { fromHere, fromElsewhere } = findConfigMention(text, 'tsconfig.web.json');
  expect([fromHere, fromElsewhere]).toEqual([mention === 'here', mention === 'elsewhere']);
  // git searches for these texts.
  if (mention !== 'none') expect(mentionTexts('tsconfig.web.json').some((part) => text.includes(part))).toBe(true);
});

test.each<[references: unknown, paths: readonly string[] | undefined]>([
  [undefined, []],
  [
    [{ path: './a' }, { path: '../b/tsconfig.build.json' }],
    ['x/a/tsconfig.json', 'b/tsconfig.build.json'],
  ],
  [[{ path: '..' }], ['tsconfig.json']],
  [[{ path: '../..' }], undefined],
  [[{ path: 'a', prepend: true }], undefined],
  [['a'], undefined],
  ['a', undefined],
])('references %j are %j', (references, paths) => {
  expect(referencesOf(references === undefined ? {} : { references }, 'x/tsconfig.json' as never)).toEqual(paths);
});
