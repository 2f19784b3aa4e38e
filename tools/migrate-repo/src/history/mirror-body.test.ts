import { describe, expect, test } from '@jest/globals';
import type { ObjectId } from '@tributary/model/ids';
import { mirrorBody, mirroredCommit } from './mirror-body.js';

const ID = 'a'.repeat(40) as ObjectId;
const WHO = 'author A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n';
const MIRRORS = `tributary-mirrors ${ID}\n`;

function mirrored(headers: string, message: string): string {
  return mirrorBody(Buffer.from(`${WHO}${headers}\n${message}`), ID, { name: 'acme/mono', forge: 'other' })
    .toString()
    .slice(WHO.length);
}

describe('a commit of the monorepo in its mirror', () => {
  test.each([
    ['keeps a message that does nothing', '', 'Plain\n', `${MIRRORS}\nPlain\n`],
    [
      'closes nothing, and its references name the monorepo',
      '',
      'Fixes #3\n',
      `${MIRRORS}tributary-message Fixes #3\n \n\nFixes the issue acme/mono#3\n`,
    ],
    ['keeps ids of commits, which are those of the monorepo', '', 'See 0123456789ab\n', `${MIRRORS}\nSee 0123456789ab\n`],
    ['has its signature set aside', 'gpgsig x\n y\n', 'Signed\n', `tributary-gpgsig x\n y\n${MIRRORS}\nSigned\n`],
    [
      'is no import',
      '',
      'Bring\n\nTributary-Import: 2\nTributary-Path: x\n',
      `${MIRRORS}tributary-message Bring\n \n Tributary-Import: 2\n Tributary-Path: x\n \n\nBring\n\nMirrored-Tributary-Import: 2\nMirrored-Tributary-Path: x\n`,
    ],
    ['with a NUL keeps its message', '', 'Fixes #3\0\n', `${MIRRORS}\nFixes #3\0\n`],
  ])('%s', (_, headers, message, expected) => {
    expect(mirrored(headers, message)).toBe(expected);
  });

  test('is told from others', () => {
    expect(mirroredCommit(Buffer.from(`${WHO}${mirrored('', 'x\n')}`))).toBe(ID);
    expect(mirroredCommit(Buffer.from(`${WHO}\ntributary-mirrors ${ID}\n`))).toBeUndefined();
  });
});
