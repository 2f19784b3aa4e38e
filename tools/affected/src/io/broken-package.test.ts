import { linkSync, lstatSync, mkdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { breakPackage, mendPackage, ownPackageFolder } from './broken-package.js';

const cleanUp = cleanUpIn(afterEach);
const GOOD = 'module.exports = 1;\n';

/** A store of the user's, and a project whose `linked` is a link to a folder of hard links, as Yarn's linker `pnpm` makes it. */
function install(): TempFolder {
  const folder = cleanUp.add(new TempFolder());
  const stored = folder.write('store/index.js', GOOD);
  folder.write('outside/index.js', GOOD);
  folder.write('project/packages/own/index.js', GOOD);
  for (const home of ['hard', '.store/linked/package']) {
    mkdirSync(folder.join('project/node_modules', home), { recursive: true });
    linkSync(stored, folder.join('project/node_modules', home, 'index.js'));
    folder.write(`project/node_modules/${home}/data.json`, '{}');
  }
  symlinkSync('.store/linked/package', folder.join('project/node_modules/linked'));
  symlinkSync('../../outside', folder.join('project/node_modules/foreign'));
  symlinkSync('../packages/own', folder.join('project/node_modules/own'));
  return folder;
}

test.each(['hard', 'linked'])('a broken package fails, and its files in the store of the user do not change: %s', (name) => {
  const folder = install();
  const file = folder.join('project/node_modules', name, 'index.js');
  const before = statSync(file).ino;
  const broken = breakPackage(ownPackageFolder(folder.join('project'), name) ?? '', folder.join('kept'));
  expect(readFileSync(file, 'utf8')).toBe("throw new Error('mutant');\n");
  expect(readFileSync(folder.join('project/node_modules', name, 'data.json'), 'utf8')).toBe('{}');
  expect(readFileSync(folder.join('store/index.js'), 'utf8')).toBe(GOOD);
  mendPackage(broken);
  expect([readFileSync(file, 'utf8'), statSync(file).ino]).toEqual([GOOD, before]);
  expect(readlinkSync(folder.join('project/node_modules/linked'))).toBe('.store/linked/package');
  expect(lstatSync(folder.join('kept'), { throwIfNoEntry: false })).toBeUndefined();
});

test.each(['foreign', 'own', 'missing'])('what is not installed in the project is not broken: %s', (name) => {
  expect(ownPackageFolder(install().join('project'), name)).toBeUndefined();
});
