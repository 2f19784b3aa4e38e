import { execFileSync } from 'node:child_process';
import { symlinkSync, truncateSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { orUnusable, readTextFile } from './unusable-file.js';

const cleanUp = cleanUpIn(afterAll);

describe('orUnusable', () => {
  test('hands on what the work gives, and what it throws by itself', () => {
    expect(orUnusable('x', 'read', () => 7)).toBe(7);
    for (const error of [new TypeError('a bug'), Object.assign(new Error('another'), { code: 'ERR_INVALID_ARG_TYPE' })])
      expect(() =>
        orUnusable('x', 'read', () => {
          throw error;
        }),
      ).toThrow(error);
  });

  test('names what it does not know by the word of the system alone', () => {
    const error = Object.assign(new Error('odd'), { code: 'EODD', syscall: 'open' });
    expect(() =>
      orUnusable('x', 'written', () => {
        throw error;
      }),
    ).toThrow(
      expect.objectContaining({ code: 'FILE_UNUSABLE', message: 'x cannot be written (EODD).', data: { file: 'x', reason: 'EODD' } }),
    );
  });
});

const onPosix = process.platform === 'win32' ? test.skip : test;

onPosix('a text file is read; a pipe, a device behind a link and a giant are refused, because reading them would not end', () => {
  const folder = cleanUp.add(new TempFolder());
  folder.write('text', 'x');
  folder.write('giant', '');
  truncateSync(folder.join('giant'), 2 ** 40);
  execFileSync('mkfifo', [folder.join('pipe')]);
  symlinkSync('/dev/zero', folder.join('zero'));
  symlinkSync('loop', folder.join('loop'));
  const read = (name: string): unknown => {
    try {
      return readTextFile(folder.join(name));
    } catch (error) {
      return (error as Error).message.slice(folder.path.length + 1);
    }
  };
  expect(['text', 'giant', 'pipe', 'zero', 'loop', '.', 'none'].map(read)).toEqual([
    'x',
    'giant cannot be read, because it is too large (EFBIG).',
    'pipe cannot be read, because it is a pipe or a device (EINVAL).',
    'zero cannot be read, because it is a pipe or a device (EINVAL).',
    'loop cannot be read, because its links form a loop (ELOOP).',
    expect.stringContaining('it is a folder (EISDIR)'),
    'none cannot be read (ENOENT).',
  ]);
  expect(() => readTextFile(folder.join('zero'), 'be a pipe')).toThrow('it is a pipe or a device');
});
