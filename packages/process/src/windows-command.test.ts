import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { type CommandScene, commandFor, sceneOf } from './windows-command.js';

const scene = (files: readonly string[], env: Readonly<Record<string, string>> = {}): CommandScene => ({
  platform: 'win32',
  env: { Path: 'C:\\Windows;C:\\Program Files\\nodejs\\', ComSpec: 'C:\\Windows\\cmd.exe', ...env },
  exists: (path) => files.includes(path),
});
const folder = cleanUpIn(afterAll).add(new TempFolder());
const YARN = 'C:\\Program Files\\nodejs\\yarn.cmd';

test.each(['linux', 'darwin'] as const)('on %s nothing changes', (platform) => {
  const call = commandFor('yarn', ['a b'], { ...scene([YARN]), platform });
  expect(call).toEqual({ program: 'yarn', args: ['a b'], verbatim: false });
});

describe('on Windows', () => {
  test('a script goes through cmd.exe', () => {
    const { program, args, verbatim } = commandFor('yarn', ['--version'], scene([YARN]));
    expect([program, verbatim]).toEqual(['C:\\Windows\\cmd.exe', true]);
    expect(args).toEqual(['/d', '/s', '/c', '"C:\\Program^ Files\\nodejs\\yarn.cmd ^^^"--version^^^""']);
  });

  test('a program is started itself, and one that is not there fails as it would', () => {
    expect(commandFor('git', ['x'], scene(['C:\\Windows\\git.exe']))).toEqual({
      program: 'C:\\Windows\\git.exe',
      args: ['x'],
      verbatim: false,
    });
    expect(commandFor('git', ['x'], scene([]))).toEqual({ program: 'git', args: ['x'], verbatim: false });
  });

  test.each(['C:\\mono\\node_modules\\.bin\\turbo', 'C:/mono/node_modules/.bin/turbo'])(
    '%s is the script beside it, not the one for a shell',
    (own) => {
      const { args, verbatim } = commandFor(own, [], scene([own, `${own}.cmd`]));
      expect([verbatim, args.at(-1)]).toEqual([true, '"C:\\mono\\node_modules\\.bin\\turbo.cmd"']);
    },
  );

  test('a program that is named by a path is looked for from the folder that it is started in', () => {
    folder.write('bin/tool.cmd', '');
    const exists = (path: string): boolean => sceneOf({ env: {}, cwd: folder.path }).exists(path);
    expect([exists('./bin/tool.cmd'), exists(folder.join('bin/tool.cmd')), exists('./tool.cmd')]).toEqual([true, true, false]);
    const { args } = commandFor('./bin/tool', [], { platform: 'win32', env: {}, exists });
    expect(args.at(-1)).toBe('".\\bin\\tool.cmd"');
  });

  test('PATH and PATHEXT are found whatever their case', () => {
    const call = commandFor('tool', [], { ...scene(['D:\\bin\\tool.ps']), env: { PATH: 'D:\\bin', pathext: '.PS' } });
    expect(call.program).toBe('D:\\bin\\tool.ps');
  });

  test.each([
    ['a & calc', '^^^"a^^^ ^^^&^^^ calc^^^"'],
    ['%PATH%', '^^^"^^^%PATH^^^%^^^"'],
    ['say "x"', '^^^"say^^^ \\^^^"x\\^^^"^^^"'],
    ['C:\\end\\', '^^^"C:\\end\\\\^^^"'],
    ['', '^^^"^^^"'],
  ])('the argument %p is no command', (argument, escaped) => {
    expect(commandFor('yarn', [argument], scene([YARN])).args.at(-1)).toBe(`"C:\\Program^ Files\\nodejs\\yarn.cmd ${escaped}"`);
  });
});
