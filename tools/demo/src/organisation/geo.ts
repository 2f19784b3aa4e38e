import { bot, ines, tom, yuki } from './people.js';
import { branch, COMPANY_REGISTRY, type CommitEvent, commit, file, merge, release, type Story } from './story.js';

/** In metres. */
const RADIUS = 'const EARTH = 6371000;';
const MEAN_RADIUS = 'const EARTH = 6371008.8;';
const EXACT_RADIUS = 'const EARTH = 6371008.7714;';

const refuseOdd = [
  'function refuseOdd(...places) {',
  "  for (const { lat, lon } of places) [lat, lon].forEach((degrees) => number(degrees, 'a coordinate'));",
  '}',
  '',
];

const distance = (radius: string, check: 'checked' | 'plain'): string =>
  file(
    "'use strict';",
    '',
    ...(check === 'checked' ? ["const { number } = require('plumbob');", ''] : []),
    radius,
    '',
    '/** Metres on a great circle. */',
    'function distance(from, to) {',
    ...(check === 'checked' ? ['  refuseOdd(from, to);'] : []),
    '  const dLat = radians(to.lat - from.lat) / 2;',
    '  const dLon = radians(to.lon - from.lon) / 2;',
    '  const a = Math.sin(dLat) ** 2 + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.sin(dLon) ** 2;',
    '  return 2 * EARTH * Math.asin(Math.sqrt(a));',
    '}',
    '',
    'const radians = (degrees) => (degrees * Math.PI) / 180;',
    '',
    ...(check === 'checked' ? refuseOdd : []),
    'module.exports = { distance };',
  );

const nearest = file(
  "'use strict';",
  '',
  "const { formatMetres } = require('seaunits');",
  "const { distance } = require('./distance.js');",
  '',
  '/** The nearest of some places, with how far it is in words. */',
  'function nearest(from, places) {',
  '  const byDistance = places.map((place) => ({ place, metres: distance(from, place) })).sort((a, b) => a.metres - b.metres);',
  '  const [first] = byDistance;',
  '  return first && { ...first, words: formatMetres(first.metres) };',
  '}',
  '',
  'module.exports = { nearest };',
);

const box = file(
  "'use strict';",
  '',
  '/** Whether a place lies inside [south, west, north, east]. */',
  'function inside(place, [south, west, north, east]) {',
  '  return place.lat >= south && place.lat <= north && place.lon >= west && place.lon <= east;',
  '}',
  '',
  'module.exports = { inside };',
);

const entry = (...modules: readonly string[]): string =>
  file("'use strict';", '', `module.exports = { ${modules.map((name) => `...require('./src/${name}.js')`).join(', ')} };`);

const places = (name: string, lat: number, lon: number): string => `${JSON.stringify({ name, lat, lon }, null, 2)}\n`;

const tests = file(
  "'use strict';",
  '',
  "const assert = require('node:assert/strict');",
  "const test = require('node:test');",
  "const { near } = require('mooring');",
  "const geo = require('..');",
  "const square = require('../places/praça-velha.json');",
  "const pier = require('../places/pier.json');",
  '',
  "test('a degree of latitude has 111 km', () => {",
  '  assert.ok(near(geo.distance({ lat: 0, lon: 0 }, { lat: 1, lon: 0 }), 111195, 5));',
  '});',
  '',
  "test('the pier is the nearest to itself', () => {",
  "  assert.equal(geo.nearest(pier, [square, pier]).words, '0 m');",
  '});',
);

/** npm, a file whose name is not ASCII, a merge, authors in three time zones. */
export const geo: Story = {
  folder: 'geo',
  manager: 'npm',
  begin: '2022-01-17T10:40:00Z',
  hoursBetween: 600,
  events: [
    commit(ines, 'Start @harbor/geo', {
      manifest: {
        name: '@harbor/geo',
        version: '0.1.0',
        license: 'UNLICENSED',
        main: 'index.js',
        scripts: { test: 'node --test' },
        devDependencies: { mooring: '^1.0.0' },
      },
      files: {
        '.gitignore': 'node_modules\n*.log\n',
        '.npmignore': 'test\nplaces\n',
        '.npmrc': `registry=${COMPANY_REGISTRY}/\n`,
        'README.md': '# @harbor/geo\n',
      },
    }),
    commit(ines, 'Great circles', { files: { 'src/distance.js': distance(RADIUS, 'plain'), 'index.js': entry('distance') } }),
    commit(ines, 'The places that tests are about', {
      files: { 'places/praça-velha.json': places('Praça Velha', 38.709, -9.133), 'places/pier.json': places('Old pier', 38.703, -9.17) },
    }),
    ...release(ines, '1.0.0'),
    commit(yuki, 'Take the mean radius', { files: { 'src/distance.js': distance(MEAN_RADIUS, 'plain') } }),
    commit(bot, 'Update mooring to 2', { manifest: { devDependencies: { mooring: '^2.0.0' } } }),
    ...release(ines, '1.0.1'),
    ...branch('boxes', commit(tom, 'Boxes, for what the map shows', { files: { 'src/box.js': box } })),
    ...branch(
      'nearest',
      commit(tom, 'Find the nearest place', { files: { 'src/nearest.js': nearest }, manifest: { dependencies: { seaunits: '^1.0.0' } } }),
      commit(tom, 'Test it at the pier', { files: { 'test/geo.test.js': tests } }),
    ),
    merge(ines, ['nearest'], 'Merge pull request #14 from harbor/nearest\n\nFind the nearest place'),
    merge(ines, ['boxes'], 'Merge pull request #12 from harbor/boxes\n\nBoxes, for what the map shows'),
    commit(ines, 'Export all of it', { files: { 'index.js': entry('distance', 'nearest', 'box') } }),
    ...release(ines, '1.1.0', 'Boxes, and the nearest place\n'),
    commit(tom, 'Refuse places without coordinates', {
      files: { 'src/distance.js': distance(MEAN_RADIUS, 'checked') },
      manifest: { dependencies: { plumbob: '^2.0.0' } },
    }),
    ...release(tom, '2.0.0', 'Places without coordinates are refused\n'),
    commit(bot, 'Update seaunits to 1.3', { manifest: { dependencies: { seaunits: '^1.3.0' } } }),
    commit(ines, 'Run the tests on GitHub', {
      files: {
        '.github/workflows/test.yml': 'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm ci && npm test\n',
      },
    }),
    ...release(ines, '2.1.0'),
  ],
};

/** A change that a developer could make in the monorepo after the migration. Its tests still pass. */
export const exactRadius: CommitEvent = commit(yuki, 'Take the mean radius to the millimetre', {
  files: { 'src/distance.js': distance(EXACT_RADIUS, 'checked') },
});
