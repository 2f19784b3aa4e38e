import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { isToolError } from '@tributary/model/errors';
import { systemClock } from '@tributary/terminal/clock';
import { completeCommands } from '@tributary/terminal/late-details';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { createTempMonorepo } from '@tributary/test-repo/temp-monorepo';
import { type Command, CommanderError } from 'commander';
import { VERSION } from '../version.js';
import { buildProgram } from './program.js';

const cleanUp = cleanUpIn(afterAll);
const folder = cleanUp.add(new TempFolder());
const repo = cleanUp.add(createTempMonorepo({ packages: { 'packages/a': {} } }));
repo.commit('change', { files: { 'packages/a/x': 'x' } });

function createProgram(): Command {
  const ui = new Ui(recordStreams(), {}, { quiet: false, verbose: false, color: 'never', input: 'never', json: false });
  return quiet(buildProgram({ ui, clock: systemClock, signal: new AbortController().signal }));
}

/** Sets up a command as `runTool` does: failures are thrown, and nothing is written. */
function quiet(program: Command): Command {
  program.exitOverride().configureOutput({ outputError: () => {}, writeErr: () => {}, writeOut: () => {} });
  program.commands.forEach(quiet);
  return program;
}

const COMPARING = ['', 'why a ', 'plan --out p '];
const clashes: readonly [line: string, message: string][] = [
  ['--files-from x --pull-request 7', '--files-from and --pull-request cannot be used together.'],
  ['--uncommitted --head main', '--uncommitted and --head, --files-from or --pull-request cannot be used together.'],
  ['--uncommitted --files-from x', '--uncommitted and --head, --files-from or --pull-request cannot be used together.'],
  ['--uncommitted --pull-request 7', '--uncommitted and --head, --files-from or --pull-request cannot be used together.'],
  ['--base=-x', '"-x" cannot name a commit.'],
  ['--base=--output=x', '"--output=x" cannot name a commit.'],
  ['--base a..b', '"a..b" cannot name a commit.'],
  ['--base a...b', '"a...b" cannot name a commit.'],
  ['--base HEAD:package.json', '"HEAD:package.json" cannot name a commit.'],
  ['--base a^!', '"a^!" cannot name a commit.'],
  ['--base=', '"" cannot name a commit.'],
  ['--base main --head=-x', '"-x" cannot name a commit.'],
  ['--head a*', '"a*" cannot name a commit.'],
];
const wrong = [
  ...COMPARING.flatMap((command) => clashes.map(([line, message]): [string, string] => [command + line, message])),
  ['selct', 'Unknown command "selct".'],
  ['affected --base main', 'Unknown command "affected".'],
  ['replay --head=--all', '"--all" cannot name a commit.'],
  ['plan --out p --shards 2 --target-time 10m', '--target-time and --shards cannot be used together.'],
  ['plan --out p --shards 30', '--shards 30 is above --max-shards, which is 20.'],
  ['plan --out p --shards 6 --max-shards 5', '--shards 6 is above --max-shards, which is 5.'],
  ['plan --out p --shards 4001 --max-shards 4001', '--shards is above 4000, the most that any engine supports.'],
  ['plan --out p --max-shards 4001', '--max-shards is above 4000, the most that any engine supports.'],
] as const;

