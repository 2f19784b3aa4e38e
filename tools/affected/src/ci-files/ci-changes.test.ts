import { describe, expect, test } from '@jest/globals';
import { engineNamed } from '../engines/detect.js';
import { actionAt, CI, manifest, type TreeTexts, whyCounted } from './ci-files.fixture.js';
import type { RunningCi } from './ci-reading.js';

const IN_CI: RunningCi = { engine: engineNamed('github'), begins: CI };
const REUSED = '.github/workflows/reused.yml';
const SETUP = actionAt('setup');

const WORKFLOW = `name: CI
on:
  push:
    branches: [main]
permissions:
  contents: read
concurrency: one
env:
  NODE_OPTIONS: --max-old-space-size=4096
defaults:
  run:
    working-directory: .
jobs:
  prepare:
    runs-on: ubuntu-latest
    outputs:
      nodes: \${{ steps.a.outputs.nodes }}
    steps:
      - run: ./list-nodes
        id: a
      - uses: actions/upload-artifact@v4
        with: {name: built, path: dist}
  test:
    name: Tests
    needs: [prepare]
    if: github.actor != 'somebot'
    runs-on: ubuntu-latest
    timeout-minutes: 30
    permissions: {contents: read}
    container: node:20
    services:
      db:
        image: postgres:16
    env:
      CI: 'true'
    strategy:
      matrix:
        node: [18, 20]
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 20
          cache: yarn
      - uses: ./.github/actions/setup
      - run: yarn install --immutable
      - name: Tests
        run: yarn test
        shell: bash
        timeout-minutes: 5
      - uses: actions/download-artifact@v4
      - uses: codecov/codecov-action@v4
        if: always()
      - uses: actions/upload-artifact@v4
        with:
          name: coverage
          path: coverage
      - uses: some/unknown-action@v1
  reused:
    uses: ./.github/workflows/reused.yml
    with:
      command: test
  labels:
    runs-on: ubuntu-latest
    steps:
      - uses: some/pull-request-labels@v1
`;

const BEFORE: TreeTexts = {
  [CI]: WORKFLOW,
  [SETUP]: `name: Set up
description: Sets up
inputs:
  node:
    description: The version
    default: '20'
runs:
  using: composite
  steps:
    - name: Go
      run: corepack enable
      shell: bash
    - run: sh .github/actions/setup/more.sh
      shell: bash
`,
  '.github/actions/setup/more.sh': 'git --version\n',
  [REUSED]: `on:
  workflow_call:
    inputs:
      command:
        type: string
        description: What to run
        default: test
jobs:
  run:
    runs-on: ubuntu-latest
    steps:
      - run: yarn \${{ inputs.command }}
  docs:
    runs-on: ubuntu-latest
    steps:
      - run: git diff
`,
  ...manifest('', { test: 'jest' }),
};

/** A text that is replaced in a file. */
type Change = readonly [sentence: string, from: string, to: string, file?: string];

/** Each change twice: where this workflow runs, and where nothing does. */
function whyEach(from: string, to: string, file = CI): readonly (string | undefined)[] {
  const text = BEFORE[file] ?? '';
  expect(text).toContain(from);
  return ([IN_CI, 'nothing'] as const).map((running) => whyCounted(BEFORE, { [file]: text.replace(from, to) }, running));
}

