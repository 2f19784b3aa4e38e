import { expect, test } from '@jest/globals';
import type { RepoFolder } from '@tributary/model/paths';
import { usersOf } from './consumer.js';
import type { Layout } from './layout.js';

/** Reads lines such as `app -> ui core`: a package and its dependencies. */
function layout(...lines: readonly string[]): Layout {
  return new Map(
    lines.map((line) => {
      const [name = '', needs = ''] = line.split(' -> ');
      const path = name as RepoFolder;
      return [path, { name, path, version: undefined, isPrivate: false, needs: new Set(needs.split(' ')), publishes: undefined }];
    }),
  );
}

test.each([
  [['app -> core', 'tool -> other'], 'app'],
  [['app -> ui', 'ui -> core', 'tool'], 'app ui'],
  [['a -> b', 'b -> a core'], 'a b'],
  [['app -> other', 'tool'], 'app tool'],
])('in %j a new version of core comes out with %s', (lines, users) => {
  expect([...usersOf('core', layout(...lines))].sort().join(' ')).toBe(users);
});
