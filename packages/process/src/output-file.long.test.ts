import { spawnSync } from 'node:child_process';
import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { writeOutput } from './output-file.js';

const cleanUp = cleanUpIn(afterEach);

test('a named pipe that nobody ever reads is not waited for without end', () => {
  const pipe = cleanUp.add(new TempFolder()).join('never');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  const message = `${pipe} cannot be written, because nothing reads from it (ENXIO).`;
  expect(() => writeOutput(pipe, 'x')).toThrow(expect.objectContaining({ code: 'FILE_UNUSABLE', message }));
});
