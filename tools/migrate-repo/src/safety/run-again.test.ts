import { renameSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { CliResult } from '@tributary/test-repo/run-cli';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { MigrateResult } from '../result.js';
import { createScene, createSource, type MigrationScene } from './scene.fixture.js';

// The same command again, after some of its packages have come: it goes on with the rest.

const cleanUp = cleanUpIn(afterEach);
const COMMAND = ['app', 'lib', 'core', '--json'];

let scene: MigrationScene;
let sources: Record<'app' | 'lib' | 'core', TempRepo>;

beforeEach(() => {
  scene = createScene(cleanUp);
  sources = {
    app: createSource(cleanUp, 'app', { dependencies: { lib: '^1.0.0' } }),
    lib: createSource(cleanUp, 'lib'),
    core: createSource(cleanUp, 'core'),
  };
  const packages = Object.fromEntries(Object.entries(sources).map(([name, { path }]) => [name, { source: path }]));
  scene.monorepo.commit('Configure', { files: { 'tributary.json': JSON.stringify({ migrate: { packages } }) } });
});

/** `lib` alone cannot be reached, and `app` needs it. */
async function runWithoutLib(): Promise<MigrateResult> {
  const { path } = sources.lib;
  renameSync(path, `${path}.away`);
  const result = await scene.run(COMMAND);
  renameSync(`${path}.away`, path);
  return answerOf(result, 1);
}

function answerOf(result: CliResult, code: number): MigrateResult {
  expect([result.code, result.stdout.slice(0, 1)]).toEqual([code, '{']);
  return JSON.parse(result.stdout) as MigrateResult;
}

function outcomeOf({ packages, leftOut, branch }: MigrateResult): unknown {
  return { came: packages.map(({ name }) => name), leftOut: leftOut.map(({ name, code }) => `${name} ${code}`), branch };
}

test('after the first branch was merged, the rest comes on a branch of its own, and the exit code is 0', async () => {
  expect(outcomeOf(await runWithoutLib())).toEqual({
    came: ['core'],
    leftOut: ['lib SOURCE_UNREACHABLE', 'app DEPENDENCY_LEFT_OUT'],
    branch: 'migrate/app-and-2-more',
  });
  scene.monorepo.merge('migrate/app-and-2-more', 'Merge');
  const again = answerOf(await scene.accepted(COMMAND), 0);
  expect(outcomeOf(again)).toEqual({ came: ['lib', 'app'], leftOut: ['core ALREADY_MIGRATED'], branch: 'migrate/app-and-1-more' });
  expect(again.leftOut[0]?.message).toBe('core was migrated before, and is in packages/core.');
});

describe('while the first branch waits', () => {
  test('the rest comes on a branch of its own', async () => {
    await runWithoutLib();
    const again = answerOf(await scene.accepted(COMMAND), 0);
    expect(outcomeOf(again)).toEqual({ came: ['lib', 'app'], leftOut: ['core ALREADY_MIGRATED'], branch: 'migrate/app-and-1-more' });
    expect(again.leftOut[0]?.message).toBe('core was migrated before, and waits on migrate/app-and-2-more to be merged.');
  });

  test('what needs a package that waits there is left out, and comes where that branch is checked out', async () => {
    await scene.accepted(['lib', '--no-tags']);
    const first = answerOf(await scene.run(COMMAND), 1);
    expect(outcomeOf(first)).toEqual({
      came: ['core'],
      leftOut: ['lib ALREADY_MIGRATED', 'app DEPENDENCY_LEFT_OUT'],
      branch: 'migrate/app-and-1-more',
    });
    expect(first.leftOut[1]).toMatchObject({
      message: 'app needs lib, which waits on migrate/lib to be merged.',
      hint: 'Merge migrate/lib, or check it out, and run the same command again.',
    });
    scene.monorepo.checkout('migrate/lib');
    const second = answerOf(await scene.accepted(COMMAND), 0);
    expect(outcomeOf(second)).toEqual({ came: ['app'], leftOut: ['lib ALREADY_MIGRATED', 'core ALREADY_MIGRATED'], branch: 'migrate/app' });
  });

  test('a dry run says the same', async () => {
    await runWithoutLib();
    const plan = answerOf(await scene.accepted([...COMMAND, '--dry-run']), 0);
    expect(outcomeOf(plan)).toEqual({ came: ['lib', 'app'], leftOut: ['core ALREADY_MIGRATED'], branch: 'migrate/app-and-1-more' });
  });
});

test('where all have come there is nothing to do, and that is said', async () => {
  await scene.accepted(COMMAND);
  const { stderr } = await scene.refused('PACKAGES_LEFT_OUT', COMMAND);
  expect(stderr).toContain('core: core was migrated before, and waits on migrate/app-and-2-more to be merged. [ALREADY_MIGRATED]');
});

test('one that is asked for alone is refused as what it is, and nothing is fetched for it', async () => {
  await scene.accepted(['core', '--no-tags']);
  await scene.refused('TARGET_BRANCH_TAKEN', ['core']);
  scene.monorepo.merge('migrate/core', 'Merge');
  scene.monorepo.git('branch', '-q', '-D', 'migrate/core');
  renameSync(sources.core.path, `${sources.core.path}.away`);
  const { stderr } = await scene.refused('ALREADY_MIGRATED', ['core']);
  expect(stderr).toContain('core was migrated before, and is in packages/core.');
  renameSync(`${sources.core.path}.away`, sources.core.path);
});

test('a workspace of the same name that no import has brought is in the way as ever', async () => {
  scene.monorepo.commit('Take the name', { files: { 'packages/other/package.json': '{ "name": "core" }' } });
  expect(outcomeOf(answerOf(await scene.run(COMMAND), 1))).toMatchObject({ leftOut: ['core TARGET_NAME_TAKEN'] });
  await scene.refused('TARGET_NAME_TAKEN', ['core']);
});

test('one that was taken back comes again', async () => {
  await runWithoutLib();
  await scene.discarded('core');
  expect(outcomeOf(answerOf(await scene.accepted(COMMAND), 0))).toEqual({
    came: ['lib', 'app', 'core'],
    leftOut: [],
    branch: 'migrate/app-and-2-more',
  });
});
