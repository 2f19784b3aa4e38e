import { expect, test } from '@jest/globals';
import { keysRead } from './keys-read.js';

const REQUIRE = "const pkg = require('./package.json');\n";

test.each<[text: string, keys: readonly string[] | 'any']>([
  [`${REQUIRE}pkg.version; pkg?.engines.node;`, ['version', 'engines']],
  [`${REQUIRE}`, []],
  ["const { name, version: v } = require('./package.json');", ['name', 'version']],
  ["require('./package.json').version", ['version']],
  ["import pkg from './package.json' with { type: 'json' };\npkg.name;", ['name']],
  ["import { version as v } from './package.json';", ['version']],
  [`${REQUIRE}f(pkg);`, 'any'],
  [`${REQUIRE}pkg.version; module.exports = { pkg };`, 'any'],
  [`${REQUIRE}pkg[key];`, 'any'],
  [`${REQUIRE}({ ...pkg });`, 'any'],
  [`${REQUIRE}// pkg is small\npkg.version;`, 'any'],
  [`${REQUIRE}eval('p' + 'kg');`, 'any'],
  [`export ${REQUIRE}pkg.version;`, 'any'],
  [`${REQUIRE}pkg.version; read('./package.json');`, 'any'],
  ["const { name, ...rest } = require('./package.json');", 'any'],
  ["const { [key]: value } = require('./package.json');", 'any'],
  ["const { scripts: { test } } = require('./package.json');", 'any'],
  ["const name = require('./package.json')[key];", 'any'],
  ["exports.pkg = require('./package.json');", 'any'],
  ["import * as pkg from './package.json';\npkg.name;", 'any'],
  ["import { default as pkg } from './package.json';\npkg.name;", 'any'],
  ["export { version } from './package.json';", 'any'],
  ["read(join(__dirname, './package.json'));", 'any'],
  [`${REQUIRE}pkg.version; read(join(__dirname, 'package.json'));`, 'any'],
  [`${REQUIRE}pkg.version; require('../x/package');`, 'any'],
  [`${REQUIRE}pkg.hasOwnProperty('jest');`, 'any'],
  ["const all = require('./package.json')!.devDependencies;\nall.jest;", 'any'],
  ["const all = require('./package.json') // its\n  .devDependencies;\nall.jest;", 'any'],
  ["const all = require('./package.json')\n  .devDependencies;\nall.jest;", ['devDependencies']],
])('%j', (text, keys) => {
  const found = keysRead(text, './package.json');
  expect(found === undefined ? 'any' : [...found]).toEqual(keys);
});
