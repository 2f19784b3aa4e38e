import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { PublishedPackage } from '@tributary/test-repo/local-registry';
import { CLASSIC, MANIFEST, NPM_3, PNPM_9 } from '../align/lock/old-lock.fixture.js';
import { installMonorepo } from './install.js';
import { type ArrivingPackage, arrive, type Seeded } from './seeding.fixture.js';
import type { YarnMessage } from './yarn.js';
import { createYarnScene, published, type YarnScene } from './yarn-scene.fixture.js';

const cleanUp = cleanUpIn(afterEach);

/** What the tree of the fixture has locked, and newer versions of all of it. */
const PACKAGES = [
  ...['2.1.0', '2.9.0'].map((version) => published('dep', version)),
  ...['1.2.0', '1.9.0'].map((version) => published('lib', version, { dep: '^2.0.0' })),
  ...['3.0.1', '3.0.9'].map((version) => published('tools', version, { dep: '^2.1.0', lib: '^1.0.0' })),
];

function scene(dependencies: object = {}, packages: readonly PublishedPackage[] = PACKAGES): Promise<YarnScene> {
  return createYarnScene(cleanUp, { 'package.json': { name: 'root', private: true, workspaces: ['packages/*'], dependencies } }, packages);
}

function resolutions({ installation }: Seeded): string[] {
  return [...installation.lock.matchAll(/^ {2}resolution: "(.*@npm:.*)"$/gm)].map(([, resolution = '']) => resolution);
}

function fates({ fates: all }: Seeded): string[] {
  return all.map(
    ({ descriptor, fate, change }) => `${descriptor} ${fate}${change === undefined ? '' : `: ${change.to} for ${change.from}`}`,
  );
}

const ARRIVALS: readonly (readonly [string, ArrivingPackage])[] = [
  ['yarn classic', { manifest: MANIFEST, lock: { name: 'yarn.lock', text: CLASSIC } }],
  ['npm', { manifest: MANIFEST, lock: { name: 'package-lock.json', text: NPM_3 } }],
  ['pnpm', { manifest: MANIFEST, lock: { name: 'pnpm-lock.yaml', text: PNPM_9 } }],
];
const [[, CLASSIC_ARRIVAL]] = ARRIVALS as [(typeof ARRIVALS)[number]];

describe('into a monorepo that has none of it', () => {
  test.each(ARRIVALS)('all that %s has locked stays locked', async (_, arrival) => {
    const seeded = await arrive(cleanUp, await scene(), [arrival]);
    expect(resolutions(seeded)).toEqual(['dep@npm:2.1.0', 'tools@npm:3.0.1', 'lib@npm:1.2.0']);
    expect(fates(seeded)).toEqual(['dep@npm:^2.0.0 kept', 'dep@npm:^2.1.0 kept', 'kit@npm:tools@~3.0.0 kept', 'lib@npm:^1.0.0 kept']);
    expect([seeded.installation.gone, seeded.conversion.dropped]).toEqual([[], []]);
  });
});

test.each(ARRIVALS)('what %s has not locked is not asked for: that it is broken by now keeps nothing from coming', async (_, arrival) => {
  const broken = published('dep', '2.9.1', { none: '^1.0.0' });
  const seeded = await arrive(cleanUp, await scene({}, [...PACKAGES, broken]), [arrival]);
  expect(fates(seeded)).toHaveLength(4);
  expect(seeded.fates.every(({ fate }) => fate === 'kept')).toBe(true);
});

describe('into a monorepo that has some of it', () => {
  test('the root keeps its versions, and the conflicts are told', async () => {
    const seeded = await arrive(cleanUp, await scene({ lib: '^1.0.0' }), [CLASSIC_ARRIVAL]);
    expect(resolutions(seeded)).toEqual(['dep@npm:2.9.0', 'dep@npm:2.1.0', 'tools@npm:3.0.1', 'lib@npm:1.9.0']);
    expect(fates(seeded)).toEqual([
      'dep@npm:^2.0.0 of the monorepo: 2.9.0 for 2.1.0',
      'dep@npm:^2.1.0 kept',
      'kit@npm:tools@~3.0.0 kept',
      'lib@npm:^1.0.0 of the monorepo: 1.9.0 for 1.2.0',
    ]);
    expect(seeded.fates.filter(({ direct }) => direct).map(({ descriptor }) => descriptor)).toEqual([
      'kit@npm:tools@~3.0.0',
      'lib@npm:^1.0.0',
    ]);
  });
});

