import { expect, test } from '@jest/globals';
import { managerOf } from './package-manager.js';

function commandsOf(files: Readonly<Record<string, string>>, yarnRelease?: string): readonly string[] {
  const all: Readonly<Record<string, string>> = { 'package.json': '{"name":"ui"}', ...files };
  const { install, installWithoutScripts, run } = managerOf({ read: (name) => all[name], yarnRelease, node: 'node' });
  return [install, installWithoutScripts.slice(install.length), run].map((command) => command.join(' '));
}

const YARN_1 = 'npx --yes --package=yarn@1.22.22 -- yarn';
const berry = (version: string): string => `npx --yes --package=@yarnpkg/cli-dist@${version} -- yarn`;
const pnpm = (version: string): string => `npx --yes --package=pnpm@${version} -- pnpm`;
const named = (manager: string): string => JSON.stringify({ name: 'ui', packageManager: manager });
const BERRY_LOCK = '__metadata:\n  version: 6\n  cacheKey: 8\n';

test.each([
  ['npm', { 'package-lock.json': '{}' }, ['npm ci', '--ignore-scripts', 'npm run']],
  ['nobody', {}, ['npm install', '--ignore-scripts', 'npm run']],
  ['nobody, at a root that is broken', { 'package.json': '{ broken' }, ['npm install', '--ignore-scripts', 'npm run']],
  [
    'the npm that is named',
    { 'package-lock.json': '{}', 'yarn.lock': '', 'package.json': named('npm@10.9.2') },
    ['npx --yes --package=npm@10.9.2 -- npm ci', '--ignore-scripts', 'npx --yes --package=npm@10.9.2 -- npm run'],
  ],
  ['Yarn 1', { 'yarn.lock': '# yarn lockfile v1\n' }, [`${YARN_1} install --frozen-lockfile`, '--ignore-scripts', `${YARN_1} run`]],
  ['a Yarn by its lockfile', { 'yarn.lock': BERRY_LOCK }, [`${berry('3')} install --immutable`, '--mode=skip-build', `${berry('3')} run`]],
  [
    'a Yarn by its lockfile with CRLF',
    { 'yarn.lock': BERRY_LOCK.replaceAll('\n', '\r\n') },
    [`${berry('3')} install --immutable`, '--mode=skip-build', `${berry('3')} run`],
  ],
  [
    'the Yarn that is named',
    { 'yarn.lock': BERRY_LOCK, 'package.json': named('yarn@4.1.0+sha224.ab') },
    [`${berry('4.1.0')} install --immutable`, '--mode=skip-build', `${berry('4.1.0')} run`],
  ],
  [
    'pnpm',
    { 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n" },
    [`${pnpm('9')} install --frozen-lockfile`, '--ignore-scripts', `${pnpm('9')} run`],
  ],
  [
    'an old pnpm',
    { 'pnpm-lock.yaml': 'lockfileVersion: 5.3\n' },
    [`${pnpm('6')} install --frozen-lockfile`, '--ignore-scripts', `${pnpm('6')} run`],
  ],
  [
    'the pnpm that is named',
    { 'pnpm-lock.yaml': "lockfileVersion: '6.0'\n", 'package.json': named('pnpm@8.15.9+sha512.ab') },
    [`${pnpm('8.15.9')} install --frozen-lockfile`, '--ignore-scripts', `${pnpm('8.15.9')} run`],
  ],
])('what %s has locked is installed by it', (_, files, commands) => expect(commandsOf(files)).toEqual(commands));

test('a Yarn release that was committed is used, whatever is named', () => {
  const files = { 'yarn.lock': BERRY_LOCK, 'package.json': named('yarn@4.1.0') };
  expect(commandsOf(files, '/x/yarn.cjs')).toEqual(['node /x/yarn.cjs install --immutable', '--mode=skip-build', 'node /x/yarn.cjs run']);
});
