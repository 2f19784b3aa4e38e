import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { CleanUp, cleanUpIn } from '@tributary/test-repo/clean-up';
import { createHome } from '@tributary/test-repo/run-cli';
import { mountDisk, remountDisk } from '@tributary/test-repo/small-disk';
import { monorepoFiles } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { createSource, MigrationFixture } from './migration.fixture.js';

const cleanUp = cleanUpIn(afterEach);

test('whatever step the disk is full at', async () => {
  const source = createSource(cleanUp);
  source.commit('Large', { files: { 'a.bin': randomBytes(200_000) } });
  for (let at = 0; at < 120; at++) source.commit(`Commit ${at}`, { files: { [`file-${at % 7}`]: `${at}` } });
  const command = ['left-pad', '--from', source.path];
  const outcomes: string[] = [];
  for (let kib = 0; kib <= 800; kib += 56) {
    const own = new CleanUp();
    try {
      const disk = await mountDisk(own, 'size=20m');
      if (disk === undefined) {
        console.warn('left out: this user may not mount a disk');
        return;
      }
      const repo = TempRepo.create({ folder: parseAbsolutePath(join(disk, 'monorepo')) });
      repo.commit('Start', { files: monorepoFiles({ packages: { 'packages/here': {} } }) });
      const fixture = new MigrationFixture(repo, own.add(createHome()));
      const used = Number(statfsSync(disk).blocks - statfsSync(disk).bfree) * 4;
      await remountDisk(disk, `size=${used + kib}k`);
      const before = fixture.state();
      const result = await fixture.run(command);
      outcomes.push(/\[([A-Z_]+)\]/.exec(result.stderr)?.[1] ?? String(result.code));
      if (result.code === 0) continue;
      expect({ kib, state: fixture.state() }).toEqual({ kib, state: before });
      await remountDisk(disk, 'size=20m');
      await fixture.accepted(command);
    } finally {
      await own.run();
    }
  }
  expect([...new Set(outcomes)]).toEqual(['DISK_FULL', '0']);
});

/** Returns the kibibytes used on the disk after a migration, and discards the migration. */
async function usedBy(fixture: MigrationFixture, disk: string, command: readonly string[]): Promise<number> {
  await fixture.accepted(command);
  const { blocks, bfree, bsize } = statfsSync(disk);
  await fixture.discarded('left-pad');
  return ((blocks - bfree) * bsize) / 1024;
}

test('a disk that is full while refs are made, which git clears away itself', async () => {
  const disk = await mountDisk(cleanUp, 'size=40m');
  if (disk === undefined) {
    console.warn('left out: this user may not mount a disk');
    return;
  }
  const repo = TempRepo.create({ folder: parseAbsolutePath(join(disk, 'monorepo')) });
  repo.commit('Start', { files: monorepoFiles({ packages: { 'packages/here': {} } }) });
  const fixture = new MigrationFixture(repo, cleanUp.add(createHome()));
  const source = createSource(cleanUp);
  source.fastImport(Array.from({ length: 400 }, (_, at) => `reset refs/tags/v2.0.${at}\nfrom ${source.id('HEAD')}\n`).join('\n'));
  const used = await usedBy(fixture, disk, ['left-pad', '--from', source.path, '--no-tags']);
  await remountDisk(disk, `size=${used + 1000}k`);
  await fixture.refused('DISK_FULL', ['left-pad', '--from', source.path]);
  await remountDisk(disk, 'size=40m');
  await fixture.accepted(['left-pad', '--from', source.path]);
});
