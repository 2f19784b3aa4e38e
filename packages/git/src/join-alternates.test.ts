import { expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { joinAlternates } from './git.js';

test.each<[separator: string, paths: readonly string[], joined: string]>([
  [':', ['/a/objects', '/b c/objects'], '/a/objects:/b c/objects'],
  [':', ['/a:b', '/c;d', '/e"f'], '"/a:b":/c;d:"/e\\"f"'],
  [';', ['C:\\a\\objects', 'D:\\b\\objects'], 'C:\\a\\objects;D:\\b\\objects'],
  [';', ['C:\\a;b', '\\\\server\\share'], '"C:\\\\a;b";\\\\server\\share'],
  [':', [], ''],
])('with %p between them, %j are %j', (separator, paths, joined) => {
  expect(joinAlternates(paths.map(parseAbsolutePath), separator)).toBe(joined);
});
