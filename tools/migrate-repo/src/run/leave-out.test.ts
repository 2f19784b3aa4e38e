import { describe, expect, test } from '@jest/globals';
import { type ErrorCode, ToolError } from '@tributary/model/errors';
import type { LeftOutPackage } from '../plan/facts.js';
import type { MigrationPlan } from '../plan/plan.js';
import { leavingOut } from './leave-out.js';

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