describe('this selects every workspace', () => {
  test.each<Change>([
    ['the version of Node', 'node-version: 20', 'node-version: 22'],
    ['another type of it', 'node-version: 20', "node-version: '20'"],
    ['the version of the action that sets it up', 'setup-node@v4', 'setup-node@v5'],
    ['the version of checkout', 'checkout@v4', 'checkout@v5'],
    ['the matrix', '[18, 20]', '[18, 20, 22]'],
    ['a zero in a number', '[18, 20]', '[18, 20.0]'],
    ['a variable of the workflow', '4096', '2048'],
    ['a variable of the job', "CI: 'true'", "CI: 'false'"],
    ['a new variable', "CI: 'true'", "CI: 'true'\n      TZ: UTC"],
    ['the image of a service', 'postgres:16', 'postgres:17'],
    ['the container', 'node:20', 'node:22'],
    ['the machine', '    if: github.actor', '    x: 1\n    if: github.actor'],
    ['the folder of commands', 'working-directory: .', 'working-directory: app'],
    ['how it is installed', 'yarn install --immutable', 'yarn install'],
    ['the shell', 'shell: bash', 'shell: sh'],
    ['the condition of the job', "!= 'somebot'", "!= 'other'"],
    ['a step that goes', '      - uses: ./.github/actions/setup\n', ''],
    ['a step that comes', '      - run: yarn install', '      - run: npm i -g corepack\n      - run: yarn install'],
    [
      'the order of steps',
      '      - uses: ./.github/actions/setup\n      - run: yarn install --immutable\n',
      '      - run: yarn install --immutable\n      - uses: ./.github/actions/setup\n',
    ],
    ['an action that nobody knows', 'some/unknown-action@v1', 'some/unknown-action@v2'],
    ['the download of what another job built', 'download-artifact@v4', 'download-artifact@v5'],
    ['a job that is needed', './list-nodes', './list-nodes --all'],
    ['its upload', 'path: dist', 'path: out'],
    ['its output', 'steps.a.outputs.nodes', 'steps.a.outputs.all'],
    ['that it is needed no more', 'needs: [prepare]', 'needs: []'],
    ['the name of the job', '  test:\n', '  tests:\n'],
    ['an input of a reusable workflow', 'command: test', 'command: test --ci'],
    ['the default of an input', 'default: test', 'default: test:all', REUSED],
    ['a job of a reusable workflow', 'yarn ${{', 'yarn run ${{', REUSED],
    ['a step of an action', 'corepack enable', 'corepack enable yarn', SETUP],
    ['the default of its input', "default: '20'", "default: '22'", SETUP],
    ['a script that it names', 'git --version', 'git version', '.github/actions/setup/more.sh'],
    ['a key that GitHub does not know', 'jobs:\n', 'unknown: 1\njobs:\n'],
    ['what cannot be read', 'jobs:\n', 'jobs: {}\njobs:\n'],
    ['markers of a merge', 'jobs:\n', '<<<<<<< ours\njobs:\n'],
    ['an unknown tag', 'node:20', '!image node:20'],
    ['a name that is none', 'labels:', '"labels!":'],
    ['more jobs than anybody writes', 'jobs:\n', `jobs:\n${Array.from({ length: 20_000 }, (_, at) => `  j${at}: {}\n`).join('')}`],
    ['what is too large, or not text', 'jobs:\n', '# \0\njobs:\n'],
  ])('%s', (...[, from, to, file]) => {
    for (const why of whyEach(from, to, file)) expect(why).toBeDefined();
  });

  test('an anchor that changes, with what is merged', () => {
    const text = (node: number, extra = ''): string =>
      [
        'x-setup: &setup',
        `  node-version: ${node}`,
        'on: push',
        'jobs:',
        '  test:',
        '    runs-on: a',
        '    steps:',
        `      - {uses: actions/setup-node@v4, with: {<<: *setup${extra}}}`,
        '      - run: yarn test',
        '',
      ].join('\n');
    expect(whyCounted({ [CI]: text(20) }, { [CI]: text(22) }, IN_CI)).toContain('differs');
    expect(whyCounted({ [CI]: text(20) }, { [CI]: text(20, ', cache: yarn') }, IN_CI)).toContain('"jobs.test.steps.with.cache" differs');
  });

  test('a workflow that tells of no test, in a job that it runs', () => {
    const text = 'on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: ./go\n';
    expect(whyCounted({ [CI]: text }, { [CI]: text.replace('./go', './went') }, IN_CI)).toContain('"jobs.a.steps.run" differs');
  });

  test('a job that a job needs, though both are in a workflow that is used', () => {
    const built = 'on: workflow_call\njobs:\n  b:\n    runs-on: x\n    steps:\n      - uses: actions/upload-artifact@v4\n';
    const ci = [
      'on: push',
      'jobs:',
      '  build: {uses: ./.github/workflows/reused.yml}',
      '  test:',
      '    needs: build',
      '    runs-on: x',
      '    steps:',
      '      - run: yarn test',
      '',
    ].join('\n');
    expect(whyCounted({ [CI]: ci, [REUSED]: built }, { [REUSED]: built.replace('@v4', '@v5') }, IN_CI)).toContain('is used by');
  });
});