test('final ranges keep what was locked, newly declared ones too', async () => {
  const now = { name: 'app', dependencies: { lib: '^1.1.0', dep: '>=2.0.0' } };
  const seeded = await arrive(cleanUp, await scene(), [{ ...CLASSIC_ARRIVAL, now }]);
  expect(resolutions(seeded)).toEqual(['dep@npm:2.1.0', 'lib@npm:1.2.0']);
});

test.each(ARRIVALS)(
  'a version of %s that the registry no longer has is dropped, and the rest stays',
  async (manager, { lock: { name, text } }) => {
    const lock = { name, text: text.replaceAll('1.2.0', '1.3.0') };
    const seeded = await arrive(cleanUp, await scene(), [{ manifest: MANIFEST, lock }]);
    expect(seeded.conversion.dropped.map(({ descriptor, version }) => `${descriptor} ${version}`)).toEqual(['lib@npm:^1.0.0 1.3.0']);
    // What it asked for is not written down by pnpm, and nobody can be asked any more.
    const unknown = manager === 'pnpm' ? ['dep@npm:2.9.0'] : [];
    expect(resolutions(seeded)).toEqual([...unknown, 'dep@npm:2.1.0', 'tools@npm:3.0.1', 'lib@npm:1.9.0']);
  },
);

test('so is a package that it no longer has at all, as far as nobody needs it', async () => {
  const unused = PNPM_9.replace('packages:\n', '$&\n  gone@1.0.0:\n    resolution: {integrity: sha512-aa==}\n').replace(
    'snapshots:\n',
    '$&\n  gone@1.0.0: {}\n',
  );
  const seeded = await arrive(cleanUp, await scene(), [{ manifest: MANIFEST, lock: { name: 'pnpm-lock.yaml', text: unused } }]);
  expect(fates(seeded)).toHaveLength(4);
  expect(seeded.fates.every(({ fate }) => fate === 'kept')).toBe(true);
});

test('what a tag was locked at stays', async () => {
  const manifest = { name: 'app', dependencies: { lib: 'latest' } };
  const text = CLASSIC.replace('lib@^1.0.0:', 'lib@latest, lib@^1.0.0:');
  const seeded = await arrive(cleanUp, await scene(), [{ manifest, lock: { name: 'yarn.lock', text } }]);
  expect([seeded.conversion.dropped, resolutions(seeded)]).toEqual([[], ['dep@npm:2.1.0', 'lib@npm:1.2.0']]);
});

test('what Yarn says comes to the caller, from the conversion and from the install', async () => {
  const built = await scene();
  await arrive(cleanUp, built, [CLASSIC_ARRIVAL]);
  const steps = built.messages.map(({ step }: YarnMessage) => step);
  expect(steps.filter((step, at) => step === 'Resolution step' && steps[at - 1] !== step)).toHaveLength(4);
});

test('a lockfile that would move what the root has locked is refused', async () => {
  const built = await scene({ dep: '^2.0.0' });
  const { lock } = (await arrive(cleanUp, built, [])).installation;
  built.folder.write('yarn.lock', lock.replaceAll('2.9.0', '2.1.0').replace(/\n {2}checksum: .*/g, ''));
  await expect(installMonorepo(built.context, { folder: built.folder.path, before: lock, askers: [] })).rejects.toMatchObject({
    code: 'INSTALL_MOVES_VERSIONS',
    message: 'With the imported packages in it, the monorepo would get 2.1.0 for dep@npm:^2.0.0, where it has 2.9.0 locked.',
  });
});
