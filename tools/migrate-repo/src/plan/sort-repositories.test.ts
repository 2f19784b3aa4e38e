import { expect, test } from '@jest/globals';
import type { ForgeRepository } from '@tributary/model/forge';
import { leftOutUnread, sortRepositories } from './sort-repositories.js';

function repository(name: string, more: Partial<ForgeRepository> = {}): ForgeRepository {
  const addresses = { https: `https://github.com/acme/${name}.git`, ssh: `git@github.com:acme/${name}.git` };
  return { name, addresses, state: 'active', origin: 'own', ...more };
}

function read(name: string, manifest: object | string | undefined) {
  return { repository: repository(name), text: typeof manifest === 'object' ? JSON.stringify(manifest) : manifest };
}

test.each([
  ['archived', repository('a', { state: 'archived' }), 'archived'],
  ['a fork', repository('a', { origin: 'fork' }), 'fork'],
  ['the monorepo itself, by another way to it', repository('Mono'), 'this monorepo'],
  ['any other', repository('a'), undefined],
])('what tells before a file is read: %s', (_, one, reason) => {
  expect(leftOutUnread(one, 'git@github.com:acme/mono.git')).toBe(reason);
});

test('new packages come dependencies first, what is no package is named with its reason, and what stands there stays', () => {
  const sorted = sortRepositories(
    [
      read('app', { name: '@acme/app', dependencies: { '@acme/ui': '^1.0.0' } }),
      read('docs', undefined),
      read('mono', { name: 'mono', workspaces: ['packages/*'] }),
      read('nameless', { private: true }),
      read('rubbish', '{'),
      read('old', { name: 'old' }),
      read('other-name', { name: 'known-by-name' }),

      read('ui', { name: '@acme/ui', devDependencies: { core: '*' } }),
      read('zcore', { name: 'core' }),
      read('zz-twin', { name: '@acme/ui' }),
    ],
    new Map([
      ['renamed', 'git+ssh://git@github.com/acme/old'],
      ['known-by-name', '../elsewhere'],
    ]),
  );
  expect(sorted.added.map(({ name, repository: { name: from } }) => `${name} of ${from}`)).toEqual([
    'core of zcore',
    '@acme/ui of ui',
    '@acme/app of app',
  ]);
  expect(sorted.kept).toEqual(['renamed', 'known-by-name']);
  expect(sorted.leftOut.map(({ repository: name, reason }) => `${name}: ${reason}`)).toEqual([
    'docs: no package.json',
    'mono: workspaces',
    'nameless: no name',
    'rubbish: unreadable package.json',
    'zz-twin: name taken',
  ]);
});
