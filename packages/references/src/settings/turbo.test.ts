import { describe, expect, test } from '@jest/globals';
import { keyedNames, namesIn } from './names.fixture.js';

function inputs(...entries: readonly unknown[]): object {
  return { tasks: { test: { inputs: entries } } };
}

describe('the turbo.json of a workspace', () => {
  const cases: readonly (readonly [file: object, names: readonly string[]])[] = [
    [inputs('$TURBO_ROOT$/packages/c/data.json'), ['/packages/c/data.json']],
    [inputs('$TURBO_ROOT$/data/**', '$TURBO_ROOT$'), ['/data/*', '/.']],
    [inputs('../c/data.json', 'src/**'), ['../c/data.json', 'src/*']],
    [inputs('!../c/x', '!$TURBO_ROOT$/x', '$TURBO_DEFAULT$', '$TURBO_EXTENDS$'), []],
    [inputs({ mode: 'jit', globs: ['../c/**', '!../c/d'], from: ['^build'] }), ['../c/*']],
    [{ pipeline: { test: { inputs: ['../c'] } } }, ['../c']],
    [{ extends: ['//', '@m/config'] }, ['module @m/config']],
    [{ globalDependencies: ['../x'], global: { inputs: ['../x'] }, tasks: { test: { outputs: ['../x'], dependsOn: ['@m/e#build'] } } }, []],
    [{ boundaries: { implicitDependencies: ['@m/e'] } }, ['module @m/e']],
  ];
  test.each(cases)('%j', (file, names) => {
    expect(namesIn('packages/d/turbo.json', file)).toEqual(names);
  });
});

describe('the turbo.json of the root', () => {
  const cases: readonly (readonly [file: object, names: readonly string[]])[] = [
    [inputs('$TURBO_ROOT$/x', '../y', 'src/**'), ['for *: x', 'for *: text ../y']],
    [
      { tasks: { '@m/d#test': { inputs: ['$TURBO_ROOT$/packages/c/*.json', '../c/x'] } } },
      ['for @m/d: packages/c/*', 'for @m/d: text ../c/x'],
    ],
    [{ tasks: { '//#test': { inputs: ['scripts/x.js', '$TURBO_ROOT$/y'] } } }, ['scripts/x.js', 'y']],
    [{ globalDependencies: ['x'], boundaries: { implicitDependencies: ['x'] } }, []],
  ];
  test.each(cases)('%j', (file, names) => {
    expect(namesIn('turbo.jsonc', file)).toEqual(names);
  });
});

test('comments and trailing commas are read', () => {
  const text = '{ // why\n "tasks": { "a.b": { "inputs": ["../c", /* no */ ], }, } }';
  expect(keyedNames('p/turbo.jsonc', text)).toEqual([['tasks.a.b.inputs.0', '../c']]);
});
