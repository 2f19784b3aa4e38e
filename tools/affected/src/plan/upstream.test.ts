import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type PlannedWorkspace, Upstream } from './upstream.js';

/** Reads `{ app: 'lib mid' }`: the dependencies of app. All workspaces have the scripts `build` and `test`, unless `without` names them. */
function workspaces(below: Readonly<Record<string, string>>, without: readonly string[] = []): readonly PlannedWorkspace[] {
  return Object.entries(below).map(([name, dependencies]) => ({
    name,
    path: name === 'root' ? '' : `packages/${name}`,
    scripts: new Map(without.includes(name) ? [] : ['build', 'test'].map((script) => [script, 'x'])),
    dependencies: dependencies.split(' ').filter(Boolean),
    needs: dependencies.split(' ').filter(Boolean),
    isRuled: false,
  }));
}

/** Reads `{ test: '^build' }`: the dependencies of tasks. */
function tasks(all: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.entries(all).map(([key, entries]) => [key, entries.split(' ').filter(Boolean)]));
}

const chain = workspaces({ app: 'mid', mid: 'lib', lib: '', other: '' });
const usual = tasks({ build: '^build', test: '^build' });

describe('before a task run', () => {
  test.each<[title: string, all: Readonly<Record<string, string>>, expected: readonly string[]]>([
    ['nothing, if it depends on nothing', { test: '' }, []],
    ['the tasks of its dependencies, and what those depend on', { build: '^build', test: '^build' }, ['mid#build', 'lib#build']],
    ['no more than they depend on', { build: '', test: '^build' }, ['mid#build']],
    ['its own other tasks', { build: '^build', test: 'build' }, ['app#build', 'mid#build', 'lib#build']],
    ['a task that is named with its workspace', { build: '', test: 'other#build' }, ['other#build']],
    ['what its own entry says', { test: '^build', build: '', 'app#test': '' }, []],
    ['what the entry of a dependency says', { test: '^build', build: '^build', 'mid#build': '' }, ['mid#build']],
    ['tests of dependencies', { test: '^test' }, ['mid#test', 'lib#test']],
    ['nothing for the variables of turborepo 1', { test: '$CI ^build $NODE_ENV', build: '$X' }, ['mid#build']],
    ['nothing that is no task of anybody', { test: 'gone#build ^gone' }, []],
  ])('%s', (_, all, expected) => expect(new Upstream(tasks(all), chain).of('app', 'test')).toEqual(expected));

  test('no task without a script; turborepo goes on through it', () => {
    const some = workspaces({ app: 'mid', mid: 'lib', lib: '' }, ['mid']);
    expect(new Upstream(usual, some).of('app', 'test')).toEqual(['lib#build']);
    const empty = some.map((one) => (one.name === 'lib' ? { ...one, scripts: new Map([['build', '']]) } : one));
    expect(new Upstream(usual, empty).of('app', 'test')).toEqual([]);
  });

  test('everybody of a circle once, and never the task itself', () => {
    const circle = workspaces({ a: 'b', b: 'c', c: 'a' });
    expect(new Upstream(usual, circle).of('a', 'test')).toEqual(['b#build', 'c#build', 'a#build']);
    expect(new Upstream(tasks({ test: '^test' }), circle).of('a', 'test')).toEqual(['b#test', 'c#test']);
    expect(new Upstream(tasks({ a: 'b', b: 'a' }), circle).of('a', 'a')).toEqual([]);
  });

  test('of the root what turbo.json says of //', () => {
    const all = workspaces({ root: 'lib', lib: '', app: 'lib' });
    expect(new Upstream(tasks({ build: '', test: '^build', '//#test': '' }), all).of('root', 'test')).toEqual([]);
    expect(new Upstream(tasks({ build: '', test: '', '//#test': '^build' }), all).of('root', 'test')).toEqual(['lib#build']);
    expect(new Upstream(tasks({ test: '//#build', '//#build': '' }), all).of('app', 'test')).toEqual(['//#build']);
  });

  test('nothing for a workspace that is not there', () => expect(new Upstream(usual, chain).of('gone', 'test')).toEqual([]));
});

// Each was checked with turborepo 2.11: the hash of app#test changes with a file of the workspace exactly if the workspace is in the list.
describe('the hash of a task holds', () => {
  test.each<[title: string, all: Readonly<Record<string, string>>, expected: readonly string[]]>([
    ['nobody, without a task of dependencies', { test: '' }, []],
    ['all below, if their builds depend on each other', { build: '^build', test: '^build' }, ['mid', 'lib']],
    ['the next ones alone, if their builds do not', { build: '', test: '^build' }, ['mid']],
    ['all below by a task that has no script', { transit: '^transit', test: 'transit' }, ['app', 'mid', 'lib']],
    ['nobody, if the workspace says so', { build: '^build', test: '^build', 'app#test': '' }, []],
  ])('%s', (_, all, expected) => {
    const upstream = new Upstream(tasks(all), chain);
    expect(['app', 'mid', 'lib', 'other', 'gone', ''].filter((other) => upstream.sees('app', 'test', other))).toEqual(expected);
  });
});

describe('whatever depends on whatever', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const some = fc.subarray(names).map((list) => list.join(' '));
  const graph = fc.record(Object.fromEntries(names.map((name) => [name, some]))).map((below) => workspaces(below));
  const entry = fc.constantFrom('build', 'test', '^build', '^test', 'a#build', 'b#test', '$X');
  const config = fc.record({ build: fc.array(entry), test: fc.array(entry) }).map((all) => new Map(Object.entries(all)));

  test('what runs before a task that runs before another one runs before that, too', () => {
    fc.assert(
      fc.property(graph, config, (all, turbo) => {
        const upstream = new Upstream(turbo, all);
        const before = new Set(upstream.of('a', 'test'));
        for (const id of before) {
          const [name = '', task = ''] = id.split('#');
          for (const other of upstream.of(name, task)) expect(other === 'a#test' || before.has(other)).toBe(true);
        }
      }),
    );
  });

  test('an answer does not depend on what was asked before', () => {
    fc.assert(
      fc.property(graph, config, (all, turbo) => {
        const asked = new Upstream(turbo, all);
        for (const name of names) asked.of(name, 'build');
        expect(asked.of('a', 'test')).toEqual(new Upstream(turbo, all).of('a', 'test'));
      }),
    );
  });
});
