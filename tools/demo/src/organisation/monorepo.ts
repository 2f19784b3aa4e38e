// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are lines of somebody's code
import type { Files } from '@tributary/test-repo/temp-repo';
import { mara, tom } from './people.js';
import { COMPANY_REGISTRY, type CommitEvent, commit, file, type Story } from './story.js';

const appManifest = {
  name: '@harbor/rider-app',
  version: '5.2.0',
  private: true,
  type: 'module',
  scripts: { test: 'node --test' },
  dependencies: {
    '@harbor/brand': 'workspace:^',
    '@harbor/docks': '^1.1.0',
    '@harbor/fares': '^1.2.0',
    '@harbor/geo': '^2.0.0',
    '@harbor/trips': '^2.0.0',
    docktalk: '^1.0.0',
    plumbob: '^3.0.0',
    quaylog: '^3.0.0',
    seaunits: '^1.3.0',
    semaflag: '^1.0.0',
    tidewait: '^1.0.0',
  },
};

const app = file(
  "import { greeting } from '@harbor/brand';",
  "import { findBike } from '@harbor/docks';",
  "import trips from '@harbor/trips';",
  "import plumbob from 'plumbob';",
  "import quaylog from 'quaylog';",
  "import semaflag from 'semaflag';",
  "import tidewait from 'tidewait';",
  '',
  "const flags = semaflag.flags(['greet']);",
  '',
  'export function welcome(rider, stations) {',
  "  plumbob.number(rider.lat, 'lat');",
  '  const found = findBike(rider, stations);',
  "  return quaylog.log(flags.has('greet') ? greeting(rider.name) : '', found ? `A bike is ${found.words} away.` : 'No bike is near.');",
  '}',
  '',
  'export const later = () => tidewait.wait(10);',
  'export const goodbye = (trip) => trips.receipt(trip).summary;',
);

const appTest = file(
  "import assert from 'node:assert/strict';",
  "import test from 'node:test';",
  "import { welcome } from '../src/app.js';",
  '',
  "const pier = { name: 'Old pier', lat: 38.703, lon: -9.17, bikes: [42] };",
  '',
  "test('a rider at the pier is greeted', () => {",
  "  assert.equal(welcome({ name: 'Ada', lat: 38.703, lon: -9.17 }, [pier]), 'Ahoy, Ada! A bike is 0 m away.');",
  '});',
);

const brandManifest = {
  name: '@harbor/brand',
  version: '1.0.0',
  private: true,
  type: 'module',
  exports: './brand.js',
  scripts: { test: 'node --test' },
};

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The manifests of the workspaces that the monorepo has from the start, by folder. */
export const OWN_WORKSPACES = { 'apps/rider': appManifest, 'packages/brand': brandManifest } as const;

const workspaceManifests: Files = Object.fromEntries(
  Object.entries(OWN_WORKSPACES).map(([folder, manifest]) => [`${folder}/package.json`, json(manifest)]),
);

const IGNORED = 'node_modules\n.yarn/*\n!.yarn/releases\n';

/** The path from the monorepo to the six repositories. */
const SOURCES_FOLDER = '../sources';

/** Returns the monorepo of the application: Yarn 4, an app, one package of its own, and a tributary.json that names the six. */
export function monorepo(sources: Readonly<Record<string, string>>): Story {
  const packages = Object.fromEntries(Object.entries(sources).map(([name, folder]) => [name, { source: `${SOURCES_FOLDER}/${folder}` }]));
  return {
    folder: 'harbor',
    manager: 'Yarn 4',
    begin: '2025-09-01T09:00:00Z',
    hoursBetween: 26,
    events: [
      commit(mara, 'One workspace for the app', {
        manifest: {
          name: 'harbor',
          private: true,
          packageManager: 'yarn@4.18.1',
          workspaces: ['apps/*', 'packages/*'],
          scripts: {
            test: 'yarn workspaces foreach --all run test',
            release: 'yarn workspaces foreach --all --no-private npm publish',
          },
        },
        files: {
          '.gitignore': IGNORED,
          '.yarnrc.yml': `nodeLinker: node-modules\n\nnpmRegistryServer: "${COMPANY_REGISTRY}"\n`,
          'README.md': '# Harbor Bikes\n',
          'apps/rider/src/app.js': app,
          'packages/brand/brand.js': file('export const color = "#0b5e8a";', '', 'export const greeting = (name) => `Ahoy, ${name}!`;'),
          ...workspaceManifests,
        },
      }),
      commit(tom, 'Test the welcome', { files: { 'apps/rider/test/app.test.js': appTest } }),
      commit(mara, 'Say where the packages come from', { files: { 'tributary.json': json({ migrate: { packages } }) } }),
    ],
  };
}

/** The setup for `affected run-shard`: turborepo knows the task, and the output of both is ignored. */
export const throughTurborepo: CommitEvent = commit(mara, 'Run the tests through turborepo', {
  files: {
    'turbo.json': json({ tasks: { build: { dependsOn: ['^build'] }, test: { dependsOn: ['^build'] } } }),
    '.gitignore': `${IGNORED}.turbo\n.tributary\nplan.json\n`,
  },
});

/** A change that no test can notice. */
export const greeting: CommitEvent = commit(tom, 'Say who we are', {
  files: { 'README.md': '# Harbor Bikes\n\nBikes for a port town.\n' },
});
