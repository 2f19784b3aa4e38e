import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { type Attempt, type Outcome, tryAttempts } from '../testing/attempts.fixture.js';
import { ShardRepo } from '../testing/shard-repo.fixture.js';

// Attempts to have a green gate, without a word, over a test that fails or does not run. The answer stands first.

const cleanUp = cleanUpIn(afterAll);
const JEST = { jest: join(findProjectRoot(), 'node_modules/.bin/jest') };
const OK = "test('ok', () => {});\n";
const FAIL = "test('fails', () => { throw new Error('no'); });\n";
const EXIT = `test('ends', () => { process.exit(0); });\n${FAIL}`;
const NODE = "const { test } = require('node:test');\n";

const jest = (script: string, after = FAIL, more: Partial<Attempt> = {}): Attempt => ({
  before: 'jest',
  script,
  tests: [OK, after],
  ...more,
});
const node = (script: string, after: string, before = 'node --test'): Attempt => ({ before, script, tests: [NODE + OK, NODE + after] });
const processor = (text: string): Partial<Attempt> => ({ files: { 'processor.js': `module.exports = (all) => { ${text} };\n` } });
const PROCESSED = 'jest --testResultsProcessor=./processor.js';
const CLEARS = 'all.success = true; all.numFailedTests = 0; all.numFailedTestSuites = 0;';
const IGNORES = "module.exports = { passWithNoTests: true, testPathIgnorePatterns: ['a.test'] };\n";
const SNAP = "test('ok', () => { expect(2).toMatchSnapshot(); });\n";
const SNAPSHOT = '// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing\n\nexports[`ok 1`] = `1`;\n';
const FLIPS =
  "for (const file of all.testResults) { file.numPassingTests += file.numFailingTests; file.numFailingTests = 0; delete file.failureMessage; for (const one of file.testResults) { one.status = 'passed'; one.failureMessages = []; } }";

