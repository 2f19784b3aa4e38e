import { chmodSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { checkGit, checkNode, checkProgram } from './requirements.js';

const cleanUp = cleanUpIn(afterEach);
const { signal } = new AbortController();

test.each([
  ['v20.19.0', 'ok'],
  ['v24.1.0', 'ok'],
  ['v20.18.9', 'missing'],
  ['v18.20.0', 'missing'],
])('Node %s is %s', (version, state) => expect(checkNode(version)).toMatchObject({ name: 'Node', state, found: version }));

test('git is asked for its version, and an old one is missing', async () => {
  expect(await checkGit('2.0', signal)).toMatchObject({ name: 'git', state: 'ok', hint: null });
  expect(await checkGit('99.0', signal)).toMatchObject({ state: 'missing', hint: expect.stringContaining('99.0') });
});

describe('a program', () => {
  const check = (program: string, oldest: string | undefined): ReturnType<typeof checkProgram> =>
    checkProgram({ name: 'x', program, oldest, hint: 'Get it.', without: 'limited', signal });
  const script = (text: string): string => {
    const file = cleanUp.add(new TempFolder()).join('program');
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
    return file;
  };

  test('that is not there limits', async () => {
    expect(await check('/no/such/program', undefined)).toEqual({ name: 'x', state: 'limited', found: 'not found', hint: 'Get it.' });
  });

  test('that fails, or says no version, is as good as none', async () => {
    expect(await check(script('exit 1'), undefined)).toMatchObject({ state: 'limited' });
    expect(await check(script('echo hello'), undefined)).toMatchObject({ state: 'limited' });
  });

  test('with a version is compared by numbers', async () => {
    expect(await check(script('echo x version 2.100.0'), '2.38')).toMatchObject({ state: 'ok', found: '2.100.0' });
    expect(await check(script('echo 2.4.1'), '2.38')).toMatchObject({ state: 'limited', found: '2.4.1, older than 2.38' });
  });

  test('is not asked after an interruption', async () => {
    const stopped = AbortSignal.abort(new Error('stop'));
    await expect(
      checkProgram({ name: 'x', program: 'git', oldest: undefined, hint: '', without: 'missing', signal: stopped }),
    ).rejects.toThrow();
  });
});
