import { describe, expect, test } from '@jest/globals';
import type { TaskKind } from '@tributary/workspaces/task-kinds';
import { engineNamed } from '../engines/detect.js';
import {
  action,
  actionAt,
  CI,
  HARMLESS,
  manifest,
  readTree,
  STALE,
  TESTS,
  type TreeTexts,
  whyCounted,
  workflow,
} from './ci-files.fixture.js';
import { CiReading, type RunningCi } from './ci-reading.js';

const IN_CI: RunningCi = { engine: engineNamed('github'), begins: CI };

function expression(name: string): string {
  return `$\{{ ${name} }}`;
}

const COUNTS = true;
const NOBODY = false;

describe('in CI: the workflow that runs, and what it uses', () => {
  test.each<[sentence: string, ci: string, before: TreeTexts, changed: TreeTexts, counts: boolean]>([
    ['itself', TESTS, {}, { [CI]: workflow('run: yarn test --ci') }, COUNTS],
    ['another one', TESTS, { [STALE]: HARMLESS }, { [STALE]: TESTS }, NOBODY],
    ['another one that comes', TESTS, {}, { [STALE]: TESTS }, NOBODY],
    ['another one that goes', TESTS, { [STALE]: TESTS }, { [STALE]: null }, NOBODY],
    ['itself under another name', TESTS, { [STALE]: TESTS, [CI]: null }, { [STALE]: null, [CI]: TESTS }, COUNTS],
    [
      'a local action',
      workflow('uses: ./.github/actions/x'),
      { [actionAt('x')]: action('run: a') },
      { [actionAt('x')]: action('run: b') },
      COUNTS,
    ],
    ['one that nobody uses', TESTS, { [actionAt('x')]: action('run: a') }, { [actionAt('x')]: action('run: b') }, NOBODY],
    [
      'a file beside a local action',
      workflow('uses: ./.github/actions/x'),
      { [actionAt('x')]: action('run: a') },
      { '.github/actions/x/data.bin': '' },
      COUNTS,
    ],
    [
      'a script of an action, named by an expression',
      workflow('uses: ./.github/actions/x'),
      { [actionAt('x')]: action(`run: "${expression('github.action_path')}/run.sh"`), '.github/actions/x/run.sh': 'a\n' },
      { '.github/actions/x/run.sh': 'b\n' },
      COUNTS,
    ],
    [
      'the main file of an action in JavaScript',
      workflow('uses: ./.github/actions/x'),
      { [actionAt('x')]: 'runs: {using: node20, main: dist/index.js}\n' },
      { '.github/actions/x/dist/index.js': 'b\n' },
      COUNTS,
    ],
    [
      'an action that an action uses',
      workflow('uses: ./.github/actions/x'),
      { [actionAt('x')]: action('uses: ./.github/actions/y'), [actionAt('y')]: action('run: a') },
      { [actionAt('y')]: action('run: b') },
      COUNTS,
    ],
    [
      'two actions that use each other',
      workflow('uses: ./.github/actions/x'),
      {
        [actionAt('x')]: action('uses: ./.github/actions/y'),
        [actionAt('y')]: action('uses: ./.github/actions/x'),
        [actionAt('z')]: action('run: a'),
      },
      { [actionAt('z')]: action('run: b') },
      NOBODY,
    ],
    [
      'an action that the action at the top of the repository uses',
      workflow('uses: ./'),
      { 'action.yml': action('uses: ./.github/actions/x'), [actionAt('x')]: action('run: a') },
      { [actionAt('x')]: action('run: b') },
      COUNTS,
    ],
    [
      'an action of GitHub that has the same name',
      workflow('uses: actions/cache@v4'),
      { [actionAt('cache')]: action('run: a') },
      { [actionAt('cache')]: action('run: b') },
      NOBODY,
    ],
    [
      'what actions share',
      workflow('uses: ./.github/actions/x'),
      { [actionAt('x')]: action('run: a'), '.github/actions/lib.sh': 'a' },
      { '.github/actions/lib.sh': 'b' },
      COUNTS,
    ],
    [
      'a reusable workflow',
      workflow().replace('steps:', 'uses: ./.github/workflows/stale.yml'),
      { [STALE]: HARMLESS },
      { [STALE]: TESTS },
      COUNTS,
    ],
    [
      'a reusable workflow of the same repository, by its name',
      workflow().replace('steps:', 'uses: acme/app/.github/workflows/stale.yml@main'),
      { [STALE]: HARMLESS },
      { [STALE]: TESTS },
      COUNTS,
    ],
    [
      'a workflow whose name a script prints',
      workflow('run: node tools/a.mjs'),
      { 'tools/a.mjs': 'console.log(`See stale.yml`);\n', [STALE]: HARMLESS },
      { [STALE]: TESTS },
      NOBODY,
    ],
    [
      'a workflow that a script reads',
      workflow('run: node tools/a.mjs'),
      { 'tools/a.mjs': "read('../.github/workflows/stale.yml');\n", [STALE]: HARMLESS },
      { [STALE]: TESTS },
      COUNTS,
    ],
    ['a workflow that it starts', workflow('run: gh workflow run stale.yml'), { [STALE]: HARMLESS }, { [STALE]: TESTS }, COUNTS],
    [
      'an action by way of scripts that call each other',
      workflow('run: ./tools/a.sh'),
      {
        'tools/a.sh': 'cd tools && bash b.sh\n',
        'tools/b.sh': 'sh .github/actions/x/run.sh\n',
        [actionAt('x')]: action('run: a'),
        '.github/actions/x/run.sh': 'a',
      },
      { '.github/actions/x/run.sh': 'b' },
      COUNTS,
    ],
    [
      'an action by way of a script of package.json',
      workflow('run: yarn check'),
      {
        ...manifest('', { check: 'node tools/check' }),
        'tools/check.mjs': "import './deep/index.js';\n",
        'tools/deep/index.js': "run('.github/actions/x/run.sh')\n",
        '.github/actions/x/run.sh': 'a',
      },
      { '.github/actions/x/run.sh': 'b' },
      COUNTS,
    ],
    [
      'an action in a variable of the workflow',
      workflow('{run: "$SCRIPT", env: {SCRIPT: .github\\actions\\x\\run.ps1}}'),
      { '.github/actions/x/run.ps1': 'a', '.github/actions/x/Dockerfile': '' },
      { '.github/actions/x/run.ps1': 'b' },
      COUNTS,
    ],
    [
      'a workflow that only a filter of paths names',
      TESTS.replace('[push]', '{push: {paths: [.github/workflows/stale.yml]}}'),
      { [STALE]: HARMLESS },
      { [STALE]: TESTS },
      NOBODY,
    ],
    ['a workflow that only a comment names', `# see stale.yml\n${TESTS}`, { [STALE]: HARMLESS }, { [STALE]: TESTS }, NOBODY],
  ])('%s', (_, ci, before, changed, counts) => {
    expect(whyCounted({ [CI]: ci, ...before }, changed, IN_CI) !== undefined).toBe(counts);
  });

  test('what the base used counts, though the head does not use it any more', () => {
    const before = { [CI]: workflow('uses: ./.github/actions/x'), [actionAt('x')]: action('run: a') };
    expect(whyCounted(before, { [actionAt('x')]: null }, IN_CI)).toBe(`it is used by ${CI}`);
    expect(whyCounted(before, { [actionAt('x')]: action('run: b'), [CI]: TESTS }, IN_CI)).toBe(
      `it is used by ${CI}; "runs.steps.run" differs`,
    );
  });

  test('the reason says what it is, or who uses it', () => {
    const before = {
      [CI]: workflow('uses: ./.github/actions/x'),
      [actionAt('x')]: action('uses: ./.github/actions/y'),
      [actionAt('y')]: action('run: a'),
    };
    expect(whyCounted(before, { [CI]: TESTS }, IN_CI)).toBe('it is the workflow that runs; "jobs.one.steps.uses" differs');
    expect(whyCounted(before, { [actionAt('y')]: action('run: b') }, IN_CI)).toBe(
      `it is used by ${actionAt('x')}, which is used by ${CI}; "runs.steps.run" differs`,
    );
  });

  test('a workflow that runs after it counts if it can run tests', () => {
    const after = (text: string): string => text.replace('[push]', '{workflow_run: {workflows: [CI]}}');
    expect(whyCounted({ [CI]: HARMLESS }, { [STALE]: after(TESTS) }, IN_CI)).toContain('it may run after the workflow that runs');
    expect(whyCounted({ [CI]: HARMLESS }, { [STALE]: after(HARMLESS) }, IN_CI)).toBeUndefined();
    expect(whyCounted({ [CI]: HARMLESS }, { [STALE]: TESTS }, IN_CI)).toBeUndefined();
  });

  test('what runs may be nowhere', () => {
    const { tree, answer } = readTree({ [STALE]: HARMLESS });
    expect(answer(CiReading.create(tree, IN_CI, 'test')).isFound).toBe(false);
    expect(answer(CiReading.create(tree, { engine: undefined, begins: STALE }, 'test')).isFound).toBe(true);
  });
});

