import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { scratchSettings } from './scratch-settings.js';

const cleanUp = cleanUpIn(afterEach);

function settingsOf(text?: string): { settings: string; root: TempFolder } {
  const root = cleanUp.add(new TempFolder());
  if (text !== undefined) root.write('.yarnrc.yml', text);
  return { settings: scratchSettings(root.path), root };
}

test('registries, catalogs and extensions stay as they are', () => {
  const text =
    'npmScopes:\n  acme:\n    npmRegistryServer: https://r.example\n    npmAlwaysAuth: true\ncatalog:\n  lib: ^1.0.0\npackageExtensions:\n  lib@*:\n    dependencies:\n      dep: ^1.0.0\n';
  expect(settingsOf(text).settings).toBe(text);
});

test('files are those of the monorepo; its release and its environment files have nothing to do there', () => {
  const { settings, root } = settingsOf(
    'yarnPath: .yarn/yarn.cjs\ninjectEnvironmentFiles:\n  - .env\nhttpsCaFilePath: ./ca.pem\nnetworkSettings:\n  r.example:\n    httpsCaFilePath: certs/r.pem\nplugins:\n  - ./one.cjs\n  - path: .yarn/two.cjs\n    spec: two\n',
  );
  expect(settings).toBe(
    `httpsCaFilePath: ${root.join('ca.pem')}\nnetworkSettings:\n  r.example:\n    httpsCaFilePath: ${root.join('certs/r.pem')}\nplugins:\n  - ${root.join('one.cjs')}\n  - path: ${root.join('.yarn/two.cjs')}\n    spec: two\n`,
  );
});

test.each([undefined, '', '# nothing\n'])('%p: none', (text) => {
  expect(settingsOf(text).settings).toBe('');
});
