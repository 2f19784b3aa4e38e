import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { plumbing } from './git.js';
import { makeObject, type ObjectFormat } from './object-id.js';
import { ObjectWriter } from './object-writer.js';

const cleanUp = cleanUpIn(afterEach);

function create(objectFormat: ObjectFormat = 'sha1'): TempRepo {
  return cleanUp.add(TempRepo.create({ bare: true, objectFormat }));
}

function packsOf(repo: TempRepo): string[] {
  return readdirSync(join(repo.path, 'objects/pack')).filter((name) => name.endsWith('.pack'));
}

test.each<ObjectFormat>(['sha1', 'sha256'])(
  'objects of a repository of format %s are there after the end, and not before',
  async (format) => {
    const repo = create(format);
    const writer = new ObjectWriter(plumbing(repo.path), format);
    const objects = Array.from({ length: 3000 }, (_, at) => makeObject(format, 'blob', Buffer.from(`${at}\n`.repeat(at % 90))));
    const unique = [...new Map(objects.map((object) => [object.id, object])).values()];
    for (const object of unique) await writer.add(object);
    expect(repo.git('cat-file', '--batch-all-objects', '--batch-check')).toBe('');
    await writer.finish();
    expect(repo.git('cat-file', '--batch-all-objects', '--batch-check=%(objectname)').split('\n')).toEqual(
      unique.map(({ id }) => id).sort(),
    );
    expect(packsOf(repo)).toHaveLength(1);
    repo.git('fsck', '--full', '--no-dangling');
  },
);

test('nothing added writes nothing', async () => {
  const repo = create();
  await new ObjectWriter(plumbing(repo.path), 'sha1').finish();
  expect(packsOf(repo)).toEqual([]);
});

test('no more than some dozen megabytes are held: another pack is begun', async () => {
  const repo = create();
  const writer = new ObjectWriter(plumbing(repo.path), 'sha1');
  for (const fill of [1, 2, 3, 4]) await writer.add(makeObject('sha1', 'blob', Buffer.alloc(12 * 1024 * 1024, fill)));
  expect(packsOf(repo)).toHaveLength(1);
  await writer.finish();
  await writer.finish();
  expect(packsOf(repo)).toHaveLength(2);
  expect(repo.git('cat-file', '--batch-all-objects', '--batch-check').split('\n')).toHaveLength(4);
});

test('where it cannot write, git says so', async () => {
  const writer = new ObjectWriter(plumbing(parseAbsolutePath(join(create().path, 'gone'))), 'sha1');
  await writer.add(makeObject('sha1', 'blob', Buffer.alloc(1024 * 1024)));
  await expect(writer.finish()).rejects.toMatchObject({ code: 'GIT_FAILED', message: expect.stringContaining('git repository') });
});
