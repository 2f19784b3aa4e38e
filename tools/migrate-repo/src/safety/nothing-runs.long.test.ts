import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot, yarnRelease } from '@tributary/test-repo/project-root';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { formatManifest, type Manifest } from '@tributary/test-repo/temp-monorepo';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { published } from '../io/yarn.fixture.js';
import { serveRepositories } from './git-server.fixture.js';
import { createInstalledFixture, type InstalledFixture } from './installed.fixture.js';
import { createSource, keepFolders } from './migration.fixture.js';

// Everything in a source that could run leaves a file if it does. In the end there must be none.

// On a busy machine Yarn 4.18 may start a script before its log is open: `The argument 'stdio' is invalid`.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

const cleanUp = cleanUpIn(afterAll);
let traces: TempFolder;
let repositories: TempFolder;
let server: string;
let installed: InstalledFixture;
let putBack: () => void;

/** Code for a shell and for Node that leaves a file of this name. */
const shell = (name: string): string => `touch ${traces.join(name)}`;
const code = (name: string): string => `require('node:fs').writeFileSync(${JSON.stringify(traces.join(name))}, '');\n`;

const LIFECYCLE = ['preinstall', 'install', 'postinstall', 'prepare', 'prepack', 'postpack', 'prepublish', 'prepublishOnly', 'version'];

function scripts(owner: string): Manifest {
  return { scripts: Object.fromEntries(LIFECYCLE.map((name) => [name, shell(`${owner}-${name}`)])) };
}

/** Creates another repository that a dependency names. */
function gitDependency(name: string): string {
  const repo = TempRepo.create({ folder: parseAbsolutePath(repositories.join(name)) });
  repo.commit('Start', {
    files: {
      'package.json': formatManifest({ name, version: '1.0.0', ...scripts(name) }),
      'yarn.lock': '__metadata:\n  version: 8\n  cacheKey: 10c0\n',
      '.yarnrc.yml': `yarnPath: ${yarnRelease(findProjectRoot())}\nenableGlobalCache: true\n`,
    },
  });
  return `git+${server}/${name}/.git`;
}

const SETTINGS = `enableTelemetry: false
enableScripts: true
approvedGitRepositories: ["**"]
nodeLinker: node-modules
yarnPath: ${yarnRelease(findProjectRoot())}
`;

beforeAll(async () => {
  traces = cleanUp.add(new TempFolder());
  repositories = cleanUp.add(new TempFolder());
  server = await serveRepositories(cleanUp, repositories.path);
  const packages = [
    { manifest: { name: 'native', version: '1.0.0', ...scripts('native') } },
    published('wraps', '1.0.0', { forked: gitDependency('forked') }),
    published('lib', '1.0.0'),
  ];
  installed = await createInstalledFixture(cleanUp, { packages, workspaces: {} });
  installed.fixture.monorepo.commit('Let everything run', { files: { '.yarnrc.yml': SETTINGS } });
  const { monorepo, home } = installed.fixture;
  putBack = keepFolders(cleanUp, [monorepo.path, home.path, traces.path, repositories.path]);
});

beforeEach(() => putBack());

function sourceWith(manifest: Manifest, files: Readonly<Record<string, string>> = {}): TempRepo {
  const source = createSource(cleanUp, 'left-pad', manifest);
  source.commit('Spoil', { files: { 'yarn.lock': null, ...files } });
  return source;
}

function left(): readonly string[] {
  return readdirSync(traces.path).sort();
}

test('scripts, settings, releases, plugins and hooks of a source: nothing runs, and the installation is made', async () => {
  const source = sourceWith(
    { dependencies: { native: '^1.0.0' }, ...scripts('source') },
    {
      '.yarnrc.yml': 'yarnPath: .yarn/releases/yarn-4.0.0.cjs\nplugins:\n  - path: .yarn/plugins/evil.cjs\n',
      '.yarn/releases/yarn-4.0.0.cjs': code('release'),
      '.yarn/plugins/evil.cjs': `${code('plugin')}module.exports = { name: 'evil', factory: () => ({}) };\n`,
      '.pnp.cjs': code('pnp'),
      '.pnp.loader.mjs': `import fs from 'node:fs';\nfs.writeFileSync(${JSON.stringify(traces.join('loader'))}, '');\n`,
      'yarn.config.cjs': code('constraints'),
      'binding.gyp': `{ "targets": [{ "target_name": "x", "actions": [{ "action": ["touch", ${JSON.stringify(traces.join('gyp'))}] }] }] }`,
      '.gitattributes': '* filter=evil diff=evil\n',
      '.husky/pre-commit': shell('husky'),
      '.npmrc': `node-options=--require ./evil.js\nscript-shell=./evil.sh\n`,
      'evil.js': code('npm'),
      'evil.sh': shell('npm-shell'),
    },
  );
  const { stdout } = await installed.fixture.accepted(['left-pad', '--from', source.path, '--json'], { env: installed.env });
  expect([JSON.parse(stdout).installation, left()]).toEqual(['done', []]);
});

