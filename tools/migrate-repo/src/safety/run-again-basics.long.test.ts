import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { MigrationFixture } from './migration.fixture.js';
import { answerOf, COMMAND, createThreeSources, outcomeOf, runWithoutLib, type ThreeSources } from './run-again.fixture.js';

// The same command again, after some of its packages were imported: it continues with the rest. The long ring has more of it.

const cleanUp = cleanUpIn(afterEach);

let fixture: MigrationFixture;
let sources: ThreeSources;

beforeEach(() => {
  ({ fixture, sources } = createThreeSources(cleanUp));
});

const ALL = ['--all', '--json'];

test('--all brings what tributary.json names, and again what is left of it, dependencies first', async () => {
  expect(outcomeOf(await runWithoutLib(fixture, sources, ALL))).toEqual({
    came: ['core'],
    leftOut: ['lib SOURCE_UNREACHABLE', 'app DEPENDENCY_LEFT_OUT'],
    branch: 'migrate/core',
  });
  const { stdout } = await fixture.accepted(['--all', '--no-align']);
  expect(stdout.split('\n\n')[0]?.replaceAll(/ +/g, ' ')).toBe(
    [
      'package path commits merges authors tags proof',
      'lib packages/lib 4 1 1 2 inverse',
      'app packages/app 4 1 1 2 inverse',
      'core came before',
      'total 2 packages 8 2 4',
    ].join('\n'),
  );
  const { stderr } = await fixture.refused('ALREADY_MIGRATED', ALL);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    'All 3 packages in tributary.json are migrated already; migrate/app-and-1-more, migrate/core are not merged yet.',
  );
});

test('--all without packages in tributary.json is refused', async () => {
  fixture.monorepo.write({ 'tributary.json': '{}' });
  await fixture.refused('CONFIG_INVALID', ['--all']);
});

test('after the first branch was merged, the rest comes on a branch of its own, and the exit code is 0', async () => {
  expect(outcomeOf(await runWithoutLib(fixture, sources))).toEqual({
    came: ['core'],
    leftOut: ['lib SOURCE_UNREACHABLE', 'app DEPENDENCY_LEFT_OUT'],
    branch: 'migrate/core',
  });
  fixture.monorepo.merge('migrate/core', 'Merge');
  const again = answerOf(await fixture.accepted(COMMAND), 0);
  expect(outcomeOf(again)).toEqual({ came: ['lib', 'app'], leftOut: ['core ALREADY_MIGRATED'], branch: 'migrate/app-and-1-more' });
  expect(again.leftOut[0]?.message).toBe('core is already migrated, in packages/core.');
});

test('where all have come there is nothing to do, and that is said', async () => {
  await fixture.accepted(COMMAND);
  const { stderr } = await fixture.refused('PACKAGES_LEFT_OUT', COMMAND);
  expect(stderr).toContain('All 3 packages are migrated already.\n');
  expect(stderr).toContain('core: core is already migrated, on the unmerged branch migrate/app-and-2-more. [ALREADY_MIGRATED]');
});
