import picomatch from 'picomatch';
import { compileGlob } from './glob.js';
import type { TaskKind } from './task-kinds.js';

const LINTERS: readonly string[] = [
  'prettier',
  'prettier-*',
  '@prettier/*',
  '@*/prettier-*',
  '@trivago/prettier-plugin-*',
  'pretty-quick',
  'oxfmt',
  'dprint',
  'eslint',
  'eslint-*',
  '@eslint/*',
  '@*/eslint-*',
  '@*/eslint',
  'typescript-eslint',
  '@typescript-eslint/*',
  'oxlint',
  'oxlint-*',
  '@biomejs/biome',
  'stylelint',
  'stylelint-*',
  'markdownlint',
  'markdownlint-*',
  'cspell',
  '@cspell/*',
  'knip',
  'depcheck',
  'syncpack',
  'sort-package-json',
  'publint',
  '@arethetypeswrong/*',
];

/** Tools for hooks and releases. */
const AROUND_COMMITS: readonly string[] = [
  'husky',
  'lint-staged',
  'nano-staged',
  'lefthook',
  'simple-git-hooks',
  'commitizen',
  'cz-*',
  '@commitlint/*',
  'commitlint',
  '@changesets/*',
  'semantic-release',
  '@semantic-release/*',
  'release-it',
  'auto-changelog',
  '@*/auto-changelog',
  '@*/create-release-branch',
  'commit-and-tag-version',
  'standard-version',
  'release-please',
  'lerna-changelog',
  '@lerna-lite/{publish,version}',
  '@crowdin/cli',
  'conventional-changelog*',
  '@auto-it/*',
  'npm-check-updates',
  'all-contributors-cli',
  'typedoc',
  'typedoc-*',
];

/**
 * Dependencies of the root package.json that take no part in tests or builds: formatters, linters, hooks, releases. Every other one selects
 * every workspace, because any workspace can use what the root installs (a test runner, a compiler) without declaring it.
 */
export const ROOT_ONLY_DEPENDENCIES: readonly string[] = [...LINTERS, ...AROUND_COMMITS];

/** Test runners, and what only tests import: assertions, mocks, coverage, environments. */
const TEST_TOOLS: readonly string[] = [
  '{jest,vitest,mocha,chai,sinon,ava,tape,jasmine,karma,nyc,c8,cypress,playwright,nock,msw,supertest,tap,uvu,expect,should,proxyquire}',
  '{jest,vitest,mocha,chai,sinon,ava,jasmine,karma,cypress,playwright,mockery}-*',
  '@{jest,vitest,playwright,cypress,testing-library,jest-mock,fast-check,sinonjs,web-test-runner,open-wc}/*',
  '{ts-jest,babel-jest,esbuild-jest,jsdom,happy-dom,fast-check,pg-mem,mock-fs,memfs,tsd,testdouble}',
  '@swc/jest',
  '@types/{jest,mocha,chai,sinon,jasmine,karma,tape,supertest,nock,jsdom,mock-fs,proxyquire,sinon-chai,chai-as-promised}',
];

const isTestTool = picomatch([...ROOT_ONLY_DEPENDENCIES, ...TEST_TOOLS]);

/** Returns whether only tests, linters and such use a development dependency of this name. */
export function isForTestsAlone(name: string): boolean {
  return isTestTool(name);
}

const ROOT_ONLY: Readonly<Record<TaskKind, readonly string[]>> = {
  test: ROOT_ONLY_DEPENDENCIES,
  build: ROOT_ONLY_DEPENDENCIES,
  lint: AROUND_COMMITS,
  format: AROUND_COMMITS,
  other: [],
};

/** Returns whether a change of a root dependency affects only the root, for tasks of a kind. `further` are patterns of the user. */
export function buildRootOnly(further: readonly string[], kind: TaskKind = 'test'): (name: string) => boolean {
  const matches = picomatch([...ROOT_ONLY[kind]]);
  // One beyond the limits spares nothing.
  const isFurther = further.flatMap((glob) => compileGlob(glob) ?? []);
  // In picomatch, `*` ends at a slash; a lone `*` is meant to match whole names.
  return (name) => matches(name) || isFurther.some((test) => test(name)) || further.includes('*');
}