describe('what runs in every mode of an installation is refused, in the dry run too', () => {
  const cases: Record<string, () => TempRepo> = {
    'a git dependency': () => sourceWith({ dependencies: { forked: gitDependency('forked') } }),
    'one for development': () => sourceWith({ devDependencies: { forked: gitDependency('forked') } }),
    'a generator': () => sourceWith({ dependencies: { made: 'exec:./make.js' } }, { 'make.js': code('exec') }),
    'a generator behind a catalog': () =>
      sourceWith(
        { dependencies: { made: 'catalog:' } },
        { '.yarnrc.yml': 'catalog:\n  made: "exec:./packages/left-pad/make.js"\n', 'make.js': code('exec') },
      ),
  };

  test.each(Object.keys(cases))('%s', async (name) => {
    const source = cases[name]?.().path ?? '';
    const { env } = installed;
    for (const more of [['--dry-run'], []]) {
      const { stderr } = await installed.fixture.refused('INSTALL_RUNS_CODE', ['left-pad', '--from', source, ...more], { env });
      expect(stderr).toMatch(/requires (?:forked|made|lib) "(?:git\+http|exec):/);
    }
    expect(left()).toEqual([]);
    await installed.fixture.accepted(['left-pad', '--from', source, '--no-install'], { env });
    expect(left()).toEqual([]);
  });
});

test('packages that are named by a path run nothing', async () => {
  const inside = (name: string): string => formatManifest({ name, version: '1.0.0', ...scripts(name) });
  const source = sourceWith(
    { dependencies: { filed: 'file:./filed', portaled: 'portal:./portaled', linked: 'link:./linked' } },
    { 'filed/package.json': inside('filed'), 'portaled/package.json': inside('portaled'), 'linked/package.json': inside('linked') },
  );
  const { stdout } = await installed.fixture.accepted(['left-pad', '--from', source.path, '--json'], { env: installed.env });
  expect([JSON.parse(stdout).installation, left()]).toEqual(['done', []]);
});

test('a generator as an override of the source is nothing to Yarn, and is not carried', async () => {
  const files = { 'make.js': code('exec') };
  const source = sourceWith({ dependencies: { lib: '^1.0.0' }, resolutions: { lib: 'exec:./packages/left-pad/make.js' } }, files);
  await installed.fixture.accepted(['left-pad', '--from', source.path], { env: installed.env });
  expect(left()).toEqual([]);
});

test('a git dependency of a package from the registry is refused with its name', async () => {
  const source = sourceWith({ dependencies: { wraps: '^1.0.0' } });
  const { env } = installed;
  const { stderr } = await installed.fixture.refused('INSTALL_RUNS_CODE', ['left-pad', '--from', source.path], { env });
  expect(stderr).toContain('forked@git+http://');
  expect(left()).toEqual([]);
});

test('with the agreement it all runs, and comes', async () => {
  const source = sourceWith({ dependencies: { forked: gitDependency('forked'), native: '^1.0.0' }, ...scripts('source') });
  await installed.fixture.accepted(['left-pad', '--from', source.path, '--run-scripts'], { env: installed.env });
  expect(left()).toEqual(expect.arrayContaining(['forked-prepack', 'native-postinstall', 'source-postinstall']));
});

test('what the monorepo itself has from a git repository stays, and is no reason to refuse', async () => {
  const { fixture, env, yarn } = installed;
  const range = gitDependency('own');
  fixture.monorepo.write({
    'packages/here/package.json': formatManifest({ name: 'here', version: '1.0.0', dependencies: { own: range } }),
  });
  await yarn('install', '--no-immutable', '--mode=update-lockfile');
  fixture.monorepo.commit('Fork');
  const source = sourceWith({ dependencies: { own: range, lib: '^1.0.0' } });
  const { stdout } = await fixture.accepted(['left-pad', '--from', source.path, '--json'], { env });
  expect(JSON.parse(stdout).installation).toBe('done');
});
