import { describe, expect, test } from '@jest/globals';
import type { WorkspaceName } from '@tributary/model/ids';
import { parseManifest } from '@tributary/workspaces/manifest';
import { buildOldLock } from './content.js';
import { buildPins, type Pins, type SeedImportedPackage } from './pins.js';

interface Locked {
  readonly name?: string;
  /** The dependencies before the alignment. */
  readonly before?: Readonly<Record<string, string>>;
  /** The dependencies after the alignment; `before` by default. */
  readonly now?: Readonly<Record<string, string>>;
  /** What the old lockfile resolved, each as `lib@^1.0.0 = 1.2.0`. */
  readonly requests: readonly string[];
}

function importedPackage({ name = 'app', before = {}, now = before, requests }: Locked): SeedImportedPackage {
  const edges = requests.map((text) => {
    const [, package_ = '', range = '', version = ''] = /^(@?[^@]+)@(.*) = (.*)$/.exec(text) ?? [];
    return { name: package_, range, version, direct: package_ in before };
  });
  const manifest = (dependencies: object) => parseManifest(JSON.stringify({ name, dependencies }), 'package.json');
  const oldLock = buildOldLock('yarn.lock', { kind: 'yarn classic', edges, packages: edges });
  return { name: name as WorkspaceName, before: manifest(before), manifest: manifest(now), oldLock };
}

function asText({ pins }: Pins): string[] {
  return [...pins.values()].map(({ descriptor, resolution, by }) => `${descriptor} -> ${resolution} (${by.join()})`);
}

describe('what is pinned', () => {
  test('is every request, aliases to what they stand for', () => {
    expect(
      asText(
        buildPins([
          importedPackage({ requests: ['@acme/ui@^1.0.0 = 1.2.0', 'kit@npm:@acme/tools@~3.0.0 = 3.0.1', 'lib@next = 2.0.0-rc.1'] }),
        ]),
      ),
    ).toEqual([
      '@acme/ui@npm:^1.0.0 -> @acme/ui@npm:1.2.0 (app)',
      'kit@npm:@acme/tools@~3.0.0 -> @acme/tools@npm:3.0.1 (app)',
      'lib@npm:next -> lib@npm:2.0.0-rc.1 (app)',
    ]);
  });

  test.each([
    [
      'a changed range',
      { before: { lib: '^1.0.0' }, now: { lib: '^1.1.0' }, requests: ['lib@^1.0.0 = 1.2.0'] },
      'lib@npm:^1.1.0 -> lib@npm:1.2.0 (app)',
    ],
    ['a newly declared one', { now: { dep: '^2.1.0' }, requests: ['dep@^2.0.0 = 2.1.0'] }, 'dep@npm:^2.1.0 -> dep@npm:2.1.0 (app)'],
    [
      'another copy of it',
      { now: { dep: '^1.0.0' }, requests: ['dep@^2.0.0 = 2.1.0', 'dep@~1.4.0 = 1.4.0', 'dep@~2.1.0 = 2.1.0'] },
      'dep@npm:^1.0.0 -> dep@npm:1.4.0 (app)',
    ],
  ])('%s keeps the version that was locked', (_, locked, pin) => {
    expect(asText(buildPins([importedPackage(locked)]))).toContain(pin);
  });

  test('a new range that the locked version does not satisfy is left open', () => {
    expect(
      asText(buildPins([importedPackage({ before: { lib: '^1.0.0' }, now: { lib: '^2.0.0' }, requests: ['lib@^1.0.0 = 1.2.0'] })])),
    ).toEqual(['lib@npm:^1.0.0 -> lib@npm:1.2.0 (app)']);
  });

  test('other versions of the same request go along', () => {
    const edges = ['1.2.0', '1.2.0', '1.0.0'].map((version) => ({ name: 'lib', range: '^1.0.0', version, direct: false }));
    const app = importedPackage({ requests: [] });
    const oldLock = buildOldLock('package-lock.json', { kind: 'npm', edges, packages: [] });
    expect([...buildPins([{ ...app, oldLock }]).pins.values()]).toMatchObject([{ version: '1.2.0', others: ['1.0.0'] }]);
  });

  test('what leads to no registry is none', () => {
    expect(asText(buildPins([importedPackage({ now: { lib: 'workspace:^', near: 'file:../near' }, requests: [] })]))).toEqual([]);
  });
});

describe('what is dropped', () => {
  test('a version that was forced upon its range', () => {
    const { pins, dropped } = buildPins([importedPackage({ requests: ['lib@^1.0.0 = 2.0.0'] })]);
    expect([pins.size, dropped]).toMatchObject([
      0,
      [{ descriptor: 'lib@npm:^1.0.0', version: '2.0.0', by: ['app'], why: 'the version does not satisfy the range: it was overridden' }],
    ]);
  });

  test('not what "resolutions" of the root give to all who ask in the package: others may ask for the same range', () => {
    const app = importedPackage({ before: { lib: '^1.0.0' }, requests: ['lib@^1.0.0 = 1.0.0'] });
    const pinned = (resolutions: object): string[] => asText(buildPins([app], new Map(Object.entries(resolutions))));
    expect(pinned({ 'app/lib': '1.0.0' })).toEqual([]);
    expect(pinned({ 'app/lib': '1.1.0' })).toHaveLength(1);
    expect(pinned({ 'other/lib': '1.0.0' })).toHaveLength(1);
  });

  test('where imported packages differ, the highest counts, however many have another one and whoever asks itself', () => {
    const one = importedPackage({ name: 'one', requests: ['dep@^1.0.0 = 1.0.0', 'lib@^1.0.0 = 1.9.0'] });
    const two = importedPackage({ name: 'two', before: { dep: '^1.0.0' }, requests: ['dep@^1.0.0 = 1.0.0', 'lib@^1.0.0 = 1.9.0'] });
    const three = importedPackage({ name: 'three', requests: ['dep@^1.0.0 = 1.10.0', 'lib@^1.0.0 = 1.0.0'] });
    const built = buildPins([one, two, three]);
    expect(asText(built)).toEqual(['dep@npm:^1.0.0 -> dep@npm:1.10.0 (three)', 'lib@npm:^1.0.0 -> lib@npm:1.9.0 (one,two)']);
    expect(built.dropped).toMatchObject([
      { descriptor: 'dep@npm:^1.0.0', version: '1.0.0', by: ['one', 'two'], why: '1.10.0 is what three had locked' },
      { descriptor: 'lib@npm:^1.0.0', version: '1.0.0', by: ['three'], why: '1.9.0 is what one and two had locked' },
    ]);
  });
});
