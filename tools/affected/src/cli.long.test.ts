import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';

const folder = cleanUpIn(afterAll).add(new TempFolder()).path;
const cli = join(findProjectRoot(), 'tools/affected/out/cli.cjs');

test.each([
  [['--help'], 0],
  [['help', 'plan'], 0],
  [['--wrong-flag'], 2],
  [['plan', '--shards', 'many', '--json'], 2],
])('%j needs no network, streams or child programs of Node, which take longer to load than to answer', async (args, code) => {
  const hook = join(folder, 'hook.cjs');
  writeFileSync(hook, `process.on('exit', () => require('node:fs').writeFileSync('loaded.json', JSON.stringify(process.moduleLoadList)));`);
  expect(await runProcess(process.execPath, ['-r', hook, cli, ...args], { cwd: folder })).toMatchObject({ code });
  const loaded = JSON.parse(readFileSync(join(folder, 'loaded.json'), 'utf8')) as readonly string[];
  expect(loaded).toContain('NativeModule fs');
  expect(loaded.filter((name) => /^NativeModule (net|stream|child_process)$/.test(name))).toEqual([]);
});
