import { describe, expect, test } from '@jest/globals';
import type { AffectedReason, DirectReason } from '../result.js';
import { whyFresh } from './fresh.js';
import { HashedFiles } from './hashed-files.js';
import { hashingOf } from './hashing.fixture.js';
import { type PlannedWorkspace, Upstream } from './upstream.js';

/** app depends on mid, mid on lib. `peer` is a peer of app, which turborepo does not follow. */
const workspaces = [
  ['app', 'mid'],
  ['mid', 'lib'],
  ['lib', ''],
  ['peer', ''],
].map(
  ([name = '', below = '']): PlannedWorkspace => ({
    name,
    path: `packages/${name}`,
    scripts: new Map([['build', 'x']]),
    dependencies: below.split(' ').filter(Boolean),
    needs: below.split(' ').filter(Boolean),
    isRuled: false,
  }),
);

const USUAL = { build: ['^build'], test: ['^build'] };

/** Returns whether app's result is fresh. `app` overrides fields of the workspace above. */
function isAppFresh(
  reasons: readonly AffectedReason[],
  tasks: Readonly<Record<string, readonly string[]>> = USUAL,
  app: Partial<PlannedWorkspace> = {},
): boolean {
  const all = workspaces.map((one) => (one.name === 'app' ? { ...one, ...app } : one));
  const upstream = new Upstream(new Map(Object.entries(tasks)), all);
  const hashed = new HashedFiles(upstream, hashingOf(), 'test');
  return whyFresh(all[0] as PlannedWorkspace, reasons, { task: 'test', upstream, hashed }) !== undefined;
}

const file: DirectReason = { kind: 'file', file: 'packages/lib/a.ts', others: 0 };

/** Whether turborepo's hash changes with each kind of reason. */
const DIRECT: {
  readonly [Kind in DirectReason['kind']]: readonly (readonly [reason: Extract<DirectReason, { kind: Kind }>, fresh: boolean])[];
} = {
  file: [[{ kind: 'file', file: 'packages/app/a.ts', others: 3 }, false]],
  rule: [[{ kind: 'rule', file: 'data.json', rule: '*.json' }, true]],
  read: [[{ kind: 'read', file: 'data.json', by: 'packages/app/a.ts:1' }, true]],
  lockfile: [
    [{ kind: 'lockfile', dependency: 'left', entry: 'left@npm:^1.0.0', from: 'left@npm:1.0.0', to: 'left@npm:1.1.0' }, true],
    [{ kind: 'lockfile', dependency: 'left', entry: 'left@npm:^1.0.0', from: null, to: 'left@npm:1.1.0' }, true],
    [{ kind: 'lockfile', dependency: 'left', entry: 'left@npm:^1.0.0', from: 'left@npm:1.0.0', to: null }, true],
    // Different content with the same version.
    [{ kind: 'lockfile', dependency: 'left', entry: 'left@npm:^1.0.0', from: 'left@npm:1.0.0', to: 'left@npm:1.0.0' }, true],
    [{ kind: 'lockfile', dependency: 'left', entry: 'left@npm:^1.0.0', from: null, to: null }, true],
  ],
  setting: [[{ kind: 'setting', file: '.yarnrc.yml', key: 'nodeLinker' }, true]],
  added: [[{ kind: 'added' }, false]],
  removed: [[{ kind: 'removed' }, true]],
  nested: [[{ kind: 'nested', folder: 'packages/app/inner', became: 'dissolved' }, true]],
  always: [[{ kind: 'always' }, true]],
  all: [[{ kind: 'all' }, true]],
};
const rows = Object.values(DIRECT).flat() as readonly (readonly [DirectReason, boolean])[];

describe('a reason of its own', () => {
  test.each(rows)('%j: a cached result does not count: %s', (reason, fresh) => expect(isAppFresh([reason])).toBe(fresh));
});

describe('a reason of somebody that it depends on', () => {
  test.each(rows)('%j: a cached result does not count: %s', (because, fresh) => {
    expect(isAppFresh([{ kind: 'dependency', path: ['app', 'mid', 'lib'], because }])).toBe(fresh);
  });

  test.each<[title: string, path: readonly string[], tasks: Readonly<Record<string, readonly string[]>>, fresh: boolean]>([
    ['turborepo follows', ['app', 'mid'], USUAL, false],
    ['turborepo does not follow: a peer', ['app', 'peer'], USUAL, true],
    ['turborepo does not follow: a package from outside', ['app', 'gone'], USUAL, true],
    ['no task of which the tests depend on', ['app', 'mid'], { build: ['^build'], test: [] }, true],
    ['only a task of its own depends on', ['app', 'mid'], { build: ['^build'], test: ['build'] }, false],
    ['the next one alone has in its hash', ['app', 'mid', 'lib'], { build: [], test: ['^build'] }, true],
    ['the workspace itself says to depend on nothing of', ['app', 'mid'], { ...USUAL, 'app#test': [] }, true],
    ['turborepo reaches by another way', ['app', 'peer', 'lib'], USUAL, false],
  ])('whom %s', (_, path, tasks, fresh) => {
    expect(isAppFresh([{ kind: 'dependency', path, because: file }], tasks)).toBe(fresh);
  });
});

// A cached result may have the same files, and another state of something that is not in the hash.
describe('for a file of its own a cached result does not count', () => {
  const own: DirectReason = { kind: 'file', file: 'packages/app/a.ts', others: 0 };

  test.each<[title: string, tasks: Readonly<Record<string, readonly string[]>>, app: Partial<PlannedWorkspace>, fresh: boolean]>([
    ['where all that it gets something from is in the hash: no', USUAL, {}, false],
    ['where a peer is not', USUAL, { needs: ['mid', 'peer'] }, true],
    ['where no task of its dependencies runs before', { build: ['^build'], test: [] }, {}, true],
    ['where a task of the next one alone runs before', { build: [], test: ['^build'] }, {}, true],
    ['where a rule can select it', USUAL, { isRuled: true }, true],
    ['where it gets something from nobody: no', { test: [] }, { dependencies: [], needs: [] }, false],
  ])('%s', (_, tasks, app, fresh) => expect(isAppFresh([own], tasks, app)).toBe(fresh));
});

test('one reason that is not in the hash is enough', () => {
  const through: AffectedReason = { kind: 'dependency', path: ['app', 'mid'], because: file };
  expect(isAppFresh([file, through])).toBe(false);
  expect(isAppFresh([file, through, { kind: 'always' }])).toBe(true);
});
