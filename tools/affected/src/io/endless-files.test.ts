import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { openWorkingConfig } from './config-file.js';
import { readEventFile } from './environment.js';
import { locate } from './locate.js';
import { readIfThere } from './new-files.js';
import { readObservations } from './observations.js';
import { readPackage } from './packages.js';
import { readPlan, readTimings } from './plan-files.js';
import { readReceipts } from './receipts.js';

// What tests, artifacts or a commit may leave in the place of a file. Reading it would not end.

const cleanUp = cleanUpIn(afterAll);

const FILES: Readonly<Record<string, (path: string) => void>> = {
  'a named pipe': (path) => execFileSync('mkfifo', [path]),
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
  'a file of a terabyte': (path) => {
    execFileSync('touch', [path]);
    truncateSync(path, 2 ** 40);
  },
};

const READERS: Readonly<Record<string, readonly [file: string, read: (folder: string) => unknown]>> = {
  'the .git of a folder': ['.git', (folder) => locate(parseAbsolutePath(folder))],
  'tributary.json': [
    'tributary.json',
    (folder) =>
      openWorkingConfig(
        { gitDir: folder, commonDir: folder, workTree: folder, project: '', depth: 'full' } as Parameters<typeof openWorkingConfig>[0],
        '--fix',
      ),
  ],
  'a workflow that exists': ['ci.yml', (folder) => readIfThere(parseAbsolutePath(folder), 'ci.yml')],
  'a file of timings': ['a.json', (folder) => readTimings(folder)],
  'an observation': ['a.json', (folder) => readObservations(parseAbsolutePath(folder))],
  'the file of an event': ['event', (folder) => readEventFile(join(folder, 'event'))],
};

const onPosix = process.platform === 'win32' ? describe.skip : describe;

onPosix.each(Object.keys(FILES))('%s', (kind) => {
  const folderWith = (file: string): string => {
    const { path } = cleanUp.add(new TempFolder());
    mkdirSync(path, { recursive: true });
    FILES[kind]?.(join(path, file));
    return path;
  };

  test.each(Object.keys(READERS))('in the place of %s is refused by name', async (reader) => {
    const [file, read] = READERS[reader] as (typeof READERS)[string];
    const code = expect.stringMatching(file === '.git' ? /^(?:FILE_UNUSABLE|TARGET_NOT_FOUND)$/ : /^FILE_UNUSABLE$/);
    await expect((async () => read(folderWith(file)))()).rejects.toMatchObject({ code });
  });

  test('in the place of a receipt is unreadable, and of a package.json is none', () => {
    expect(readReceipts(folderWith('a.json'))).toEqual([{ file: 'a.json', problem: expect.any(String) }]);
    expect(readPackage(folderWith('package.json'))).toBeUndefined();
  });

  test('in the place of a plan, unless the user has named a pipe', () => {
    if (kind !== 'a named pipe')
      expect(() => readPlan(join(folderWith('plan.json'), 'plan.json'))).toThrow(expect.objectContaining({ code: 'PLAN_INVALID' }));
  });
});
