import { expect, test } from '@jest/globals';
import { ENGINES } from '../engines/engines.js';
import { actionFolder, typeOf } from './file-types.js';

test.each([
  ['github', { GITHUB_REPOSITORY: 'a/b', GITHUB_WORKFLOW_REF: 'a/b/.github/workflows/ci.yml@refs/heads/x@y' }, '.github/workflows/ci.yml'],
  ['github', { GITHUB_REPOSITORY: 'a/b', GITHUB_WORKFLOW_REF: 'a/c/.github/workflows/ci.yml@x' }, undefined],
  ['github', {}, undefined],
  ['gitlab', {}, '.gitlab-ci.yml'],
  ['gitlab', { CI_CONFIG_PATH: 'ci/main.yml' }, 'ci/main.yml'],
  ['circleci', {}, undefined],
])('a run of %s with %j begins with %j', (name, variables, file) => {
  expect(ENGINES.find((one) => one.name === name)?.begins?.(variables)).toBe(file);
});

test.each([
  ['.github/workflows/ci.yml', 'workflow'],
  ['.github/actions/a/action.yaml', 'workflow'],
  ['tools/a.mts', 'code'],
  ['tools/a.sh', 'shell'],
  ['bin/ci', 'shell'],
  ['Dockerfile.test', 'shell'],
  ['docker-compose.yml', 'shell'],
  ['.gitlab-ci.yml', 'shell'],
  ['docs/a.yml', undefined],
  ['README.md', undefined],
  ['.yarn/releases/yarn.cjs', undefined],
])('%s is read as %j', (path, type) => expect(typeOf(path)).toBe(type));

test.each([
  ['.github/actions/a/dist/index.js', '.github/actions/a'],
  ['.github/actions/group/b/x', '.github/actions/group/b'],
  ['.github/actions/group/x', '.github/actions'],
  ['.github/actions/x', '.github/actions'],
  ['.github/workflows/x.yml', undefined],
])('%s belongs to the action in %j', (path, folder) => {
  const files = new Set(['.github/actions/a/action.yml', '.github/actions/group/b/action.yaml']);
  expect(actionFolder(path, (one) => files.has(one))).toBe(folder);
});
