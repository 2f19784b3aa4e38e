import { expect, test } from '@jest/globals';
import { mayBeOfCi } from '../changed-files.js';
import { ENGINES } from '../engines/engines.js';
import { actionFolder, isCiFile, typeOf } from './file-types.js';

/** Per engine: paths of its own files, and of files that look similar. */
const EXAMPLES: readonly (readonly [engine: string, own: readonly string[], others: readonly string[]])[] = [
  [
    'github',
    ['.github/workflows/ci.yml', '.github/workflows/ci.yaml', '.github/actions/a/b/c.js'],
    ['.github/workflows/a/ci.yml', '.github/a.sh'],
  ],
  ['gitlab', ['.gitlab-ci.yml', '.gitlab/ci/a.yml'], ['.gitlab/a.md', 'a/.gitlab-ci.yml']],
  ['circleci', ['.circleci/config.yml', '.circleci/a.sh'], ['circleci/a']],
  ['buildkite', ['.buildkite/pipeline.yml', '.buildkite/a.sh'], ['buildkite.yml']],
  ['azure', ['azure-pipelines.yml', 'azure-pipelines-pr.yaml'], ['ci/azure-pipelines.yml']],
  ['jenkins', ['Jenkinsfile'], ['a/Jenkinsfile', 'Jenkinsfile.md']],
];

test.each(EXAMPLES)('the files of %s', (name, own, others) => {
  const engine = ENGINES.find((one) => one.name === name);
  expect(own.filter((path) => engine?.pipeline.owns(path) !== true)).toEqual([]);
  expect(others.filter((path) => engine?.pipeline.owns(path) === true)).toEqual([]);
  // The quick check must find every file that the thorough one finds.
  expect(own.filter((path) => !isCiFile(path) || !mayBeOfCi(path))).toEqual([]);
});

test('every engine has examples here', () =>
  expect(EXAMPLES.map(([engine]) => engine).sort()).toEqual(ENGINES.map(({ name }) => name).sort()));

test.each([
  ['github', { GITHUB_REPOSITORY: 'a/b', GITHUB_WORKFLOW_REF: 'a/b/.github/workflows/ci.yml@refs/heads/x@y' }, '.github/workflows/ci.yml'],
  ['github', { GITHUB_REPOSITORY: 'a/b', GITHUB_WORKFLOW_REF: 'a/c/.github/workflows/ci.yml@x' }, undefined],
  ['github', {}, undefined],
  ['gitlab', {}, '.gitlab-ci.yml'],
  ['gitlab', { CI_CONFIG_PATH: 'ci/main.yml' }, 'ci/main.yml'],
  ['circleci', {}, undefined],
])('a run of %s with %j begins with %j', (name, variables, file) => {
  expect(ENGINES.find((one) => one.name === name)?.pipeline.begins(variables)).toBe(file);
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
