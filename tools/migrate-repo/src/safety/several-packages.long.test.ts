import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { createFixture, createSource, type MigrationFixture } from './migration.fixture.js';

const cleanUp = cleanUpIn(afterEach);
const COMMAND = ['app', 'lib', 'core', 'alone', '--json'];

let fixture: MigrationFixture;
let sources: Record<'app' | 'lib' | 'core' | 'alone', TempRepo>;

beforeEach(() => {
  fixture = createFixture(cleanUp);
  sources = {
    app: createSource(cleanUp, 'app', { dependencies: { lib: '^1.0.0' } }),
    lib: createSource(cleanUp, 'lib', { devDependencies: { core: '^1.0.0' } }),
    core: createSource(cleanUp, 'core'),
    alone: createSource(cleanUp, 'alone'),
  };
  const packages = Object.fromEntries(Object.entries(sources).map(([name, { path }]) => [name, { source: path }]));
  fixture.monorepo.commit('Configure', { files: { 'tributary.json': JSON.stringify({ migrate: { packages } }) } });
});

/** Returns the package of each merge on the branch, oldest first. */
function merges(branch: string): string[] {
  return fixture.monorepo
    .git('log', '--reverse', '--first-parent', '--merges', '--format=%(trailers:key=Tributary-Package,valueonly,separator=%x20)', branch)
    .split('\n');
}

describe('several packages on one branch', () => {
  test('come in the order of their dependencies', async () => {
    await fixture.accepted(COMMAND);
    expect(merges('migrate/alone-and-3-more')).toEqual(['alone', 'core', 'lib', 'app']);
    await fixture.accepted(['verify', 'lib', '--ref', 'migrate/alone-and-3-more']);
  });

  test('that were squashed together are repaired together, as the hint says', async () => {
    await fixture.accepted(COMMAND);
    fixture.monorepo.git('merge', '-q', '--squash', 'migrate/alone-and-3-more');
    fixture.monorepo.git('commit', '-q', '-m', 'Squash');
    const { stderr } = await fixture.run(['verify', 'lib']);
    const command = /"git (rm -r [^"]*)"/.exec(stderr.replaceAll('\n', ' '))?.[1] ?? '';
    expect(command.split(' ')).toHaveLength(6);
    fixture.monorepo.git(...command.split(' '));
    fixture.monorepo.commit('Take them away');
    fixture.monorepo.merge('migrate/alone-and-3-more');
    expect((await fixture.accepted(['verify', '--all'])).stdout).toContain('4 imports proven, 0 not.');
  });

  test.each(['core', 'lib'] as const)('where %s fails its dependents are left out and named, and the others come', async (name) => {
    rmSync(sources[name].path, { recursive: true });
    const result = await fixture.run(COMMAND);
    expect(result.code).toBe(1);
    const { leftOut, branch } = JSON.parse(result.stdout) as { leftOut: { name: string; code: string; message: string }[]; branch: string };
    const dependents = name === 'core' ? ['lib', 'app'] : ['app'];
    expect(leftOut.map((one) => [one.name, one.code])).toEqual([
      [name, 'SOURCE_UNREACHABLE'],
      ...dependents.map((dependent) => [dependent, 'DEPENDENCY_LEFT_OUT']),
    ]);
    expect(merges(branch)).toEqual(name === 'core' ? ['alone'] : ['alone', 'core']);
    expect(fixture.state().broken + fixture.state().leftovers.join()).toBe('');
  });

  test('where all fail nothing is changed', async () => {
    for (const { path } of Object.values(sources)) rmSync(path, { recursive: true });
    await fixture.refused('PACKAGES_LEFT_OUT', COMMAND);
  });

  test('two that want the same folder', async () => {
    const other = createSource(cleanUp, '@acme/core');
    const packages = { core: { source: sources.core.path }, '@acme/core': { source: other.path } };
    fixture.monorepo.commit('Configure', { files: { 'tributary.json': JSON.stringify({ migrate: { packages } }) } });
    const result = await fixture.run(['core', '@acme/core']);
    expect(result.code).toBe(1);
    expect(result.stdout).toContain('[TARGET_PATH_TAKEN]');
  });

  test('one of them cannot be discarded alone; the branch can', async () => {
    const before = fixture.state().snapshot;
    await fixture.accepted(COMMAND);
    const { stderr } = await fixture.refused('USAGE', ['discard', 'lib']);
    expect(stderr).toContain('migrate-repo discard migrate/alone-and-3-more');
    await fixture.discarded('migrate/alone-and-3-more');
    expect(fixture.state().snapshot).toEqual(before);
  });

  test('a wrong tributary.json is refused', async () => {
    fixture.monorepo.write({ 'tributary.json': '{"migrate":{"packages":{"app":{"sauce":"x"}}}}' });
    await fixture.refused('CONFIG_INVALID', ['app']);
  });
});
