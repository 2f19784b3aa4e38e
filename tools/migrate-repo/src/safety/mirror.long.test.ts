import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { formatRawCommit, GPGSIG_HEADER } from '@tributary/test-repo/raw-commit';
import { compileSchema } from '@tributary/test-repo/schemas';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import type { MirrorResult } from '../result.js';
import { createScene, createSource, type MigrationScene, type SceneRun } from './scene.fixture.js';
import { grow, syncIn, tagsOf } from './sync.fixture.js';

// All tests share a monorepo: left-pad, with a merge, a signed commit and tags, was imported, changed here and synced twice.

const isValid = compileSchema('migrate-repo', 'mirror-result');
const cleanUp = cleanUpIn(afterAll);
let scene: MigrationScene;
let source: TempRepo;
let untouched: TempRepo;
let mirror: TempRepo;
let first: MirrorResult;

beforeAll(async () => {
  source = createSource(cleanUp);
  const signed = { tree: source.id('HEAD^{tree}'), parents: [source.id('HEAD')], headers: [GPGSIG_HEADER], message: 'Fix #1\n' };
  source.git('reset', '--quiet', '--hard', source.writeObject('commit', formatRawCommit(signed)));
  scene = createScene(cleanUp, { repository: 'acme/mono' });
  await scene.accepted(['left-pad', '--from', source.path, '--no-align']);
  scene.monorepo.merge('migrate/left-pad', 'Merge left-pad');
  change('Here, closes #4', { 'packages/left-pad/here.js': '1\n' });
  grow(source);
  await sync();
  change('Elsewhere', { 'packages/here/x.js': '1\n' });
  source.commit('Last', { files: { 'last.js': '1\n' } });
  source.git('tag', '-m', 'Signed\n-----BEGIN PGP SIGNATURE-----\nx\n-----END PGP SIGNATURE-----', 'v2.2.0');
  source.git('tag', '-m', 'Of a tag', 'v2.2.0-again', 'v2.2.0');
  await sync();
  untouched = cleanUp.add(TempRepo.cloneOf(source, '--mirror'));
  mirror = bare();
  first = await mirrored(mirror);
});

function change(message: string, files: Record<string, string>): void {
  scene.monorepo.commit(message, { files });
}

async function sync(): Promise<void> {
  await syncIn(scene, ['--no-align']);
  scene.monorepo.merge('sync/left-pad', 'Merge the sync');
  scene.monorepo.git('branch', '--quiet', '-D', 'sync/left-pad');
}

function bare(): TempRepo {
  return cleanUp.add(TempRepo.create({ bare: true }));
}

async function mirrored(to: TempRepo, args: readonly string[] = [], options: SceneRun = {}): Promise<MirrorResult> {
  const { code, stdout, stderr } = await scene.run(['mirror', 'left-pad', '--to', to.path, '--json', ...args], options);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const answer: unknown = JSON.parse(stdout);
  expect({ answer, faults: isValid(answer) ? [] : isValid.errors }).toEqual({ answer, faults: [] });
  return answer as MirrorResult;
}

function refsOf(repo: TempRepo): string {
  return repo.git('for-each-ref');
}

test('every imported commit and tag has the id that it has in the untouched source, and the files are those of the folder', () => {
  const originals = untouched.git('rev-list', '--all').split('\n');
  expect(mirror.git('rev-list', '--all').split('\n')).toEqual(expect.arrayContaining(originals));
  expect(tagsOf(mirror)).toEqual(tagsOf(untouched));
  expect(mirror.id('main^{tree}')).toBe(scene.monorepo.id('HEAD:packages/left-pad'));
  expect(mirror.git('fsck', '--strict', '--no-dangling')).toBe('');
  expect(first).toMatchObject({ state: 'pushed', from: null, ref: 'refs/heads/main', leftOutTags: [], warnings: [] });
  expect(first.tags).toHaveLength(6);
  const messages = mirror.git('log', '--format=%s', '--no-merges', 'main').split('\n');
  expect(messages).toContain('Here, closes the issue acme/mono#4');
  expect(messages).not.toContain('Elsewhere');
});

