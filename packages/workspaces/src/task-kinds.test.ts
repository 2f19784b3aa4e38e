import { describe, expect, test } from '@jest/globals';
import { buildFileRules } from './file-rules.js';
import { parseManifest } from './manifest.js';
import { buildRootOnly } from './root-dependencies.js';
import { diffRootManifests } from './root-manifest-diff.js';
import { kindOfTask, type TaskKind } from './task-kinds.js';

test.each<[task: string, kind: TaskKind]>([
  ['test', 'test'],
  ['test:unit', 'test'],
  ['e2e-chrome', 'test'],
  ['build', 'build'],
  ['type-check', 'build'],
  ['lint', 'lint'],
  ['lint:fix', 'lint'],
  ['lint:types', 'other'],
  ['test:lint', 'other'],
  ['build:docs', 'other'],
  ['ci', 'other'],
  ['eslint', 'lint'],
  ['format', 'format'],
  ['release', 'other'],
  ['docs', 'other'],
  ['latest', 'other'],
  ['', 'other'],
])('the task %j is one of the kind %s', (task, kind) => {
  expect(kindOfTask(task)).toBe(kind);
});

const KINDS: readonly TaskKind[] = ['test', 'build', 'lint', 'format', 'other'];

/** Returns the kinds of tasks for which a change of this file selects nothing. */
function harmless(file: string): readonly TaskKind[] {
  return KINDS.filter((kind) => buildFileRules([], [], kind)(file, 'outside')?.affects === 'none');
}

describe('what nobody reads', () => {
  test.each<[file: string, kinds: readonly TaskKind[]]>([
    ['README.md', ['test', 'build']],
    ['LICENSE', ['test', 'build']],
    ['.github/CODEOWNERS', ['test', 'build', 'lint', 'format']],
    ['.husky/pre-commit', ['test', 'build', 'lint', 'format']],
    ['.changeset/x.md', ['test', 'build']],
    ['.prettierrc', ['test', 'build']],
    ['.editorconfig', ['test', 'build']],
    ['eslint.config.js', ['test', 'build']],
    ['biome.json', ['test', 'build']],
    ['tsconfig.json', []],
    ['scripts/x.js', []],
  ])('%s: for tasks of the kinds %j', (file, kinds) => {
    expect(harmless(file)).toEqual(kinds);
  });

  test.each<[name: string, kinds: readonly TaskKind[]]>([
    ['eslint-plugin-x', ['test', 'build']],
    ['prettier', ['test', 'build']],
    ['knip', ['test', 'build']],
    ['husky', ['test', 'build', 'lint', 'format']],
    ['semantic-release', ['test', 'build', 'lint', 'format']],
    ['jest', []],
  ])('the root dependency %s: for tasks of the kinds %j', (name, kinds) => {
    expect(KINDS.filter((kind) => buildRootOnly([], kind)(name))).toEqual(kinds);
  });

  test.each<[key: string, kinds: readonly TaskKind[]]>([
    ['description', KINDS],
    ['prettier', ['test', 'build']],
    ['lint-staged', ['test', 'build', 'lint', 'format']],
    ['jest', []],
  ])('the key %s of the root manifest: for tasks of the kinds %j', (key, kinds) => {
    const [base, head] = ['{}', `{"${key}": {"x": 1}}`].map((text) => parseManifest(text, 'package.json'));
    if (base === undefined || head === undefined) throw new Error('no manifests');
    expect(KINDS.filter((kind) => diffRootManifests(base, head, kind).all === undefined)).toEqual(kinds);
  });
});
