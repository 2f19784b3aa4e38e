import { expect, test } from '@jest/globals';
import { findFormerBuilds, ranBuildScripts } from './build-scripts.js';
import { projectOf } from './project.fixture.js';

test.each([
  [{}, 'as usual'],
  [{ '.npmrc': 'registry=https://x\nignore-scripts = true\n' }, 'switched off'],
  [{ '.npmrc': '# ignore-scripts=true\nignore-scripts=false\n' }, 'as usual'],
  [{ '.yarnrc': '--install.ignore-scripts true\n' }, 'switched off'],
  [{ '.yarnrc': 'ignore-scripts true\n' }, 'switched off'],
  [{ '.yarnrc.yml': 'enableScripts: false\n' }, 'switched off'],
  [{ '.yarnrc.yml': 'enableScripts: true\n' }, 'as usual'],
  [{ '.yarnrc.yml': '<<<<<<< HEAD\n' }, 'as usual'],
])('build scripts with %j ran %s', (files, expected) => {
  const project = projectOf({
    manifests: { 'packages/x': { name: 'x' } },
    importedPackages: { 'packages/x': {} },
    files: Object.fromEntries(Object.entries(files).map(([name, text]) => [`packages/x/${name}`, text])),
  });
  const [importedPackage] = project.importedPackages;
  expect(importedPackage && ranBuildScripts(importedPackage, project.files)).toBe(expected);
});

test.each<[root: object, files: Record<string, string>, found: string[]]>([
  [{}, {}, ['a@1.0.0', '@acme/b@2.0.0']],
  [{}, { '.yarnrc.yml': 'enableScripts: false\n' }, ['a@1.0.0', '@acme/b@2.0.0']],
  [{}, { '.yarnrc.yml': 'enableScripts: true\n' }, []],
  [{ packageManager: 'yarn@4.13.0' }, {}, []],
  [{ packageManager: 'yarn@4.13.0' }, { '.yarnrc.yml': 'enableScripts: false\n' }, ['a@1.0.0', '@acme/b@2.0.0']],
  [{ packageManager: 'yarn@4.14.0+sha224.aa' }, {}, ['a@1.0.0', '@acme/b@2.0.0']],
  [{ dependenciesMeta: { a: { built: true }, '@acme/b': { built: false } } }, {}, ['@acme/b@2.0.0']],
  [{ dependenciesMeta: { '@acme/b@2.0.0': { built: true } } }, {}, ['a@1.0.0']],
  [{}, { 'packages/x/.npmrc': 'ignore-scripts=true\n' }, []],
])('with the root %j and %j not all that was built may be', (root, files, found) => {
  const came = projectOf({
    manifests: { '': { workspaces: ['packages/*'], ...root }, 'packages/x': { name: 'x' } },
    importedPackages: { 'packages/x': {} },
    files,
  });
  const importedPackages = came.importedPackages.map((importedPackage) => ({
    ...importedPackage,
    oldLock: importedPackage.oldLock && { ...importedPackage.oldLock, builds: ['a@1.0.0', '@acme/b@2.0.0'] },
  }));
  const before = { ...came, importedPackages };
  expect(findFormerBuilds(came, before)).toEqual(found.map((name) => ({ importedPackage: 'x', package: name })));
});
