import { describe, expect, test } from '@jest/globals';
import { projectOf } from '../project.fixture.js';
import type { Monorepo } from '../project.js';
import { lockOf } from './berry-lock.fixture.js';
import { suspectDrift } from './drift.js';

const ROOT = { name: 'root', workspaces: ['*'], packageManager: 'yarn@4.18.1' };
const APP = {
  name: 'app',
  dependencies: { lib: '^1.0.0' },
  devDependencies: { tool: 'latest', near: 'workspace:^' },
  peerDependencies: { host: '*' },
};
const ENTRIES = [
  'app@workspace:app -> app@workspace:app -> lib@npm:^1.0.0, near@workspace:^, tool@npm:latest',
  'near@workspace:^, near@workspace:near -> near@workspace:near',
  'root@workspace:. -> root@workspace:.',
  'dep@npm:^2.0.0 -> dep@npm:2.1.0',
  'lib@npm:^1.0.0 -> lib@npm:1.2.0 -> dep@npm:^2.0.0',
  'tool@npm:latest -> tool@npm:3.0.0',
];

interface Fixture {
  readonly root?: object;
  readonly app?: object;
  readonly more?: Readonly<Record<string, object>>;
  readonly files?: Readonly<Record<string, string>>;
}

function projectWith({ root = {}, app = {}, more = {}, files = {} }: Fixture): Monorepo {
  const manifests = {
    '': { ...ROOT, ...root },
    app: { ...APP, ...app },
    near: { name: 'near' },
    new: { name: 'new', dependencies: { lib: '9' } },
    ...more,
  };
  return projectOf({ manifests, importedPackages: { new: {} }, files });
}

test('a lockfile as it should be is above suspicion, imported packages apart', () => {
  expect(suspectDrift(lockOf(...ENTRIES), projectWith({}))).toEqual([]);
  expect(suspectDrift('', projectWith({}))).toEqual([]);
});

describe('what is suspect', () => {
  const cases: readonly (readonly [what: string, fixture: Fixture, suspects: readonly string[]])[] = [
    ['a range that was changed', { app: { dependencies: { lib: '^1.1.0' } } }, ['lib@npm:^1.1.0']],
    ['a dependency that was added', { app: { optionalDependencies: { more: '1' } } }, ['more@npm:1']],
    ['one that was taken away', { app: { devDependencies: { near: 'workspace:^' } } }, ['tool@npm:latest']],
    ['a workspace that was added', { more: { late: { name: 'late' } } }, ['late@workspace:late']],
    ['resolutions that lead elsewhere', { root: { resolutions: { lib: '1.1.0' } } }, ['lib@npm:^1.0.0']],
    [
      'a catalog that says something else',
      { app: { dependencies: { lib: 'catalog:' } }, files: { '.yarnrc.yml': 'catalog:\n  lib: ^3.0.0\n' } },
      ['lib@catalog:'],
    ],
  ];
  test.each(cases)('%s', (_, fixture, suspects) => {
    expect(suspectDrift(lockOf(...ENTRIES), projectWith(fixture))).toEqual(suspects);
  });

  test('a workspace that is gone, and what nobody asks for', () => {
    const gone = 'old@workspace:old -> old@workspace:old';
    expect(suspectDrift(lockOf(...ENTRIES, gone, 'left@npm:^1.0.0 -> left@npm:1.0.0'), projectWith({}))).toEqual([
      'old@workspace:old',
      'left@npm:^1.0.0',
    ]);
  });
});
