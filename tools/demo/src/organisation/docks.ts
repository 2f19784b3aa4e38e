import { bot, ines, mara, tom, yuki } from './people.js';
import { branch, COMPANY_REGISTRY, commit, file, merge, release, type Story } from './story.js';

const station = file(
  "import { decode } from 'docktalk';",
  '',
  '/** What is known of one station, from the frames of its docks. */',
  'export function readStation(place, frames) {',
  '  const docks = new Map();',
  '  for (const frame of frames) {',
  '    const { kind, dock, bike } = decode(frame);',
  "    docks.set(dock, kind === 'returned' ? bike : undefined);",
  '  }',
  '  return { ...place, bikes: [...docks.values()].filter((bike) => bike !== undefined) };',
  '}',
);

const search = (cached: 'cached' | 'plain'): string =>
  file(
    "import geo from '@harbor/geo';",
    ...(cached === 'cached' ? ["import saltbox from 'saltbox';"] : []),
    '',
    '/** The nearest station with a bike. */',
    'export function findBike(rider, stations) {',
    '  return geo.nearest(rider, stations.filter((station) => station.bikes.length > 0));',
    '}',
    ...(cached === 'cached' ? ['', 'export const findBikeOnce = (stations) => saltbox.keep((rider) => findBike(rider, stations));'] : []),
  );

const small = (name: string, test: string): string => file(`export function ${name}(station) {`, `  return ${test};`, '}');

const entry = (...modules: readonly string[]): string => file(...modules.map((name) => `export * from './src/${name}.js';`));

const tests = file(
  "import assert from 'node:assert/strict';",
  "import test from 'node:test';",
  "import { encode } from 'docktalk';",
  "import mooring from 'mooring';",
  "import { findBike, isEmpty, isFull, readStation } from '../index.js';",
  '',
  "const square = readStation({ name: 'Praça Velha', lat: 38.709, lon: -9.133, docks: 1 }, [encode({ kind: 1, dock: 1, bike: 42 })]);",
  "const pier = readStation({ name: 'Old pier', lat: 38.703, lon: -9.17, docks: 1 }, [encode({ kind: 2, dock: 1, bike: 7 })]);",
  '',
  "test('an empty station is passed by', () => assert.equal(findBike(pier, [square, pier]).place.name, 'Praça Velha'));",
  "test('how far it is', () => assert.ok(mooring.near(findBike(pier, [square]).metres, 3280, 10)));",
  "test('full and empty', () => assert.deepEqual([isFull(square), isEmpty(pier)], [true, true]));",
);

// A real release has three megabytes and is irrelevant to the demo.
const placeholder = file(
  '// In the place of a committed Yarn, which has 3 MB: fetches the same version from the registry.',
  "const args = ['--yes', '--package=@yarnpkg/cli-dist@4.18.1', '--', 'yarn', ...process.argv.slice(2)];",
  "const env = { ...process.env, YARN_IGNORE_PATH: '1' };",
  "process.exitCode = require('node:child_process').spawnSync('npx', args, { stdio: 'inherit', env }).status ?? 1;",
);

/** Yarn 4 with a committed release, an octopus merge, dependencies on two of the other repositories. */
export const docks: Story = {
  folder: 'docks',
  manager: 'Yarn 4',
  begin: '2023-10-02T07:50:00Z',
  hoursBetween: 400,
  events: [
    commit(mara, 'Start @harbor/docks', {
      manifest: {
        name: '@harbor/docks',
        version: '0.1.0',
        license: 'UNLICENSED',
        type: 'module',
        exports: './index.js',
        packageManager: 'yarn@4.18.1',
        scripts: { test: 'node --test' },
        dependencies: { docktalk: '^1.0.0' },
      },
      files: {
        '.gitattributes': '* text=auto\n',
        '.gitignore': 'node_modules\n.yarn/*\n!.yarn/releases\n',
        '.yarn/releases/yarn-4.18.1.cjs': placeholder,
        '.yarnrc.yml': `nodeLinker: node-modules\n\nnpmRegistryServer: "${COMPANY_REGISTRY}"\n\nyarnPath: .yarn/releases/yarn-4.18.1.cjs\n`,
        'README.md': '# @harbor/docks\n\nWhere bikes are.\n',
        'index.js': entry('station'),
        'src/station.js': station,
      },
    }),
    commit(mara, 'Run the tests on GitHub', {
      files: {
        '.github/workflows/test.yml': 'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: yarn && yarn test\n',
      },
    }),
    ...release(mara, '0.2.0'),
    commit(ines, 'Find the nearest bike', {
      manifest: { dependencies: { '@harbor/geo': '^1.1.0' } },
      files: { 'src/search.js': search('plain'), 'index.js': entry('station', 'search') },
    }),
    ...release(mara, '1.0.0', 'Opening day\n'),
    ...branch('full', commit(tom, 'Full stations', { files: { 'src/full.js': small('isFull', 'station.bikes.length >= station.docks') } })),
    ...branch('empty', commit(yuki, 'Empty stations', { files: { 'src/empty.js': small('isEmpty', 'station.bikes.length === 0') } })),
    ...branch('free', commit(ines, 'Free docks', { files: { 'src/free.js': small('countFree', 'station.docks - station.bikes.length') } })),
    merge(mara, ['full', 'empty', 'free'], 'Merge three small questions at once'),
    commit(mara, 'Export the answers', { files: { 'index.js': entry('station', 'search', 'full', 'empty', 'free') } }),
    commit(tom, 'Test at the pier', { manifest: { devDependencies: { mooring: '^1.0.0' } }, files: { 'test/docks.test.js': tests } }),
    ...release(mara, '1.1.0', 'Full, empty, free\n'),
    commit(bot, 'Update @harbor/geo to 2', { manifest: { dependencies: { '@harbor/geo': '^2.0.0' } } }),
    commit(ines, 'Keep answers for a while', {
      manifest: { dependencies: { saltbox: '^1.3.0' } },
      files: { 'src/search.js': search('cached') },
    }),
    ...release(ines, '1.2.0'),
    commit(mara, 'Who to ask', { files: { CODEOWNERS: '* @harbor/fleet\n' } }),
    ...release(mara, '1.2.1'),
  ],
};
