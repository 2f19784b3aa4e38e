import { describe, expect, test } from '@jest/globals';
import { readSettings } from './settings.js';
import { namesIn, namesInManifest, toolOf } from './tool-settings.js';

/** Returns `a|b:2` for each setting: the packages that it may name, and its line. */
function namesOf(path: string, text: string): string {
  const read = path === 'package.json' ? namesInManifest : namesIn.bind(undefined, toolOf(path));
  return readSettings(path, text)
    .map((setting) => ({ names: read(setting), line: setting.line }))
    .flatMap(({ names, line }) => (names.length === 0 ? [] : [`${names.join('|')}:${line}`]))
    .join(', ');
}

describe('packages are named', () => {
  test.each<[path: string, text: string, names: string]>([
    ['.babelrc', '{ "presets": ["env", ["@babel/react", { "a": "b" }]] }', 'babel-preset-env:1, @babel/preset-react:1, babel-preset-b:1'],
    [
      '.babelrc',
      '// why\n{ presets: ["module:metro", "./own", "@acme", "@acme/x"], }',
      'metro:2, @acme/babel-preset:2, @acme/babel-preset-x:2',
    ],
    [
      'babel.config.js',
      'module.exports = {\n plugins: [require("a"), "transform-runtime", "babel-plugin-b"] }',
      'babel-plugin-transform-runtime:2, babel-plugin-b:2',
    ],
    [
      'babel.config.json',
      '{ "env": { "test": { "plugins": ["@babel/plugin-a", "@acme/babel-plugin-b"] } } }',
      '@babel/plugin-a:1, @acme/babel-plugin-b:1',
    ],
    [
      '.eslintrc',
      'extends:\n  - airbnb\n  - eslint:recommended\n  - plugin:react/recommended\nplugins: [jest]\n',
      'eslint-config-airbnb:2, eslint-plugin-react:4, eslint-plugin-jest:5',
    ],
    [
      '.eslintrc.json',
      '{"extends":["@acme","@acme/x","airbnb/hooks"],"parser":"babel-eslint"}',
      '@acme/eslint-config:1, @acme/eslint-config-x:1, eslint-config-airbnb/hooks:1, babel-eslint:1',
    ],
    [
      '.eslintrc.js',
      'module.exports = { overrides: [{ extends: ["plugin:@acme/x"] }], rules: { quotes: ["error", "single"] } }',
      '@acme/eslint-plugin:1',
    ],
    [
      '.eslintrc.yml',
      'settings:\n  import/resolver:\n    node: {}\n    typescript: {}\n',
      'eslint-import-resolver-typescript|typescript:4',
    ],
    [
      'jest.config.js',
      'export default { preset: "ts-jest", transform: { "^.+$": ["@swc/jest", {}] }, rootDir: "src" }',
      'ts-jest:1, @swc/jest:1',
    ],
    [
      'jest.config.ts',
      'const a: A = { testEnvironment: "jsdom", setupFiles: ["<rootDir>/a", "a/b"], globals: { c: "d" } }',
      'jest-environment-jsdom:1, a/b:1',
    ],
    [
      'jest.config.js',
      'a({ testEnvironment: "node", reporters: ["default", "jest-junit"], runner: "eslint" })',
      'jest-junit:1, jest-runner-eslint|eslint:1',
    ],
    ['.prettierrc', '"@acme/prettier-config"', '@acme/prettier-config:1'],
    ['.prettierrc', 'semi: false\nparser: typescript\nplugins:\n  - prettier-plugin-a', 'prettier-plugin-a:4'],
    ['postcss.config.cjs', 'module.exports = { plugins: { autoprefixer: {}, "postcss-nested": {} } }', 'autoprefixer:1, postcss-nested:1'],
    [
      'tsconfig.json',
      '{ // why\n "extends": "@tsconfig/node20/tsconfig.json", "compilerOptions": {\n "types": ["jest"], "importHelpers": true } }',
      '@tsconfig/node20/tsconfig.json:2, @types/jest|jest:3, tslib:3',
    ],
    ['tsconfig.build.json', '{ "extends": "./tsconfig.json", "compilerOptions": { "lib": ["dom"], "importHelpers": false } }', ''],
    ['.mocharc.json', '{ "require": ["ts-node/register", "./a"], "reporter": "spec" }', 'ts-node/register:1'],
    ['.taprc', '# tap\nnode-arg:\n  - --expose-gc\nplugin:\n  - "@tapjs/clock"\n  - "!@tapjs/mock"\n', '@tapjs/clock:5, !@tapjs/mock:6'],
    [
      'webpack.config.js',
      'module.exports = { devtool: "source-map", use: ["style-loader", "d"], loader: "babel-loader" }',
      'style-loader:1, babel-loader:1',
    ],
    [
      'package.json',
      '{\n "jest": { "preset": "ts-jest" },\n "eslintConfig": { "extends": "acme" },\n "prettier": "@acme/p", "main": "glob" }',
      'ts-jest:2, eslint-config-acme:3, @acme/p:4',
    ],
    [
      'package.json',
      '{ "babel": { "presets": ["env"] }, "files": ["lib"], "keywords": ["react"], "dependencies": { "a": "1" } }',
      'babel-preset-env:1',
    ],
  ])('%s: %j: %s', (path, text, names) => {
    expect(namesOf(path, text)).toBe(names);
  });
});

test.each([
  ['.eslintrc', '{ "extends": '],
  ['babel.config.js', 'export default {{{'],
  ['.eslintrc.yml', 'a: [b'],
])('%s with %j is refused', (path, text) => {
  expect(() => readSettings(path, text)).toThrow(SyntaxError);
});

test('an empty file has no settings', () => {
  expect(readSettings('.babelrc', '\uFEFF \n')).toEqual([]);
});
