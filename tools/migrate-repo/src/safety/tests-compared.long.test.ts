import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { CliResult } from '@tributary/test-repo/run-cli';
import { compileSchema } from '@tributary/test-repo/schemas';
import { mountDisk } from '@tributary/test-repo/small-disk';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { MigrateResult } from '../result/result.js';
import type { PackageTestsResult } from '../result/tests-result.js';
import type { InstalledFixture } from './installed.fixture.js';
import { besideRefs, readState } from './migration.fixture.js';
import { createTested, createTestedFixture, lockOf, testFolder } from './tests-compared.fixture.js';

const cleanUp = cleanUpIn(afterAll);

/** Everything that a stranger's tests may do in the place where they run. */
const MESSY = `
const { execSync, spawn } = require('node:child_process');
test('finds nothing of the user', () => {
  const secrets = ['GITHUB_TOKEN', 'NPM_TOKEN', 'SSH_AUTH_SOCK', 'npm_config__authToken', 'YARN_NPM_AUTH_TOKEN'].filter((name) => process.env[name]);
  assert.deepStrictEqual(secrets, []);
  assert.notStrictEqual(process.env.HOME, require('node:os').userInfo().homedir);
  assert.ok(!fs.existsSync(process.env.HOME + '/.gitconfig'));
});
test('writes into its repository, its home and its temporary folder', () => {
  const git = (line) => execSync('git -c user.name=x -c user.email=x@example.com ' + line, { encoding: 'utf8' });
  fs.writeFileSync('rubbish.txt', 'x');
  fs.writeFileSync(process.env.HOME + '/.npmrc', 'x');
  fs.writeFileSync(process.env.TMPDIR + '/x', 'x');
  git('add -A .'); git('commit -q -m rubbish'); git('tag -f rubbish'); git('branch -f rubbish'); git('config user.name rubbish');
  assert.strictEqual(git('remote'), '');
});
test('leaves a daemon', () => {
  spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' }).unref();
});`;

const SOURCES = {
  messy: createTested(cleanUp, 'messy', MESSY),
  moved: createTested(cleanUp, 'moved', `test('dep', () => assert.strictEqual(require('dep').answer, 42)); test('other', () => {});`, {
    manifest: { dependencies: { dep: '^1.0.0' } },
    files: { 'package-lock.json': lockOf('moved', 'dep', '1.0.0') },
  }),
  // It fails in a closed environment: it needs a variable that its CI sets, and no NO_COLOR.
  shut: createTested(
    cleanUp,
    'shut',
    `test('env', () => assert.deepStrictEqual([process.env.LIMIT, process.env.NO_COLOR], ['5', undefined]));`,
    {
      files: {
        '.github/workflows/test.yml':
          'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    env: { LIMIT: 5, PATIENCE: 7 }\n    steps: [{ run: npm test }]\n',
      },
    },
  ),
  // npm sets variables for `config`; Yarn does not.
  config: createTested(cleanUp, 'config', `test('env', () => assert.strictEqual(process.env.npm_package_config_port, '8080'));`, {
    manifest: { config: { port: '8080' } },
  }),
  // It reads a file of its dependency by a path, as d3-geo does.
  path: createTested(cleanUp, 'path', `test('data', () => assert.ok(fs.readFileSync('./node_modules/dep/index.js')));`, {
    manifest: { dependencies: { dep: '^1.0.0' } },
  }),
  // Its tests look for the root of the repository, and are silently fewer without it.
  lost: createTested(cleanUp, 'lost', `test('one', () => {}); if (fs.existsSync('.git')) test('two', () => {});`),
};

/** A source whose tests write until the disk is full. */
const FILLS = createTested(
  cleanUp,
  'fills',
  `test('x', () => { const file = fs.openSync('big', 'w'); for (;;) fs.writeSync(file, Buffer.alloc(1 << 20)); });`,
);

let installed: InstalledFixture;
let before: unknown;
let first: CliResult;
let result: MigrateResult;

const temporary = cleanUp.add(new TempFolder());
const SECRETS = { GITHUB_TOKEN: 'x', NPM_TOKEN: 'x', SSH_AUTH_SOCK: '/x', npm_config__authToken: 'x', YARN_NPM_AUTH_TOKEN: 'x' };

function migrate(...more: string[]): Promise<CliResult> {
  const args = [...Object.keys(SOURCES), '--branch', 'came', '--no-input', '--json', ...more];
  return installed.fixture.run(args, { timeoutMs: 500_000, env: { ...installed.env, ...SECRETS, TMPDIR: temporary.path } });
}

beforeAll(async () => {
  installed = await createTestedFixture(cleanUp, { ...SOURCES, fills: FILLS });
  before = besideRefs(withoutOwn(installed));
  first = await migrate('--tests', 'test', '--report', 'report.md');
  if (first.stdout === '') throw new Error(first.stderr);
  result = JSON.parse(first.stdout) as MigrateResult;
});

/** Returns the state without the tool's own folder and the report. */
function withoutOwn({ fixture }: InstalledFixture): ReturnType<typeof readState> {
  const state = readState(fixture.monorepo);
  const drop = (files: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(files).filter(([name]) => !name.startsWith('tributary') && name !== 'report.md'));
  const { snapshot } = state;
  const status = snapshot.status.filter((line) => !line.endsWith('report.md'));
  return {
    ...state,
    leftovers: [],
    snapshot: { ...snapshot, status, gitFolder: drop(snapshot.gitFolder), worktree: drop(snapshot.worktree) },
  };
}

