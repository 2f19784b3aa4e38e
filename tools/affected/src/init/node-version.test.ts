import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { ENGINES } from '../engines/engines.js';
import { usableVersion } from './judge-survey.js';
import { findNodeVersion, withNodeVersion } from './node-version.js';
import { readPresentWorkflow } from './present-workflow.js';

const CI = '.github/workflows/ci.yml';
const NO_TASKS = { rootScripts: new Map<string, string>(), scripts: new Set<string>(), turboTasks: {} };
/** An expression of GitHub. */
const MATRIX = `$${'{{ matrix.node }}'}`;
const workflow = (inputs: string, matrix = '{}'): string => `on: pull_request
jobs:
  test:
    strategy: { matrix: ${matrix} }
    steps:
      - uses: actions/setup-node@v4
        with: { ${inputs} }
      - run: yarn test
`;
const manifest = (value: object): string => JSON.stringify(value);

function versionOf(files: Readonly<Record<string, string>>): readonly [string | null, string] | null {
  const text = files[CI];
  const present = text === undefined ? undefined : readPresentWorkflow(CI, text, NO_TASKS);
  const node = findNodeVersion({ workflow: present, read: (file) => files[file] });
  return node === null ? null : [node.version, node.from];
}

test.each<[what: string, files: Readonly<Record<string, string>>, version: string | null, from: string]>([
  ['the workflow', { [CI]: workflow('node-version: 20'), '.nvmrc': '22' }, '20', `${CI}: 20`],
  ['the workflow with quotes', { [CI]: workflow("node-version: '20.x'") }, '20', `${CI}: 20.x`],
  [
    'the file that the workflow names',
    { [CI]: workflow('node-version-file: .node-version'), '.node-version': '22.1.0', '.nvmrc': '20' },
    '22.1.0',
    '.node-version: 22.1.0',
  ],
  ['a matrix', { [CI]: workflow(`node-version: "${MATRIX}"`), '.nvmrc': '22' }, null, `${CI}: ${MATRIX}`],
  ['a matrix of one', { [CI]: workflow(`node-version: "${MATRIX}"`, '{ node: [20.x] }') }, '20', `${CI}: 20.x`],
  ['a matrix of several', { [CI]: workflow(`node-version: "${MATRIX}"`, '{ node: [20, "22"], os: [a] }') }, null, `${CI}: 20, 22`],
  ['.nvmrc', { '.nvmrc': 'v20.19.5\n' }, '20.19.5', '.nvmrc: v20.19.5'],
  ['.nvmrc with a name', { '.nvmrc': 'lts/iron\n' }, null, '.nvmrc: lts/iron'],
  ['.nvmrc with a comment', { '.nvmrc': '# ours\nv22\n' }, '22', '.nvmrc: v22'],
  ['.nvmrc that is no version', { '.nvmrc': '20.09.0\n' }, null, '.nvmrc: 20.09.0'],
  [
    'package.json, if .tool-versions has none',
    { '.tool-versions': 'ruby 3\n', 'package.json': manifest({ engines: { node: '22' } }) },
    '22',
    'engines.node in package.json: 22',
  ],
  ['.tool-versions', { '.tool-versions': 'yarn 4.0.0\nnodejs 22.3.0\n' }, '22.3.0', '.tool-versions: 22.3.0'],
  [
    'Volta',
    { 'package.json': manifest({ volta: { node: '22.2.0' }, engines: { node: '>=18' } }) },
    '22.2.0',
    'volta.node in package.json: 22.2.0',
  ],
  [
    'devEngines',
    { 'package.json': manifest({ devEngines: { runtime: { name: 'node', version: '^22.1.0' } } }) },
    '22',
    'devEngines.runtime in package.json: ^22.1.0',
  ],
  [
    'a list in devEngines',
    { 'package.json': manifest({ devEngines: { runtime: [{ name: 'bun' }, { name: 'node', version: '24' }] } }) },
    '24',
    'devEngines.runtime in package.json: 24',
  ],
  [
    'engines with one major version',
    { 'package.json': manifest({ engines: { node: '^20.19.0' } }) },
    '20',
    'engines.node in package.json: ^20.19.0',
  ],
  ['engines with several', { 'package.json': manifest({ engines: { node: '>=18' } }) }, null, 'engines.node in package.json: >=18'],
  ['engines that are no range', { 'package.json': manifest({ engines: { node: 'new' } }) }, null, 'engines.node in package.json: new'],
])('the version of Node is that of %s', (_, files, version, from) => expect(versionOf(files)).toEqual([version, from]));

test.each<Readonly<Record<string, string>>>([{}, { 'package.json': '{' }, { '.nvmrc': '\n' }, { [CI]: 'jobs: [' }])(
  'no version is found in %p',
  (files) => expect(versionOf(files)).toBeNull(),
);

test.each([
  ['20', '20'],
  ['20.19.1', '20.19.1'],
  ['20.10.0', undefined],
  ['18', undefined],
])('affected can run on Node %s: %s', (version, usable) => expect(usableVersion({ version, from: 'x' })).toBe(usable));

describe('in each template that names a version of Node', () => {
  const names = new Set(ENGINES.flatMap(({ setup }) => Object.keys({ ...setup.files, ...setup.oneJob })));
  const templates = [...names].map((name) => [name, readFileSync(join(findProjectRoot(), 'ci', name), 'utf8')] as const);
  test.each(templates)('%s takes another one in every place', (_, text) => {
    const changed = withNodeVersion(text, '22.13') ?? '';
    const code = changed.split('\n').map((line) => line.replace(/(^|\s)(#|\/\/).*/, ''));
    expect(code.filter((line) => /\b24\b/.test(line))).toEqual([]);
    expect(withNodeVersion(text, '24.11') ?? '').not.toBe('');
    if (text.includes('cimg/node')) expect(withNodeVersion(text, '22')).toBeUndefined();
  });
});

test('what the present workflow has besides is told', () => {
  const present = readPresentWorkflow(
    CI,
    `on: pull_request
env: { CI_DB: x }
jobs:
  lint: { steps: [{ run: yarn lint }] }
  test:
    container: node:20
    services: { postgres: { image: postgres } }
    steps:
      - uses: actions/checkout@v4
      - uses: docker/setup-buildx-action@v3
      - run: corepack enable
      - run: yarn install --immutable
      - run: yarn --immutable
      - run: yarn install --immutable --mode=skip-build
      - run: yarn playwright install
      - run: yarn test --ci
      - uses: codecov/codecov-action@v5
`,
    NO_TASKS,
  );
  expect(present).toMatchObject({
    extras: [
      'its container',
      'step "yarn install --immutable --mode=skip-build"',
      'step docker/setup-buildx-action',
      'step "yarn playwright install"',
    ],
    tests: ['yarn test --ci'],
  });
});
