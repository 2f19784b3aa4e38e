import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type CliResult, type RunningProcess, runProcess, startProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { build } from 'esbuild';

const cleanUp = cleanUpIn(afterAll);
const folder = cleanUp.add(new TempFolder());
const here = dirname(fileURLToPath(import.meta.url));

let file: string;

beforeAll(async () => {
  file = join(folder.path, 'tiny.cjs');
  await build({
    entryPoints: [join(here, 'tiny-program.fixture.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['@tributary/source'],
  });
});

const run = (...args: string[]): Promise<CliResult> => runProcess(process.execPath, [file, ...args], { cwd: folder.path });

/** Starts a command and waits until it reports that it is ready. */
async function startReady(command: string): Promise<RunningProcess> {
  const running = startProcess(process.execPath, [file, command], { cwd: folder.path });
  cleanUp.add(running);
  await new Promise((resolve) => running.child.stderr.once('data', resolve));
  return running;
}

test('a command that is done exits with 0', async () => {
  expect(await run('fine')).toEqual({ code: 0, signal: null, stdout: 'answer\n', stderr: '' });
});

test('a named failure exits with 1, and shows its code, its hint and no credential', async () => {
  expect(await run('fail')).toEqual({
    code: 1,
    signal: null,
    stdout: '',
    stderr: 'error: Nothing in https://example.com/x.git. [SOURCE_EMPTY]\nhint: Try https://example.com/x.git\n',
  });
});

test('--verbose shows the cause of a named failure', async () => {
  expect((await run('fail', '--verbose')).stderr).toMatch(/hint: .*\ncaused by: Error: the reason\n +at /);
});

test('with --json a named failure is a document too, without credentials', async () => {
  const { code, stdout, stderr } = await run('fail', '--json');
  expect(code).toBe(1);
  expect(stderr).toContain('[SOURCE_EMPTY]');
  expect(JSON.parse(stdout)).toEqual({
    schemaVersion: 1,
    error: {
      code: 'SOURCE_EMPTY',
      message: 'Nothing in https://example.com/x.git.',
      hint: 'Try https://example.com/x.git',
      data: { url: 'https://example.com/x.git' },
    },
  });
});

const wrong: readonly [readonly string[], string][] = [
  [['usage'], 'error: Not so. [USAGE]\n'],
  [['fien'], "error: Unknown command 'fien'. [USAGE]\nhint: Did you mean fine?\n"],
  [['fine', '--jsn'], "error: Unknown option '--jsn'. [USAGE]\nhint: Did you mean --json?\n"],
  [['group', 'one', '--jan'], "error: Unknown option '--jan'. [USAGE]\nhint: Did you mean --jam?\n"],
  [
    ['fine', 'more'],
    "error: Too many arguments for 'fine'. Expected 0 arguments but got 1. [USAGE]\nhint: Run the same command with --help to see its options.\n",
  ],
  [
    ['fine', '--cwd', '/no/such'],
    "error: Option '--cwd <folder>' argument '/no/such' is invalid. The folder does not exist. [USAGE]\nhint: Run the same command with --help to see its options.\n",
  ],
];

test.each(wrong)('the wrong command line %p exits with 2', async (argv, stderr) => {
  expect(await run(...argv)).toEqual({ code: 2, signal: null, stdout: '', stderr });
});

test('a wrong command line with --json is a document too', async () => {
  const { code, stdout } = await run('fien', '--json');
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, error: { code: 'USAGE', hint: 'Did you mean fine?' } });
});

test('a missing command shows the choices on stderr and exits with 2', async () => {
  const { code, stdout, stderr } = await run('group');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/Commands:\n {2}one[\s\S]*error: A command is missing; see the choices above\. \[USAGE\]\n$/);
});

test('--help and --version are answers', async () => {
  const help = await run('--help');
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toContain('A tiny program.');
  expect(await run('--version')).toEqual({ code: 0, signal: null, stdout: '1.2.3\n', stderr: '' });
});

test.each([
  ['bug', 'Error: never thought of'],
  ['late-bug', 'Error: nobody waits for me'],
  ['lost-promise', 'Error: nobody awaits me'],
  ['forgotten-promise', 'Error: The command stopped before its end.'],
])('our own failure %p exits with 70', async (command, text) => {
  const brief = await run(command);
  expect(brief).toMatchObject({ code: 70, stdout: '' });
  expect(brief.stderr).toContain(`error: This is a bug in Tributary. ${text}`);
  expect(brief.stderr).toContain('hint: Run it again with --verbose');
  expect(brief.stderr).not.toContain('    at ');
  expect((await run(command, '--verbose')).stderr).toMatch(/\n +at /);
});

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

test.each(signals)('%s lets a command that takes something back end in order, with exit code %d', async (signal, expected) => {
  const running = await startReady('wait');
  running.child.kill(signal);
  const { code, stderr } = await running.finished;
  expect([code, stderr]).toEqual([
    expected,
    'ready\nwarning: interrupted, cleaning up; press Ctrl-C again to stop at once\nerror: The command was interrupted. [INTERRUPTED]\n',
  ]);
});

