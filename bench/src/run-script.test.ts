import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { outerPath, runScript } from './run-script.js';

const cleanUp = cleanUpIn(afterEach);

async function run(script: string): ReturnType<typeof runScript> {
  const folder = cleanUp.add(new TempFolder());
  const env = { PATH: process.env['PATH'] ?? '' };
  return runScript({ command: ['sh', '-c', script], cwd: folder.path, env, log: folder.join('logs', 'ui', 'test.log') });
}

test('the output of both streams is kept in its order, without colours', async () => {
  expect(await run('echo one; echo two >&2; printf "\\033[31mthree\\033[0m\\n"; exit 3')).toEqual({
    ended: 'badly',
    output: 'one\ntwo\nthree\n',
  });
  expect(await run('echo fine')).toEqual({ ended: 'well', output: 'fine\n' });
});

test('a script finds no program of the packages that this process was started from', () => {
  const before = process.env['PATH'];
  try {
    process.env['PATH'] = [
      '/x/node_modules/.bin',
      '/usr/bin',
      '/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin',
      '/bin',
    ].join(':');
    expect(outerPath()).toBe('/usr/bin:/bin');
  } finally {
    process.env['PATH'] = before;
  }
});