describe('what cannot be read counts', () => {
  test.each<[string, string]>([
    ['an expression in uses', workflow(`uses: ./.github/actions/${expression('matrix.action')}`)],
    ['duplicate keys', `${TESTS}on: [pull_request]\n`],
    ['conflict markers', `<<<<<<< ours\n${TESTS}=======\n${HARMLESS}>>>>>>> theirs\n`],
    ['broken YAML', `${TESTS}  - {\n`],
    ['another file', 'words\n'],
    [
      'aliases without end',
      `a: &a [x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c]\n`,
    ],
    ['a NUL', `${TESTS}\0`],
  ])('%s', (_, text) => {
    const before = { [actionAt('x')]: action('run: a'), [CI]: TESTS };
    expect(whyCounted({ ...before, [CI]: text }, { [actionAt('x')]: action('run: b') }, IN_CI)).toContain('cannot be read');
    // The changed workflow itself, whatever CI runs.
    for (const running of [IN_CI, 'nothing'] as const) {
      expect(whyCounted(before, { [STALE]: text }, running)).toMatch(/cannot be read|can run tests/);
      expect(whyCounted({ ...before, [STALE]: text }, { [STALE]: HARMLESS }, running)).toMatch(/cannot be read|can run tests/);
    }
  });

  test('the reason has the line', () => {
    expect(whyCounted({}, { [STALE]: `${HARMLESS}on: [pull_request]\n` }, IN_CI)).toBe(
      'it cannot be read (line 7: Map keys must be unique)',
    );
  });

  test('a workflow of another repository may use every action of this one', () => {
    const foreign = workflow().replace('steps:', 'uses: other/repo/.github/workflows/x.yml@v1');
    const before = { [CI]: foreign, [actionAt('x')]: action('run: a'), [STALE]: HARMLESS };
    expect(whyCounted(before, { [actionAt('x')]: action('run: b') }, IN_CI)).toContain('a workflow of another repository');
    expect(whyCounted(before, { [STALE]: TESTS }, IN_CI)).toBeUndefined();
    expect(whyCounted(before, { [CI]: foreign.replace('@v1', '@v2') }, 'nothing')).toContain('a workflow of another repository');
    // The foreign workflow may have the same name.
    const namesake = foreign.replace('x.yml', 'stale.yml');
    expect(whyCounted({}, { [STALE]: namesake }, 'nothing')).toContain('a workflow of another repository');
  });

  test('anchors are YAML, and are read', () => {
    const steps = ['    steps: &steps', '      - uses: actions/stale@v9', '  two:', '    steps: *steps', ''];
    expect(whyCounted({}, { [STALE]: ['on: [push]', 'jobs:', '  one:', ...steps].join('\n') }, 'nothing')).toBeUndefined();
    const hidden = ['on: [push]', 'name: &name yarn test', 'jobs:', '  one:', '    steps:', '      - run: *name', ''].join('\n');
    expect(whyCounted({}, { [STALE]: hidden }, 'nothing')).toContain('tests');
  });

  test('carriage returns and a byte order mark are read', () => {
    const windows = (text: string): string => `\uFEFF${text.replaceAll('\n', '\r\n')}`;
    expect(whyCounted({}, { [STALE]: windows(HARMLESS) }, 'nothing')).toBeUndefined();
    expect(whyCounted({}, { [STALE]: windows(TESTS) }, 'nothing')).toBe('it can run tests ("test")');
  });
});

