import { expect, test } from '@jest/globals';
import { lockOf } from './observed.fixture.js';
import { findUnlocked, lockedPackages } from './unlocked.js';

const CLASSIC = '# yarn lockfile v1\n\n\nleft@^1.0.0:\n  version "1.2.0"\n  resolved "https://r.example/left-1.2.0.tgz#0"\n';

test.each<[string, string | undefined, string, string | null, string | undefined]>([
  ['a locked package', lockOf('1.2.0'), 'left', '1.2.0', undefined],
  ['one of Yarn 1', CLASSIC, 'left', '1.2.0', undefined],
  ['one that was looked for in vain', lockOf('1.2.0'), 'right', null, undefined],
  ['another version', lockOf('1.2.0'), 'left', '1.3.0', 'node_modules/left 1.3.0, which is not in yarn.lock'],
  ['the client of a database that an installation made', lockOf('1.2.0'), '@app/db', '', 'node_modules/@app/db, which is not in yarn.lock'],
  ['any without a lockfile', undefined, 'left', '1.2.0', 'node_modules/left 1.2.0, which is not in yarn.lock'],
  ['any of a lockfile that cannot be read', '<<<<<<< HEAD\n', 'left', '1.2.0', 'node_modules/left 1.2.0, which is not in yarn.lock'],
])('%s', (_, text, name, version, expected) => expect(findUnlocked([{ name, version }], lockedPackages(text))).toBe(expected));
