import { expect, test } from '@jest/globals';
import { projectOf } from '../project.fixture.js';
import { createReleases, isRewritten, type PackageRelease, type PackerChoice } from './release.js';

interface Fixture {
  readonly manifest?: object;
  /** Files of `lib`, relative to its folder. */
  readonly own?: Readonly<Record<string, string>>;
  readonly root?: object;
  readonly files?: Readonly<Record<string, string>>;
  readonly neighbour?: object;
  readonly choice?: PackerChoice;
}

/** Returns how `lib` is released. `lib` is imported; `app` already exists. */
function release({ manifest = {}, own = {}, root = {}, files = {}, neighbour = {}, choice = 'detect' }: Fixture): PackageRelease {
  const project = projectOf({
    manifests: {
      '': { name: 'root', private: true, workspaces: ['packages/*'], ...root },
      'packages/app': { name: 'app', ...neighbour },
      'packages/lib': { name: 'lib', ...manifest },
    },
    importedPackages: { 'packages/lib': {} },
    files: { ...files, ...Object.fromEntries(Object.entries(own).map(([path, text]) => [`packages/lib/${path}`, text])) },
  });
  const lib = project.workspaces.find(({ path }) => path === 'packages/lib');
  if (lib === undefined) throw new Error('no lib');
  return createReleases(project, choice)(lib);
}

const WORKFLOW = '.github/workflows/release.yml';
const step = (run: string): string => `jobs:\n  release:\n    steps:\n      - run: ${run}\n`;

test.each<[what: string, fixture: Fixture, tool: string | undefined, packer: PackageRelease['packer']]>([
  ['nothing tells', {}, undefined, 'npm'],
  ['it is private', { manifest: { private: true, scripts: { release: 'npm publish' } } }, 'npm', 'nobody'],
  ['a dependency', { manifest: { devDependencies: { 'semantic-release': '25.0.0' } } }, 'semantic-release', 'npm'],
  ['the tool itself', { manifest: { name: 'np', devDependencies: { np: '1.0.0' } } }, undefined, 'npm'],
  ['a workflow', { own: { [WORKFLOW]: step('npx semantic-release') } }, 'semantic-release', 'npm'],
  ['only a plugin in a workflow', { own: { [WORKFLOW]: step('npm i @semantic-release/git semantic-release-slack') } }, undefined, 'npm'],
  ['settings', { own: { '.releaserc.json': '{}' } }, 'semantic-release', 'npm'],
  ['a field of another tool', { manifest: { release: { conventionalCommits: true, publishDir: 'lib' } } }, undefined, 'npm'],
  [
    'an action of it',
    { own: { [WORKFLOW]: 'jobs: { a: { steps: [{ uses: cycjimmy/semantic-release-action@v4 }] } }' } },
    'semantic-release',
    'npm',
  ],
  ['a field', { manifest: { 'release-it': { npm: {} } } }, 'release-it', 'npm'],
  ['np in a script', { manifest: { scripts: { release: 'npm test && np --yolo' } } }, 'np', 'npm'],
  ['np in a workflow', { own: { [WORKFLOW]: step('npx np@10 --no-tests') } }, 'np', 'npm'],
  ['a pipeline of another service', { own: { 'azure-pipelines.yml': 'steps:\n  - script: npm publish\n' } }, 'npm', 'npm'],
  ['a script of the shell', { manifest: { scripts: { r: 'yarn npm publish' } }, own: { 'scripts/r.sh': 'npm publish\n' } }, 'npm', 'npm'],
  ['a Makefile', { own: { Makefile: 'release:\n\tyarn npm publish --tolerate-republish\n' } }, 'Yarn', 'yarn'],
  ['no np in a word', { manifest: { scripts: { release: 'snp np-not' } } }, undefined, 'npm'],
  ['changesets', { own: { '.changeset/config.json': '{}' } }, 'changesets', 'npm'],
  ['lerna at the root', { files: { 'lerna.json': '{}' } }, 'lerna', 'npm'],
  ['by hand', { manifest: { scripts: { prepublishOnly: 'tsc' } } }, 'npm', 'npm'],
  ['an action', { own: { [WORKFLOW]: 'jobs:\n  a:\n    steps:\n      - uses: JS-DevTools/npm-publish@v3\n' } }, 'npm', 'npm'],
  ['pnpm', { manifest: { scripts: { release: 'pnpm -r publish' } } }, 'pnpm', 'npm'],
  ['Yarn', { manifest: { scripts: { release: 'yarn npm publish' } } }, 'Yarn', 'yarn'],
  ['Yarn for all', { root: { scripts: { release: 'yarn workspaces foreach -At --no-private npm publish' } } }, 'Yarn', 'yarn'],
  ['Yarn after a build', { manifest: { scripts: { release: 'yarn build && npm publish' } } }, 'npm', 'npm'],
  [
    'one of several packs with npm',
    { manifest: { scripts: { release: 'yarn npm publish' } }, own: { [WORKFLOW]: step('npx semantic-release') } },
    'semantic-release',
    'npm',
  ],
  ['others ask by workspace:', { neighbour: { dependencies: { x: 'workspace:^' } } }, 'Yarn', 'yarn'],
  ['only for development', { neighbour: { devDependencies: { x: 'workspace:^' } } }, undefined, 'npm'],
  ['only a private one', { neighbour: { private: true, dependencies: { x: 'workspace:^' } } }, undefined, 'npm'],
  ['the user says yarn', { choice: 'yarn', own: { '.releaserc': '' } }, 'semantic-release', 'yarn'],
  ['the user says npm', { choice: 'npm', manifest: { scripts: { release: 'yarn npm publish' } } }, 'Yarn', 'npm'],
])('%s', (_, fixture, tool, packer) => {
  expect(release(fixture)).toMatchObject({ tool, packer });
});

test('where it is seen is told', () => {
  expect(release({ own: { [WORKFLOW]: step('npx semantic-release') } }).seenIn).toBe(`packages/lib/${WORKFLOW}`);
  expect(release({ root: { devDependencies: { '@changesets/cli': '2' } } }).seenIn).toBe('package.json');
});

test.each<[fixture: Fixture, folder: string | undefined]>([
  [{}, undefined],
  [{ manifest: { publishConfig: { directory: './dist/' } } }, 'dist'],
  [{ manifest: { publishConfig: { directory: '.' } } }, undefined],
  [{ own: { '.releaserc': '{"plugins":[["@semantic-release/npm",{"pkgRoot":"pkg"}]]}' } }, 'pkg'],
  [{ own: { 'release.config.js': "module.exports = { plugins: [['@semantic-release/npm', { pkgRoot: './out' }]] }" } }, 'out'],
  [{ manifest: { release: { publishDir: 'lib' } } }, 'lib'],
  [{ own: { '.release-it.json': '{ "npm": { "publishPath": "./dist" } }' } }, 'dist'],
  [{ manifest: { release: { plugins: [['@semantic-release/npm', { pkgRoot: 'pkg' }]] } } }, 'pkg'],
])('%j is published from %s', (fixture, folder) => {
  expect(release(fixture).folder).toBe(folder);
});

test('what is for Yarn alone', () => {
  expect(['workspace:^', 'catalog:', 'portal:../x', '^1.0.0', 'npm:x@1', 'file:../x'].map(isRewritten)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