const ATTEMPTS: readonly (readonly [answer: Outcome, name: string, attempt: Attempt])[] = [
  // What discards an exit code.
  ['told', 'or-true', jest('jest || true')],
  ['told', 'own-reporter', node('node --test --test-reporter=spec --test-reporter-destination=out.txt || true', FAIL)],
  ['told', 'pipe', jest('jest | cat')],
  ['told', 'background', jest('jest &')],
  ['told', 'without-our-file', jest('sh -c "NODE_OPTIONS= jest || true"')],
  ['told', 'called', jest('yarn unit', FAIL, { scripts: { unit: 'jest || true' } })],
  ['told', 'called-by-npm', jest('npm run unit', FAIL, { scripts: { unit: 'jest; exit 0' } })],
  ['told', 'exit-code-of-failures', jest('jest --testFailureExitCode=0')],
  ['told', 'own-code', jest("node -e \"require('child_process').spawnSync('jest')\"")],
  ['told', 'own-program', jest('node run.js', FAIL, { files: { 'run.js': "require('child_process').spawnSync('jest');\n" } })],
  // What ends early.
  ['red', 'exit', jest('jest', EXIT)],
  ['red', 'exit-with-options', jest('NODE_OPTIONS= jest', EXIT)],
  ['red', 'exit-in-set-up', jest('jest --setupFiles=./x.js', FAIL, { files: { 'x.js': 'process.exit(0);\n' } })],
  [
    'red',
    'exit-in-tear-down',
    jest('jest --globalTeardown=./x.js', FAIL, { files: { 'x.js': 'module.exports = () => process.exit(0);\n' } }),
  ],
  [
    'red',
    'exit-in-reporter',
    jest('jest --reporters=./x.js', FAIL, { files: { 'x.js': 'module.exports = class { onRunComplete() { process.exit(0); } };\n' } }),
  ],
  ['red', 'exit-of-node', node('node --test', EXIT)],
  ['red', 'exit-code-of-node', node('node --test', `${FAIL}process.on('exit', () => { process.exitCode = 0; });\n`)],
  ['told', 'exit-of-a-file', node('node a.test.js', EXIT, 'node a.test.js')],
  ['red', 'bail', jest('jest --bail')],
  ['red', 'forced-exit', jest('jest --forceExit')],
  // What changes the report.
  ['red', 'cleared-counts', jest(PROCESSED, FAIL, processor(`${CLEARS} return all;`))],
  ['red', 'changed-results', jest(PROCESSED, FAIL, processor(`${CLEARS} all.numPassedTests = all.numTotalTests; ${FLIPS} return all;`))],
  [
    'red',
    'no-results',
    jest(PROCESSED, FAIL, processor(`${CLEARS} return { ...all, numTotalTests: 0, numPassedTests: 0, testResults: [] };`)),
  ],
  ['told', 'own-report', jest(`${PROCESSED} --json --outputFile=o.json`, FAIL, processor(`${CLEARS} return all;`))],
  ['told', 'own-environment', jest(`env -u NODE_OPTIONS ${PROCESSED}`, FAIL, processor(`${CLEARS} return all;`))],
  // What runs no test.
  ['red', 'no-file', jest('jest --passWithNoTests nothing')],
  ['red', 'no-name', jest('jest -t nothing')],
  ['told', 'some-names', jest('jest -t ok', OK + FAIL)],
  [
    'told',
    'some-names-of-a-program',
    jest('node run.js', OK + FAIL, { files: { 'run.js': "require('child_process').execSync('jest -t ok');\n" } }),
  ],
  ['silent', 'skipped-beside', jest('jest', `test.skip('x', () => {});\n${OK}`)],
  ['told', 'some-part', jest('jest --shard=2/2', FAIL, { files: { 'b.test.js': OK } })],
  ['told', 'some-related', jest('jest --findRelatedTests b.test.js', FAIL, { files: { 'b.test.js': OK } })],
  ['told', 'some-names-for-a-script', jest('yarn unit --testNamePattern=ok', OK + FAIL, { scripts: { unit: 'jest' } })],
  ['red', 'no-match', jest('jest --passWithNoTests --testMatch=nothing')],
  ['red', 'version', jest('jest --version')],
  ['red', 'version-in-a-script', jest('yarn run unit', FAIL, { scripts: { unit: 'jest --version' } })],
  ['red', 'list', jest('jest --listTests')],
  ['red', 'skipped', jest('jest', "test.skip('x', () => {});\n")],
  ['red', 'to-do', jest('jest', "test.todo('x');\n")],
  ['told', 'only', jest('jest', `test.only('ok', () => {});\n${FAIL}`)],
  ['red', 'skipped-by-node', node('node --test', "test('x', { skip: true }, () => {});\n")],
  ['red', 'to-do-of-node', node('node --test', "test('x', { todo: true }, () => { throw new Error('no'); });\n")],
  ['red', 'no-name-of-node', node('node --test --test-name-pattern=nothing', FAIL)],
  ['told', 'some-names-of-node', node('node --test --test-name-pattern ok', OK + FAIL)],
  ['red', 'version-of-node', node('node --version', FAIL)],
  ['red', 'part-of-node', node('node --test --test-shard=2/2', FAIL)],
  ['red', 'part-of-jest', jest('jest --shard=2/2 --passWithNoTests')],
  ['red', 'unchanged', jest('jest -o')],
  ['red', 'unchanged-since', jest('jest --changedSince=HEAD')],
  ['red', 'settings', jest('jest', FAIL, { files: { 'jest.config.js': IGNORES } })],
  ['told', 'other-folder', jest('cd sub && jest --passWithNoTests nothing', FAIL, { files: { 'sub/package.json': '{}\n' } })],
  ['red', 'variables-of-yarn', jest('jest --passWithNoTests nothing', FAIL, { files: { '.env.yarn': 'NODE_OPTIONS=\n' } })],
  ['red', 'moved-away', jest('mv a.test.js a.js && jest --passWithNoTests; mv a.js a.test.js')],
  ['told', 'only-of-node', node('node --test --test-only', `test('ok', { only: true }, () => {});\n${FAIL}`)],
  // A second file that ends before its first test.
  ['red', 'exit-at-the-top', { ...node('node --test', OK), files: { 'b.test.js': `process.exit(0);\n${NODE}${FAIL}` } }],
  ['silent', 'exit-of-a-script', { ...node('node --test', OK), files: { 'b.test.js': 'process.exit(0);\n' } }],
  // What compares with nothing.
  ['red', 'updates', jest('jest -u', SNAP, { files: { '__snapshots__/a.test.js.snap': SNAPSHOT } })],
  ['red', 'new-snapshots', jest('jest --ci=false', SNAP)],
];

describe('a change that hides a failure', () => {
  test('fails the gate, or is told', async () => {
    const outcomes = await tryAttempts(cleanUp, Object.fromEntries(ATTEMPTS.map(([, name, attempt]) => [name, attempt])), JEST);
    expect(outcomes).toEqual(Object.fromEntries(ATTEMPTS.map(([answer, name]) => [name, answer])));
  });
});

