import { existsSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from './clean-up.js';
import { createHome, runCli, runProcess, startCli, startProcess } from './run-cli.js';
import { TempFolder } from './temp-folder.js';

const cleanUp = cleanUpIn(afterEach);
const node = (code: string, options = {}): ReturnType<typeof runProcess> =>
  runProcess(process.execPath, ['-e', code], { cwd: '/', ...options });

/** Creates a project with one tool. */
function createProject(code: string): { root: TempFolder['path']; cwd: string } {
  const folder = cleanUp.add(new TempFolder());
  folder.write('tools/talk/out/cli.cjs', code);
  return { root: parseAbsolutePath(folder.path), cwd: folder.path };
}

test('a bundled tool runs with its arguments, input and folder', async () => {
  const project = createProject('process.stdin.pipe(process.stdout); console.error(process.cwd(), process.argv[2]); process.exitCode = 3;');
  expect(await runCli('talk', ['--x'], { ...project, input: 'hello' })).toEqual({
    code: 3,
    signal: null,
    stdout: 'hello',
    stderr: `${project.cwd} --x\n`,
  });
});

test('the environment is closed, and the home has nothing but a git identity', async () => {
  const run = await node(
    'console.log(JSON.stringify([Object.keys(process.env).sort(), fs.readdirSync(os.homedir()), os.homedir(), process.stdout.isTTY ?? false]))',
  );
  const [names, files, home, terminal] = JSON.parse(run.stdout);
  expect(names).toEqual(['GIT_CONFIG_NOSYSTEM', 'HOME', 'LANG', 'PATH', 'TMPDIR', 'TZ']);
  expect(files).toEqual(['.gitconfig']);
  expect(terminal).toBe(false);
  expect(existsSync(home)).toBe(false);
  expect((await runProcess('git', ['config', 'user.name'], { cwd: '/' })).stdout).toBe('Ada Author\n');
});

test('a home can be shared between runs', async () => {
  const home = cleanUp.add(createHome());
  const env = { HOME: home.path };
  await node('fs.writeFileSync(os.homedir() + "/kept", "yes")', { env });
  expect((await node('console.log(fs.readFileSync(os.homedir() + "/kept", "utf8"))', { env })).stdout).toBe('yes\n');
});

test('a signal reaches the program', async () => {
  const project = createProject('process.on("SIGINT", () => process.exit(130)); setInterval(() => {}, 1000); console.log("ready");');
  const running = cleanUp.add(startCli('talk', [], project));
  running.child.stdout.once('data', () => running.child.kill('SIGINT'));
  expect(await running.finished).toEqual({ code: 130, signal: null, stdout: 'ready\n', stderr: '' });
});

test('a program that hangs is killed and its output is in the error', async () => {
  const hanging = runProcess('sh', ['-c', 'echo so far; exec sleep 1000'], { cwd: '/', timeoutMs: 500 });
  await expect(hanging).rejects.toThrow(/still running after 500 ms\.\nstdout: so far/);
});

test('disposing kills what still runs', async () => {
  const running = startProcess(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { cwd: '/' });
  await running.dispose();
  expect((await running.finished).signal).toBe('SIGKILL');
});

test('a program that is not there is an error', async () => {
  await expect(runProcess('no-such-program', [], { cwd: '/' })).rejects.toThrow('ENOENT');
});

test('a program that does not read its input is none', async () => {
  expect((await node('process.exit(0)', { input: 'x'.repeat(1 << 20) })).code).toBe(0);
});
