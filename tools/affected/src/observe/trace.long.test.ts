import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type CliResult, runCli } from '@tributary/test-repo/run-cli';
import { createTempMonorepo } from '@tributary/test-repo/temp-monorepo';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { Observation } from './observation.js';

const cleanUp = cleanUpIn(afterAll);

/** Whether strace exists and may trace. The test of a missing strace runs everywhere. */
const canTrace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;
const withStrace = canTrace ? describe : describe.skip;

/** A script that reads in the ways of a test. */
const READER = `
const fs = require('node:fs');
const { execFileSync } = require('node:child_process');
require('lib/code.js');
fs.readFileSync('link/data.json');
fs.readFileSync(['..', 'one', 'own.cfg'].join('/'));
fs.readFileSync('../../shared.cfg');
fs.readFileSync('../two/dist/built.js');
execFileSync('cat', ['by program.txt'], { cwd: '../two' });
execFileSync('../three/run.sh');
try { fs.readFileSync('../../missing.json'); } catch {}
fs.writeFileSync('../../coverage.txt', '1');
fs.readFileSync('../../coverage.txt');
const { Worker } = require('node:worker_threads');
const worker = new Worker(\`require('node:fs').readFileSync(\${JSON.stringify(require('node:path').resolve('../four/by-worker.txt'))})\`, { eval: true });
worker.on('exit', () => fs.readFile('../four/by-thread.txt', () => {}));
`;

const FOREIGN = [
  'packages/four/by-thread.txt',
  'packages/four/by-worker.txt',
  'packages/one/own.cfg',
  'packages/three/run.sh',
  'packages/two/by program.txt',
  'packages/two/dist/built.js',
  'shared.cfg',
];

let repo: TempRepo;

beforeAll(() => {
  const names = ['lib', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
  repo = cleanUp.add(
    createTempMonorepo({
      packages: {
        'packages/app': { dependencies: { lib: '*' } },
        ...Object.fromEntries(names.map((name) => [`packages/${name}`, { name }])),
      },
      files: {
        '.gitignore': 'node_modules\ndist\n.tributary\ncoverage.txt\n',
        'shared.cfg': '1\n',
        'packages/app/reader.js': READER,
        'packages/lib/code.js': 'module.exports = 1;\n',
        'packages/lib/data.json': '{}\n',
        'packages/one/own.cfg': '1\n',
        'packages/two/by program.txt': '1\n',
        'packages/three/run.sh': '#!/bin/sh\n',
        'packages/four/by-worker.txt': '1\n',
        'packages/four/by-thread.txt': '1\n',
      },
    }),
  );
  symlinkSync('../lib', join(repo.path, 'packages/app/link'));
  spawnSync('chmod', ['+x', join(repo.path, 'packages/three/run.sh')]);
  repo.git('add', '-A');
  repo.commit('Add a link');
  mkdirSync(join(repo.path, 'packages/two/dist'));
  writeFileSync(join(repo.path, 'packages/two/dist/built.js'), '');
  mkdirSync(join(repo.path, 'node_modules'), { recursive: true });
  symlinkSync('../packages/lib', join(repo.path, 'node_modules/lib'));
});

const OUT = '.tributary/observations/app.json';

async function trace(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliResult> {
  return runCli('affected', ['trace', '--out', join(repo.path, OUT), '--', ...command], { cwd: join(repo.path, 'packages/app'), env });
}

function observation(): Observation {
  return JSON.parse(readFileSync(join(repo.path, OUT), 'utf8')) as Observation;
}

withStrace('affected trace', () => {
  test('lists what was read elsewhere, and check writes as edges what no source shows', async () => {
    const { code, stderr } = await trace(['node', 'reader.js']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('app read 7 files outside of itself and its dependencies')]);
    expect(observation()).toMatchObject({ schemaVersion: 2, workspace: 'app', exit: 0, incomplete: [], files: FOREIGN });
    const { stdout } = await runCli('affected', ['check', '--observed', OUT, '--fix', '--json'], { cwd: repo.path });
    const { fixed } = JSON.parse(stdout) as {
      readonly fixed: { readonly added: readonly { readonly to: string; readonly proof: string }[] };
    };
    // The others stand in the source as paths, and need no entry.
    expect(fixed.added).toEqual([{ from: 'app', kind: 'file', to: 'packages/one/own.cfg', proof: 'observed: node reader.js' }]);
  });

  test('ends as the command does, and says what is incomplete', async () => {
    writeFileSync(join(repo.path, 'shared.cfg'), '2\n');
    expect((await trace(['sh', '-c', 'exit 3'])).code).toBe(3);
    expect(observation()).toMatchObject({ exit: 3, incomplete: ['Files in the checkout differ from the commit.'], files: [] });
    expect((await trace(['sh', '-c', 'kill -9 $$'])).code).toBe(1);
    expect(observation().exit).toBe(null);
    const { stderr } = await trace(['sh', '-c', 'sleep 60 > /dev/null 2>&1 &']);
    expect(stderr).toContain('More may have been read: The trace ends while a program that the command started still runs.');
  }, 60_000);

  test('a command that does not start is no observation', async () => {
    const { code, stderr } = await trace(['no-such-program']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('strace could not start no-such-program')]);
  });
});

test('without strace nothing runs', async () => {
  const bin = join(repo.path, 'node_modules/.bin');
  mkdirSync(bin);
  symlinkSync(spawnSync('which', ['git'], { encoding: 'utf8' }).stdout.trim(), join(bin, 'git'));
  const { code, stderr } = await trace(['node', 'reader.js'], { PATH: bin });
  expect([code, stderr]).toEqual([1, expect.stringContaining('strace is not installed')]);
});
