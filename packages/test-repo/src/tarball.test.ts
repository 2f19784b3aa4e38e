import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from './clean-up.js';
import { buildTarball } from './local-registry.js';
import { runProcess } from './run-cli.js';
import { TempFolder } from './temp-folder.js';

const cleanUp = cleanUpIn(afterEach);

test('tar lists and extracts it', async () => {
  const folder = cleanUp.add(new TempFolder());
  folder.write('x.tgz', buildTarball({ 'package/package.json': '{}', 'package/big': 'x'.repeat(1024), 'package/empty': '' }));
  expect(await runProcess('tar', ['-tzf', 'x.tgz'], { cwd: folder.path })).toMatchObject({
    code: 0,
    stdout: 'package/package.json\npackage/big\npackage/empty\n',
    stderr: '',
  });
  expect((await runProcess('tar', ['-xzOf', 'x.tgz', 'package/big'], { cwd: folder.path })).stdout).toBe('x'.repeat(1024));
});

test('the same files give the same bytes', () => {
  expect(buildTarball({ a: '1' })).toEqual(buildTarball({ a: '1' }));
});

test('a name that does not fit is refused, not cut', () => {
  expect(() => buildTarball({ ['x'.repeat(101)]: '' })).toThrow('too long');
});