describe('what is wrong in a command line is refused before anything is read', () => {
  test.each(wrong)('%s', async (line, message) => {
    const failure: unknown = await createProgram()
      .parseAsync(line.split(' '), { from: 'user' })
      .catch((error: unknown) => error);
    if (!isToolError(failure)) throw failure;
    expect([failure.code, failure.message]).toEqual(['USAGE', message]);
  });

  const refused = [
    '--jsno',
    '--format xml',
    '--fallback none',
    '--fallback',
    '--pull-request 0',
    '--pull-request x',
    '--pull-request -1',
    '--pull-request 1e3',
    '--base',
    '--cwd gone',
  ];
  const commands = [
    'why',
    'why a b',
    'why a --format names',
    'why a --fallback all',
    'replay --last 0',
    'replay --last 1.5',
    'replay --last',
    'replay --base main',
    'replay x',
  ];
  const planned = [
    'plan',
    'plan --out',
    'plan x --out p',
    'plan --out p --fallback none',
    'plan --out p --format names',
    'plan --out p --task',
    ...['0', '0s', '-5m', '10d', '1e3', 'x', '10m5s', '.5m', 'NaN'].map((time) => `plan --out p --target-time ${time}`),
    ...['0', '1d', 'soon'].map((time) => `plan --out p --setup-time ${time}`),
    ...['0', '-1', '1.5', 'x', '1e3', '12345678901'].flatMap((count) => [
      `plan --out p --shards ${count}`,
      `plan --out p --max-shards ${count}`,
    ]),
    'emit',
    'emit github',
    'emit --plan p',
    'emit travis --plan p',
    'emit GitHub --plan p',
    'emit github gitlab --plan p',
    'emit github --plan',
    'run-shard',
    'run-shard 01',
    'run-shard --plan p',
    'run-shard 01 --plan',
    'run-shard 01 --plan p --receipts',
    'gate',
    'gate --plan',
    'gate --receipts r',
    'gate x --plan p',
    'gate --plan p --attempt 0',
    'gate --plan p --attempt x',
    'gate --plan p --summary',
    'timings',
    'timings gather',
    'timings collect',
    'timings collect --into',
    'timings collect x --into t',
    'timings collect --into t --turbo',
  ];
  test.each([...refused, ...commands, ...planned])('%s', async (line) => {
    const failure: unknown = await createProgram()
      .parseAsync(line.split(' '), { from: 'user' })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CommanderError);
    expect(failure).not.toMatchObject({ exitCode: 0 });
  });
});

