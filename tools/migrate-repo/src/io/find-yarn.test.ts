import { chmodSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { findYarn } from './find-yarn.js';

const cleanUp = cleanUpIn(afterEach);

let root: TempFolder;
let bin: TempFolder;

beforeEach(() => {
  root = cleanUp.add(new TempFolder());
  bin = cleanUp.add(new TempFolder());
  const before = process.env['PATH'];
  process.env['PATH'] = bin.path;
  cleanUp.defer(() => {
    process.env['PATH'] = before;
  });
});

function write(packageManager?: string): void {
  root.write('package.json', JSON.stringify({ name: 'root', packageManager }));
}

function program(name: string, version: string): void {
  chmodSync(bin.write(name, `#!${process.execPath}\nconsole.log(${JSON.stringify(version)});\n`), 0o755);
}

test('the committed release comes first', async () => {
  write('yarn@4.1.0');
  program('corepack', '4.1.0');
  const release = root.write('.yarn/releases/yarn.cjs', '');
  root.write('.yarnrc.yml', 'yarnPath: .yarn/releases/yarn.cjs\n');
  expect(await findYarn(root.path)).toEqual({ program: process.execPath, args: [release], packageManager: 'yarn@4.1.0' });
});

test('then corepack, if the manifest names a Yarn', async () => {
  write('yarn@4.1.0');
  program('corepack', '4.1.0');
  program('yarn', '4.1.0');
  expect(await findYarn(root.path)).toMatchObject({ program: 'corepack', args: ['yarn'] });
});

test.each([
  ['yarn@4.1.0+sha224.abc', '4.1.0'],
  [undefined, '4.9.0'],
])('then the one in PATH: packageManager %s, yarn %s', async (packageManager, version) => {
  write(packageManager);
  program('yarn', version);
  expect(await findYarn(root.path)).toEqual({ program: 'yarn', args: [], packageManager });
});

test.each([
  ['yarn@4.1.0', '4.2.0'],
  [undefined, '1.22.22'],
  ['yarn@4.1.0', undefined],
])('packageManager %s, yarn %s: none', async (packageManager, version) => {
  write(packageManager);
  if (version !== undefined) program('yarn', version);
  await expect(findYarn(root.path)).rejects.toMatchObject({ code: 'YARN_MISSING' });
});