describe('this selects nothing', () => {
  test.each<Change>([
    ['a comment', 'jobs:\n', '# Jobs\njobs:\n'],
    ['the order of keys', '          node-version: 20\n          cache: yarn\n', '          cache: yarn\n          node-version: 20\n'],
    ['quotes', 'container: node:20', 'container: "node:20"'],
    ['other quotes', "CI: 'true'", 'CI: "true"'],
    ['lists in lines', '[18, 20]', '\n          - 18\n          - 20'],
    ['its name', 'name: CI', 'name: Tests'],
    ['the name of a job', 'name: Tests\n    needs', 'name: All tests\n    needs'],
    ['the name of a step', 'name: Tests\n        run', 'name: All tests\n        run'],
    ['permissions', '  contents: read\nconc', '  contents: write\nconc'],
    ['permissions of a job', '{contents: read}', '{contents: write}'],
    ['concurrency', 'concurrency: one', 'concurrency: two'],
    ['a time limit', 'timeout-minutes: 30', 'timeout-minutes: 60'],
    ['the time limit of a step', 'timeout-minutes: 5', 'timeout-minutes: 6'],
    ['branches', '[main]', '[main, next]'],
    ['an event', 'on:\n', 'on:\n  pull_request:\n'],
    ['the upload of a report', 'upload-artifact@v4\n        with:\n', 'upload-artifact@v5\n        with:\n'],
    ['what it uploads', 'path: coverage', 'path: out'],
    ['the version of a coverage action', 'codecov-action@v4', 'codecov-action@v5'],
    ['when it runs', 'if: always()', 'if: success()'],
    ['a report that goes', '      - uses: codecov/codecov-action@v4\n        if: always()\n', ''],
    ['a job without tests', 'pull-request-labels@v1', 'pull-request-labels@v2'],
    ['one that comes', '  labels:\n', '  more:\n    runs-on: x\n    steps: []\n  labels:\n'],
    ['the machine of one', '  labels:\n    runs-on: ubuntu-latest', '  labels:\n    runs-on: ubuntu-24.04'],
    ['a job without tests of a reusable workflow', 'git diff', 'git diff --stat', REUSED],
    ['the description of an input', 'What to run', 'Runs it', REUSED],
    ['the description of an action', 'Sets up', 'Does', SETUP],
    ['the name of its step', 'name: Go', 'name: Went', SETUP],
    ['a comment in it', 'runs:\n', '# Steps\nruns:\n', SETUP],
  ])('%s', (...[, from, to, file]) => {
    expect(whyEach(from, to, file)).toEqual([undefined, undefined]);
  });

  test('a job with tests that goes, alone or with its workflow', () => {
    const more = 'on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: yarn test\n';
    const two = `${more}  b:\n    runs-on: x\n    steps:\n      - run: yarn test\n`;
    for (const running of [IN_CI, 'nothing'] as const) {
      expect(whyCounted({ [CI]: two }, { [CI]: more }, running)).toBeUndefined();
      expect(whyCounted({ [CI]: more }, { [CI]: two }, running)).toContain('"jobs.b" differs');
    }
    expect(whyCounted({ [CI]: two, [REUSED]: more }, { [REUSED]: null }, 'nothing')).toBeUndefined();
    expect(whyCounted(BEFORE, { [SETUP]: null }, IN_CI)).toContain('is used by');
  });

  test('a workflow whose hidden commands run without packages', () => {
    const hidden = (command: string): string => `on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: |\n          ${command}\n`;
    expect(whyCounted({}, { [REUSED]: hidden('"$' + '{spell_source}" a') }, 'nothing')).toBeUndefined();
    expect(whyCounted({}, { [REUSED]: hidden('yarn && "$' + '{spell_source}" a') }, 'nothing')).toContain('spell_source');
  });

  test('a script called test that runs none', () => {
    const text = 'on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: brew/test.sh\n';
    expect(whyCounted({ 'brew/test.sh': 'brew install this\n' }, { [REUSED]: text }, 'nothing')).toBeUndefined();
    expect(whyCounted({ 'brew/test.sh': 'npx jest\n' }, { [REUSED]: text }, 'nothing')).toContain('jest');
    expect(whyCounted({}, { [REUSED]: text }, 'nothing')).toContain('test');
  });
});

describe('files of other engines', () => {
  const FILES: Readonly<Record<string, readonly [file: string, text: string]>> = {
    gitlab: ['.gitlab-ci.yml', 'default: &d\n  image: node:20\ntest:\n  <<: *d\n  script: [yarn test]\n'],
    buildkite: ['.buildkite/pipeline.yml', 'steps:\n  - label: Tests\n    image: node:20\n    command: yarn test\n'],
    circleci: ['.circleci/config.yml', 'jobs:\n  test:\n    docker: [{image: node:20}]\n    steps: [checkout]\n'],
    azure: ['azure-pipelines.yml', 'steps:\n  - script: yarn test\n    displayName: Tests\n    image: node:20\n'],
  };

  test.each(Object.entries(FILES))('%s', (name, [file, text]) => {
    for (const running of [{ engine: engineNamed(name), begins: undefined }, 'nothing'] as const) {
      const why = (to: string): string | undefined => whyCounted({ [file]: text }, { [file]: to }, running);
      expect(why(text.replace('node:20', 'node:22'))).toContain('image" differs');
      expect(why(`${text}# more\n`)).toBeUndefined();
      expect(why(text.replace('node:20', '"node:20"'))).toBeUndefined();
      expect(why(text.replace(/(label|displayName): Tests/, '$1: All'))).toBeUndefined();
      expect(why(`${text}${text}`)).toContain('cannot be read');
      expect(why(text.replace('node:20', '!reference [a, b]'))).toContain('cannot be read');
    }
  });

  test('a Jenkinsfile counts whatever changes', () => {
    expect(whyCounted({ Jenkinsfile: 'a\n' }, { Jenkinsfile: 'a\n// more\n' }, 'nothing')).toContain('jenkins');
  });
});
