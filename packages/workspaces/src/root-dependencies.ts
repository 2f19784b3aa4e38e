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
