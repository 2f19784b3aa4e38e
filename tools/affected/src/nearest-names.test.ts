import { expect, test } from '@jest/globals';
import { nearestNames } from './nearest-names.js';

const NAMES = ['@acme/ui', '@acme/ui-core', 'ui-kit', 'uikit2', 'app', 'app-web', 'database', '@acme/---'];

test.each<[text: string, nearest: readonly string[]]>([
  ['ui', ['@acme/ui', '@acme/ui-core', 'ui-kit']],
  ['UI', ['@acme/ui', '@acme/ui-core', 'ui-kit']],
  ['@other/ui-core', ['@acme/ui', '@acme/ui-core']],
  ['packages/app', ['app', 'app-web']],
  ['application', ['app']],
  ['appl', ['app']],
  ['datt', ['database']],
  ['uix', ['@acme/ui']],
  ['data base', ['database']],
  ['zebra', []],
  ['', []],
  ['/', []],
  ['---', []],
])('for "%s" somebody may have meant %j', (text, nearest) => {
  expect(nearestNames(text, NAMES)).toEqual(nearest);
});

test('there are at most three, and none of no names', () => {
  expect(nearestNames('a', ['a1', 'a2', 'a3', 'a4'])).toEqual(['a1', 'a2', 'a3']);
  expect(nearestNames('a', [])).toEqual([]);
});
