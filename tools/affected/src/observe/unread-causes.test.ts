import { expect, test } from '@jest/globals';
import { findUnreadCause, programFor } from './unread-causes.js';

function causeOf(path: string, isInWorkspace = false): string | undefined {
  return findUnreadCause({ path, isSubmodule: false, isInWorkspace });
}

test.each(['Gemfile', 'Pipfile', 'Earthfile', 'WORKSPACE', 'Containerfile', 'tools/Containerfile.dev', 'Dockerfile.ci', 'poetry.lock'])(
  'a change of %s spares nobody',
  (path) => expect(causeOf(path)).toContain(path),
);

test.each(['LICENSE', 'NOTICE', 'Makefile', 'data.cfg', 'tools/Gemfile'])('a change of %s concerns those who read or name it', (path) =>
  expect(causeOf(path)).toBeUndefined(),
);

test('in a workspace, a file without an ending belongs to it', () => expect(causeOf('packages/a/Gemfile', true)).toBeUndefined());

test.each([
  ['Makefile', 'make'],
  ['lib.gemspec', 'bundle'],
  ['setup.py', 'pip'],
  ['noxfile.py', 'nox'],
  ['rules.bzl', 'bazel'],
])('%s is found by %s', (path, program) => expect(programFor(path)).toBe(program));
