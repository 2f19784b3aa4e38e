import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { writePrograms } from './stage.js';

const cleanUp = cleanUpIn(afterAll);

test.each([
  ['turbo', /^2\.\d+\.\d+\n$/],
  ['yarn', /^4\.\d+\.\d+\n$/],
])('%s is started as this project has it, also where nothing is installed, and says nothing else', async (program, expected) => {
  const place = cleanUp.add(new TempFolder());
  // turborepo complains about a project without it.
  place.write('package.json', '{ "packageManager": "yarn@4.18.1" }');
  place.write('yarn.lock', '');
  place.write('turbo.json', '{ "tasks": {} }');
  const programs = place.join("it's a folder");
  writePrograms(programs, findProjectRoot());
  const { code, stdout, stderr } = await runProcess(`${programs}/${program}`, ['--version'], { cwd: place.path });
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(expected), stderr: '' });
});
