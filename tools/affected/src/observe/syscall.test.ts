import { describe, expect, test } from '@jest/globals';
import { readStraceLine } from './strace-line.js';
import { parseSyscall, pathIn, textOf } from './syscall.js';

describe('a call', () => {
  test.each<[string, ReturnType<typeof parseSyscall>]>([
    [
      'openat(AT_FDCWD</t/a b>, "x", O_RDONLY|O_CLOEXEC) = 3</t/a b/x>',
      { name: 'openat', args: ['AT_FDCWD</t/a b>', '"x"', 'O_RDONLY|O_CLOEXEC'], value: 3, error: undefined, path: '/t/a b/x' },
    ],
    [
      'access("/etc/ld.so.preload", R_OK)     = -1 ENOENT (No such file or directory)',
      { name: 'access', args: ['"/etc/ld.so.preload"', 'R_OK'], value: -1, error: 'ENOENT', path: undefined },
    ],
    [
      'openat2(5</t>, "a", {flags=O_RDONLY|O_CLOEXEC, resolve=RESOLVE_BENEATH}, 24) = 6</t/a>',
      {
        name: 'openat2',
        args: ['5</t>', '"a"', '{flags=O_RDONLY|O_CLOEXEC, resolve=RESOLVE_BENEATH}', '24'],
        value: 6,
        error: undefined,
        path: '/t/a',
      },
    ],
    [
      'connect(20<socket:[8596937]>, {sa_family=AF_UNIX, sun_path="/t/so (ck)"}, 110) = 0',
      {
        name: 'connect',
        args: ['20<socket:[8596937]>', '{sa_family=AF_UNIX, sun_path="/t/so (ck)"}', '110'],
        value: 0,
        error: undefined,
        path: undefined,
      },
    ],
    ['vfork() = 12', { name: 'vfork', args: [], value: 12, error: undefined, path: undefined }],
    ['exit_group(0) = ?', { name: 'exit_group', args: ['0'], value: undefined, error: undefined, path: undefined }],
  ])('%s', (text, call) => {
    expect(parseSyscall(text)).toEqual(call);
  });

  test.each(['openat(AT_FDCWD</t>, "x', 'openat(AT_FDCWD</t>, "x", O_RDONLY', 'openat(3</t', 'x', '', 'stat("a") = '])(
    'that was cut off is none: %s',
    (text) => expect(parseSyscall(text)).toBeUndefined(),
  );
});

describe('a text', () => {
  test.each<[string, string]>([
    ['"a b/with\\nnl"', 'a b/with\nnl'],
    ['"\\377\\376\\"q\\\\uote"', '\xff\xfe"q\\uote'],
    ['"\\1\\0012"', '\x01\x012'],
    ['"a, b) = 3"', 'a, b) = 3'],
  ])('%s', (arg, text) => expect(textOf(arg)).toEqual({ text, cut: false }));

  test('that strace cut off is known', () => expect(textOf('"abc"...')).toEqual({ text: 'abc', cut: true }));
});

test.each<[string, string | undefined]>([
  ['20</t/g\\76t\\74>', '/t/g>t<'],
  ['AT_FDCWD</t/d (deleted)>', '/t/d'],
  ['3</t/d>(deleted)', '/t/d'],
  ['AT_FDCWD', undefined],
  ['19<socket:[8596931]>', undefined],
  ['0<pipe:[1]>', undefined],
])('the path of the descriptor %s', (arg, path) => expect(pathIn(arg)).toBe(path));

test.each<[string, ReturnType<typeof readStraceLine>]>([
  ['3210  getcwd("/t", 1024) = 3', { kind: 'call', pid: 3210, text: 'getcwd("/t", 1024) = 3' }],
  ['26568 vfork( <unfinished ...>', { kind: 'begun', pid: 26568, text: 'vfork(' }],
  ['26568 <... vfork resumed>)              = 26570', { kind: 'resumed', pid: 26568, name: 'vfork', text: ')              = 26570' }],
  ['7 <... openat resumed> <unfinished ...>) = ?', { kind: 'resumed', pid: 7, name: 'openat', text: ') = ?' }],
  ['7 +++ exited with 0 +++', { kind: 'ended', pid: 7, exit: 0 }],
  ['7 +++ killed by SIGKILL (core dumped) +++', { kind: 'ended', pid: 7, exit: null }],
  ['7 +++ superseded by execve in pid 5 +++', { kind: 'superseded', pid: 7, by: 5 }],
  ['7 --- SIGCHLD {si_signo=SIGCHLD} ---', { kind: 'signal' }],
  ['7 +++ exited wi', { kind: 'unknown' }],
  ['openat', { kind: 'unknown' }],
])('the line %s', (line, read) => expect(readStraceLine(line)).toEqual(read));
