import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { SyncResult } from '../result/result.js';
import { GitWrapper } from './git-wrapper.fixture.js';
import { createFixture, createSource, failureOf } from './migration.fixture.js';
import { createSyncFixture, grow, type SyncFixture } from './sync.fixture.js';

// A sync without anything new asks the source for its refs, and fetches nothing. Everything else takes the full way.

const cleanUp = cleanUpIn(afterEach);

/** How a sync found out what is new, and its answer or the code of its error. */
interface Seen {
  readonly by: 'asked' | 'fetched';
  readonly answer: SyncResult | string;
}

async function syncAndSee({ fixture }: Pick<SyncFixture, 'fixture'>, args: readonly string[] = []): Promise<Seen> {
  const git = new GitWrapper(cleanUp, '');
  const result = await fixture.run(['sync', 'left-pad', '--json', ...args], { env: git.env });
  const calls = git.calls();
  expect(calls.some((call) => / ls-remote /.test(call))).toBe(true);
  return {
    by: calls.some((call) => / fetch --/.test(call)) ? 'fetched' : 'asked',
    answer: result.code === 0 ? (JSON.parse(result.stdout) as SyncResult) : failureOf(result).code,
  };
}

function land({ fixture }: Pick<SyncFixture, 'fixture'>): void {
  fixture.monorepo.merge('sync/left-pad', 'Merge the sync');
  fixture.monorepo.git('branch', '--quiet', '-D', 'sync/left-pad');
}

describe('the same branch and tags', () => {
  test('are nothing new, after an import and after a sync, and the page says what was compared', async () => {
    const scene = await createSyncFixture();
    const compared = { by: 'announced', tags: 2 };
    expect(await syncAndSee(scene)).toMatchObject({ by: 'asked', answer: { state: 'nothing new', to: scene.source.id('main'), compared } });
    expect((await scene.fixture.accepted(['sync', 'left-pad'])).stdout).toContain(
      'Compared the branch and 2 tags of the source with those of the last import, by id. Nothing was fetched.',
    );
    grow(scene.source);
    expect(await syncAndSee(scene)).toMatchObject({ by: 'fetched', answer: { state: 'synced', compared: { by: 'fetched', tags: 4 } } });
    land(scene);
    expect(await syncAndSee(scene)).toMatchObject({ by: 'asked', answer: { state: 'nothing new', compared: { tags: 4 } } });
    expect(await syncAndSee(scene, ['--no-tags'])).toMatchObject({ by: 'asked', answer: { compared: { tags: null } } });
  });

  test('at another address are nothing new either; an address that cannot be read is an error', async () => {
    const scene = await createSyncFixture();
    const copy = createSource(cleanUp);
    expect(await syncAndSee(scene, ['--from', copy.path])).toMatchObject({ by: 'asked', answer: { source: copy.path } });
    await scene.fixture.refused('SOURCE_UNREACHABLE', ['sync', 'left-pad', '--from', `${copy.path}.away`]);
  });

  test('are fetched for an import whose record does not show the tags of the source', async () => {
    const fixture = createFixture(cleanUp);
    const source = createSource(cleanUp);
    await fixture.accepted(['left-pad', '--from', source.path]);
    fixture.monorepo.git('merge', '--quiet', '--ff-only', 'migrate/left-pad~1');
    const merge = fixture.monorepo.git('log', '-1', '--format=%B');
    expect(merge).toMatch(/^Tributary-Source-Tags: /m);
    fixture.monorepo.git('commit', '--quiet', '--amend', '-m', merge.replace(/^Tributary-Source-Tags: .*\n/m, ''));
    expect(await syncAndSee({ fixture })).toMatchObject({ by: 'fetched', answer: { state: 'nothing new' } });
    await fixture.accepted(['verify', 'left-pad']);
  });
});

