import { expect, test } from '@jest/globals';
import type { WorkspaceName } from '@tributary/model/ids';
import { projectOf } from '../align/project.fixture.js';
import { exampleFinding } from '../carry-over/examples.js';
import { dissolveExamples, findExamples, refuseNestedRoots } from './nested-roots.js';

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
  const many = Array.from({ length: 9 }, (_, at) => `libs/${at}`);
  expect(() => refuse(many, {}, { workspaces: ['libs/*'] })).toThrow(': libs/0, libs/1, libs/2, libs/3, libs/4 and 4 more.');
});

test('a published library with private workspaces is one package, and they are folders of it', () => {
  const library = (member: object, manifest: object = {}) =>
    projectOf({
      manifests: {
        '': { workspaces: ['packages/*'] },
        'packages/x': { name: 'x', version: '1.0.0', workspaces: ['examples/*'], ...manifest },
      },
      importedPackages: { 'packages/x': {} },
      files: { 'packages/x/examples/one/package.json': JSON.stringify(member) },
    });
  const project = library({ name: 'one', private: true });
  expect(() => refuseNestedRoots(project)).not.toThrow();
  const [[, { by, members }] = ['', {}]] = findExamples(project);
  expect([by, members]).toEqual(['package.json', ['examples/one']]);
  expect(() => refuseNestedRoots(library({ name: 'one', private: true }, { dependencies: { one: 'link:examples/one' } }))).not.toThrow();
  expect([...dissolveExamples(project)]).toEqual([['packages/x/package.json', '{\n  "name": "x",\n  "version": "1.0.0"\n}\n']]);
  const listed = { by: 'pnpm-workspace.yaml', members: ['examples/one'] };
  expect(exampleFinding(['x' as WorkspaceName, listed]).done?.text).not.toContain('removed');
  const others = [
    library({ name: 'one' }),
    library({ private: true }, { private: true }),
    library({ private: true }, { version: undefined }),
    // The registry may have a package of somebody else with that name.
    library({ name: 'one', private: true }, { devDependencies: { one: '*' } }),
    library({ name: 'one', private: true }, { optionalDependencies: { one: 'workspace:^' } }),
  ];
  for (const other of others) {
    expect([...dissolveExamples(other)]).toEqual([]);
    expect(() => refuseNestedRoots(other)).toThrow(expect.objectContaining({ code: 'SOURCE_HAS_WORKSPACES' }));
  }
});
