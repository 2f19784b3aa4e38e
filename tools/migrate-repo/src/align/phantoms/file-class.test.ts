import { expect, test } from '@jest/globals';
import { classOf, isCode, isSettings } from './file-class.js';

test.each([
  [
    'production',
    'index.js src/a.ts lib/testing.js bin/cli.mjs src/latest/a.js src/contest.ts src/contest/a.ts src/latest-tests.ts types/a.d.ts',
  ],
  [
    'test',
    'test/a.js src/__tests__/a.tsx src/__mocks__/a.js src/a.test.ts a.spec.js a.test.d.ts e2e/a.ts src/test-utils.ts cypress/a.js test.js type-tests/a.ts typescript_test/a.ts a.typetest.ts a.tst.ts a.test-d.ts vitest.setup.ts jest.setup-env.js test/x.js vitest.global-setup.ts',
  ],
  [
    'fixture',
    'test/fixtures/a.js src/__tests__/__fixtures__/a.ts fixtures/a/index.js test/fixture/a.js test/regenerator-fixtures/a.js __testfixtures__/a.js',
  ],
  [
    'config',
    '.size-limit.cjs .release-it.ts rollup.config.js .eslintrc.js Gruntfile.js karma.conf.js webpack.prod.js tsconfig.build.json .babelrc',
  ],
  ['script', 'scripts/a.js tools/a.ts .changeset/a.mjs docs/.vitepress/a.ts'],
  [
    'sample',
    'bench/a.js benchmark/a.js benchmarks/a.js src/__benchmarks__/a.js perf/a.js __performance_tests__/a.js example/a.js examples/x/a.js demo/a.js',
  ],
])('%s: %s', (expected, paths) => {
  expect(paths.split(' ').map((path) => `${path}: ${classOf(path)}`)).toEqual(paths.split(' ').map((path) => `${path}: ${expected}`));
});

test('what is built or brought in is no code of the package', () => {
  const paths = ['a.js', 'a.vue', 'dist/a.js', 'src/dist/a.js', 'a.min.js', '.pnp.cjs', '.yarn/releases/yarn.cjs', 'a.json', 'vendor/a.js'];
  expect(paths.filter(isCode)).toEqual(['a.js', 'a.vue']);
});

test('files of settings are told from their names', () => {
  const paths = ['.babelrc', '.eslintrc.cjs', 'a/jest.config.ts', 'tsconfig.json', 'tsconfig.base.json', 'config.js', 'src/arc', 'a.json'];
  expect(paths.filter(isSettings)).toEqual(['.babelrc', '.eslintrc.cjs', 'a/jest.config.ts', 'tsconfig.json', 'tsconfig.base.json']);
});
