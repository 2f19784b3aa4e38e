import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { managerOf } from './package-manager.js';

const cleanUp = cleanUpIn(afterEach);

async function commandsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = cleanUp.add(new TempFolder());
  for (const [name, content] of Object.entries({ 'package.json': '{"name":"ui"}', ...files })) folder.write(name, content);
  const { install, installWithoutScripts, test: run } = await managerOf(folder.path);
  const own = (word: string): string => (word.startsWith(folder.path) ? word.slice(folder.path.length + 1) : word);
  const commands = [install, installWithoutScripts.slice(install.length), run].map((command) => command.map(own).join(' '));
  return commands.map((line) => line.replace(process.execPath, 'node').replace(/ --mutex \S+/, ''));
}

test.each([
  ['npm', { 'package-lock.json': '{}' }, ['npm ci', '--ignore-scripts', 'npm run test']],
  ['nobody', {}, ['npm install', '--ignore-scripts', 'npm run test']],
  [
    'yarn classic',
    { 'yarn.lock': '# yarn lockfile v1\n' },
    ['npx --yes yarn@1.22.22 install --frozen-lockfile', '--ignore-scripts', 'npx --yes yarn@1.22.22 run test'],
  ],
  [
    'a Yarn of its own',
    { 'yarn.lock': '__metadata:\n  version: 8\n', '.yarnrc.yml': 'yarnPath: yarn.cjs\n', 'yarn.cjs': '' },
    ['node yarn.cjs install --immutable', '--mode=skip-build', 'node yarn.cjs run test'],
  ],
  [
    'pnpm',
    { 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n" },
    ['npx --yes pnpm@9 install --frozen-lockfile', '--ignore-scripts', 'npx --yes pnpm@9 run test'],
  ],
  [
    'the pnpm that is named',
    { 'pnpm-lock.yaml': "lockfileVersion: '6.0'\n", 'package.json': '{"name":"ui","packageManager":"pnpm@8.15.9+sha512.ab"}' },
    ['npx --yes pnpm@8.15.9 install --frozen-lockfile', '--ignore-scripts', 'npx --yes pnpm@8.15.9 run test'],
  ],
])('what %s has locked is installed by it', async (_, files, commands) => expect(await commandsOf(files)).toEqual(commands));
