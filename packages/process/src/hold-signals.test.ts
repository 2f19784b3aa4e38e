import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type CliResult, startProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { build } from 'esbuild';

const cleanUp = cleanUpIn(afterAll);
const folder = cleanUp.add(new TempFolder());
const file = folder.join('holding.cjs');

beforeAll(async () => {
  await build({
    entryPoints: [join(dirname(fileURLToPath(import.meta.url)), 'holding-program.fixture.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['@tributary/source'],
  });
});

/** Runs the program, and sends the signal when it is ready. */
async function signalled(way: string, signal: NodeJS.Signals): Promise<Pick<CliResult, 'code' | 'signal' | 'stdout'>> {
  const running = cleanUp.add(startProcess(process.execPath, [file, way], { cwd: folder.path, timeoutMs: 60_000 }));
  await new Promise((resolve) => running.child.stdout.once('data', resolve));
  running.child.kill(signal);
  const { code, signal: by, stdout } = await running.finished;
  return { code, signal: by, stdout };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends the process when what held it has ended', async (signal) => {
  expect(await signalled('folder', signal)).toEqual({ code: null, signal, stdout: 'ready\nstop\nremoved\n' });
  expect(await signalled('computing', signal)).toEqual({ code: null, signal, stdout: 'ready\n' });
  expect(await signalled('stretch', signal)).toEqual({ code: null, signal, stdout: 'ready\nwritten\n' });
});

test('programs that run end before, and the last of them lets the process end', async () => {
  expect(await signalled('programs', 'SIGTERM')).toEqual({ code: null, signal: 'SIGTERM', stdout: 'ready\n' });
  expect(readFileSync(folder.join('ended'), 'utf8')).toBe('ended\n');
});

test('whoever handles signals decides', async () => {
  expect(await signalled('handled', 'SIGTERM')).toEqual({ code: 0, signal: null, stdout: 'ready\nhandled\nwent on\n' });
});

test('what is held no more ends at once, although the process computes', async () => {
  expect(await signalled('released', 'SIGTERM')).toEqual({ code: null, signal: 'SIGTERM', stdout: 'ready\n' });
});