describe('exit code 2, nothing on stdout, and a hint on stderr', () => {
  test.each([
    '--jsno',
    '--base=-x',
    'why',
    '--format xml',
    '--files-from x --pull-request 7',
    'replay --last 0',
    'selct',
    'plan',
    'plan --out p --shards 2 --target-time 10m',
    'plan --out p --target-time 10d',
    'emit travis --plan p',
    'run-shard 01',
    'gate',
    'timings collect',
  ])('%s', async (line) => {
    const { code, stdout, stderr } = await runCli('affected', line.split(' '), { cwd: repo.path });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .*\[USAGE\]\nhint: /);
  });

  test.each(['--json --base a..b', '--json --format names --base main', 'replay --last 0 --json'])(
    'and the error as a document: %s',
    async (line) => {
      const { code, stdout } = await runCli('affected', line.split(' '), { cwd: repo.path });
      expect(code).toBe(2);
      expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, error: { code: 'USAGE' } });
    },
  );

  test('--fallback all does not hide it', async () => {
    const { code, stdout } = await runCli('affected', ['--fallback', 'all', '--format', 'names', '--base', 'a..b'], { cwd: repo.path });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

test('an unknown command says which one may be meant', async () => {
  const { stderr } = await runCli('affected', ['--fromat', 'names'], { cwd: repo.path });
  expect(stderr).toContain('--format');
});

const COMMANDS = ['', 'select', 'why', 'replay', 'plan', 'emit', 'run-shard', 'gate', 'timings collect'];

describe('help', () => {
  test.each(COMMANDS)('of %p is at most 80 columns wide, begins with examples, and says how it is called', async (command) => {
    const { code, stdout, stderr } = await runCli('affected', [...command.split(' '), '--help'].filter(Boolean), { cwd: folder.path });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toMatch(/^Examples:\n {2}# .*\n {2}\$ \S/);
    expect(stdout).toMatch(new RegExp(`^Usage: affected ${command === '' ? '\\[options\\]' : command}`, 'm'));
    if (command === '') expect(stdout).toContain('Exit codes:');
  });

  test('of the program shows the options of what it does without a command', async () => {
    const { stdout } = await runCli('affected', ['--help'], { cwd: folder.path });
    for (const option of [
      '--base <ref>',
      '--head <ref>',
      '--files-from <file>',
      '--pull-request <number>',
      '--uncommitted',
      '--no-fetch',
      '--format <format>',
      '--fallback <answer>',
    ])
      expect(stdout).toContain(option);
    for (const command of createProgram().commands) expect(stdout).toContain(command.name());
  });

  test('every command and every option says what it is for, in the same manner', () => {
    const program = createProgram();
    completeCommands(program);
    const all = [program, ...program.commands.flatMap((command) => [command, ...command.commands])];
    const texts = all.flatMap((command) => command.options.map((option) => option.description));
    expect(texts.filter((text) => !/^[a-z].*[^.]$/.test(text))).toEqual([]);
    expect(all.map((command) => command.description()).filter((text) => !/^[A-Z][\s\S]*\.$/.test(text))).toEqual([]);
    const summaries = all.slice(1).map((command) => command.summary());
    expect(summaries.filter((text) => !/^[a-z].*[^.]$/.test(text))).toEqual([]);
  });

  test('is the same with and without a repository around it, and reads no git', async () => {
    const env = { PATH: '/nowhere' };
    expect(await runCli('affected', ['--help', '--base', 'x'], { cwd: repo.path, env })).toEqual(
      await runCli('affected', ['--help'], { cwd: folder.path, env }),
    );
  });
});

describe('at the start of a repository', () => {
  test.each([[], ['plan', '--out', 'plan.json'], ['check'], ['tune'], ['replay'], ['init'], ['plan', '--base', 'main', '--out', 'p']])(
    'without a commit, it says to commit: %p %p %p',
    async (...args) => {
      const repo = cleanUp.add(createTempMonorepo({ packages: { 'packages/a': {} } }));
      repo.git('checkout', '--quiet', '--orphan', 'new');
      const { code, stderr } = await runCli('affected', args, { cwd: repo.path });
      expect([code, stderr]).toEqual([1, expect.stringMatching(/HEAD has no commit yet\. \[REVISION_MISSING\]\nhint: Commit something/)]);
    },
  );

  test.each([['tune'], ['replay']])('with one commit, %s says what to do', async (command) => {
    const repo = cleanUp.add(createTempMonorepo({ packages: { 'packages/a': {} } }));
    expect((await runCli('affected', [command], { cwd: repo.path })).stdout).toBe(
      'Nothing to replay: no commit has a parent in this clone.\nCommit a change first. If the clone is shallow: git fetch --unshallow\n',
    );
  });

  test('without turbo.json, plan shows one', async () => {
    const repo = cleanUp.add(createTempMonorepo({ packages: { 'packages/a': {} } }));
    repo.write({ 'turbo.json': '{}' });
    const { code, stderr } = await runCli('affected', ['plan', '--base', 'HEAD', '--out', 'plan.json'], { cwd: repo.path });
    expect(code).toBe(1);
    expect(stderr).toContain('The commit has no turbo.json at the root of the project. [CONFIG_INVALID]\nhint: Commit one, such as {');
  });
});

test('--version', async () => {
  expect(await runCli('affected', ['--version'], { cwd: folder.path })).toMatchObject({ code: 0, stdout: `${VERSION}\n` });
});

describe('what needs no command loads none', () => {
  const hook = folder.write(
    'list-modules.cjs',
    `process.on('exit', () => require('node:fs').writeFileSync(process.env.MODULES, JSON.stringify(Object.keys(require.cache))));`,
  );

  async function listLoaded(...args: readonly string[]): Promise<readonly string[]> {
    const list = folder.join('modules.json');
    const { code } = await runCli('affected', args, { cwd: folder.path, env: { NODE_OPTIONS: `--require "${hook}"`, MODULES: list } });
    expect(code).not.toBe(70);
    const files = JSON.parse(readFileSync(list, 'utf8')) as readonly string[];
    return files.filter((file) => file !== hook).map((file) => file.slice(file.lastIndexOf('/out/') + '/out/'.length));
  }

  test.each(['--help', 'why --help', '--version', '--base a..b', '--jsno'])(
    '%s loads the program without a command of it',
    async (line) => {
      expect(await listLoaded(...line.split(' '))).toEqual(['cli.cjs']);
    },
  );
});