describe('outside of CI: workflows that can run tests', () => {
  test.each<[sentence: string, text: string, more: TreeTexts, counts: boolean]>([
    ['nothing of the repository', HARMLESS, {}, NOBODY],
    ['a test script', TESTS, {}, COUNTS],
    ['a script that calls one', workflow('run: npm run check'), manifest('', { check: 'yarn test', test: 'jest' }), COUNTS],
    ['a script that calls none', workflow('run: npm run check'), manifest('', { check: 'node tools/check.mjs', test: 'jest' }), NOBODY],
    ...['yarn workspace PKG TASK', 'npm run --workspace=PKG TASK', 'yarn --cwd packages/PKG TASK'].map(
      (run): [string, string, TreeTexts, boolean] => [
        `a workspace and a task that variables have: ${run}`,
        workflow('run: yarn', `run: ${run.replace('PKG', expression('matrix.pkg')).replace('TASK', expression('matrix.task'))}`),
        manifest('packages/app', { test: 'jest' }),
        COUNTS,
      ],
    ),
    ['a test script of a workspace', workflow('run: yarn workspace app test'), {}, COUNTS],
    [
      'another script of one whose name has the word',
      workflow('run: yarn workspace test-app build'),
      manifest('packages/test-app', { build: 'tsc' }),
      NOBODY,
    ],
    ['one that runs tests', workflow('run: yarn workspace test-app build'), manifest('packages/test-app', { build: 'jest' }), COUNTS],
    [
      'one that nobody can follow',
      workflow('run: yarn workspace e2e start'),
      manifest('packages/e2e', { start: 'node dist/main.js' }),
      COUNTS,
    ],
    ['a name that another program has for a task', workflow('run: node tools/ci.js --filter test'), {}, COUNTS],
    ['an option without a name', workflow('run: pnpm -w test'), {}, COUNTS],
    ['what runs before a script', workflow('run: yarn check'), manifest('', { check: 'node a.js', precheck: 'jest' }), COUNTS],
    ['scripts by the beginning of their names', workflow('run: yarn run-s "check:*"'), manifest('', { 'check:a': 'mocha' }), COUNTS],
    ['what runs with an installation', workflow('run: yarn --immutable'), manifest('', { postinstall: 'vitest' }), COUNTS],
    ['what runs with a publication', workflow('run: yarn npm publish'), manifest('', { prepublishOnly: 'vitest' }), COUNTS],
    ['an action that publishes', workflow('uses: some/npm-publish@v1'), manifest('packages/alone', { prepublishOnly: 'vitest' }), COUNTS],
    [
      'the script of a workspace',
      workflow('{run: yarn verify, working-directory: packages/alone}'),
      manifest('packages/alone', { verify: 'jest' }),
      COUNTS,
    ],
    ['turbo', workflow('run: npx turbo build'), {}, COUNTS],
    ['affected', workflow('run: affected --json'), {}, COUNTS],
    ['make', workflow('run: make everything'), {}, COUNTS],
    ['an action that runs tests', workflow('uses: cypress-io/github-action@v6'), {}, COUNTS],
    ['an input of an action', workflow('{uses: some/retry@v1, with: {command: yarn test}}'), {}, COUNTS],
    ['a script in a variable', workflow('{run: yarn "$SCRIPT", env: {SCRIPT: x}}'), {}, COUNTS],
    ['a script in an expression', workflow(`run: yarn ${expression('matrix.script')}`), {}, COUNTS],
    ['a command behind a text with blanks', workflow('uses: actions/setup-node@v4', 'run: A="x y" $COMMAND'), {}, COUNTS],
    ['a text behind the sign of another one', workflow('uses: actions/setup-node@v4', 'run: A="<a> $TEXT"'), {}, NOBODY],
    ['a program that nobody knows', workflow('uses: actions/setup-node@v4', 'run: some-cli test'), {}, COUNTS],
    ['one without packages', workflow('run: some-cli test'), {}, NOBODY],
    ['a folder', workflow('uses: actions/setup-node@v4', 'run: cd test && git status'), {}, NOBODY],
    [
      'a shell script',
      workflow('run: sh tools/a.sh'),
      { 'tools/a.sh': 'echo a\nexec ./b.sh\n', 'tools/b.sh': 'yarn \\\n  test\n' },
      COUNTS,
    ],
    ['a harmless shell script', workflow('run: sh tools/a.sh'), { 'tools/a.sh': '# yarn test\ngit tag v1\n' }, NOBODY],
    ['code that starts programs', workflow('run: node tools/a.mjs'), { 'tools/a.mjs': "execFile('yarn',\n ['test'])\n" }, COUNTS],
    ['code that starts none', workflow('run: node tools/a.mjs'), { 'tools/a.mjs': "if (/test/.test('jest')) a();\n" }, NOBODY],
    [
      'code that starts programs, with comments on tests',
      workflow('run: node tools/a.mjs'),
      { 'tools/a.mjs': "/**\n * For tests.\n */\n// Tests it.\nexecFile('yarn', ['list'])\n" },
      NOBODY,
    ],
    [
      'code that runs tests itself',
      workflow('run: node tools/a.mjs'),
      { 'tools/a.mjs': "import { startVitest } from 'vitest/node';\n" },
      COUNTS,
    ],
    ['a command that nobody wrote', workflow('run: sh tools/a.sh'), { 'tools/a.sh': `${'run -a '.repeat(9999)}\n` }, COUNTS],
    ['a local action', workflow('uses: ./.github/actions/x'), { [actionAt('x')]: action('run: yarn test') }, COUNTS],
    ['an image that runs them', workflow('run: docker build tools/image'), { 'tools/image/Dockerfile': 'RUN yarn test\n' }, COUNTS],
    ['the default of an input', HARMLESS.replace('[push]', '{workflow_dispatch: {inputs: {run: {default: yarn test}}}}'), {}, COUNTS],
    ['names and conditions', HARMLESS.replace('steps:', "name: yarn test\n    if: github.actor != 'jest'\n    steps:"), {}, NOBODY],
    ['a job with the name of a key', HARMLESS.replace('  one:', '  name:').replace('uses: actions/stale@v9', 'run: yarn test'), {}, COUNTS],
    ['words', workflow('run: echo "Run the tests with yarn test"'), {}, NOBODY],
    ['the hash of an action', workflow('uses: actions/stale@e2e5e2e0aa'), {}, NOBODY],
  ])('%s', (_, text, more, counts) => {
    const changed = { [STALE]: text.replace('ubuntu-latest', 'macos-latest') };
    expect(whyCounted({ ...more, [STALE]: text, [CI]: TESTS }, changed, 'nothing') !== undefined).toBe(counts);
  });

  test('a step that goes counts, and a workflow that goes does not', () => {
    expect(whyCounted({ [CI]: TESTS }, { [CI]: HARMLESS }, 'nothing')).toBe('it can run tests ("test"); "jobs.one.steps" differs');
    expect(whyCounted({ [CI]: TESTS }, { [CI]: null }, 'nothing')).toBeUndefined();
    expect(whyCounted({ [STALE]: HARMLESS }, { [STALE]: null }, 'nothing')).toBeUndefined();
  });

  test('an action counts if a workflow that runs tests uses it', () => {
    const before = {
      [CI]: workflow('uses: ./.github/actions/x', 'run: yarn test'),
      [STALE]: workflow('uses: ./.github/actions/y'),
      [actionAt('x')]: action('run: a'),
      [actionAt('y')]: action('run: a'),
    };
    expect(whyCounted(before, { [actionAt('x')]: action('run: b') }, 'nothing')).toBe(`it is used by ${CI}; "runs.steps.run" differs`);
    expect(whyCounted(before, { [actionAt('y')]: action('run: b') }, 'nothing')).toBeUndefined();
  });

  test('the reason names the word, and the file where it is', () => {
    expect(whyCounted({ 'tools/a.sh': 'npx jest\n' }, { [STALE]: workflow('run: sh tools/a.sh') }, 'nothing')).toBe(
      'it can run tests ("jest" in tools/a.sh)',
    );
  });

  test.each<[kind: TaskKind, text: string, counts: boolean]>([
    ['lint', workflow('run: yarn lint'), COUNTS],
    ['lint', TESTS, NOBODY],
    ['build', workflow('run: yarn build'), COUNTS],
    ['build', workflow('run: yarn lint'), NOBODY],
    ['format', workflow('run: npx prettier --check .'), COUNTS],
    ['format', workflow('run: npx turbo test'), COUNTS],
  ])('for %s a workflow counts that runs such a task', (kind, text, counts) => {
    expect(whyCounted({}, { [STALE]: text }, 'nothing', kind) !== undefined).toBe(counts);
  });
});

