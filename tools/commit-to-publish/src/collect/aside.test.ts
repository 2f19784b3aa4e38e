import { expect, test } from '@jest/globals';
import { isAside } from './published-files.js';

test.each([
  '.github/workflows/ci.yml',
  '.github/a',
  '.gitlab-ci.yaml',
  '.circleci/a/b',
  'azure-pipelines-pr.yml',
  'Jenkinsfile',
  '.drone.yml',
])('%s is a CI setting', (path) => expect(isAside(path)).toBe(true));

test.each(['src/index.js', '.npmignore', 'src/.github/a.js', 'Jenkinsfile.js'])('%s may be published', (path) =>
  expect(isAside(path)).toBe(false),
);