test('one more commit is pushed alone, to the old repository too, and another clone makes the same', async () => {
  change('One more', { 'packages/left-pad/one-more.js': '1\n' });
  const before = mirror.id('main');
  expect(await mirrored(mirror, ['--dry-run'])).toMatchObject({ state: 'planned', commits: 1, from: before });
  expect(mirror.id('main')).toBe(before);
  const pushed = await mirrored(mirror);
  expect(pushed).toMatchObject({ state: 'pushed', commits: 1, tags: [], from: before, tip: mirror.id('main') });
  expect(await mirrored(mirror)).toMatchObject({ state: 'up to date', commits: 0, tip: pushed.tip });
  const clone = cleanUp.add(TempRepo.cloneOf(scene.monorepo));
  source.git('checkout', '--quiet', '--detach');
  expect(await mirrored(source, ['--into', clone.path])).toMatchObject({ tip: pushed.tip, tags: [] });
  expect(source.id('main')).toBe(pushed.tip);
  expect((await scene.accepted(['status'])).stdout).toContain('nothing new since');
  const { stderr } = await scene.refused('SOURCE_IS_MIRROR', ['sync', 'left-pad']);
  expect(stderr).toContain('is a mirror of this');
});

describe('nothing is pushed, and nothing else is changed,', () => {
  test('where somebody pushed to the mirror', async () => {
    const other = cleanUp.add(TempRepo.cloneOf(mirror, '--mirror'));
    other.git('update-ref', 'refs/heads/main', other.writeObject('commit', rawOn(other, 'main')));
    await refused('MIRROR_DIVERGED', other);
  });

  test('where a tag of it was moved, unless tags are left alone', async () => {
    const other = cleanUp.add(TempRepo.cloneOf(mirror, '--mirror'));
    other.git('update-ref', 'refs/tags/v1.0.0', other.id('main'));
    await refused('MIRROR_DIVERGED', other);
    expect(await mirrored(other, ['--no-tags'])).toMatchObject({ state: 'up to date' });
  });

  test('where the server refuses one ref of many', async () => {
    const other = bare();
    mkdirSync(join(other.path, 'hooks'), { recursive: true });
    writeFileSync(join(other.path, 'hooks', 'update'), '#!/bin/sh\ncase $1 in *v2.1.0) echo "GH006: protected" >&2; exit 1;; esac\n', {
      mode: 0o755,
    });
    const { stderr } = await refused('MIRROR_REFUSED', other);
    expect(stderr.replace(/\s+/g, ' ')).toContain('Nothing was changed there.');
  });

  test('where there is no repository, and where nothing of it was imported', async () => {
    await scene.refused('MIRROR_UNREACHABLE', ['mirror', 'left-pad', '--to', join(mirror.path, 'nowhere')]);
    await scene.refused('IMPORT_NOT_FOUND', ['mirror', 'right-pad', '--to', mirror.path]);
  });

  test('where the import was squashed', async () => {
    const root = scene.monorepo.git('rev-list', '--max-parents=0', '--grep=^Start the monorepo', 'HEAD');
    const squashed = scene.monorepo.git('commit-tree', 'HEAD^{tree}', '-p', root, '-m', 'Squash');
    await scene.refused('PROOF_MISSING', ['mirror', 'left-pad', '--to', mirror.path, '--ref', squashed]);
  });

  function rawOn(repo: TempRepo, parent: string): Uint8Array {
    return formatRawCommit({ tree: repo.id(`${parent}^{tree}`), parents: [repo.id(parent)], message: 'Pushed\n' });
  }

  async function refused(code: string, to: TempRepo): ReturnType<MigrationScene['refused']> {
    const before = refsOf(to);
    const result = await scene.refused(code, ['mirror', 'left-pad', '--to', to.path]);
    expect(refsOf(to)).toBe(before);
    return result;
  }
});

test('what is kept of a mirror can be damaged or gone: the same comes out', async () => {
  const { tip } = await mirrored(mirror);
  const kept = join(scene.monorepo.path, '.git', 'tributary');
  const [folder = ''] = readdirSync(kept).filter((name) => name.startsWith('mirror-'));
  const other = bare();
  for (const pack of readdirSync(join(kept, folder, 'objects', 'pack')))
    if (pack.endsWith('.idx')) writeFileSync(join(kept, folder, 'objects', 'pack', pack), 'x', { flag: 'r+' });
  expect((await mirrored(other)).tip).toBe(tip);
  writeFileSync(join(kept, folder, 'state'), 'rubbish');
  expect((await mirrored(bare())).tip).toBe(tip);
});