describe('settings of GitHub', () => {
  const LABELER = '.github/labeler.yml';

  test.each<[sentence: string, ci: string, counts: boolean]>([
    ['that no workflow reads', TESTS, NOBODY],
    ['that the workflow names', workflow('run: cat .github/labeler.yml'), COUNTS],
    ['that an action of somebody else may read', workflow('uses: some/labeler@v1'), COUNTS],
    ['beside actions that read none', workflow('uses: actions/checkout@v4', 'uses: actions/setup-node@v4'), NOBODY],
  ])('%s', (_, ci, counts) => {
    expect(whyCounted({ [CI]: ci, [LABELER]: 'a: b\n' }, { [LABELER]: 'a: c\n' }, IN_CI) !== undefined).toBe(counts);
  });
});

describe('engines', () => {
  const FILES: Readonly<Record<string, string>> = {
    github: CI,
    gitlab: '.gitlab-ci.yml',
    circleci: '.circleci/config.yml',
    buildkite: '.buildkite/pipeline.yml',
    azure: 'azure-pipelines.yml',
    jenkins: 'Jenkinsfile',
  };
  const before = Object.fromEntries(Object.values(FILES).map((file) => [file, TESTS]));

  test.each(Object.keys(FILES))('%s: its own files count, those of others do not', (name) => {
    const engine = engineNamed(name);
    const running = { engine, begins: engine.name === 'github' ? CI : undefined };
    const counted = Object.keys(FILES).filter((other) => whyCounted(before, { [FILES[other] ?? '']: 'a: 1\n' }, running) !== undefined);
    expect(counted).toEqual([name]);
  });

  test('outside of CI those of all engines count', () => {
    for (const file of Object.values(FILES)) expect(whyCounted(before, { [file]: 'a: 1\n' }, 'nothing')).toBeDefined();
  });

  test('a file of another engine that the pipeline names counts', () => {
    const running = { engine: engineNamed('gitlab'), begins: 'ci/main.yml' };
    const changed = { '.github/actions/x/run.sh': 'b' };
    expect(whyCounted({ '.gitlab-ci.yml': 'a: {script: [.github/actions/x/run.sh]}\n' }, changed, running)).toBe(
      'it is used by .gitlab-ci.yml',
    );
    expect(whyCounted({ '.gitlab-ci.yml': 'a: {script: [yarn test]}\n' }, changed, running)).toBeUndefined();
  });
});