test('what fails because of the interruption is the interruption', async () => {
  const running = await startReady('child-fails');
  running.child.kill('SIGINT');
  const { code, stderr } = await running.finished;
  expect(code).toBe(130);
  expect(stderr).not.toContain('GIT_FAILED');
});

test.each(signals.map(([signal]) => signal))('%s ends any other command at once, although it computes', async (signal) => {
  const running = await startReady('computing');
  running.child.kill(signal);
  expect(await running.finished).toMatchObject({ code: null, signal });
});

test.each(signals)('a command that finishes all the same says that %s has come, with exit code %d', async (signal, code) => {
  for (const command of ['finish', 'computing-briefly']) {
    const running = await startReady(command);
    running.child.kill(signal);
    expect(await running.finished).toMatchObject({ code, stdout: 'finished\n' });
  }
});

test('the second Ctrl-C ends a command that does not listen', async () => {
  const running = await startReady('stubborn');
  running.child.kill('SIGINT');
  await new Promise((resolve) => running.child.stderr.once('data', resolve));
  running.child.kill('SIGINT');
  expect((await running.finished).code).toBe(130);
});

test('a second SIGHUP, as a closed terminal sends it, lets the command end in order', async () => {
  const running = await startReady('wait');
  running.child.kill('SIGHUP');
  running.child.kill('SIGHUP');
  const { code, stderr } = await running.finished;
  expect(code).toBe(129);
  expect(stderr).toContain('[INTERRUPTED]');
});

test('a reader who has seen enough (head) is no failure, and the command comes to its end', async () => {
  const script = `"${process.execPath}" "${file}" much | head -n 1; echo "\${PIPESTATUS[0]}"`;
  expect(await runProcess('bash', ['-c', script], { cwd: folder.path })).toMatchObject({
    stdout: 'line 0\n0\n',
    stderr: 'reached the end\n',
  });
});

test('all of a long answer arrives', async () => {
  expect((await run('much')).stdout.split('\n')).toHaveLength(20001);
});

test('a full disk is a named failure', async () => {
  const { stdout, stderr } = await runProcess('bash', ['-c', `"${process.execPath}" "${file}" fine > /dev/full; echo $?`], {
    cwd: folder.path,
  });
  expect([stdout, stderr]).toEqual(['1\n', 'error: The disk is full: the output could not be written. [DISK_FULL]\n']);
});

test.each(['fine', 'fien', '--help'])('%p ends although nothing can be said of a full disk', async (arg) => {
  const { stdout } = await runProcess('bash', ['-c', `"${process.execPath}" "${file}" ${arg} > /dev/full 2> /dev/full; echo $?`], {
    cwd: folder.path,
  });
  expect(stdout).toBe('1\n');
});

test('help that a file cannot take is no success', async () => {
  const script = `ulimit -f 0; exec "${process.execPath}" "${file}" --help > help.txt`;
  expect(await runProcess('bash', ['-c', script], { cwd: folder.path })).toMatchObject({
    code: 70,
    stderr: expect.stringContaining('EFBIG'),
  });
});

test('help of which the reader has seen enough is no failure', async () => {
  const script = `"${process.execPath}" "${file}" --help | true; echo "\${PIPESTATUS[0]}"`;
  expect(await runProcess('bash', ['-c', script], { cwd: folder.path })).toMatchObject({ stdout: '0\n', stderr: '' });
});

test('--no-color reaches libraries and child programs', async () => {
  expect((await run('color', '--no-color')).stdout).toBe('1\n');
  expect((await run('color')).stdout).toBe('undefined\n');
});

test.each([
  [['spin'], 'The command "spin" was removed.', 'Run tiny fine instead.'],
  [['spin', 'it', '--fast'], 'The command "spin" was removed.', 'Run tiny fine instead.'],
  [['fine', '--toast=brown'], 'The option --toast was removed.', 'Write the toast to a file.'],
  [['group', 'one', '--toast'], 'The option --toast was removed.', 'Write the toast to a file.'],
])('what an earlier version had says that it is gone: %j', async (args, message, hint) => {
  expect(await run(...args)).toMatchObject({ code: 2, stdout: '', stderr: `error: ${message} [USAGE]\nhint: ${hint}\n` });
});

test('help does not list what is gone', async () => {
  expect((await run('--help')).stdout).not.toContain('spin');
});

test('a folder that was deleted meanwhile is named', async () => {
  const start = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" folder';
  const { code, stderr } = await runProcess('sh', ['-c', start, process.execPath, file], { cwd: folder.path });
  expect([code, stderr.split('\n')[0]]).toEqual([1, 'error: The current folder was deleted. [TARGET_NOT_FOUND]']);
});
