import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { clonePartially, type PartialClone } from '@tributary/test-repo/partial-clone';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { gitDirOf } from './git.fixture.js';
import { type GitSettings, plumbing } from './git.js';
import { fetchMissing, mayBePartialClone } from './missing-objects.js';
import { readNamedBlobs } from './objects.js';

const cleanUp = cleanUpIn(afterEach);

const NAMES = ['a', 'b', 'c', 'd'];

function createSource(): { readonly source: TempRepo; readonly ids: readonly ObjectId[] } {
  const source = cleanUp.add(TempRepo.create());
  source.commit('x', { files: Object.fromEntries(NAMES.map((name) => [name, `${name}\n`])) });
  return { source, ids: NAMES.map((name) => source.id(`HEAD:${name}`)) };
}

function clonesOf(source: TempRepo): PartialClone {
  const made = clonePartially(source, cleanUp.add(new TempFolder()), '--no-checkout');
  cleanUp.add(made.clone);
  return made;
}

function missingIn(clone: TempRepo, ids: readonly ObjectId[], settings: GitSettings = {}): Promise<ReadonlySet<ObjectId>> {
  return fetchMissing(plumbing(gitDirOf(clone), settings), ids);
}

const NEVER: GitSettings = { lazyFetch: 'never' };

describe('what a partial clone lacks', () => {
  test('is fetched in one request, and then not again', async () => {
    const { source, ids } = createSource();
    const { clone, requests } = clonesOf(source);
    expect(await missingIn(clone, ids)).toEqual(new Set());
    expect(requests()).toBe(1);
    expect((await readNamedBlobs(plumbing(gitDirOf(clone), NEVER), ids)).map(String)).toEqual(NAMES.map((name) => `${name}\n`));
    expect(await missingIn(clone, ids)).toEqual(new Set());
    expect(requests()).toBe(1);
  });

  test('is named without any request, where nothing may be fetched', async () => {
    const { source, ids } = createSource();
    const { clone, requests } = clonesOf(source);
    await missingIn(clone, ids.slice(1, 2));
    expect(await missingIn(clone, ids, NEVER)).toEqual(new Set(ids.filter((_, at) => at !== 1)));
    expect(requests()).toBe(1);
  });

  test('stays missing where the remote is gone', async () => {
    const { source, ids } = createSource();
    const { clone } = clonesOf(source);
    rmSync(source.path, { recursive: true });
    expect(await missingIn(clone, ids)).toEqual(new Set(ids));
  });

  test('comes from the second remote, where the first does not have it', async () => {
    const { source, ids } = createSource();
    const { clone } = clonesOf(source);
    clone.git('config', 'remote.origin.url', cleanUp.add(TempRepo.create()).path);
    clone.git('config', 'remote.another.url', source.path);
    clone.git('config', 'remote.another.promisor', 'yes');
    expect(await missingIn(clone, ids)).toEqual(new Set());
  });

  test('comes from the remote that the extension alone names, as in clones by an old git', async () => {
    const { source, ids } = createSource();
    const { clone } = clonesOf(source);
    clone.git('config', '--unset', 'remote.origin.promisor');
    clone.git('config', 'extensions.partialClone', 'origin');
    expect(await missingIn(clone, ids)).toEqual(new Set());
  });

  test('is not waited for after an interruption', async () => {
    const { source, ids } = createSource();
    const { clone } = clonesOf(source);
    await expect(missingIn(clone, ids, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'INTERRUPTED' });
  });
});

test('what a whole clone has lost is named', async () => {
  const { source, ids } = createSource();
  const [lost = ''] = ids;
  rmSync(join(source.path, '.git/objects', lost.slice(0, 2), lost.slice(2)));
  expect(await missingIn(source, ids)).toEqual(new Set([lost]));
  expect(await missingIn(source, [])).toEqual(new Set());
});

test('objects of an alternate folder are not missing', async () => {
  const { source, ids } = createSource();
  const empty = cleanUp.add(TempRepo.create());
  expect((await missingIn(empty, ids)).size).toBe(ids.length);
  expect(await missingIn(empty, ids, { alternates: [join(source.path, '.git/objects') as AbsolutePath] })).toEqual(new Set());
});

describe('from the settings of a repository alone', () => {
  test.each<[title: string, key: string | undefined, isPartial: boolean]>([
    ['a plain one is whole', undefined, false],
    ['a remote that promises makes it partial', 'remote.origin.promisor', true],
    ['the extension makes it partial', 'extensions.partialClone', true],
    ['settings of another file may make it partial', 'include.path', true],
    ['settings of a work tree may make it partial', 'extensions.worktreeConfig', true],
  ])('%s', (_, key, isPartial) => {
    const repo = cleanUp.add(TempRepo.create());
    if (key !== undefined) repo.git('config', key, 'true');
    expect(mayBePartialClone(gitDirOf(repo))).toBe(isPartial);
  });
});
