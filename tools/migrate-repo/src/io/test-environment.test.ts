import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { applicationFolders, corepackHome, outerPath, testEnvironment } from './test-environment.js';

const cleanUp = cleanUpIn(afterEach);
const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});

function environmentWith(
  variables: Readonly<Record<string, string>>,
  root: TempFolder = cleanUp.add(new TempFolder()),
): Readonly<Record<string, string>> {
  Object.assign(process.env, variables);
  const place = cleanUp.add(new TempFolder());
  const [home, temporary] = ['home', 'tmp'].map((name) => parseAbsolutePath(place.join(name)));
  if (home === undefined || temporary === undefined) throw new Error('two folders');
  return testEnvironment({ home, temporary, root: root.path });
}

test('no token, no agent and no setting of the user gets in', () => {
  const secrets = {
    GITHUB_TOKEN: 'secret',
    NPM_TOKEN: 'secret',
    NODE_AUTH_TOKEN: 'secret',
    YARN_NPM_AUTH_TOKEN: 'secret',
    YARN_NPM_AUTH_IDENT: 'secret',
    npm_config__authToken: 'secret',
    npm_config_userconfig: '/x/secret/.npmrc',
    'npm_config_//registry.example.com/:_authToken': 'secret',
    YARN_REGISTRY: 'https://user:secret@registry.example.com/',
    AWS_SECRET_ACCESS_KEY: 'secret',
    SSH_AUTH_SOCK: '/tmp/secret',
    https_proxy: 'http://user:secret@proxy.example.com:3128',
    HTTP_PROXY: 'http://user:secret@proxy.example.com:3128',
    HTTPS_PROXY: 'bob:secret@proxy.example.com:3128',
    all_proxy: 'http://bob:pa/$secret@proxy.example.com:3128',
    npm_config_https_proxy: 'bob:secret@proxy.example.com:3128',
    YARN_HTTPS_PROXY: 'bob:secret@proxy.example.com:3128',
    npm_config_registry: 'https://bob:pa$secret@registry.example.com/',
    XDG_RUNTIME_DIR: '/run/secret',
    USER: 'secret',
    NODE_OPTIONS: '--require=/secret.js',
  };
  const env = environmentWith(secrets);
  expect(Object.entries(env).filter(([, value]) => value.includes('secret'))).toEqual([]);
  expect(env['HOME']).not.toBe(before['HOME']);
});

test('addresses of registries get in, also those in the .npmrc of the user, without its tokens', () => {
  const home = cleanUp.add(new TempFolder());
  home.write(
    '.npmrc',
    '@acme:registry=https://npm.acme.example/\n//npm.acme.example/:_authToken=secret\nregistry=https://user:secret@x.example/\nhttps-proxy = bob:secret@proxy.example:3128\n@b:registry=https://bob:pa$secret@x.example/\n',
  );
  const env = environmentWith({
    HOME: home.path,
    npm_config_userconfig: home.join('.npmrc'),
    YARN_NPM_REGISTRY_SERVER: 'https://registry.example.com',
    npm_config_registry: 'https://registry.example.com/@acme/npm',
    NO_PROXY: 'localhost',
  });
  expect([env['npm_config_registry'], env['NO_PROXY']]).toEqual(['https://registry.example.com/@acme/npm', 'localhost']);
  expect(env['YARN_NPM_REGISTRY_SERVER']).toBe('https://registry.example.com');
  expect(readFileSync(join(env['HOME'] ?? '', '.npmrc'), 'utf8')).toBe('@acme:registry=https://npm.acme.example/\n');
});

test('variables that settings name are empty: Yarn stops where they are not set', () => {
  const root = cleanUp.add(new TempFolder());
  root.write('.yarnrc.yml', `npmAuthToken: ${'$'}{COMPANY_TOKEN}\n`);
  expect(environmentWith({ COMPANY_TOKEN: 'secret' }, root)['COMPANY_TOKEN']).toBe('');
});

test('a script finds no program of the packages that this process was started from', () => {
  process.env['PATH'] = [
    '/x/node_modules/.bin',
    '/usr/bin',
    '/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin',
    '/bin',
  ].join(':');
  expect(outerPath()).toBe('/usr/bin:/bin');
});

test.each<[env: NodeJS.ProcessEnv, platform: NodeJS.Platform, folder: string]>([
  [{}, 'linux', '/users/ada/.cache/node/corepack'],
  [{}, 'darwin', '/users/ada/.cache/node/corepack'],
  [{}, 'win32', '/users/ada/AppData/Local/node/corepack'],
  [{ LOCALAPPDATA: '/local' }, 'win32', '/local/node/corepack'],
  [{ XDG_CACHE_HOME: '/cache' }, 'linux', '/cache/node/corepack'],
  [{ COREPACK_HOME: '/own', XDG_CACHE_HOME: '/cache' }, 'linux', '/own'],
])('with %j corepack keeps its programs on %s in %s', (env, platform, folder) => {
  expect(corepackHome(env, { home: '/users/ada', platform })).toBe(folder);
});

test('programs of Windows keep their settings in the home of the test', () => {
  const folders = { APPDATA: '/users/x/AppData/Roaming', LOCALAPPDATA: '/users/x/AppData/Local' };
  expect(applicationFolders('/users/x', 'win32')).toEqual(folders);
  for (const platform of ['linux', 'darwin'] as const) expect(applicationFolders('/users/x', platform)).toEqual({});
});
