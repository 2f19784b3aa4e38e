import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from './clean-up.js';
import { findProjectRoot } from './project-root.js';
import { quickYarn } from './quick-yarn.js';
import { runProcess } from './run-cli.js';
import { TempFolder } from './temp-folder.js';

const cleanUp = cleanUpIn(afterAll);

test('the quick Yarn is the Yarn of the project', async () => {
  const folder = cleanUp.add(new TempFolder());
  folder.write('package.json', '{ "name": "one", "scripts": { "say": "echo said" } }');
  folder.write('yarn.lock', '');
  const run = (...args: readonly string[]) => runProcess(process.execPath, [quickYarn(findProjectRoot()), ...args], { cwd: folder.path });
  expect(await run('--version')).toMatchObject({ code: 0, stdout: '4.18.1\n' });
  expect(await run('install', '--mode=update-lockfile')).toMatchObject({ code: 0 });
  expect(await run('run', 'say')).toMatchObject({ code: 0, stdout: 'said\n' });
  expect(await run('run', 'gone')).toMatchObject({ code: 1, stdout: expect.stringContaining("Couldn't find a script named") });
});
