import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { type CliResult, runCli, runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { createTempMonorepo } from '@tributary/test-repo/temp-monorepo';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { Observation } from './observation.js';

const cleanUp = cleanUpIn(afterAll);

/** Whether strace exists and may trace. The test of a missing strace runs everywhere. */
const canTrace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;
const withStrace = canTrace ? describe : describe.skip;

/** A script that reads in every way that a test of Node can. */
const READER = `
const fs = require('node:fs');
const { execFileSync } = require('node:child_process');
require('left');
require('lib/code.js');
try { require('nowhere'); } catch {}
fs.readFileSync('link/data.json');
fs.readFileSync(['..', 'one', 'x.test.js'].join('/'));
fs.readFileSync('a b/line\\nbreak');
fs.readdirSync('a b');
fs.existsSync('../../missing.json');
fs.statSync('../../looked-up.json');
fs.mkdirSync('dist');
fs.copyFileSync('/bin/true', 'dist/own-program');
fs.chmodSync('dist/own-program', 0o755);
execFileSync('dist/own-program');
execFileSync('cat', ['by program.txt'], { cwd: 'a b' });
fs.mkdirSync('dist/deep', { recursive: true });
fs.writeFileSync('dist/deep/out.txt', '1');
fs.readFileSync('dist/deep/out.txt');
fs.linkSync('linked.txt', 'dist/second-name');
fs.renameSync('folder', 'dist/moved');
fs.readFileSync('dist/moved/inside.txt');
fs.renameSync('dist/moved', 'folder');
fs.mkdirSync('dist/gone');
process.chdir('dist/gone');
fs.rmdirSync('../gone');
try { fs.readFileSync('nothing'); } catch {}
process.chdir('/');
const { Worker } = require('node:worker_threads');
const worker = new Worker(\`require('node:fs').readFileSync(\${JSON.stringify(__dirname + '/by-worker.txt')})\`, { eval: true });
worker.on('exit', () => fs.readFile(__dirname + '/by-thread.txt', () => {}));
`;

/** What it reads. */
const FILES = [
  'packages/app/a b/by program.txt',
  'packages/app/a b/line\nbreak',
  'packages/app/by-thread.txt',
  'packages/app/by-worker.txt',
  'packages/app/folder/inside.txt',
  'packages/app/link',
  'packages/app/linked.txt',
  'packages/app/package.json',
  'packages/app/reader.js',
  'packages/lib/code.js',
  'packages/lib/data.json',
  'packages/lib/package.json',
  'packages/one/x.test.js',
];
const WRITTEN = ['deep/out.txt', 'moved/inside.txt', 'own-program'].map((name) => `packages/app/dist/${name}`);

let repo: TempRepo;

beforeAll(() => {
  const names = ['app', 'lib', 'one', 'two', 'three', 'four'];
  const files = Object.fromEntries(
    ['linked.txt', 'folder/inside.txt', 'a b/line\nbreak', 'a b/by program.txt', 'by-worker.txt', 'by-thread.txt'].map((name) => [
      `packages/app/${name}`,
      '1\n',
    ]),
  );
  repo = cleanUp.add(
    createTempMonorepo({
      packages: Object.fromEntries(names.map((name) => [`packages/${name}`, {}])),
      files: {
        ...files,
        ...Object.fromEntries(names.map((name) => [`packages/${name}/x.test.js`, 'test("x", () => {});\n'])),
        'package-lock.json': '{}\n',
        '.gitignore': 'node_modules\ndist\n.tributary\n',
        'looked-up.json': '{}\n',
        'packages/app/reader.js': READER,
        'packages/lib/code.js': 'module.exports = 1;\n',
        'packages/lib/data.json': '{}\n',
      },
    }),
  );
  symlinkSync('../lib', join(repo.path, 'packages/app/link'));
  repo.git('add', '-A');
  repo.commit('Add a link');
  mkdirSync(join(repo.path, 'node_modules/left'), { recursive: true });
  writeFileSync(join(repo.path, 'node_modules/left/package.json'), '{"name": "left", "version": "1.2.3"}\n');
  writeFileSync(join(repo.path, 'node_modules/left/index.js'), '');
  symlinkSync('../packages/lib', join(repo.path, 'node_modules/lib'));
});

const OUT = '.tributary/observations/app.json';

async function trace(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<CliResult & { readonly observation: Observation }> {
  const args = ['trace', ...options, '--out', join(repo.path, OUT), '--', ...command];
  const result = await runCli('affected', args, { cwd: join(repo.path, 'packages/app'), env });
  return { ...result, observation: readObservation() };
}

function readObservation(): Observation {
  return JSON.parse(readFileSync(join(repo.path, OUT), 'utf8')) as Observation;
}

withStrace('affected trace', () => {
  test('prints the observation with --json, and nothing of the command beside it', async () => {
    const result = await trace(['node', '-e', 'console.log("of the command"); process.exitCode = 3'], {}, ['--json']);
    expect([result.code, JSON.parse(result.stdout)]).toEqual([3, result.observation]);
    expect(result.stderr).toContain('of the command');
  });

  test('tells what a program reads, looks up, lists and writes, in whatever way it does', async () => {
    const { code, observation } = await trace(['node', 'reader.js']);
    expect([code, observation.gaps, observation.workspace, observation.folder]).toEqual([0, [], 'app', 'packages/app']);
    expect(observation.files).toEqual(FILES);
    expect(observation.found).toContain('looked-up.json');
    expect(observation.absent).toContain('missing.json');
    expect(observation.listed.map(({ path }) => path)).toEqual(['packages/app/a b']);
    expect(observation.packages).toEqual(
      expect.arrayContaining([
        { name: 'left', version: '1.2.3' },
        { name: 'nowhere', version: null },
      ]),
    );
    expect(observation.apart.written).toEqual(WRITTEN);
    expect(observation.programs.map((path) => path.replace(/.*\//, ''))).toEqual(['cat', 'node']);
    expect(observation.listed[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
    copyFileSync(join(repo.path, OUT), join(repo.path, '.tributary/kept.json'));
  });

  test('check finds what no source shows, writes it down, and answers follow it', async () => {
    const check = (...args: readonly string[]): Promise<CliResult> => runCli('affected', ['check', ...args], { cwd: repo.path });
    const first = await check('--observed', '.tributary/kept.json');
    expect([first.code, first.stdout]).toEqual([1, expect.stringContaining('Reads of traced commands that nothing declares')]);
    expect(first.stdout).toContain('app reads 3 files of lib');
    expect(first.stdout).toContain('missing: "one" in the devDependencies of packages/app/package.json');
    expect((await check()).stdout).not.toContain('"one"');
    await check('--observed', '.tributary/kept.json', '--fix');
    const { affected } = JSON.parse(readFileSync(join(repo.path, 'tributary.json'), 'utf8')) as { affected: { edges: unknown } };
    expect(affected.edges).toMatchObject({ app: { workspaces: { one: 'observed: node reader.js' } } });
    const base = repo.commit('List edges');
    const again = await check('--observed', '.tributary/kept.json');
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining(`not of ${base.slice(0, 10)}`)]);
    expect((await check()).stdout).not.toContain('that were not found');
    repo.commit('Change one', { files: { 'packages/one/x.test.js': 'test("y", () => {});\n' } });
    const { stdout } = await runCli('affected', ['--base', base, '--format', 'names'], { cwd: repo.path });
    expect(stdout.trim().split('\n').sort()).toEqual(['app', 'one']);
  });

  test('a program that is killed leaves what it has read, and the exit code is not 0', async () => {
    const folder = cleanUp.add(new TempFolder()).path;
    const { code, observation, stdout } = await trace(['sh', '-c', 'cat linked.txt; ls -A "$TMPDIR"; kill -9 $$'], { TMPDIR: folder });
    expect([code, observation.exit, observation.files, observation.gaps]).toEqual([1, null, ['packages/app/linked.txt'], []]);
    // The trace has no name, so that it disappears even if affected is killed.
    expect(stdout).toBe('1\n');
  });

  test('a program that stays behind is not waited for, and the observation is not complete', async () => {
    const { code, observation } = await trace(['sh', '-c', 'sleep 20 > /dev/null 2>&1 & exit 3']);
    expect([code, observation.exit, observation.gaps.map(({ gap }) => gap)]).toEqual([3, 3, ['cut-off']]);
  });

  test('the exit code is that of the command, and a changed checkout is no commit', async () => {
    writeFileSync(join(repo.path, 'packages/app/new.txt'), '');
    const { code, observation } = await trace(['sh', '-c', 'exit 3']);
    repo.git('clean', '-fdq');
    expect([code, observation.exit, observation.gaps]).toEqual([3, 3, [{ gap: 'uncommitted', detail: 'packages/app/new.txt' }]]);
  });

  test('jest, which makes an index of the whole project first, is not complete', async () => {
    const jest = join(findProjectRoot(), 'node_modules/jest/bin/jest.js');
    const options = ['--rootDir', repo.path, '--cacheDirectory', join(repo.path, 'node_modules/.cache'), '--watchman=false', '-i'];
    const { code, observation, stderr } = await trace(['node', jest, ...options, 'packages/app']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('crawl (the folders of 6 of 6 workspaces were listed)')]);
    expect(observation.complete).toBe(false);
    const { stdout, stderr: warning } = await runCli('affected', ['check', '--observed', '.tributary/observations'], { cwd: repo.path });
    expect([stdout, warning]).toEqual([expect.not.stringContaining('watched commands'), expect.stringContaining('app.json is left out')]);
  });

  test('where strace may not watch, hooks in Node do', async () => {
    const cli = join(findProjectRoot(), 'tools/affected/out/cli.cjs');
    const command = ['node', '-e', 'require("lib/code.js"); process.exitCode = 4'];
    const args = ['-f', '-o', '/dev/null', process.execPath, cli, 'trace', '--out', join(repo.path, OUT), '--', ...command];
    const { code } = await runProcess('strace', args, { cwd: join(repo.path, 'packages/app') });
    const { gaps, complete, tracer, files } = readObservation();
    expect([code, complete, gaps, tracer]).toEqual([4, true, [], `hooks of Node ${process.versions.node}`]);
    expect(files).toEqual(['package.json', 'packages/app/package.json', 'packages/lib/code.js', 'packages/lib/package.json']);
  });

  test('another command of the same workspace gets another file', async () => {
    const folder = join(repo.path, '.tributary/observations');
    const cwd = join(repo.path, 'packages/app');
    for (const command of ['true', 'true', 'env']) await runCli('affected', ['trace', '--', command], { cwd });
    expect(readdirSync(folder).filter((name) => /^app-[0-9a-f]{8}\.json$/.test(name))).toHaveLength(2);
  });

  test('a command that is not there is a failure, and leaves no observation', async () => {
    const out = join(cleanUp.add(new TempFolder()).path, 'o.json');
    const { code, stderr } = await runCli('affected', ['trace', '--out', out, '--', 'no-such-program'], { cwd: repo.path });
    expect([code, stderr]).toEqual([1, expect.stringContaining('PROGRAM_MISSING')]);
    expect(() => readFileSync(out)).toThrow('ENOENT');
  });
});

test('without strace, hooks see Node, and another program makes the observation incomplete', async () => {
  const bin = cleanUp.add(new TempFolder()).path;
  for (const name of ['git', 'sh', 'cat']) symlinkSync((await runProcess('which', [name], { cwd: bin })).stdout.trim(), join(bin, name));
  const shell = await trace(['sh', '-c', 'exit 5'], { PATH: bin });
  expect([shell.code, shell.observation.tracer, shell.observation.files]).toEqual([5, `hooks of Node ${process.versions.node}`, []]);
  expect(shell.observation.gaps).toEqual([{ gap: 'native-program', detail: join(bin, 'sh') }]);
  // It may have run before.
  rmSync(join(repo.path, 'packages/app/dist'), { recursive: true, force: true });
  const { code, observation } = await trace([process.execPath, 'reader.js'], { PATH: bin });
  expect([code, observation.gaps.map(({ gap }) => gap)]).toEqual([0, ['native-program']]);
  // All but what `cat` read, and the manifests above each file.
  const files = [...FILES.filter((file) => !file.endsWith('by program.txt')), 'packages/one/package.json', 'package.json'].sort();
  expect(observation.files).toEqual(files);
  expect(observation.listed.map(({ path }) => path)).toEqual(['node_modules', 'packages/app/a b']);
  expect(observation.variables?.all).toBe(false);
  expect(observation.absent).toContain('missing.json');
  expect(observation.apart.written).toEqual(WRITTEN);
});