function testsOf(name: string): PackageTestsResult {
  const found = result.tests?.packages.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not in the answer`);
  return found;
}

test('each package gets its outcome, with the numbers of its tests', () => {
  const told = (result.tests?.packages ?? []).map(({ name, outcome, before: one, after: other }) => [
    name,
    outcome,
    ...[one, other].map(({ result: ended, passed, failed, runs }) => `${ended} ${passed}/${failed} ${runs}`),
  ]);
  expect(told).toEqual([
    ['config', 'newly failing', 'passed 1/0 2', 'failed 0/1 2'],
    ['lost', 'newly failing', 'passed 2/0 2', 'passed 1/0 2'],
    ['messy', 'same', 'passed 3/0 1', 'passed 3/0 1'],
    ['moved', 'newly failing', 'passed 2/0 2', 'failed 1/1 2'],
    ['path', 'newly failing', 'passed 1/0 2', 'failed 0/1 2'],
    ['shut', 'failed before', 'failed 0/1 2', 'failed 0/1 2'],
  ]);
  expect(first.code).toBe(1);
});

test('the answer is valid by the published schema', () => {
  const validate = compileSchema('migrate-repo', 'migrate-result');
  expect(validate(result) ? [] : validate.errors).toEqual([]);
});

test('the repository, its settings and the work tree are as before, and nothing is left of the places where the tests ran', () => {
  expect(besideRefs(withoutOwn(installed))).toEqual(before);
  expect(installed.fixture.monorepo.git('for-each-ref', '--format=%(refname)').split('\n')).not.toContain('refs/tags/rubbish');
  expect(readdirSync(testFolder(installed)).sort()).toEqual(['logs', 'mark']);
  expect(readdirSync(temporary.path)).toEqual([]);
  expect(testsOf('messy').after.remarks).toEqual(['It left one process behind, which was ended.']);
});

test('each package has a log with every step, and the report begins with the outcome', () => {
  const log = readFileSync(testsOf('moved').log ?? '', 'utf8');
  expect(log).toMatch(/^=== before: npm ci\n/);
  expect(log).toMatch(/^=== after: \S+ \S+ run test$/m);
  const report = readFileSync(join(installed.fixture.monorepo.path, 'report.md'), 'utf8');
  const at = report.indexOf('## Tests before and after\n\nTests before and after: 4 newly failing, 1 failed before, 1 same.');
  expect(at).toBeGreaterThan(0);
  expect(report.indexOf('## Breaks')).toBeGreaterThan(at);
});

test('with variables of the user the tests pass, and the answer says that they got them', async () => {
  await installed.fixture.run(['discard', 'came'], { env: installed.env });
  const { stdout } = await installed.fixture.run(
    ['shut', '--branch', 'open', '--tests', 'test', '--tests-env', 'LIMIT=5', '--tests-env', 'NO_COLOR', '--json'],
    { env: installed.env },
  );
  const { tests } = JSON.parse(stdout) as MigrateResult;
  expect([tests?.variables, tests?.packages[0]?.outcome]).toEqual([['LIMIT', 'NO_COLOR'], 'same']);
  await installed.fixture.run(['discard', 'open'], { env: installed.env });
});

test('where tests cannot be run, the answer still tells what was migrated', async () => {
  const lock = join(testFolder(installed), 'lock');
  writeFileSync(lock, JSON.stringify({ pid: 1, host: 'another-machine', born: '1' }));
  const args = ['messy', '--branch', 'came', '--tests', 'test', '--json'];
  const { code, stdout, stderr } = await installed.fixture.run(args, { env: installed.env });
  rmSync(lock);
  const { state, tip, tests } = JSON.parse(stdout) as MigrateResult;
  expect([code, state, tests]).toEqual([1, 'migrated', { level: 'off', reason: 'not run', variables: [], packages: [] }]);
  expect(stderr).toContain('The tests were not compared. [TARGET_LOCKED]\nhint: The migration itself is complete, on the branch came.');
  expect(installed.fixture.monorepo.id('came')).toBe(tip);
  await installed.fixture.run(['discard', 'came'], { env: installed.env });
});

test('tests that fill the disk leave the migration and its answer, and nothing of theirs', async () => {
  const disk = await mountDisk(cleanUp, 'size=60m');
  if (disk === undefined) return console.warn('left out: this user may not mount a disk');
  const { code, stdout, stderr } = await installed.fixture.run(['fills', '--branch', 'full', '--tests', 'test', '--json'], {
    env: { ...installed.env, TMPDIR: disk },
  });
  const { state, tip, tests } = JSON.parse(stdout) as MigrateResult;
  expect([code, state, tests?.reason]).toEqual([1, 'migrated', 'not run']);
  expect(stderr).toContain('There is no space left on the disk. The tests were not compared. [DISK_FULL]');
  expect([installed.fixture.monorepo.id('full'), readdirSync(disk)]).toEqual([tip, []]);
  await installed.fixture.run(['discard', 'full'], { env: installed.env });
});

test('without --tests nothing of a source runs, also with --yes, and the answer says so', async () => {
  const log = testsOf('messy').log ?? '';
  const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
  const { code, stdout } = await installed.fixture.run(['messy', '--branch', 'plain', '--yes', '--no-install'], { env: installed.env });
  expect(code).toBe(0);
  expect(stdout).toContain('Tests were not compared: that runs code of the sources. To allow it, add --tests test.');
  expect(existsSync(log) ? readFileSync(log, 'utf8') : '').toBe(text);
});
