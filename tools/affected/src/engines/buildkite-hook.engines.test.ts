import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { findTool } from './tools.fixture.js';

// The real agent reads the hook of `ci/buildkite/agent-environment` before a job; whom does it give the token of the remote cache?

const program = findTool('BUILDKITE_AGENT');
const cleanUp = cleanUpIn(afterEach);
const OWN = 'git@github.example:acme/shop.git';

(program === undefined ? describe.skip : describe)('the hook for agents', () => {
  test.each<[job: string, token: string, variables: Readonly<Record<string, string>>]>([
    ['a push', 'secret', { BUILDKITE_PULL_REQUEST: 'false', BUILDKITE_PULL_REQUEST_REPO: '' }],
    ['a pull request of the repository itself', 'secret', { BUILDKITE_PULL_REQUEST_REPO: 'git://github.example/acme/shop.git' }],
    ['the same, written otherwise', 'secret', { BUILDKITE_PULL_REQUEST_REPO: 'https://github.example/acme/shop/' }],
    ['a fork', '', { BUILDKITE_PULL_REQUEST_REPO: 'git://github.example/mallory/shop.git' }],
    ['the same through ssh', 'secret', { BUILDKITE_PULL_REQUEST_REPO: 'ssh://git@github.example:22/acme/shop.git' }],
    ['a fork in a group of that name', '', { BUILDKITE_PULL_REQUEST_REPO: 'git://github.example/mallory/acme/shop.git' }],
    ['a fork whose owner ends alike', '', { BUILDKITE_PULL_REQUEST_REPO: 'git://github.example/not-acme/shop.git' }],
    ['a pull request of nobody knows what', '', { BUILDKITE_PULL_REQUEST_REPO: '' }],
    [
      'a fork, where the machine has a token of its own',
      '',
      { BUILDKITE_PULL_REQUEST_REPO: 'git://github.example/mallory/shop', TURBO_TOKEN: 'x' },
    ],
    ['a machine without a token', '', { BUILDKITE_PULL_REQUEST: 'false', TURBO_TOKEN_FILE: 'nowhere' }],
  ])('%s: "%s"', async (_, token, variables) => {
    const folder = cleanUp.add(new TempFolder());
    for (const name of ['hooks', 'builds/machine/acme/shop']) mkdirSync(folder.join(name), { recursive: true });
    copyFileSync(join(findProjectRoot(), 'ci/buildkite/agent-environment'), folder.join('hooks', 'environment'));
    const told = folder.join('told');
    // The log would hide it.
    const { code, stderr } = await runProcess(program ?? '', ['bootstrap', '--phases', 'command'], {
      cwd: folder.path,
      env: {
        ...{
          BUILDKITE_JOB_ID: 'job',
          BUILDKITE_AGENT_NAME: 'machine',
          BUILDKITE_ORGANIZATION_SLUG: 'acme',
          BUILDKITE_PIPELINE_SLUG: 'shop',
        },
        ...{ BUILDKITE_BUILD_PATH: folder.join('builds'), BUILDKITE_HOOKS_PATH: folder.join('hooks'), BUILDKITE_SHELL: '/bin/sh -e -c' },
        ...{
          BUILDKITE_COMMAND: `printf %s "$TURBO_TOKEN" > "${told}"`,
          BUILDKITE_COMMAND_EVAL: 'true',
          BUILDKITE_BIN_PATH: dirname(program ?? ''),
        },
        ...{
          BUILDKITE_REPO: OWN,
          BUILDKITE_PULL_REQUEST: '7',
          BUILDKITE_COMMIT: 'HEAD',
          BUILDKITE_BRANCH: 'topic',
          BUILDKITE_PIPELINE_PROVIDER: 'git',
        },
        TURBO_TOKEN_FILE: folder.write('token', 'secret\n'),
        ...variables,
      },
    });
    if (code !== 0) throw new Error(stderr);
    expect(existsSync(told) && readFileSync(told, 'utf8')).toBe(token);
  });
});
