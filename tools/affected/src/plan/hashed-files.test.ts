import { describe, expect, test } from '@jest/globals';
import type { AffectedReason } from '../result.js';
import { HashedFiles } from './hashed-files.js';
import { hashingOf } from './hashing.fixture.js';
import { type PlannedWorkspace, Upstream } from './upstream.js';

// `b` depends on `a`; their tests run after the builds of what they depend on.
const WORKSPACES = [workspace('a', []), workspace('b', ['a'])];
const DEPENDS = { build: ['^build'], test: ['^build'] };
const SRC = { inputs: ['src/**'] };

function workspace(name: string, dependencies: readonly string[]): PlannedWorkspace {
  const scripts = new Map([['build', 'x'] as const, ['test', 'x'] as const]);
  return { name, path: `packages/${name}`, scripts, dependencies, needs: dependencies, isRuled: false };
}

type Described = NonNullable<Parameters<typeof hashingOf>[0]> & { readonly dependsOn?: Readonly<Record<string, readonly string[]>> };

function hashed({ dependsOn = DEPENDS, ...described }: Described): HashedFiles {
  const upstream = new Upstream(new Map(Object.entries(dependsOn)), WORKSPACES);
  return new HashedFiles(upstream, hashingOf({ ...described, tasks: { build: {}, test: {}, transit: {}, ...described.tasks } }), 'test');
}

describe('a file that the hash for the tests of b misses', () => {
  const DATA = { a: 'packages/a/data.json packages/a/src/x.ts' };

  test.each<[title: string, described: Described, missed: string | undefined]>([
    ['none, without inputs', { files: DATA, changed: { a: 'packages/a/data.json' } }, undefined],
    ['one that the build of a leaves out', { tasks: { build: SRC }, files: DATA }, 'packages/a/data.json'],
    [
      'none, where the build of a leaves out only what no dependent reads',
      { tasks: { build: SRC }, files: { a: 'packages/a/src/x.ts' } },
      undefined,
    ],
    [
      'one that a negation leaves out',
      { tasks: { build: { inputs: ['$TURBO_DEFAULT$', '!*.json'] } }, files: DATA },
      'packages/a/data.json',
    ],
    ['one that a turbo.json of a leaves out', { own: { a: { build: SRC } }, files: DATA }, 'packages/a/data.json'],
    ['one that a glob names which is not read', { tasks: { build: { inputs: ['{src/**,*.json}'] } }, files: DATA }, 'packages/a/data.json'],
    [
      'none, where another task before has all files',
      { dependsOn: { ...DEPENDS, test: ['^build', '^transit'] }, tasks: { build: SRC }, files: DATA },
      undefined,
    ],
    [
      'none, where two tasks have all files together',
      { dependsOn: { ...DEPENDS, test: ['^build', '^transit'] }, tasks: { build: SRC, transit: { inputs: ['*.json'] } }, files: DATA },
      undefined,
    ],
    [
      'none, where the tests of b name it',
      { tasks: { build: SRC, test: { inputs: ['$TURBO_DEFAULT$', '../a/**'] } }, files: DATA },
      undefined,
    ],
    [
      'one of its own that changed',
      { tasks: { test: SRC }, changed: { b: 'packages/b/data.json packages/b/src/x.ts' } },
      'packages/b/data.json',
    ],
    ['none of its own that did not change: its owner says so', { tasks: { test: SRC }, files: { b: 'packages/b/data.json' } }, undefined],
    [
      'one of its own, if inputs are no promise',
      { tasks: { test: SRC }, files: { b: 'packages/b/data.json' }, turboInputs: 'ignore' },
      'packages/b/data.json',
    ],
    // turborepo cannot report a deleted file.
    ['one that was deleted, or renamed', { tasks: { build: SRC }, changed: { a: '-packages/a/src/old.ts' } }, 'packages/a/src/old.ts'],
    ['none that was deleted, where all files are hashed', { changed: { a: '-packages/a/src/old.ts' } }, undefined],
    ['one of which only the mode changed', { changed: { a: '=packages/a/run.sh' } }, 'packages/a/run.sh'],
    ['one of a task that nobody has', { dependsOn: { test: ['^gen'] }, own: { b: { gen: {} } }, files: DATA }, 'packages/a/data.json'],
  ])('%s', (_, described, missed) => expect(hashed(described).missedFor('b')).toBe(missed));
});

