import { expect, test } from '@jest/globals';
import { StraceTrace } from './strace-trace.js';

const START = '7 execve("/usr/bin/node", ["n"...], 0x7ffe /* 3 vars */) = 0';
const END = '7 +++ exited with 0 +++';

function traceOf(...lines: readonly string[]): {
  readonly files: readonly string[];
  readonly exit: number | null;
  readonly gaps: readonly string[];
} {
  const trace = new StraceTrace();
  for (const line of lines) trace.add(line);
  const { files, ...rest } = trace.finish();
  return { files: [...files].filter((path) => path !== '/usr/bin/node'), ...rest };
}

const opened = (pid: number, path: string, flags = 'O_RDONLY|O_CLOEXEC'): string =>
  `${pid} openat(AT_FDCWD</repo/app>, "x", ${flags}) = 3<${path}>`;

test('a file counts if it was opened for reading, by the path at its descriptor', () => {
  const found = traceOf(
    START,
    opened(7, '/repo/lib/a.js'),
    opened(7, '/repo/both', 'O_RDWR'),
    opened(7, '/repo/out', 'O_WRONLY|O_CREAT|O_TRUNC, 0666'),
    opened(7, '/repo/folder', 'O_RDONLY|O_DIRECTORY'),
    '7 open("/repo/gone", O_RDONLY) = -1 ENOENT (No such file or directory)',
    opened(7, String.raw`/repo/a\303\251 \76\n`),
    END,
  );
  expect(found).toEqual({ files: ['/repo/lib/a.js', '/repo/both', '/repo/a\u00c3\u00a9 >\n'], exit: 0, gaps: [] });
});

test('a call in two halves counts, also if its process dies in it', () => {
  const halves = [
    '7 openat(AT_FDCWD</repo>, "x", O_RDONLY <unfinished ...>',
    '8 +++ exited with 3 +++',
    '7 <... openat resumed>) = 3</repo/a>',
  ];
  expect(traceOf(START, ...halves, END)).toEqual({ files: ['/repo/a'], exit: 0, gaps: [] });
  expect(traceOf(START, '7 ????( <unfinished ...>', '7 +++ killed by SIGKILL +++')).toEqual({ files: [], exit: null, gaps: [] });
  expect(traceOf(START, halves[0] ?? '', '7 <... openat resumed> <unfinished ...>) = ?', END).gaps).toEqual([]);
});

test('a program that was run by a relative path counts as soon as its folder is known', () => {
  const run = '8 execve("../lib/tool", ["x"], 0x7ffe /* 3 vars */) = 0';
  expect(traceOf(START, run, opened(8, '/etc/ld.so.cache'), '8 +++ exited with 0 +++', END).files).toEqual([
    '/repo/lib/tool',
    '/etc/ld.so.cache',
  ]);
  const lost = traceOf(START, run, '8 +++ exited with 0 +++', END);
  expect(lost).toMatchObject({ files: [], gaps: ['It is unknown which file was run as ../lib/tool.'] });
});

test.each<[string, readonly string[], string]>([
  ['a line cannot be read', ['nonsense'], 'Line 2 of the trace could not be read.'],
  ['a call cannot be read', ['7 openat(AT_FDCWD</repo'], 'Line 2 of the trace could not be read.'],
  ['the first half is missing', ['7 <... openat resumed>) = 3</repo/a>'], 'Line 2 of the trace could not be read.'],
  [
    'strace could not read a call of a living process',
    ['7 ????( <unfinished ...>', opened(7, '/a')],
    'Line 2 of the trace could not be read.',
  ],
  ['reads are hidden', ['7 io_uring_setup(8, {flags=0}) = 4'], 'It used io_uring_setup, which hides reads.'],
  [
    'another program may have read',
    ['7 connect(4<UNIX-STREAM:[1]>, {sa_family=AF_UNIX, sun_path="/tmp/watchman"}, 110) = 0'],
    'It was connected to another program, which may have read for it: "/tmp/watchman".',
  ],
])('the trace is incomplete if %s', (_, lines, gap) => expect(traceOf(START, ...lines, END).gaps).toEqual([gap]));

test('the trace is incomplete if it ends early, and not for a socket of its own', () => {
  const gaps = ['The trace ends while the command, or a program that it started, still runs.'];
  expect(traceOf(START)).toEqual({ files: [], exit: null, gaps });
  expect(traceOf()).toEqual({ files: [], exit: null, gaps });
  const socket = '{sa_family=AF_UNIX, sun_path="/tmp/own"}, 110) = 0';
  expect(traceOf(START, `7 bind(4<UNIX-STREAM:[1]>, ${socket}`, `7 connect(5<UNIX-STREAM:[2]>, ${socket}`, END).gaps).toEqual([]);
});
