import { expect, test } from '@jest/globals';
import { writeLockfile } from './affected-lockfile.js';
import { planMonorepo } from './affected-plan.js';
import { planNewcomer } from './align-newcomer.js';
import { writeNewcomer } from './align-newcomer-files.js';
import { SCENE } from './align-scene.js';

const plan = planMonorepo(SCENE.monorepo);
const newcomer = planNewcomer(plan, SCENE.newcomer);
const files = new Map(writeNewcomer(newcomer, SCENE.newcomer.sources));
const requests = newcomer.locked.flatMap(({ name, ranges }) => ranges.map((range) => `${name}@${range}`));

test('the monorepo has 200 workspaces and a lockfile of 25,000 lines', () => {
  expect(plan.packages).toHaveLength(200);
  expect(writeLockfile(plan).split('\n').length).toBeGreaterThan(25_000);
});

test('it has as many requests as asked for, and few more', () => {
  expect(requests.length + newcomer.internal.length).toBeGreaterThanOrEqual(400);
  expect(requests.length + newcomer.internal.length).toBeLessThan(440);
});

test('all that somebody asks for is locked', () => {
  const asked = newcomer.locked.flatMap(({ dependencies }) => dependencies.map(({ name, range }) => `${name}@${range}`));
  expect(asked.filter((request) => !requests.includes(request))).toEqual([]);
});

test('the lockfile holds each request once', () => {
  const keys = [...(files.get('yarn.lock') ?? '').matchAll(/^(\S.*):$/gm)].flatMap(([, key = '']) => key.replaceAll('"', '').split(', '));
  expect(keys.sort()).toEqual([...requests, ...newcomer.internal.map(({ name }) => `${name}@^1.0.0`)].sort());
});

test('each phantom is locked, imported by one file, and not declared', () => {
  expect(newcomer.phantoms).toHaveLength(10);
  const manifest = files.get('package.json') ?? '';
  for (const { name } of newcomer.phantoms) {
    expect(requests.some((request) => request.startsWith(`${name}@`))).toBe(true);
    expect([...files].filter(([path, text]) => path.startsWith('src/') && text.includes(`'${name}'`))).toHaveLength(1);
    expect(manifest).not.toContain(`"${name}"`);
  }
});

test('half of what it has locked the monorepo knows too, some of it in another version', () => {
  const versions = new Map(plan.externals.map(({ name, version }) => [name, version]));
  const known = newcomer.locked.filter(({ name }) => versions.has(name));
  expect(known.length / newcomer.locked.length).toBeGreaterThan(0.3);
  expect(known.length / newcomer.locked.length).toBeLessThan(0.7);
  const different = known.filter(({ name, version }) => versions.get(name) !== version);
  expect(different.length).toBeGreaterThan(5);
});

test('workspaces of the monorepo ask for it by ranges that it satisfies', () => {
  const at = plan.externals.findIndex(({ name }) => name === newcomer.name);
  expect(newcomer.version).toBe(plan.externals[at]?.version);
  expect(plan.packages.filter(({ external }) => external.some(({ to }) => to === at)).length).toBeGreaterThanOrEqual(3);
});

test('the same shape gives the same files', () => {
  expect(new Map(writeNewcomer(planNewcomer(plan, SCENE.newcomer), SCENE.newcomer.sources))).toEqual(files);
});
