import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { CloneStory, Collecting } from '../collect/story.fixture.js';
import { compactRecord } from './compact.js';
import { Database } from './database.js';
import { listForeign, refuseSpecialFiles } from './foreign-files.js';

const cleanUp = cleanUpIn(afterEach);

/** Makes a record with every kind of file that a record can have. */
async function makeRecord(): Promise<Collecting> {
  const collecting = cleanUp.add(new Collecting());
  const story = new CloneStory();
  cleanUp.add(story.repo);
  story.at(0).version('Start', { name: 'core', version: '1.0.0' });
  await collecting.run([story], { name: 'acme/core' });
  const database = cleanUp.add(await Database.open());
  await compactRecord(database, collecting.record);
  story.at(10).commit('Add', { 'a.js': '1' });
  await collecting.run([story], { name: 'acme/core' });
  return collecting;
}

test('nothing that the tool has written is foreign', async () => {
  const { record } = await makeRecord();
  expect(listForeign(record)).toEqual([]);
});

test('what others have put there is named, wherever it lies; what is hidden is not', async () => {
  const { record } = await makeRecord();
  const put = (...path: readonly string[]): void => {
    mkdirSync(dirname(join(record, ...path)), { recursive: true });
    writeFileSync(join(record, ...path), '');
  };
  put('notes.txt');
  put('journal', 'events.ndjson');
  put('journal', '.gitkeep');
  put('journal', 'old', '1-00000000.ndjson');
  put('stray.parquet');
  put('collected', 'acme%2Fcore.csv');
  put('backup', 'record.json');
  expect(listForeign(record)).toEqual([
    'backup/',
    'collected/acme%2Fcore.csv',
    'journal/events.ndjson',
    'journal/old/',
    'notes.txt',
    'stray.parquet',
  ]);
});

test('where there is no record there is nothing foreign', () => {
  const folder = cleanUp.add(new TempFolder());
  expect(listForeign(folder.join('none'))).toEqual([]);
  expect(listForeign(folder.write('file', ''))).toEqual([]);
});

const onPosix = process.platform === 'win32' ? test.skip : test;

onPosix('a link or a pipe in the place of a file or folder of a record is refused; a foreign one is not', () => {
  const record = parseAbsolutePath(cleanUp.add(new TempFolder()).path);
  mkdirSync(join(record, 'collected'));
  for (const foreign of ['notes', 'collected/notes']) symlinkSync('/dev/zero', join(record, foreign));
  expect(() => refuseSpecialFiles(record)).not.toThrow();
  const segment = 'journal/1700000000000-0123abcd.ndjson';
  for (const name of ['journal', 'record.json', 'events.parquet', 'collected/acme.github.ndjson', segment]) {
    if (name === segment) mkdirSync(join(record, 'journal'));
    for (const put of [() => symlinkSync('/dev/zero', join(record, name)), () => execFileSync('mkfifo', [join(record, name)])]) {
      put();
      expect(() => refuseSpecialFiles(record)).toThrow(
        expect.objectContaining({ code: 'FILE_UNUSABLE', data: { file: join(record, name) } }),
      );
      rmSync(join(record, name));
    }
  }
  expect(() => refuseSpecialFiles(parseAbsolutePath(join(record, 'none')))).not.toThrow();
});
