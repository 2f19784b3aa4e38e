import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { moveWorkflow } from './workflow.fixture.js';

const RELEASE = { '.yarnrc.yml': 'yarnPath: .yarn/releases/yarn-4.18.1.cjs\n' };

interface ParsedStep {
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
}

function move(
  steps: string,
  root: Readonly<Record<string, string>> = RELEASE,
): { readonly steps: readonly ParsedStep[]; readonly said: string } {
  const text = `on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - uses: actions/checkout@v4\n${steps}`;
  const moved = moveWorkflow(text, {}, root);
  const { jobs } = parse(moved.text) as { jobs: { a: { steps: ParsedStep[] } } };
  const said = moved.findings.flatMap(({ remarks }) => remarks.map((one) => `${one.topic}: ${one.text} (${one.detail})`));
  return { steps: jobs.a.steps.slice(1), said: said.join('\n') };
}

describe('a step that installs the package installs the monorepo', () => {
  test.each([
    'npm ci',
    'npm clean-install',
    'npm install',
    'npm i --no-audit --no-fund',
    '"npm ci"',
    "'npm ci'",
    '|\n          npm ci',
    '>-\n          npm ci',
    'yarn',
    'yarn install --frozen-lockfile',
    'pnpm i --frozen-lockfile',
  ])('%s', (run) => {
    const { steps, said } = move(`      - run: ${run}\n      - run: npm test\n`);
    expect(steps.map((step) => step.run)).toEqual(['yarn install --immutable', 'npm test']);
    expect(said).not.toMatch(/line \d/);
  });

  test('in one line, with what else the step says', () => {
    expect(move('      - { run: npm ci, name: Install }\n').steps).toEqual([{ run: 'yarn install --immutable', name: 'Install' }]);
  });

  test('through corepack, where the root has no release of Yarn; then a cache would ask a Yarn that is not there', () => {
    const { steps, said } = move('      - uses: actions/setup-node@v4\n        with:\n          cache: npm\n      - run: npm ci\n', {});
    expect(steps).toMatchObject([{ with: { cache: 'npm' } }, { run: 'corepack enable && yarn install --immutable' }]);
    expect(said).toContain('line 9: `cache: npm`, because setup-node asks Yarn before corepack is enabled');
  });

  test.each(['npm', '"pnpm"', 'yarn'])('and the cache is that of Yarn: %s', (cache) => {
    const { steps } = move(`      - uses: actions/setup-node@v4\n        with:\n          cache: ${cache}\n          node-version: 20\n`);
    expect(steps).toEqual([{ uses: 'actions/setup-node@v4', with: { cache: 'yarn', 'node-version': 20 } }]);
  });
});

describe('versions of Node on which the Yarn of the monorepo does not start are named', () => {
  const setup = (version: string): string => `      - uses: actions/setup-node@v4\n        with:\n          node-version: ${version}\n`;

  test.each(['14', "'14.x'", '18.0.0', '16 || 18.0', 'lts/gallium', '^12'])('%s', (version) => {
    expect(move(`${setup(version)}      - run: npm ci\n`).said).toContain('line 9: Node ');
  });

  test.each(['18', '20.x', 'lts/*', "'>=14'", 'node', '18.12.0', "'22'", `\${{ inputs.node }}`])('not %s', (version) => {
    expect(move(`${setup(version)}      - run: npm ci\n`).said).not.toContain('Node ');
  });

  test('those of a matrix, and nothing where nothing is installed', () => {
    const text = (run: string): string =>
      `on: push\njobs:\n  a:\n    runs-on: x\n    strategy:\n      matrix:\n        node: [14, 18.0.0, 20, lts/*]\n    steps:\n      - uses: actions/checkout@v4\n      - uses: actions/setup-node@v4\n        with:\n          node-version: \${{ matrix.node }}\n      - run: ${run}\n`;
    const said = (run: string, root = RELEASE): string => JSON.stringify(moveWorkflow(text(run), {}, root).findings);
    expect(said('npm ci')).toContain('line 12: Node 14, 18.0.0, on which Yarn 4 does not start');
    expect(said('npm ci', { '.yarnrc.yml': 'yarnPath: .yarn/releases/yarn-3.8.7.cjs\n' })).not.toContain('on which Yarn');
    expect(said('node x.js')).not.toContain('on which Yarn 4');
  });
});

