import { expect, test } from '@jest/globals';
import { StraceTrace } from './strace-trace.js';

const START = '7 execve("/usr/bin/node", ["n"...], 0x7ffe /* 3 vars */) = 0';
const END = '7 +++ exited with 0 +++';

function traceOf(...lines: readonly string[]): {
  readonly files: readonly string[];
  readonly exit: number | null;
  readonly unread: readonly number[];
} {
  const trace = new StraceTrace();
  for (const line of lines) trace.add(line);
  const { files, exit, unread } = trace;
  return { files: [...files].filter((path) => path !== '/usr/bin/node'), exit, unread };
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
  expect(found).toEqual({ files: ['/repo/lib/a.js', '/repo/both', '/repo/a\u00e9 >\n'], exit: 0, unread: [] });
});

test('a call in two halves counts, also if its process dies in it', () => {
  const halves = [
    '7 openat(AT_FDCWD</repo>, "x", O_RDONLY <unfinished ...>',
    '8 +++ exited with 3 +++',
    '7 <... openat resumed>) = 3</repo/a>',
  ];
  expect(traceOf(START, ...halves, END)).toEqual({ files: ['/repo/a'], exit: 0, unread: [] });
  expect(traceOf(START, '7 ????( <unfinished ...>', '7 +++ killed by SIGKILL +++')).toEqual({ files: [], exit: null, unread: [] });
  expect(traceOf(START, halves[0] ?? '', '7 <... openat resumed> <unfinished ...>) = ?', END).unread).toEqual([]);
});

test('a program that was run by a relative path counts as soon as its folder is known', () => {
  const run = '8 execve("../lib/tool", ["x"], 0x7ffe /* 3 vars */) = 0';
  expect(traceOf(START, run, opened(8, '/etc/ld.so.cache'), '8 +++ exited with 0 +++', END).files).toEqual([
    '/repo/lib/tool',
    '/etc/ld.so.cache',
  ]);
});

test.each<[string, readonly string[]]>([
  ['is no call', ['nonsense']],
  ['has no end', ['7 openat(AT_FDCWD</repo']],
  ['lacks its first half', ['7 <... openat resumed>) = 3</repo/a>']],
])('a line that %s is unread', (_, lines) => expect(traceOf(START, ...lines, END).unread).toEqual([2]));

test('a trace that ends early has no exit code', () => {
  expect(traceOf(START, opened(7, '/repo/a'))).toEqual({ files: ['/repo/a'], exit: null, unread: [] });
  expect(traceOf()).toEqual({ files: [], exit: null, unread: [] });
});
