import { expect, test } from '@jest/globals';
import { TAG_PATTERNS, tagReader } from './tag-name.js';

const PACKAGES = new Set(['@acme/ui', 'core', 'core-v2', '@acme/core', '@acme/log', '@corp/log']);
const FOLDERS = new Map([
  ['packages/log', new Set(['@acme/log'])],
  ['packages/ui', new Set(['@acme/ui', 'old-ui'])],
]);

test.each([
  ['v1.2.3', 'repository 1.2.3'],
  ['1.2.3', 'repository 1.2.3'],
  ['v1.2.3-next.4', 'repository 1.2.3-next.4'],
  ['@acme/ui@1.2.3', '@acme/ui 1.2.3'],
  ['ui@1.2.3', '@acme/ui 1.2.3'],
  ['core@v1.2.3', 'core 1.2.3'],
  ['ui-v1.2.3', '@acme/ui 1.2.3'],
  ['core-v2-v1.2.3', 'core-v2 1.2.3'],
  ['@other/ui@1.2.3', 'nothing'],
  ['other@1.2.3', 'nothing'],
  ['ui_v1.2.3', '@acme/ui 1.2.3'],
  ['@acme/ui_v1.2.3', '@acme/ui 1.2.3'],
  ['@acme/ui-v1.2.3', '@acme/ui 1.2.3'],
  ['ui/v1.2.3', '@acme/ui 1.2.3'],
  ['@acme/ui/1.2.3-rc-2', '@acme/ui 1.2.3-rc-2'],
  ['core-v2-1.2.3-4', 'core-v2 1.2.3-4'],
  ['release-1.2.3', 'repository 1.2.3'],
  ['release/v1.2.3', 'repository 1.2.3'],
  ['V1.2.3', 'repository 1.2.3'],
  ['Release-V1.2.3', 'repository 1.2.3'],
  ['ui-V1.2.3', '@acme/ui 1.2.3'],
  ['UI-v1.2.3', 'nothing'],
  ['v2026.01.05', 'repository 2026.1.5'],
  ['1.2.3+build.7', 'repository 1.2.3'],
  ['core-v1.2.3', 'core 1.2.3'],
  ['log-v1.2.3', '@acme/log or @corp/log 1.2.3'],
  ['packages/log/v1.2.3', '@acme/log 1.2.3'],
  ['packages/ui/v1.2.3', '@acme/ui or old-ui 1.2.3'],
  ['packages/none/v1.2.3', 'nothing'],
  ['v1.2', 'nothing'],
  ['nightly-2024', 'nothing'],
  ['', 'nothing'],
])('the tag %s is of %s', (tag, expected) => {
  const name = tagReader(TAG_PATTERNS, PACKAGES, FOLDERS)(tag);
  const whose = name === undefined ? '' : 'package' in name ? (name.package ?? 'repository') : name.candidates.join(' or ');
  expect(name === undefined ? 'nothing' : `${whose} ${name.version}`).toBe(expected);
});

test('a pattern is a text, not an expression', () => {
  const read = tagReader(['rel.{shortName}({version})'], PACKAGES);
  expect(read('rel.ui(1.0.0)')).toMatchObject({ package: '@acme/ui', version: '1.0.0' });
  expect(read('relxui(1.0.0)')).toBeUndefined();
});
