import { expect, test } from '@jest/globals';
import { asLocation } from './declared.js';
import { projectOf } from './project.fixture.js';
import { builtElsewhere, findUnbuilt } from './unbuilt.js';

/** Returns what must be built of `lib`, which `app` and `web` depend on. */
function unbuilt(lib: object, files: readonly string[] = [], asking: readonly string[] = ['app', 'web']): string[] {
  const project = projectOf({
    manifests: { 'packages/app': { name: 'app' }, 'packages/lib': { name: 'lib', ...lib }, 'packages/web': { name: 'web' } },
    importedPackages: { 'packages/lib': {} },
    files: Object.fromEntries(files.map((path) => [`packages/lib/${path}`, ''])),
  });
  const member = (name: string): ReturnType<typeof asLocation> => {
    const found = project.workspaces.find((workspace) => workspace.name === name);
    if (found === undefined) throw new Error(`${name} is no workspace`);
    return asLocation(found);
  };
  const redirects = asking.map((name) => ({ from: member(name), to: member('lib') }));
  return findUnbuilt(project, redirects).map(
    ({ workspace, missing, script, dependents }) =>
      `${workspace.name} ${missing.path} by ${script} for ${dependents.map(({ name }) => name).join()}`,
  );
}

test('what a manifest names and the repository has not is built before those who ask', () => {
  expect(unbuilt({ main: 'dist/a.js', scripts: { prepare: 'tsc' } }, ['src/a.ts'])).toEqual(['lib dist/a.js by prepare for app,web']);
  expect(unbuilt({ main: 'dist/a.js', scripts: { prepack: 'x', prepare: 'y', build: 'z' } })).toEqual([
    'lib dist/a.js by build for app,web',
  ]);
  expect(unbuilt({ main: 'dist/a.js' }, [], ['web', 'web'])).toEqual(['lib dist/a.js by undefined for web']);
  expect(unbuilt({ main: 'a.js', types: 'a.d.ts' }, ['a.js'])).toEqual(['lib a.d.ts by undefined for app,web']);
});

test.each<[main: string, file: string]>([
  ['a.js', 'a.js'],
  ['./a', 'a.js'],
  ['lib/', 'lib/index.js'],
  ['lib', 'lib/index.js'],
  ['a', 'a.json'],
])('main %s is there as %s', (main, file) => expect(unbuilt({ main }, [file])).toEqual([]));

test('what is published from a folder that a build makes has its entry points there, where its own manifest names none', () => {
  const release = { plugins: [['@semantic-release/npm', { pkgRoot: './pkg' }]] };
  expect(unbuilt({ release, scripts: { build: 'x' } }, ['src/index.js'])).toEqual(['lib pkg by build for app,web']);
  expect(unbuilt({ publishConfig: { directory: 'dist' } })).toEqual(['lib dist by undefined for app,web']);
  expect(unbuilt({ release }, ['index.js'])).toEqual([]);
  expect(unbuilt({ release, main: 'src/index.js' }, ['src/index.js'])).toEqual([]);
});

test('what nobody gets from the workspace now, or names no file, is not looked at', () => {
  expect(unbuilt({ main: 'dist/a.js' }, [], [])).toEqual([]);
  expect(unbuilt({})).toEqual([]);
});

test('dependencies come first, also those that are linked by other means than a range', () => {
  const manifest = (name: string, more: object = {}) => ({ name, main: 'dist/a.js', scripts: { build: 'x' }, ...more });
  const project = projectOf({
    manifests: {
      'packages/anchor': manifest('anchor', { devDependencies: { between: '^9.0.0' } }),
      'packages/between': { name: 'between', dependencies: { zinc: '^9.0.0' } },
      'packages/mast': manifest('mast', { peerDependencies: { anchor: '*' } }),
      'packages/zinc': manifest('zinc', { devDependencies: { mast: '1' } }),
    },
    importedPackages: {},
  });
  const places = project.workspaces.filter(({ path }) => path !== '').map(asLocation);
  const redirects = places.map((to) => ({ from: to, to }));
  expect(findUnbuilt(project, redirects).map(({ workspace }) => workspace.name)).toEqual(['mast', 'zinc', 'anchor']);
});

test.each<[folder: string | undefined, lib: object]>([
  ['pkg', { release: { plugins: [['@semantic-release/npm', { pkgRoot: './pkg' }]] } }],
  ['dist', { main: './index.js', publishConfig: { directory: 'dist' } }],
  [undefined, { main: './dist/index.js', publishConfig: { directory: 'dist' } }],
  [undefined, { main: 'dist/a.js' }],
])('the folder that has the entry points, where nobody looks for them: %s', (folder, lib) => {
  const project = projectOf({ manifests: { 'packages/lib': { name: 'lib', ...lib } }, importedPackages: {} });
  const [workspace] = project.workspaces.filter(({ path }) => path !== '');
  expect(workspace && builtElsewhere(workspace, project.files)).toBe(folder);
});
