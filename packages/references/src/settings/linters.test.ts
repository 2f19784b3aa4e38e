import { describe, expect, test } from '@jest/globals';
import { namesIn } from './names.fixture.js';

describe('settings of ESLint', () => {
  const cases: readonly (readonly [settings: object, names: readonly string[]])[] = [
    [{ extends: 'foo' }, ['module foo', 'module eslint-config-foo', 'module eslint-plugin-foo']],
    [
      { extends: ['@x', '@x/foo'] },
      [
        'module @x',
        'module @x/eslint-config',
        'module @x/eslint-plugin',
        'module @x/foo',
        'module @x/eslint-config-foo',
        'module @x/eslint-plugin-foo',
      ],
    ],
    [
      { extends: ['eslint:recommended', 'plugin:foo/all', 'plugin:@x/foo/all'] },
      ['module foo', 'module eslint-plugin-foo', 'module @x/foo', 'module @x/eslint-plugin-foo'],
    ],
    [{ extends: ['../../.eslintrc.json', './b.js'] }, ['../../.eslintrc.json', './b.js']],
    [
      { parser: '@x/parser', plugins: ['eslint-plugin-foo'] },
      ['module @x/parser', 'module eslint-plugin-foo', 'module eslint-config-eslint-plugin-foo'],
    ],
    [
      { overrides: [{ files: '*.ts', extends: '../o.json', parserOptions: { project: ['tsconfig.json'] } }] },
      ['../o.json', 'text tsconfig.json'],
    ],
    [{ parserOptions: { babelOptions: { configFile: '../b.js', presets: ['module:p'] } } }, ['../b.js', 'module p']],
    [
      { settings: { 'import/resolver': { typescript: { project: '../t.json' } } } },
      ['text ../t.json', 'module eslint-import-resolver-typescript', 'module typescript'],
    ],
    [{ rules: { 'no-x': ['error', { paths: ['../y'] }] }, env: { node: true } }, ['text ../y']],
  ];
  test.each(cases)('%j', (settings, names) => {
    expect(namesIn('p/a/.eslintrc.json', settings)).toEqual(expect.arrayContaining([...names]));
  });

  test('without an ending, as JSON or YAML', () => {
    expect(namesIn('p/a/.eslintrc', '// why\n{"extends": "./a.js"}')).toEqual(['./a.js']);
    expect(namesIn('p/a/.eslintrc', 'extends: ./a.js\n')).toEqual(['./a.js']);
    expect(namesIn('p/a/.eslintrc.yaml', 'extends: [./a.js]\n')).toEqual(['./a.js']);
  });
});

describe('settings of other linters', () => {
  const cases: readonly (readonly [path: string, settings: object, names: readonly string[]])[] = [
    [
      'biome.json',
      { extends: ['//', '../biome.json', '@x/biome'], plugins: ['../p.grit'] },
      ['../biome.json', 'module @x/biome', '../p.grit'],
    ],
    ['biome.jsonc', { extends: '//', plugins: [{ path: './p.grit' }] }, ['./p.grit']],
    [
      '.oxlintrc.json',
      { extends: ['../.oxlintrc.json'], jsPlugins: ['@x/o', { name: 'p', specifier: '../p.js' }] },
      ['../.oxlintrc.json', 'module @x/o', '../p.js'],
    ],
    ['.stylelintrc', { extends: ['@x/s'], plugins: ['../p.js'], customSyntax: '@x/c' }, ['module @x/s', '../p.js', 'module @x/c']],
    ['.stylelintrc', { referenceFiles: ['../t.css', { files: '../u.css' }] }, ['../t.css', '../u.css']],
    [
      '.prettierrc',
      { plugins: ['@x/p', '../p.js'], overrides: [{ options: { plugins: ['@x/q'], parser: 'x' } }] },
      ['module @x/p', '../p.js', 'module @x/q'],
    ],
  ];
  test.each(cases)('%s %j', (path, settings, names) => {
    expect(namesIn(`p/a/${path}`, settings)).toEqual(names);
  });
});
