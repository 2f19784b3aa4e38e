import { expect, test } from '@jest/globals';
import type { FindInterpreter } from './executions.js';
import { Trace } from './trace.js';

const END = '1 +++ exited with 0 +++';
const RUN = '1 execve("./run", ["r"...], 0x1 /* 1 var */) = 0';
const WRITE = '1 open("run", O_WRONLY|O_CREAT|O_TRUNC) = 3</r/sub/run>';

/** What is seen of a trace in `/r/sub`, if the files have these interpreters after it. */
function seen(lines: readonly string[], interpreters: Readonly<Record<string, string | undefined>>): readonly string[] {
  const find: FindInterpreter = (path) => (path in interpreters ? { interpreter: interpreters[path], end: path } : undefined);
  const trace = new Trace('/r/sub');
  for (const line of [...lines, END]) trace.add(line);
  trace.addInterpreters(find);
  const { uses, gaps } = trace.finish();
  const kinds = ['read', 'found', 'absent'] as const;
  return [
    ...[...uses].flatMap(([path, use]) => kinds.filter((kind) => use[kind] !== Infinity).map((kind) => `${kind} ${path}`)),
    ...gaps.map(({ gap, detail }) => `${gap}: ${detail}`),
  ].sort();
}

const KNOWN = { '/r/sub/run': '../own', '/r/own': '/r/other', '/r/other': undefined };

test.each<[string, readonly string[], Readonly<Record<string, string | undefined>>, readonly string[]]>([
  ['a program without one', [RUN], { '/r/sub/run': undefined }, ['read /r/sub/run']],
  ['one relative to the folder, through a chain', [RUN], KNOWN, ['read /r/other', 'read /r/own', 'read /r/sub/run']],
  ['a file that is gone', [RUN], {}, ['interpreter: /r/sub/run', 'read /r/sub/run']],
  ['a file that was written before', [WRITE, RUN], { '/r/sub/run': '/bin/sh', '/bin/sh': undefined }, ['read /bin/sh', 'read /r/sub/run']],
  [
    'a file that was written again',
    [RUN, WRITE],
    { '/r/sub/run': '/bin/sh', '/bin/sh': undefined },
    ['interpreter: /r/sub/run', 'read /bin/sh', 'read /r/sub/run'],
  ],
  [
    'a file in a folder that was renamed since',
    [RUN, '1 rename("/r/x", "/r/sub") = 0'],
    { '/r/sub/run': undefined },
    ['interpreter: /r/sub/run', 'read /r/sub/run', 'read /r/x'],
  ],
  [
    'one that is missing',
    ['1 execve("./run", [], 0x1) = -1 ENOENT (x)', '1 execve("/r/none", [], 0x1) = -1 ENOENT (x)'],
    { '/r/sub/run': '../own' },
    ['absent /r/none', 'absent /r/own', 'absent /r/sub/run'],
  ],
  ['a program of yarn run', ['1 execve("/tmp/xfs-0123abcd/node", [], 0x1) = 0'], {}, ['read /tmp/xfs-0123abcd/node']],
])('the interpreter of %s', (_, lines, interpreters, expected) => {
  expect(seen(lines, interpreters)).toEqual(expected);
});
