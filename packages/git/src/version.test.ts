import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { checkGitVersion, OLDEST_GIT } from './version.js';

test.each([
  'git version 2.38.0',
  'git version 2.39.5 (Apple Git-154)',
  'git version 2.49.0.windows.1',
  'git version 2.100.1',
  'git version 3.0',
  'git version 10.1.2',
])('%s is new enough', (answer) => {
  expect(() => checkGitVersion(answer)).not.toThrow();
});

test.each([
  ['git version 2.37.9', 'This machine has git version 2.37.9; Tributary needs 2.38 or newer.'],
  ['git version 2.4.0', 'This machine has git version 2.4.0;'],
  ['git version 1.99.0', 'This machine has git version 1.99.0;'],
  ['', 'This machine has a git of unknown version;'],
  ['hub version 2.40', 'This machine has hub version 2.40;'],
])('"%s" is refused', (answer, message) => {
  expect(() => checkGitVersion(answer)).toThrow(
    expect.objectContaining({ code: 'GIT_TOO_OLD', data: { found: answer, needed: OLDEST_GIT } }),
  );
  expect(() => checkGitVersion(answer)).toThrow(message);
});

test('the git of this machine is new enough', () => {
  expect(() => checkGitVersion(execFileSync('git', ['version'], { encoding: 'utf8' }))).not.toThrow();
});