describe('a gate that passes tells', () => {
  const gateOf = async (one: ShardRepo): Promise<string> => {
    const plan = ['--plan', join(one.work, 'plan.json')];
    await one.affected(['plan', '--base', 'main', '--shards', '1', '--out', join(one.work, 'plan.json')]);
    const ran = await one.affected(['run-shard', '01', ...plan]);
    const { code, stderr } = await one.affected(['gate', ...plan]);
    expect(code).toBe(0);
    return `${ran.stderr}${stderr}`;
  };
  const failing = { test: 'node --test', files: { 'a.test.js': NODE + FAIL } };

  test.each([
    ['a build that writes over a test', false],
    ['a cached build that does', true],
  ])('%s', async (_, isCached) => {
    const build = `node -e "fs.writeFileSync('../p1/a.test.js', fs.readFileSync('ok.js'))"`;
    const a = { manifest: { name: 'a', scripts: { build } }, files: { 'ok.js': NODE + OK } };
    const tasks = { build: { inputs: ['ok.js'], outputs: ['$TURBO_ROOT$/packages/p1/a.test.js'] }, test: { dependsOn: ['^build'] } };
    const files = { 'turbo.json': `${JSON.stringify({ tasks })}\n` };
    const one = await ShardRepo.create(cleanUp, { a, b: { ...failing, dependencies: ['a'] } }, { changed: ['a', 'b'], files });
    if (isCached) await one.turbo(['run', 'build']);
    one.repo.git('checkout', '-q', '--', '.');
    const said = await gateOf(one);
    expect(said).toContain('warning: packages/p1/a.test.js of the commit was changed before the tests ended.\n');
    expect(said).toContain('warning: Shard 01 ran on tracked files that differ from those of the commit.\n');
  });

  test.each(['--assume-unchanged', '--skip-worktree'])('a test that is written over, and a change that git %s hides', async (option) => {
    const test = `git update-index ${option} a.test.js && node -e "fs.writeFileSync('a.test.js', fs.readFileSync('ok.js'))" && node --test`;
    const files = { 'a.test.js': NODE + FAIL, 'ok.js': NODE + OK };
    const one = await ShardRepo.create(cleanUp, { b: { test, files } }, { changed: ['b'] });
    expect(await gateOf(one)).toContain('warning: packages/p0/a.test.js of the commit was changed before the tests ended.\n');
  });

  test('a Yarn that runs nothing', async () => {
    const one = await ShardRepo.create(cleanUp, { b: failing }, { changed: ['b'] });
    one.repo.write({ 'fake.cjs': 'process.exit(0);\n', '.yarnrc.yml': 'nodeLinker: node-modules\nyarnPath: fake.cjs\n' });
    one.repo.commit('Another Yarn');
    expect(await gateOf(one)).toContain('warning: No runner told how many tests ran in b');
  });
});

describe('a plan', () => {
  const tested = {
    odd: { test: 'jest "' },
    huge: { test: `node -e 0 ${'a '.repeat(500_000)}` },
    none: { manifest: { scripts: { test: '' } } },
    plain: { test: 'node -e 0' },
    lost: { test: 'node -e 0 || true' },
  };
  const plan = async (
    settings: string,
  ): Promise<{ readonly one: ShardRepo; readonly warnings: readonly string[]; readonly file: string }> => {
    const one = await ShardRepo.create(cleanUp, tested, { changed: Object.keys(tested), files: { 'tributary.json': settings } });
    const file = join(one.work, 'plan.json');
    const { code, stderr } = await one.affected(['plan', '--base', 'main', '--out', file]);
    expect(code).toBe(0);
    return { one, warnings: stderr.split('\n').filter((line) => line.includes('exit code')), file };
  };

  test('tells scripts that discard an exit code, or that no shell reads, and is made', async () => {
    const { warnings } = await plan('{}\n');
    expect(warnings).toEqual([
      expect.stringMatching(/^warning: huge: unknown whether the script discards an exit code: node -e 0 a.{1,200}…\.$/),
      'warning: lost: the script discards an exit code, and may pass although a command fails: node -e 0 (|| true).',
      'warning: odd: unknown whether the script discards an exit code: jest ".',
    ]);
  });

  test('tells tests in a task before, unless it plans that too', async () => {
    const scripts = { test: 'node --test', unit: 'jest', deep: 'mocha', gen: 'node gen.js' };
    const tasks = { test: { dependsOn: ['unit', 'gen', '^deep'] }, unit: { dependsOn: ['a#deep'] }, deep: {}, gen: {} };
    const files = { 'turbo.json': `${JSON.stringify({ tasks })}\n` };
    const one = await ShardRepo.create(cleanUp, { a: { manifest: { scripts } }, b: {} }, { changed: ['a', 'b'], files });
    const warned = async (task: string): Promise<readonly string[]> => {
      const { stderr } = await one.affected(['plan', '--base', 'main', '--task', task, '--out', join(one.work, 'plan.json')]);
      return stderr
        .split('\n')
        .flatMap((line) => /^warning: (.*): a task before it runs tests; .*: (\w+)\.$/.exec(line)?.slice(1).join(' ') ?? []);
    };
    expect(await warned('test')).toEqual(['a unit', 'a deep']);
    expect(await warned('test,unit,deep')).toEqual([]);
  });

  test.each([
    [true, 'problems'],
    [false, 'notes'],
  ])('with strictScripts %s makes them %s of the gate', async (strictScripts, where) => {
    const { one, file } = await plan(`${JSON.stringify({ affected: { strictScripts } })}\n`);
    const { stdout } = await one.affected(['gate', '--json', '--plan', file]);
    const told = (JSON.parse(stdout) as Record<string, readonly { readonly kind: string; readonly message: string }[]>)[where] ?? [];
    const lost = told.filter(({ kind, message }) => kind === 'script' && message.startsWith('lost: '));
    expect(lost).toHaveLength(1);
  });
});