describe('changed files that the inputs of its tests leave out', () => {
  const file: AffectedReason = { kind: 'file', file: 'packages/b/data.json', others: 0 };
  const leftOut = (described: Described, reasons: readonly AffectedReason[] = [file]): readonly string[] | undefined =>
    hashed({ changed: { b: 'packages/b/data.json' }, ...described })
      .leftOutBy('b', reasons)
      ?.map(({ path }) => path);
  const NO_JSON = { inputs: ['$TURBO_DEFAULT$', '!*.json'] };

  test.each<[title: string, described: Described]>([
    ['inputs name other files', { tasks: { test: SRC } }],
    ['a negation', { tasks: { test: NO_JSON } }],
    [
      'its own build, which runs before, leaves it out too',
      { dependsOn: { ...DEPENDS, test: ['build'] }, tasks: { test: SRC, build: NO_JSON } },
    ],
    ['inputs of other workspaces do not reach it', { tasks: { test: { inputs: ['src/**', '$TURBO_ROOT$/tsconfig.json'] } } }],
    ['a deleted file, too', { tasks: { test: SRC }, changed: { b: '-packages/b/data.json' } }],
    ['links of other workspaces', { tasks: { test: SRC }, links: ['a'] }],
  ])('do not select it: %s', (_, described) => expect(leftOut(described)).toEqual(['packages/b/data.json']));

  test.each<[title: string, described: Described]>([
    ['no inputs', {}],
    ['inputs have it', { tasks: { test: { inputs: ['*.json'] } } }],
    ['one of several files is not left out', { tasks: { test: SRC }, changed: { b: 'packages/b/data.json packages/b/src/x.ts' } }],
    ['its own build, which runs before, has it', { dependsOn: { ...DEPENDS, test: ['build'] }, tasks: { test: SRC } }],
    ['the build of a has it', { tasks: { test: SRC, 'a#build': { inputs: ['../b/**'] } } }],
    ['a glob that is not read', { tasks: { test: { inputs: ['src/[a-z].ts'] } } }],
    ['it is no promise', { tasks: { test: SRC }, turboInputs: 'ignore' }],
    ['its package.json', { tasks: { test: { inputs: ['$TURBO_DEFAULT$', '!package.json'] } }, changed: { b: 'packages/b/package.json' } }],
    ['its turbo.json', { tasks: { test: { inputs: ['$TURBO_DEFAULT$', '!turbo.json'] } }, changed: { b: 'packages/b/turbo.json' } }],
    ['a link in it may lead there', { tasks: { test: SRC }, links: ['b'] }],
    ['a link elsewhere may lead there', { tasks: { test: { inputs: ['src/**', '../a/**'] } }, links: ['a'] }],
  ])('select it: %s', (_, described) => expect(leftOut(described)).toBeUndefined());

  test.each<[AffectedReason]>([
    [{ kind: 'dependency', path: ['b', 'a'], because: { kind: 'file', file: 'packages/a/x', others: 0 } }],
    [{ kind: 'rule', file: 'packages/b/data.json', rule: '*.json' }],
    [{ kind: 'read', file: 'data.json', by: 'packages/b/t.js:1' }],
    [{ kind: 'lockfile', dependency: 'x', entry: 'x@1', from: 'x@1', to: 'x@2' }],
    [{ kind: 'setting', file: '.yarnrc.yml', key: 'x' }],
    [{ kind: 'added' }],
    [{ kind: 'always' }],
    [{ kind: 'all' }],
  ])('select it beside another reason: %j', (reason) => expect(leftOut({ tasks: { test: SRC } }, [file, reason])).toBeUndefined());

  test('select those that depend on it', () => {
    const one = hashed({ tasks: { test: SRC, build: SRC }, changed: { a: 'packages/a/data.json' } });
    const through: AffectedReason = {
      kind: 'dependency',
      path: ['b', 'a'],
      because: { kind: 'file', file: 'packages/a/data.json', others: 0 },
    };
    expect(one.leftOutBy('b', [through])).toBeUndefined();
    expect(one.missedFor('b')).toBe('packages/a/data.json');
  });
});