test.each<[string, (source: TempRepo) => unknown, object | string]>([
  ['a commit', (source) => source.commit('Go on', { files: { 'new.js': '' } }), { state: 'synced' }],
  ['a tag that moved', (source) => source.git('tag', '--force', 'v1.0.0', 'main'), { state: 'nothing new', movedTags: ['left-pad@1.0.0'] }],
  ['a tag that became an object', (source) => source.git('tag', '-f', '-m', 'x', 'v1.0.0', 'v1.0.0'), { movedTags: ['left-pad@1.0.0'] }],
  ['a tag that is gone', (source) => source.git('tag', '--delete', 'v1.0.0'), { state: 'nothing new' }],
  ['a tag', (source) => source.git('tag', 'v1.2.0'), { state: 'tags', tags: ['left-pad@1.2.0'] }],
  ['a tag with another name', (source) => renameTag(source, 'v1.0.0', 'v1.0.9'), { state: 'tags', tags: ['left-pad@1.0.9'] }],
  ['a branch that was set back', (source) => source.git('reset', '--quiet', '--hard', 'HEAD~1'), 'SOURCE_REWRITTEN'],
  ['a branch with another name', (source) => source.git('branch', '--move', 'main', 'trunk'), { state: 'nothing new' }],
])('%s is seen by a fetch', async (_, change, answer) => {
  const scene = await createSyncFixture();
  change(scene.source);
  const seen = await syncAndSee(scene);
  expect(seen.by).toBe('fetched');
  expect(seen.answer).toEqual(typeof answer === 'string' ? answer : expect.objectContaining(answer));
});

function renameTag(source: TempRepo, from: string, to: string): void {
  source.git('tag', to, from);
  source.git('tag', '--delete', from);
}

test('a moved tag is told by each sync, also after one that brought commits; tags alone are told once', async () => {
  const scene = await createSyncFixture();
  scene.source.git('tag', '--force', 'v1.0.0', 'main');
  scene.source.commit('Go on', { files: { 'new.js': '' } });
  expect(await syncAndSee(scene)).toMatchObject({ answer: { state: 'synced', movedTags: ['left-pad@1.0.0'] } });
  land(scene);
  expect(await syncAndSee(scene)).toMatchObject({ by: 'fetched', answer: { state: 'nothing new', movedTags: ['left-pad@1.0.0'] } });
  scene.source.git('tag', 'v3.0.0');
  expect(await syncAndSee(scene)).toMatchObject({ answer: { state: 'tags', tags: ['left-pad@3.0.0'] } });
  expect(await syncAndSee(scene)).toMatchObject({ by: 'fetched', answer: { state: 'nothing new', tags: [] } });
});

test('a detached HEAD is the same only while it is detached', async () => {
  const fixture = createFixture(cleanUp);
  const source = createSource(cleanUp);
  source.git('checkout', '--quiet', '--detach');
  await fixture.accepted(['left-pad', '--from', source.path]);
  fixture.monorepo.git('checkout', '--quiet', 'migrate/left-pad');
  expect(await syncAndSee({ fixture })).toMatchObject({ by: 'asked', answer: { state: 'nothing new', sourceRef: 'HEAD' } });
  source.git('checkout', '--quiet', 'main');
  expect(await syncAndSee({ fixture })).toMatchObject({ by: 'fetched', answer: { state: 'nothing new' } });
});

test('a sync writes its report, and refuses a file that cannot be written before it starts', async () => {
  const scene = await createSyncFixture();
  const { fixture, source } = scene;
  const report = join(fixture.home.path, 'report.md');
  const written = async (...args: readonly string[]): Promise<string> => {
    await fixture.accepted(['sync', 'left-pad', '--report', report, ...args]);
    return readFileSync(report, 'utf8');
  };
  expect(await written()).toContain('- **Came**: nothing new of left-pad');
  grow(source);
  await fixture.refused('FILE_UNUSABLE', ['sync', 'left-pad', '--report', join(report, 'below')]);
  await fixture.refused('USAGE', ['sync', 'left-pad', '--abort', '--report', report]);
  expect(await written('--dry-run')).toContain('- **Run**: the same command without `--dry-run`.');
  const { stdout } = await fixture.accepted(['sync', 'left-pad', '--report', report]);
  expect(stdout).toContain('Changed 3 files in packages/left-pad, and nothing outside of it.');
  expect(readFileSync(report, 'utf8')).toMatch(
    /^# New commits of left-pad\n\n- \*\*Came\*\*: 3 new commits and 2 new tags, [\s\S]*- \*\*Changed\*\*: 3 files in packages\/left-pad, and nothing outside of it\./,
  );
});
