import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { GitWrapper } from './git-wrapper.fixture.js';
import { createFixture, createSource, type MigrationFixture } from './migration.fixture.js';
import { createSyncFixture } from './sync.fixture.js';

// A tag that the monorepo has already is told before a history is fetched or rewritten, if it is certain without that.

const cleanUp = cleanUpIn(afterEach);

/** Lists the source's commits, which starts each rewriting. */
const REWRITES = /rev-list --topo-order --reverse --stdin/;

/** Returns what a command had done to a source when it was refused. */
async function refusedAfter(fixture: MigrationFixture, args: readonly string[]): Promise<'asked' | 'fetched' | 'rewritten'> {
  const git = new GitWrapper(cleanUp, '');
  const { stderr } = await fixture.refused('TAG_COLLISION', args, { env: git.env });
  expect(stderr).toMatch(/v\d\.\d\.0 would become left-pad@\d\.\d\.0, but refs\/tags\/left-pad@\d\.\d\.0 is taken/);
  const calls = git.calls();
  expect(calls.some((call) => / ls-remote /.test(call))).toBe(true);
  if (!calls.some((call) => / fetch --/.test(call))) return 'asked';
  return calls.some((call) => REWRITES.test(call)) ? 'rewritten' : 'fetched';
}

test.each([
  ['on files at other places', 'asked', 'left-pad@1.0.0', (repo: TempRepo) => repo.id('main')],
  ['without the message that the source has', 'asked', 'left-pad@1.1.0', (repo: TempRepo) => repo.id('left-pad@1.1.0^{}')],
  ['on other files', 'fetched', 'left-pad@1.0.0', (repo: TempRepo) => repo.id('left-pad@1.1.0^{}')],
  ['on the same files with another message', 'rewritten', 'left-pad@1.0.0', (repo: TempRepo) => sameFiles(repo, 'left-pad@1.0.0')],
])('a tag %s is told when the source was %s', async (_, when, name, other) => {
  const fixture = createFixture(cleanUp);
  const command = ['left-pad', '--from', createSource(cleanUp).path];
  await fixture.accepted(command);
  fixture.monorepo.git('branch', '--quiet', '-D', 'migrate/left-pad');
  fixture.monorepo.git('tag', '--force', name, other(fixture.monorepo));
  expect(await refusedAfter(fixture, [...command, '--dry-run'])).toBe(when);
  expect(await refusedAfter(fixture, command)).toBe(when);
});

function sameFiles(repo: TempRepo, tag: string): string {
  return repo.git('commit-tree', `${tag}^{tree}`, '-m', 'Another message');
}

test('with --strategy merge, a tag on another commit is told before the fetch, and one on the same commit is none', async () => {
  const fixture = createFixture(cleanUp);
  const source = createSource(cleanUp);
  const command = ['left-pad', '--from', source.path, '--strategy', 'merge'];
  fixture.monorepo.git('tag', 'left-pad@1.0.0', 'HEAD');
  expect(await refusedAfter(fixture, command)).toBe('asked');
  fixture.monorepo.git('fetch', '--quiet', '--no-tags', source.path, 'v1.0.0');
  fixture.monorepo.git('tag', '--force', 'left-pad@1.0.0', 'FETCH_HEAD');
  await fixture.accepted([...command, '--dry-run']);
});

test('a tag from before the folder existed is not imported, so it is no collision', async () => {
  const fixture = createFixture(cleanUp);
  const source = createSource(cleanUp, 'root');
  source.git('tag', 'left-pad@0.9.0');
  source.commit('Add the folder', { files: { 'pad/package.json': '{"name":"left-pad","version":"1.0.0"}\n' } });
  source.git('tag', 'left-pad@1.0.0');
  const command = ['left-pad', '--from', source.path, '--subdirectory', 'pad'];
  fixture.monorepo.git('tag', 'left-pad@0.9.0', 'HEAD');
  await fixture.accepted([...command, '--dry-run']);
  fixture.monorepo.git('tag', 'left-pad@1.0.0', 'HEAD');
  const { stderr } = await fixture.refused('TAG_COLLISION', command);
  expect(stderr).toContain('left-pad@1.0.0 would become left-pad@1.0.0, but refs/tags/left-pad@1.0.0 is taken');
  expect(stderr).not.toContain('0.9.0');
});

test('of several packages, one whose tag is taken is left out, without those that need another version of it', async () => {
  const fixture = createFixture(cleanUp);
  const lib = createSource(cleanUp, 'lib');
  lib.commit('Two', { files: { 'package.json': '{"name":"lib","version":"2.0.0"}\n' } });
  const packages = { lib: lib.path, app: createSource(cleanUp, 'app', { dependencies: { lib: '^1.0.0' } }).path };
  const sources = Object.fromEntries(Object.entries(packages).map(([name, source]) => [name, { source }]));
  fixture.monorepo.commit('Configure', { files: { 'tributary.json': JSON.stringify({ migrate: { packages: sources } }) } });
  fixture.monorepo.git('tag', 'lib@1.0.0', 'HEAD');
  const { stdout } = await fixture.run(['lib', 'app', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ packages: [{ name: 'app' }], leftOut: [{ name: 'lib', code: 'TAG_COLLISION' }] });
});

test('a sync tells a taken name of a new tag before it rewrites, and only of a new one', async () => {
  const { fixture, source } = await createSyncFixture();
  fixture.monorepo.git('tag', '--force', 'left-pad@1.0.0', 'main');
  expect((await fixture.accepted(['sync', 'left-pad'])).stdout).toContain('Nothing new');
  source.commit('Go on', { files: { 'new.js': '' } });
  source.git('tag', 'v2.0.0');
  fixture.monorepo.git('tag', 'left-pad@2.0.0', 'main');
  expect(await refusedAfter(fixture, ['sync', 'left-pad'])).toBe('fetched');
});
