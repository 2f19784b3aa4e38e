import { renameSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { MigrationFixture } from './migration.fixture.js';
import { answerOf, COMMAND, createThreeSources, outcomeOf, runWithoutLib, type ThreeSources } from './run-again.fixture.js';

// The same command again, after some of its packages were imported: it continues with the rest.

const cleanUp = cleanUpIn(afterEach);

let fixture: MigrationFixture;
let sources: ThreeSources;

beforeEach(() => {
  ({ fixture, sources } = createThreeSources(cleanUp));
});

describe('while the first branch waits', () => {
  test('the rest comes on a branch of its own', async () => {
    await runWithoutLib(fixture, sources);
    const again = answerOf(await fixture.accepted(COMMAND), 0);
    expect(outcomeOf(again)).toEqual({ came: ['lib', 'app'], leftOut: ['core ALREADY_MIGRATED'], branch: 'migrate/app-and-1-more' });
    expect(again.leftOut[0]?.message).toBe('core is already migrated, on the unmerged branch migrate/core.');
  });

  test('what needs a package that waits there is left out, and comes where that branch is checked out', async () => {
    await fixture.accepted(['lib', '--no-tags']);
    const first = answerOf(await fixture.run(COMMAND), 1);
    expect(outcomeOf(first)).toEqual({
      came: ['core'],
      leftOut: ['lib ALREADY_MIGRATED', 'app DEPENDENCY_LEFT_OUT'],
      branch: 'migrate/core',
    });
    expect(first.leftOut[1]).toMatchObject({
      message: 'app needs lib, which is on the unmerged branch migrate/lib.',
      hint: 'Merge migrate/lib, or check it out, and run the same command again.',
    });
    fixture.monorepo.checkout('migrate/lib');
    const second = answerOf(await fixture.accepted(COMMAND), 0);
    expect(outcomeOf(second)).toEqual({ came: ['app'], leftOut: ['lib ALREADY_MIGRATED', 'core ALREADY_MIGRATED'], branch: 'migrate/app' });
  });

  test('a dry run says the same', async () => {
    await runWithoutLib(fixture, sources);
    const plan = answerOf(await fixture.accepted([...COMMAND, '--dry-run']), 0);
    expect(outcomeOf(plan)).toEqual({ came: ['lib', 'app'], leftOut: ['core ALREADY_MIGRATED'], branch: 'migrate/app-and-1-more' });
  });
});

test('one that is asked for alone is refused as what it is, and nothing is fetched for it', async () => {
  await fixture.accepted(['core', '--no-tags']);
  await fixture.refused('TARGET_BRANCH_TAKEN', ['core']);
  fixture.monorepo.merge('migrate/core', 'Merge');
  fixture.monorepo.git('branch', '-q', '-D', 'migrate/core');
  renameSync(sources.core.path, `${sources.core.path}.away`);
  const { stderr } = await fixture.refused('ALREADY_MIGRATED', ['core']);
  expect(stderr).toContain('core is already migrated, in packages/core.');
  renameSync(`${sources.core.path}.away`, sources.core.path);
});

test('a workspace of the same name that no import has brought is in the way as ever', async () => {
  fixture.monorepo.commit('Take the name', { files: { 'packages/other/package.json': '{ "name": "core" }' } });
  expect(outcomeOf(answerOf(await fixture.run(COMMAND), 1))).toMatchObject({ leftOut: ['core TARGET_NAME_TAKEN'] });
  await fixture.refused('TARGET_NAME_TAKEN', ['core']);
});

describe('tags that an earlier import of the same history has left', () => {
  test('are no collision after its branch was deleted, and go with the new import', async () => {
    await fixture.accepted(['core']);
    const tags = fixture.monorepo.git('for-each-ref', 'refs/tags');
    expect(tags).toContain('core@1.0.0');
    fixture.monorepo.git('branch', '-q', '-D', 'migrate/core');
    expect(outcomeOf(answerOf(await fixture.accepted(['core', '--json', '--dry-run']), 0))).toMatchObject({ came: ['core'], leftOut: [] });
    await fixture.accepted(['core']);
    expect(fixture.monorepo.git('for-each-ref', 'refs/tags')).toBe(tags);
    await fixture.discarded('core');
    expect(fixture.monorepo.git('tag')).toBe('');
  });

  test('nor after its merge was reverted', async () => {
    await fixture.accepted(['core']);
    const merge = fixture.monorepo.merge('migrate/core');
    fixture.monorepo.git('branch', '-q', '-d', 'migrate/core');
    fixture.monorepo.clock.advance();
    fixture.monorepo.git('revert', '--no-edit', '-m', '1', merge);
    await fixture.accepted(['core']);
    fixture.monorepo.merge('migrate/core');
    await fixture.accepted(['verify', 'core']);
    await fixture.accepted(['verify', '--all']);
  });

  test('are one if they hold something else', async () => {
    await fixture.accepted(['core']);
    fixture.monorepo.git('branch', '-q', '-D', 'migrate/core');
    fixture.monorepo.git('tag', '-f', 'core@1.0.0', 'main');
    const { stderr } = await fixture.refused('TAG_COLLISION', ['core']);
    expect(stderr).toContain('v1.0.0 would become core@1.0.0, but refs/tags/core@1.0.0 is taken');
  });
});

test('a source whose tags v1.1.0 and core@1.1.0 lie on the same commit brings one', async () => {
  sources.core.git('tag', 'core@1.1.0', 'v1.1.0^{}');
  await fixture.accepted(['core']);
  expect(fixture.monorepo.git('tag', '--list', 'core@1.1.0')).toBe('core@1.1.0');
});

test('one that was taken back comes again', async () => {
  await runWithoutLib(fixture, sources);
  await fixture.discarded('core');
  expect(outcomeOf(answerOf(await fixture.accepted(COMMAND), 0))).toEqual({
    came: ['lib', 'app', 'core'],
    leftOut: [],
    branch: 'migrate/app-and-2-more',
  });
});