describe('a command that the caller passes', () => {
  const CALLED = '.github/workflows/called.yml';
  const call = (command: string): string => `on: [push]\njobs:\n  one:\n    uses: ./${CALLED}\n    with: {build_script: "${command}"}\n`;
  const called = (on: string, input = 'build_script'): string =>
    workflow('uses: actions/setup-node@v4', `run: ${expression(`inputs.${input}`)}`).replace('[push]', on);
  const CALL = '{workflow_call: {inputs: {build_script: {type: string}}}}';

  test.each<[title: string, passed: string, called: string, counts: boolean]>([
    ['builds', 'yarn build', called(CALL), NOBODY],
    ['tests', 'yarn test', called(CALL), COUNTS],
    ['may do anything', 'make all', called(CALL), COUNTS],
    ['is not written there', expression('matrix.a'), called(CALL), COUNTS],
    ['builds, and tests where nobody passes one', 'yarn build', called(CALL.replace('type: string', 'default: make all')), COUNTS],
    ['builds, where a person may start it, too', 'yarn build', called(`${CALL.slice(0, -1)}, workflow_dispatch: {}}`), COUNTS],
    ['has a name of something else', 'yarn build', called(CALL, 'what'), COUNTS],
    [
      'becomes a part of one that an action runs',
      'test',
      workflow(
        'uses: actions/setup-node@v4',
        `{uses: docker://node, with: {entrypoint: yarn, args: "${expression('inputs.build_script')}"}}`,
      ).replace('[push]', CALL),
      COUNTS,
    ],
  ])('%s', (_, passed, text, counts) => {
    const changed = { [STALE]: call(passed).replace('push', 'pull_request').replace('with:', 'secrets: {A: b}\n    with:') };
    expect(whyCounted({ [CALLED]: text, [STALE]: call(passed), [CI]: TESTS }, changed, 'nothing') !== undefined).toBe(counts);
  });
});
