import { randomBytes } from 'node:crypto';
import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { createHome } from '@tributary/test-repo/run-cli';
import { mountDisk, remountDisk } from '@tributary/test-repo/small-disk';
import { monorepoFiles } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { createFixture, createSource, failureOf, gitFolderOf, MigrationFixture } from './migration.fixture.js';

const cleanUp = cleanUpIn(afterEach);

/** Creates a source of about two megabytes that cannot be compressed. */
function largeSource(): TempRepo {
  const source = createSource(cleanUp);
  for (const name of ['a', 'b']) source.commit(`Add ${name}`, { files: { [`${name}.bin`]: randomBytes(1_000_000) } });
  return source;
}

/** Creates a monorepo on a separate disk. Warns and returns `undefined` if no disk can be mounted. */
async function fixtureOnDisk(options: string): Promise<{ fixture: MigrationFixture; disk: string } | undefined> {
  const disk = await mountDisk(cleanUp, options);
  if (disk === undefined) {
    console.warn('left out: this user may not mount a disk');
    return undefined;
  }
  const repo = TempRepo.create({ folder: parseAbsolutePath(join(disk, 'monorepo')) });
  repo.commit('Start', { files: monorepoFiles({ packages: { 'packages/here': {} } }) });
  return { fixture: new MigrationFixture(repo, cleanUp.add(createHome())), disk };
}

test('a disk is full: nothing has changed, and with more space the same command succeeds', async () => {
  const found = await fixtureOnDisk('size=2m');
  if (found === undefined) return;
  const command = ['left-pad', '--from', largeSource().path];
  await found.fixture.refused('DISK_FULL', command);
  await remountDisk(parseAbsolutePath(found.disk), 'size=20m');
  await found.fixture.accepted(command);
});

test('no space for temporary files', async () => {
  const tmp = await mountDisk(cleanUp, 'size=4k');
  if (tmp === undefined) return;
  const fixture = createFixture(cleanUp);
  const source = createSource(cleanUp);
  await fixture.refused('DISK_FULL', ['left-pad', '--from', source.path], { env: { TMPDIR: tmp } });
  await fixture.accepted(['left-pad', '--from', source.path]);
});

test('a disk that cannot be written to', async () => {
  const found = await fixtureOnDisk('size=20m');
  if (found === undefined) return;
  const command = ['left-pad', '--from', createSource(cleanUp).path];
  await remountDisk(parseAbsolutePath(found.disk), 'ro');
  const result = await found.fixture.run(command);
  expect(failureOf(result)).toEqual({ exit: 1, code: 'TARGET_NOT_WRITABLE' });
  await remountDisk(parseAbsolutePath(found.disk), 'rw');
  await found.fixture.accepted(command);
});

test('objects that cannot be written to: it is said before anything is fetched, and a dry run needs none', async () => {
  const disk = await mountDisk(cleanUp, 'size=20m');
  if (disk === undefined) return;
  const fixture = createFixture(cleanUp);
  const objects = join(gitFolderOf(fixture.monorepo), 'objects');
  cpSync(objects, join(disk, 'objects'), { recursive: true });
  rmSync(objects, { recursive: true });
  symlinkSync(join(disk, 'objects'), objects);
  await remountDisk(disk, 'ro');
  const command = ['left-pad', '--from', createSource(cleanUp).path];
  const { stderr } = await fixture.refused('TARGET_NOT_WRITABLE', command);
  expect(stderr).toContain('objects cannot be written to (EROFS)');
  await fixture.accepted([...command, '--dry-run']);
  await remountDisk(disk, 'rw');
  await fixture.accepted(command);
});

test('a disk that is full while the second of two is fetched', async () => {
  const found = await fixtureOnDisk('size=1m');
  if (found === undefined) return;
  const large = largeSource();
  const packages = { 'left-pad': { source: large.path }, small: { source: createSource(cleanUp, 'small').path } };
  found.fixture.monorepo.commit('Name them', { files: { 'tributary.json': JSON.stringify({ migrate: { packages } }) } });
  await found.fixture.refused('DISK_FULL', ['left-pad', 'small']);
  await remountDisk(parseAbsolutePath(found.disk), 'size=20m');
  await found.fixture.accepted(['left-pad', 'small']);
});

test('objects that lie on another disk', async () => {
  const disk = await mountDisk(cleanUp, 'size=20m');
  if (disk === undefined) return;
  const fixture = createFixture(cleanUp);
  const objects = join(gitFolderOf(fixture.monorepo), 'objects');
  cpSync(objects, join(disk, 'objects'), { recursive: true });
  rmSync(objects, { recursive: true });
  symlinkSync(join(disk, 'objects'), objects);
  await fixture.accepted(['left-pad', '--from', createSource(cleanUp).path]);
});
