import { expect, test } from '@jest/globals';
import { pathOfFileUrl } from './local-source.js';

test.each<[decoded: string, platform: NodeJS.Platform, path: string]>([
  ['/srv/lib', 'linux', '/srv/lib'],
  ['/srv/lib/', 'darwin', '/srv/lib'],
  ['host/lib', 'linux', '//host/lib'],
  ['/C:/lib', 'linux', '/C:/lib'],
  ['/C:/lib', 'win32', 'C:/lib'],
  ['c:\\lib', 'win32', 'c:\\lib'],
  ['C:/lib/', 'win32', 'C:/lib'],
  ['server/share/lib', 'win32', '//server/share/lib'],
])('file://%s is on %s the path %s', (decoded, platform, path) => {
  expect(pathOfFileUrl(decoded, platform)).toBe(path);
});
