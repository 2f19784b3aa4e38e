import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { findTool } from './tools.fixture.js';

// The real agent reads the hook of `ci/buildkite/agent-environment` before a job. Which job gets which token of the remote cache?

const program = findTool('BUILDKITE_AGENT');
const cleanUp = cleanUpIn(afterEach);
const OWN = 'git@github.example:acme/shop.git';

(program === undefined ? describe.skip : describe)('the hook for agents', () => {
  test.each<[job: string, token: string, variables: Readonly<Record<string, string>>]>([
    ['a push to the default branch', 'writes', { BUILDKITE_PULL_REQUEST: 'false', BUILDKITE_BRANCH: 'main' }],
    ['a push to another branch', 'reads', { BUILDKITE_PULL_REQUEST: 'false' }],
    ['a pull request of the repository itself', 'reads', { BUILDKITE_PULL_REQUEST_REPO: 'git://github.example/acme/shop.git' }],
    [
      'a pull request whose branch is called as the default one',
      'reads',
      { BUILDKITE_PULL_REQUEST_REPO: 'git://github.example/acme/shop.git', BUILDKITE_BRANCH: 'main' },
    ],
    ['a push where the default branch is not known', 'reads', { BUILDKITE_PULL_REQUEST: 'false', BUILDKITE_PIPELINE_DEFAULT_BRANCH: '' }],
    ['the same, written otherwise', 'reads', { BUILDKITE_PULL_REQUEST_REPO: 'https://github.example/acme/shop/' }],
    ['a fork', '', { BUILDKITE_PULL_REQUEST_REPO: 'git://github.example/mallory/shop.git' }],
    ['the same through ssh', 'reads', { BUILDKITE_PULL_REQUEST_REPO: 'ssh://git@github.example:22/acme/shop.git' }],
    ['a fork in a group of that name', '', { BUILDKITE_PULL_REQUEST_REPO: 'git://github.example/mallory/acme/shop.git' }],
    ['a fork whose owner ends alike', '', { BUILDKITE_PULL_REQUEST_REPO: 'git://github.example/not-acme/shop.git' }],
    [
      'a fork whose branch is called as the default one',
      '',
      { BUILDKITE_PULL_REQUEST_REPO: 'git://github.example/mallory/shop', BUILDKITE_BRANCH: 'main' },
    ],
    ['a pull request of nobody knows what', '', { BUILDKITE_PULL_REQUEST_REPO: '' }],
    [
      'a fork, where the machine has a token of its own',
      '',
      { BUILDKITE_PULL_REQUEST_REPO: 'git://github.example/mallory/shop', TURBO_TOKEN: 'x' },
    ],
    ['a machine without a token that writes', '', { BUILDKITE_PULL_REQUEST: 'false', BUILDKITE_BRANCH: 'main', WITHOUT: 'turbo-token' }],
    ['a machine without a token that reads', '', { BUILDKITE_PULL_REQUEST: 'false', WITHOUT: 'turbo-read-token' }],
    [
      'a step that says where tokens are',
      'reads',
      {
        BUILDKITE_PULL_REQUEST: 'false',
        token_file: '/etc/hostname',
        read_token_file: '/etc/hostname',
        TURBO_READ_TOKEN_FILE: '/etc/hostname',
      },
    ],
  ])('%s: "%s"', async (_, token, variables) => {
    const folder = cleanUp.add(new TempFolder());
    for (const name of ['hooks', 'builds/machine/acme/shop']) mkdirSync(folder.join(name), { recursive: true });
    const hook = readFileSync(join(findProjectRoot(), 'ci/buildkite/agent-environment'), 'utf8');
    writeFileSync(folder.join('hooks', 'environment'), hook.replaceAll('/etc/buildkite-agent/', `${folder.path}/`), { mode: 0o755 });
    for (const [name, content] of Object.entries({ 'turbo-token': 'writes\n', 'turbo-read-token': 'reads\n' }))
      if (variables['WITHOUT'] !== name) folder.write(name, content);
    const told = folder.join('told');
    // The agent would hide the token in its log.
    const { code, stderr } = await runProcess(program ?? '', ['bootstrap', '--phases', 'command'], {
      cwd: folder.path,
      env: {
        BUILDKITE_JOB_ID: 'job',
        BUILDKITE_AGENT_NAME: 'machine',
        BUILDKITE_ORGANIZATION_SLUG: 'acme',
        BUILDKITE_PIPELINE_SLUG: 'shop',
        BUILDKITE_BUILD_PATH: folder.join('builds'),
        BUILDKITE_HOOKS_PATH: folder.join('hooks'),
        BUILDKITE_SHELL: '/bin/sh -e -c',
        BUILDKITE_COMMAND: `printf %s "$TURBO_TOKEN" > "${told}"`,
        BUILDKITE_COMMAND_EVAL: 'true',
        BUILDKITE_BIN_PATH: dirname(program ?? ''),
        BUILDKITE_REPO: OWN,
        BUILDKITE_PULL_REQUEST: '7',
        BUILDKITE_COMMIT: 'HEAD',
        BUILDKITE_BRANCH: 'topic',
        BUILDKITE_PIPELINE_DEFAULT_BRANCH: 'main',
        BUILDKITE_PIPELINE_PROVIDER: 'git',
        ...variables,
      },
    });
    if (code !== 0) throw new Error(stderr);
    expect(existsSync(told) && readFileSync(told, 'utf8')).toBe(token);
  });
});
