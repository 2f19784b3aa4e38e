import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { readPackage, versionOfRunner } from './packages.js';

const folder = cleanUpIn(afterAll).add(new TempFolder());

describe('a package.json', () => {
  test('has a name and scripts', () => {
    folder.write('one/package.json', '{"name":"@acme/ui","scripts":{"test":"jest","build":7}}');
    expect(readPackage(folder.join('one'))).toEqual({ name: '@acme/ui', scripts: new Map([['test', 'jest']]) });
  });

  test.each<[title: string, text: string]>([
    ['no scripts', '{"name":"a"}'],
    ['scripts that are none', '{"name":"a","scripts":null}'],
    ['scripts that are a list', '{"name":"a","scripts":[]}'],
  ])('may have %s', (_, text) => {
    folder.write('two/package.json', text);
    expect(readPackage(folder.join('two'))).toEqual({ name: 'a', scripts: new Map() });
  });

  test.each<[title: string, text: string]>([
    ['empty', ''],
    ['cut off', '{"name":'],
    ['null', 'null'],
  ])('that is %s is none', (_, text) => {
    folder.write('three/package.json', text);
    expect(readPackage(folder.join('three'))).toBeUndefined();
  });

  test('that is not there is none', () => expect(readPackage(folder.join('gone'))).toBeUndefined());
});

test('a runner has the version that the workspace gets', () => {
  folder.write('node_modules/jest/package.json', '{"version":"30.0.0"}');
  folder.write('four/node_modules/jest/package.json', '{"version":"29.7.0"}');
  folder.write('node_modules/@playwright/test/package.json', '{"version":"1.56.0"}');
  const versions = (['jest', 'playwright', 'vitest', 'node'] as const).map((runner) => versionOfRunner(runner, folder.join('four')));
  expect(versions).toEqual(['29.7.0', '1.56.0', '', process.version]);
  expect(versionOfRunner('jest', folder.join('one'))).toBe('30.0.0');
});