describe('what does more than that is left', () => {
  test.each([
    ['npm ci --omit=dev', '`npm ci --omit=dev`'],
    ['npm ci --ignore-scripts', '`npm ci --ignore-scripts`'],
    ['npm ci && npm test', '`npm ci`'],
    ['npm ci --prefix docs', '`npm ci --prefix docs`'],
    ['|\n          cd docs\n          npm ci', '`npm ci`'],
  ])('and named: %s', (run, named) => {
    const { steps, said } = move(`      - run: ${run}\n`);
    expect(steps[0]?.run).not.toContain('--immutable');
    expect(said).toMatch(/^workflows: It refers to things that may differ in the monorepo/m);
    expect(said).toContain(named);
  });

  test.each([
    'npm install --global corepack',
    'npm i left-pad',
    'npm test',
    'yarn test',
    'yarn --version',
    'npx npm-ci',
    'echo npm ci-free',
  ])('and of what installs something else nothing is said: %s', (run) => {
    const { steps, said } = move(`      - run: ${run}\n`);
    expect(steps).toEqual([{ run }]);
    expect(said).not.toMatch(/line \d/);
  });

  test('a folder of the package may be a project of its own', () => {
    const { steps, said } = move('      - run: npm ci\n        working-directory: docs\n');
    expect(steps).toMatchObject([{ run: 'npm ci' }]);
    expect(said).toContain('line 7: `npm ci`');
  });

  test('nothing but a whole installation is ever replaced', () => {
    const word = fc.constantFrom(
      'npm',
      'yarn',
      'pnpm',
      'ci',
      'install',
      'i',
      '&&',
      'test',
      '--no-audit',
      '--omit=dev',
      '-g',
      'left-pad',
      '\n',
    );
    const whole = /^(?:npm (?:ci|i|install)|yarn(?: install)?|pnpm (?:i|install))(?: --no-audit)*$/;
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
        const run = words.join(' ');
        const [step] = move(`      - run: ${JSON.stringify(run)}\n`).steps;
        expect(step?.run).toBe(whole.test(run.trim()) ? 'yarn install --immutable' : run);
      }),
    );
  });
});

describe('releases', () => {
  const manifest = { 'package.json': JSON.stringify({ name: '@acme/x', scripts: { release: 'release-it --ci', publish: 'npm publish' } }) };

  function releasesOf(steps: string, files: Readonly<Record<string, string>> = manifest): readonly string[] {
    const text = `on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - uses: actions/checkout@v4\n${steps}`;
    const remarks = moveWorkflow(text, files).findings.flatMap((finding) => finding.remarks);
    return remarks.flatMap(({ topic, text: said, detail }) => (topic === 'releases' ? [`${said} ${detail}`] : []));
  }

  test.each([
    ['run: npx semantic-release@25', /tags and commits of the whole repository.*`semantic-release` in line 7/],
    ['run: npm run release', /tags and commits of the whole repository.*`release-it`/],
    ['run: npx -p @semantic-release/git -p semantic-release semantic-release --debug', /`semantic-release`/],
    ['run: CI=1 yarn dlx semantic-release', /`semantic-release`/],
    ['run: ./node_modules/.bin/release-it', /`release-it`/],
    ['run: "npm ci; npm exec -- semantic-release"', /`semantic-release`/],
    ['run: npx np --no-tests', /tags and commits.*`np`/],
    ['run: yarn lerna publish from-git', /works at the root.*`lerna publish`/],
    ['run: npx changeset publish', /works at the root.*`changeset publish`/],
    ['uses: changesets/action@v1', /an action, which runs at the root.*`changesets\/action` in line 7/],
    ['run: npm publish --provenance', /publishes the files of a folder.*`npm publish`/],
    ['run: "npm test && npm publish"', /publishes the files of a folder.*`npm publish`/],
  ])('%s', (step, said) => {
    expect(releasesOf(`      - ${step}\n`)).toEqual([expect.stringMatching(said)]);
  });

  test.each([
    'run: npm test',
    'run: "# npx semantic-release"',
    'run: echo semantic-release-notes',
    'run: npm run lint',
    'uses: actions/cache@v4',
  ])('nothing is said of %s', (step) => {
    expect(releasesOf(`      - ${step}\n`)).toEqual([]);
  });

  test('many options take no longer than a few', () => {
    expect(releasesOf(`      - run: npx${' -a'.repeat(200)} b\n      - run: npm ci${' --no-audit'.repeat(200)} b\n`)).toEqual([]);
  });
});

test('a workflow of another repository is named, and one of the package follows it', () => {
  const { findings, text } = moveWorkflow(
    'on: push\njobs:\n  a:\n    uses: acme/ci/.github/workflows/test.yml@v1\n    with:\n      node: 20\n  b:\n    uses: ./.github/workflows/own.yml\n',
  );
  const called = findings.flatMap(({ remarks }) => remarks).filter(({ topic }) => topic === 'called-workflows');
  expect(called).toMatchObject([{ detail: '`acme/ci/.github/workflows/test.yml@v1` in line 4' }]);
  expect(text).toContain('uses: ./.github/workflows/x-own.yml');
});
