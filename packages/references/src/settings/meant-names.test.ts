import { expect, test } from '@jest/globals';
import { meantIn, namesIn } from './names.fixture.js';

test.each<[path: string, text: string, names: string]>([
  ['.babelrc', '{ "presets": ["env", ["@babel/react", { "a": "b" }]] }', 'babel-preset-env:1, @babel/preset-react:1'],
  [
    '.babelrc',
    '// why\n{ presets: ["module:metro", "./own", "@acme", "@acme/x"], }',
    'metro:2, @acme/babel-preset:2, @acme/babel-preset-x:2',
  ],
  [
    'babel.config.js',
    'module.exports = {\n plugins: [require("a"), require.resolve("c"), "transform-runtime", "babel-plugin-b"] }',
    'babel-plugin-transform-runtime:2, babel-runtime:2, babel-plugin-b:2',
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
  ['.eslintrc.yml', 'settings:\n  import/resolver:\n    node: {}\n    typescript: {}\n', 'eslint-import-resolver-typescript|typescript:4'],
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
  ['.taprc', '# tap\nnode-arg:\n  - --expose-gc\nplugin:\n  - "@tapjs/clock"\n  - "!@tapjs/mock"\n', '@tapjs/clock:5'],
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
  expect(meantIn(path, text)).toBe(names);
});

test.each<[path: string, text: string, names: string]>([
  ['jest.config.js', "'use strict';\nconst mode = 'production';\nif (mode === 'x') exit('y');", ''],
  ['prettier.config.mjs', "const used = 'no';\nexport default '@acme/p';", '@acme/p:2'],
  ['prettier.config.cjs', "module.exports = '@acme/p';", '@acme/p:1'],
  ['.prettierrc.json5', "{ plugins: ['prettier-plugin-a'], }", 'prettier-plugin-a:1'],
  [
    '.eslintrc.cjs',
    "x = { settings: { 'import/parsers': { '@acme/parser': ['.ts'] }, 'import/resolver': { typescript: false } } }",
    '@acme/parser:1',
  ],
  ['.postcssrc.json', '{ "plugins": { "autoprefixer": {}, "cssnano": false } }', 'autoprefixer:1'],
  ['.postcssrc.yml', 'plugins:\n  autoprefixer: {}\n  cssnano: false\n', 'autoprefixer:2'],
  ['package.json', '{ "postcss": { "plugins": { "autoprefixer": true } } }', 'autoprefixer:1'],
  [
    '.babelrc',
    '{ "plugins": ["@babel/transform-runtime", ["x", { "libraryName": "y", "mode": "z" }]] }',
    '@babel/plugin-transform-runtime:1, @babel/runtime|@babel/runtime-corejs3|@babel/runtime-corejs2:1, babel-plugin-x:1, y:1',
  ],
  ['.commitlintrc.yml', 'extends:\n  - "@acme"\n  - x\n', '@acme/commitlint-config|@acme:2, commitlint-config-x|x:3'],
  ['.remarkrc', '{ "plugins": ["lint", ["remark-toc", {}]] }', 'remark-lint|lint:1, remark-toc:1'],
  ['.releaserc', 'plugins:\n  - "@acme/r"\n  - ["@semantic-release/npm", {a: b}]\npublish:\n  path: "@acme/p"\n', '@acme/r:2, @acme/p:5'],
  ['lerna.json', '{ "changelogPreset": "angular" }', 'conventional-changelog-angular|angular:1'],
  ['.nycrc', '{ "reporter": ["lcov", "@acme/r"], "parser-plugins": ["typescript"] }', '@acme/r:1'],
])('%s: %j: %s', (path, text, names) => {
  expect(meantIn(path, text)).toBe(names);
});

test('a wide reading adds what a short name may mean to other tools, as guesses', () => {
  expect(namesIn('.babelrc', '{ "presets": ["foo"] }')).toEqual(expect.arrayContaining(['module foo', 'module babel-plugin-foo']));
  expect(meantIn('.babelrc', '{ "presets": ["foo"] }')).toBe('babel-preset-foo:1');
});
