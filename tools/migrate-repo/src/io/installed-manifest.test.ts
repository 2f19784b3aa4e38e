import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { hasScript, readInstalledManifest } from './installed-manifest.js';

const cleanUp = cleanUpIn(afterEach);

test.each([
  ['has it', '{"scripts":{"test":"x"}}', true],
  ['has it, behind a byte order mark', '\uFEFF{"scripts":{"test":"x"}}', true],
  ['has others', '{"scripts":{"build":"x"}}', false],
  ['has none', '{}', false],
  ['was broken by its build', '{ broken', true],
  ['was removed by its build', undefined, true],
])('whether a script is to be run, of a package that %s', (_, text, expected) => {
  const folder = cleanUp.add(new TempFolder());
  if (text !== undefined) folder.write('package.json', text);
  expect(hasScript(folder.path, 'test')).toBe(expected);
  expect(readInstalledManifest(folder.path) === undefined).toBe(text === undefined || text.startsWith('{ '));
});
