import { expect, test } from '@jest/globals';
import { projectOf } from '../align/project.fixture.js';
import { refuseNestedRoots } from './nested-roots.js';

/** Checks an imported package at packages/x that has other files, and packages in subfolders that the root does not know. */
function refuse(folders: readonly string[], files: Readonly<Record<string, string>>, manifest: object = {}): void {
  const own = [...folders.map((folder) => [`${folder}/package.json`, '{}'] as const), ...Object.entries(files)];
  refuseNestedRoots(
    projectOf({
      manifests: { '': { workspaces: ['packages/*'] }, 'packages/x': { name: 'x', ...manifest } },
      importedPackages: { 'packages/x': {} },
      files: Object.fromEntries(own.map(([file, text]) => [`packages/x/${file}`, text])),
    }),
  );
}

test.each([
  ['lerna.json', ['libs/a', 'libs/b', 'other/c'], { 'lerna.json': '{"version":"1.0.0","packages":["libs/*"]}' }, 'libs/a, libs/b'],
  ['lerna.json', ['packages/a', 'b'], { 'lerna.json': '{"version":"independent"}' }, 'packages/a'],
  ['rush.json', ['apps/a', 'b'], { 'rush.json': '{ // all\n "projects": [{ "packageName": "a", "projectFolder": "apps/a" }] }' }, 'apps/a'],
  ['nx.json', ['libs/a', 'b'], { 'nx.json': '{}', 'libs/a/project.json': '{}', 'c/project.json': '{}' }, 'libs/a'],
  ['pnpm-workspace.yaml', ['libs/a', 'libs/test/b'], { 'pnpm-workspace.yaml': 'packages:\n  - libs/**\n  - "!**/test/**"\n' }, 'libs/a'],
])('%s makes a root of workspaces of it, with the packages that are there', (by, folders, files, members) => {
  const message = `x is itself a workspace root (see its ${by}): ${members}.`;
  const refusal = { code: 'SOURCE_HAS_WORKSPACES', message, hint: expect.stringContaining(`--subdirectory ${members.split(',')[0]}.`) };
  expect(() => refuse(folders, files)).toThrow(expect.objectContaining(refusal));
});

test.each([
  ['lerna.json without packages', ['examples/a'], { 'lerna.json': '{"version":"1.0.0"}' }],
  ['nx.json without projects', ['examples/a'], { 'nx.json': '{}' }],
  ['a project of nx without nx.json', ['libs/a'], { 'libs/a/project.json': '{}' }],
  ['a pnpm-workspace.yaml of settings alone', ['libs/a'], { 'pnpm-workspace.yaml': 'packages: [.]\n' }],
])('%s does not', (_, folders, files) => {
  expect(() => refuse(folders, files)).not.toThrow();
});

test('"workspaces" does, whatever is there', () => {
  expect(() => refuse([], {}, { workspaces: ['libs/*'] })).toThrow('(see its package.json): libs/*.');
});
