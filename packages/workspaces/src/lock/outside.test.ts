import { describe, expect, test } from '@jest/globals';
import { lockText, parseLock } from '@tributary/lockfile/testing/lock-text';
import fc from 'fast-check';
import { type BerryMembers, readLockMembers } from './members.js';
import { asksFromOutside, isResolvedTo } from './outside.js';

function readBerry(text: string): BerryMembers {
  const lock = readLockMembers(text);
  if (lock.kind !== 'berry') throw new Error(JSON.stringify(lock));
  return lock;
}

function asks(text: string, ...names: readonly string[]): boolean {
  const berry = readBerry(text);
  return asksFromOutside(
    berry,
    berry.graph.members.filter(({ name }) => names.includes(name)),
  );
}

describe('somebody outside of the workspaces asks for one', () => {
  /** `app` requests `lib` by a plain range too; `host` requests what is given. */
  const lock = (host: string, name = 'lib'): string =>
    parseLock(`root:\napp: ${name} ^1.0.0, host ^1\n${name}:\nhost@^1 = 1.0.0: ${host}`).replace(
      `"${name}@workspace:^`,
      `"${name}@npm:^1.0.0, ${name}@workspace:^`,
    );
  test.each<[title: string, answer: boolean, expected: boolean]>([
    ['if a package does by a range that the workspace satisfies', asks(lock('lib ^1.0.0'), 'lib'), true],
    ['in the format of Yarn 2 and 3', asks(lock('lib ^1.0.0').replaceAll('"npm:^1.0.0"', '^1.0.0'), 'lib'), true],
    ['in the same with quotes', asks(lock('lib ^1.0.0').replaceAll('"npm:^1.0.0"', '"^1.0.0"'), 'lib'), true],
    ['if it has a scope', asks(lock('@acme/lib ^1.0.0', '@acme/lib'), '@acme/lib'), true],
    [
      'if a key has a range that no workspace asks for',
      asks(lock('other 1').replace('"lib@npm:^1.0.0', '"lib@npm:^1.0.0, lib@npm:^1.1.0'), 'lib'),
      true,
    ],
    ['if it lies at a path and has one itself', asks(lock('other portal:../lib'), 'lib'), true],
    ['not if it is about another workspace', asks(lock('lib ^1.0.0'), 'app'), false],
    ['not if it is about none', asks(lock('lib ^1.0.0')), false],
    ['not if the range is another', asks(lock('lib ^1.0.1'), 'lib'), false],
    ['not if the name only ends alike', asks(lock('mylib ^1.0.0, @acme/lib ^1.0.0'), 'lib'), false],
    ['not if only workspaces do', asks(lock('other ^1.0.0'), 'lib', 'app'), false],
  ])('%s', (_, answer, expected) => {
    expect(answer).toBe(expected);
  });

  test('for many workspaces as for each of them', () => {
    const names = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? `w${at}` : `@acme/w${at}`));
    const some = fc.subarray(names, { maxLength: 3 });
    fc.assert(
      fc.property(some, fc.subarray(names), some, (asked, members, wrong) => {
        const range = (list: readonly string[], text: string) => list.map((name) => [name, text] as const);
        const text = lockText([
          {
            descriptors: ['root@workspace:.'],
            resolution: 'root@workspace:.',
            dependencies: Object.fromEntries(range(names, 'npm:^1.0.0')),
          },
          ...names.map((name) => ({
            descriptors: [`${name}@npm:^1.0.0`, `${name}@workspace:p/${name}`],
            resolution: `${name}@workspace:p/${name}`,
          })),
          {
            descriptors: ['host@npm:^1'],
            resolution: 'host@npm:1.0.0',
            dependencies: Object.fromEntries([...range(wrong, 'npm:^2.0.0'), ...range(asked, 'npm:^1.0.0')]),
          },
        ]);
        expect(asks(text, ...members)).toBe(members.some((name) => asked.includes(name)));
        for (const name of names) expect(asks(text, name)).toBe(asked.includes(name));
      }),
      { numRuns: 100 },
    );
  });
});

describe('resolutions of the root lead a package outside to one of the members', () => {
  const lock = readBerry(parseLock('root:\napp: mine ^1, host ^1\nlib:\n@acme/core:\nhost@^1 = 1.0.0: left ^1, lib ^1, @acme/core ^1'));
  const leads = (resolutions: object, name: string, settings?: string): boolean => {
    const members = lock.graph.members.filter((member) => member.name === name);
    return isResolvedTo(lock, members, { 'package.json': JSON.stringify({ name: 'root', resolutions }), '.yarnrc.yml': settings });
  };
  test.each<[resolutions: object, name: string, expected: boolean]>([
    [{ left: 'workspace:packages/lib' }, 'lib', true],
    [{ left: 'workspace:./packages/lib/' }, 'lib', true],
    [{ left: 'portal:./packages/lib' }, 'lib', true],
    [{ left: 'link:packages/lib/src' }, 'lib', true],
    [{ 'host/left@npm:^1': 'file:./packages/lib' }, 'lib', true],
    [{ lib: '^1.0.0' }, 'lib', true],
    [{ 'host/lib@npm:^1': '1.0.0' }, 'lib', true],
    [{ 'host/@acme/core': '1.0.0' }, '@acme/core', true],
    [{ '**/@acme/core': '1.0.0' }, '@acme/core', true],
    [{ left: 'workspace:packages/lib' }, 'app', false],
    [{ left: '1.0.0', 'lib/left': '1.0.0' }, 'lib', false],
    [{ left: 'portal:../lib', core: '1.0.0' }, '@acme/core', false],
    // Only a workspace requests it, so there is an edge.
    [{ mine: 'workspace:packages/lib' }, 'lib', false],
    [{ nobody: 'workspace:packages/lib' }, 'lib', false],
    [{}, 'lib', false],
  ])('%j to %s: %s', (resolutions, name, expected) => {
    expect(leads(resolutions, name)).toBe(expected);
    // A path replaces whatever members request, so one of them may depend on another member than it declares.
    const isPath = Object.values(resolutions).some((range) => /^(portal|link|file):\.?\/?packages/.test(String(range)));
    expect(leads(resolutions, 'nobody')).toBe(isPath);
  });

  // `packageExtensions` add dependencies to packages that the lockfile does not list.
  test.each([
    'packageExtensions:\n  host@*: {}\n',
    'a: b\r\npackageExtensions:\r\n',
    '"packageExtensions": {}\n',
    '{packageExtensions: {}}',
    "'packageExtensions' : {}",
  ])('also where nobody seems to ask, with the settings %j', (settings) => {
    expect(leads({ nobody: 'workspace:packages/lib' }, 'lib', settings)).toBe(true);
    expect(leads({ nobody: 'workspace:packages/lib' }, 'app', settings)).toBe(false);
  });

  test('nowhere without a manifest or without resolutions', () => {
    const texts = [undefined, '{}', '{"name": "resolutions"}'];
    const answers = texts.map((text) => isResolvedTo(lock, lock.graph.members, { 'package.json': text, '.yarnrc.yml': undefined }));
    expect(answers).toEqual([false, false, false]);
  });
});
