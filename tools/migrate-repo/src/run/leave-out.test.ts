import { describe, expect, test } from '@jest/globals';
import { type ErrorCode, ToolError } from '@tributary/model/errors';
import type { LeftOutPackage } from '../plan/facts.js';
import type { MigrationPlan } from '../plan/plan.js';
import { leavingOut, nothingLeft } from './leave-out.js';

function planOf(names: readonly string[], leftOut: readonly LeftOutPackage[] = []): MigrationPlan {
  return { packages: names.map((name) => ({ source: { request: { name } } })), leftOut } as unknown as MigrationPlan;
}

function failure(code: ErrorCode, workspace?: string): ToolError {
  return new ToolError({ code, message: 'No.', hint: 'Mend it.', data: workspace === undefined ? {} : { workspace: { name: workspace } } });
}

/** Attempts packages that fail as given. Returns the rest of the plan and the packages attempted. */
async function attempt(names: readonly string[], failures: Readonly<Record<string, ToolError>>) {
  const tried: string[] = [];
  const leftOut: LeftOutPackage[] = [];
  const { plan } = await leavingOut({
    plan: planOf(names),
    replan: async (one) => {
      leftOut.push(one);
      return planOf(
        names.filter((name) => !leftOut.some((other) => other.name === name)),
        leftOut,
      );
    },
    attempt: async ({ packages }) => {
      const own = packages.map(({ source }) => source.request.name as string);
      tried.push(own.join());
      const error = own.map((name) => failures[name]).find((one) => one !== undefined);
      if (error !== undefined) throw error;
    },
    onLeftOut: () => {},
  });
  return {
    tried,
    kept: plan.packages.map(({ source }) => source.request.name),
    codes: leftOut.map(({ name, error }) => `${name} ${error.code}`),
  };
}

describe('a plan that fails', () => {
  test('for one package goes on without it, and without the next', async () => {
    expect(await attempt(['a', 'b', 'c'], { b: failure('INSTALL_FAILED', 'b'), c: failure('LOCKFILE_MISMATCH', 'c') })).toEqual({
      tried: ['a,b,c', 'a,c', 'a'],
      kept: ['a'],
      codes: ['b INSTALL_FAILED', 'c LOCKFILE_MISMATCH'],
    });
  });

  test.each<[string, ErrorCode, string | undefined]>([
    ['nobody', 'INSTALL_FAILED', undefined],
    ['a workspace of the monorepo', 'INSTALL_FAILED', 'old'],
    ['the registry', 'REGISTRY_UNREACHABLE', 'b'],
    ['the lockfile of the monorepo', 'INSTALL_MOVES_VERSIONS', 'b'],
    ['somebody who stops it', 'INTERRUPTED', 'b'],
    ['a full disk', 'DISK_FULL', 'b'],
  ])('for %s fails as a whole', async (_, code, workspace) => {
    await expect(attempt(['a', 'b'], { b: failure(code, workspace) })).rejects.toMatchObject({ code });
  });

  test('for the only package that was asked for fails as it is', async () => {
    await expect(attempt(['a'], { a: failure('INSTALL_FAILED', 'a') })).rejects.toMatchObject({ code: 'INSTALL_FAILED' });
  });
});

const leftOutFor = (name: string, code: ErrorCode): LeftOutPackage => ({
  name: name as LeftOutPackage['name'],
  error: new ToolError({ code, message: `${name} stays.`, hint: `Look at ${name}.` }),
});
const came = (name: string): LeftOutPackage => leftOutFor(name, 'ALREADY_MIGRATED');
const lost = (name: string): LeftOutPackage => leftOutFor(name, 'SOURCE_UNREACHABLE');

test.each<[LeftOutPackage[], string, string | undefined]>([
  [[came('a'), lost('b')], '1 of the 2 packages was migrated before, and the other one cannot be migrated.', 'Look at b.'],
  [[came('a'), came('b'), lost('c')], '2 of the 3 packages were migrated before, and the other one cannot be migrated.', 'Look at c.'],
  [[came('a'), lost('b'), lost('c')], '1 of the 3 packages was migrated before, and the other 2 cannot be migrated.', undefined],
  [[lost('a'), lost('b')], 'None of the 2 packages can be migrated.', undefined],
  [[came('a'), came('b')], 'All 2 packages are migrated already.', '"migrate-repo status" lists them.'],
])('where nothing is left, the packages are counted, and one that fails alone has its own hint: %#', (packages, counts, hint) => {
  const error = nothingLeft(packages);
  expect([error.code, error.message.split('\n')[0], error.hint]).toEqual(['PACKAGES_LEFT_OUT', counts, hint]);
});

test('those that failed are listed, or all where none failed', () => {
  expect(nothingLeft([came('a'), lost('b')]).message).toMatch(/\n {2}b: b stays\. \[SOURCE_UNREACHABLE\]$/);
  expect(nothingLeft([came('a'), came('b')]).message.split('\n')).toHaveLength(3);
  expect(nothingLeft([lost('a'), lost('b')]).message).toMatch(/\n {2}a: a stays\. \[SOURCE_UNREACHABLE\]\n {4}Look at a\.\n {2}b: /);
  expect(nothingLeft([lost('a')])).toMatchObject({ code: 'SOURCE_UNREACHABLE', hint: 'Look at a.' });
});
