import { expect, test } from '@jest/globals';
import { type LockfileOrder, lockfileInput, lockfileKey, publicLockfile } from './lockfile.js';
import type { PackageManager } from './story.js';

const order = (manager: PackageManager, manifest: Readonly<Record<string, unknown>>): LockfileOrder => ({
  manager,
  project: { manifest, workspaces: {} },
});

test('neither the version nor a script makes another lockfile necessary; a dependency does', () => {
  const key = lockfileKey(order('npm', { name: 'x', version: '1.0.0', dependencies: { a: '1' } }));
  expect(lockfileKey(order('npm', { name: 'x', version: '2.0.0', scripts: { test: 'true' }, dependencies: { a: '1' } }))).toBe(key);
  expect(lockfileKey(order('npm', { name: 'x', version: '1.0.0', dependencies: { a: '2' } }))).not.toBe(key);
  expect(lockfileKey(order('Yarn 1', { name: 'x', version: '1.0.0', dependencies: { a: '1' } }))).not.toBe(key);
});

test('the package manager is asked with the manifests of all workspaces', () => {
  const project = { manifest: { name: 'x', workspaces: ['p'] }, workspaces: { 'p/package.json': '{}' } };
  expect(Object.keys(lockfileInput({ manager: 'Yarn 4', project })).sort()).toEqual(['p/package.json', 'package.json']);
});

test('no address of the local registry is left', () => {
  const made = 'a@^1.0.0:\n  resolved "http://127.0.0.1:4873/a/-/a-1.0.0.tgz#1"\n';
  expect(publicLockfile(order('Yarn 1', {}), made, 'http://127.0.0.1:4873')).toBe(
    'a@^1.0.0:\n  resolved "http://npm.harbor.example/a/-/a-1.0.0.tgz#1"\n',
  );
});

test('npm finds the version of the package in both places', () => {
  const made = JSON.stringify({
    name: 'x',
    version: '0.0.0',
    packages: { '': { version: '0.0.0', license: 'MIT' }, a: { version: '9.0.0' } },
  });
  const lockfile = JSON.parse(publicLockfile(order('npm', { version: '1.2.3', license: 'MIT' }), made, 'http://127.0.0.1:1'));
  expect(lockfile).toEqual({
    name: 'x',
    version: '1.2.3',
    packages: { '': { version: '1.2.3', license: 'MIT' }, a: { version: '9.0.0' } },
  });
});
