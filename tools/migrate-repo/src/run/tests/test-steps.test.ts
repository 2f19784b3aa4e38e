import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { logOf, runStep, type TestSettings } from './test-steps.js';

const cleanUp = cleanUpIn(afterEach);
const TOKEN = `npm_${'zyxwvutsrqponmlkjihgfedcba9876543210'}`;

test('neither the output of a step nor its log has a secret that the step has printed', async () => {
  const folder = cleanUp.add(new TempFolder());
  const [work, logs] = ['work', 'logs'].map((name) => parseAbsolutePath(folder.join(name)));
  folder.write('work/x', '');
  const settings = { work, logs, timeoutMs: 60_000, mark: 'TRIBUTARY_STEP_TEST=1', signal: new AbortController().signal };
  const print = `console.log(process.env.DEPLOY_KEY, process.env.PLAIN, '${TOKEN}', 'https://me:pa55word@host.example/x')`;
  const { output } = await runStep(settings as unknown as TestSettings, {
    owner: 'a',
    title: 'before',
    command: [process.execPath, '-e', print],
    cwd: folder.path,
    env: { PATH: process.env['PATH'] ?? '', DEPLOY_KEY: 'correct-horse-battery', PLAIN: 'plain' },
  });
  expect(output.trim()).toBe('*** plain *** https://***@host.example/x');
  expect(readFileSync(logOf({ logs: parseAbsolutePath(join(folder.path, 'logs')) }, 'a'), 'utf8')).toContain(`\n${output}`);
});
