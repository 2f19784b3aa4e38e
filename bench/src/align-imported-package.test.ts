import { expect, test } from '@jest/globals';
import { writeLockfile } from './affected-lockfile.js';
import { planMonorepo } from './affected-plan.js';
import { planImportedPackage } from './align-imported-package.js';
import { writeImportedPackage } from './align-imported-package-files.js';
import { SCENE } from './align-scene.js';

const plan = planMonorepo(SCENE.monorepo);
const importedPackage = planImportedPackage(plan, SCENE.importedPackage);
const files = new Map(writeImportedPackage(importedPackage, SCENE.importedPackage.sources));
const requests = importedPackage.locked.flatMap(({ name, ranges }) => ranges.map((range) => `${name}@${range}`));

test('the monorepo has 200 workspaces and a lockfile of 25,000 lines', () => {
  expect(plan.packages).toHaveLength(200);
  expect(writeLockfile(plan).split('\n').length).toBeGreaterThan(25_000);
});

test('it has as many requests as asked for, and few more', () => {
  expect(requests.length + importedPackage.internal.length).toBeGreaterThanOrEqual(400);
  expect(requests.length + importedPackage.internal.length).toBeLessThan(440);
});

test('all that somebody asks for is locked', () => {
  const asked = importedPackage.locked.flatMap(({ dependencies }) => dependencies.map(({ name, range }) => `${name}@${range}`));
  expect(asked.filter((request) => !requests.includes(request))).toEqual([]);
});

test('the lockfile holds each request once', () => {
  const keys = [...(files.get('yarn.lock') ?? '').matchAll(/^(\S.*):$/gm)].flatMap(([, key = '']) => key.replaceAll('"', '').split(', '));
  expect(keys.sort()).toEqual([...requests, ...importedPackage.internal.map(({ name }) => `${name}@^1.0.0`)].sort());
});

test('each phantom is locked, imported by one file, and not declared', () => {
  expect(importedPackage.phantoms).toHaveLength(10);
  const manifest = files.get('package.json') ?? '';
  for (const { name } of importedPackage.phantoms) {
    expect(requests.some((request) => request.startsWith(`${name}@`))).toBe(true);
    expect([...files].filter(([path, text]) => path.startsWith('src/') && text.includes(`'${name}'`))).toHaveLength(1);
    expect(manifest).not.toContain(`"${name}"`);
  }
});

test('half of what it has locked the monorepo knows too, some of it in another version', () => {
  const versions = new Map(plan.externals.map(({ name, version }) => [name, version]));
  const known = importedPackage.locked.filter(({ name }) => versions.has(name));
  expect(known.length / importedPackage.locked.length).toBeGreaterThan(0.3);
  expect(known.length / importedPackage.locked.length).toBeLessThan(0.7);
  const different = known.filter(({ name, version }) => versions.get(name) !== version);
  expect(different.length).toBeGreaterThan(5);
});

test('workspaces of the monorepo ask for it by ranges that it satisfies', () => {
  const at = plan.externals.findIndex(({ name }) => name === importedPackage.name);
  expect(importedPackage.version).toBe(plan.externals[at]?.version);
  expect(plan.packages.filter(({ external }) => external.some(({ to }) => to === at)).length).toBeGreaterThanOrEqual(3);
});

test('the same shape gives the same files', () => {
  expect(new Map(writeImportedPackage(planImportedPackage(plan, SCENE.importedPackage), SCENE.importedPackage.sources))).toEqual(files);
});
