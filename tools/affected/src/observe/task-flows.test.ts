import { expect, test } from '@jest/globals';
import { TaskFlows } from './task-flows.js';
import { Trace } from './trace.js';

const [A, B, C] = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb', 'cccccccccccccccc'];

/** Returns the flows of a trace. Process 1 is turborepo, which started 2, 3 and 4 for the tasks A, B and C. */
function flowsOf(...lines: readonly string[]): TaskFlows {
  return flowsWith({}, lines);
}

/** The same with `before`, the tasks that turborepo runs before a task. `/r/link` is a link to `/r/folder`. */
function flowsWith(before: Readonly<Record<string, readonly string[]>>, lines: readonly string[]): TaskFlows {
  const trace = new Trace('/r');
  const start = [A, B, C].flatMap((hash, at) => [
    `1 fork() = ${at + 2}`,
    `${at + 2} execve("/usr/bin/node", ["node"], ["PATH=/usr/bin", "TURBO_HASH=${hash}"]) = 0`,
  ]);
  const end = [4, 3, 2, 1].map((pid) => `${pid} +++ exited with 0 +++`);
  for (const line of ['1 execve("/r/turbo", ["turbo"], ["PATH=/usr/bin"]) = 0', ...start, ...lines, ...end]) trace.add(line);
  const { tasks, gaps } = trace.finishTasks();
  expect(gaps).toEqual([]);
  const endOf = (path: string): string => path.replace(/^\/r\/link(?=\/|$)/, '/r/folder');
  return new TaskFlows(tasks, { isForeign: (path) => path.startsWith('/dev/'), endOf, before: new Map(Object.entries(before)) });
}

const WRITE = 'openat(AT_FDCWD</r>, "x", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</r/x>';
const READ = 'openat(AT_FDCWD</r>, "x", O_RDONLY) = 3</r/x>';
const GONE = 'access("x", F_OK) = -1 ENOENT (No such file or directory)';

test.each<[string, readonly string[], readonly string[]]>([
  ['what another task wrote before', [`2 ${WRITE}`, `3 ${READ}`], [A]],
  ['nothing that was written later', [`3 ${READ}`, `2 ${WRITE}`], []],
  ['what was written before it was read again', [`3 ${READ}`, `2 ${WRITE}`, `3 ${READ}`], [A]],
  ['what another task took away', ['2 unlink("x") = 0', `3 ${GONE}`], [A]],
  ['what another task put into a folder that it lists', [`2 ${WRITE}`, '3 getdents64(4</r>, [], 32768) = 0'], [A]],
  ['what lies in a folder that another task made', ['2 mkdir("x", 0777) = 0', '3 access("x/y/z", F_OK) = -1 ENOENT (x)'], [A]],
  [
    'what is in a folder that it renames',
    ['2 openat(AT_FDCWD</r>, "d/x", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</r/d/x>', '3 rename("d", "e") = 0'],
    [A],
  ],
  ['what came through a third task', [`4 ${WRITE}`, `2 ${READ}`, '2 mkdir("y", 0777) = 0', '3 access("y", F_OK) = 0'], [A, C]],
  ['nothing of a device', ['2 openat(AT_FDCWD</r>, "/dev/null", O_WRONLY|O_TRUNC) = 3</dev/null>', '3 access("/dev/null", F_OK) = 0'], []],
])('a task gets %s', (_, lines, expected) => {
  const { tasks, restored } = flowsOf(...lines).sourcesOf(B);
  expect([...tasks].sort()).toEqual([...expected, B].sort());
  expect(restored).toBeUndefined();
});

test('what turborepo wrote was taken out of a cache; its logs were not', () => {
  expect(flowsOf(`1 ${WRITE}`, `3 ${READ}`).sourcesOf(B)).toEqual({ tasks: [B], restored: '/r/x' });
  expect(flowsOf('1 mkdir("a/.turbo", 0777) = 0', '3 getdents64(4</r/a>, [], 32768) = 0').sourcesOf(B).restored).toBeUndefined();
});

test('a process of a task that starts turborepo again belongs to the first task; an argument names none', () => {
  const flows = flowsOf(
    `2 execve("/usr/bin/node", ["node"], ["TURBO_HASH=dddddddddddddddd"]) = 0`,
    `2 ${WRITE}`,
    `1 fork() = 5`,
    `5 execve("/usr/bin/node", ["TURBO_HASH=${A}"], ["PATH=/usr/bin"]) = 0`,
    `5 mkdir("y", 0777) = 0`,
    `5 +++ exited with 0 +++`,
    `3 ${READ}`,
    `3 access("y", F_OK) = 0`,
  );
  expect(flows.sourcesOf(B)).toEqual({ tasks: [B, A], restored: '/r/y' });
});

test('a task gets what turborepo runs before it, and before what it gets: there may be what it has looked for in vain', () => {
  expect(flowsWith({ [B]: [A] }, [`3 ${GONE}`]).sourcesOf(B).tasks).toEqual([B, A]);
  expect([...flowsWith({ [A]: [C] }, [`2 ${WRITE}`, `3 ${READ}`]).sourcesOf(B).tasks].sort()).toEqual([A, B, C]);
});

test.each([
  ['link', 'folder'],
  ['folder', 'link'],
])('a task gets what another one has written into a %s and it reads in the %s', (one, other) => {
  const lines = [`2 openat(AT_FDCWD</r>, "${one}/x", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3`, `3 access("${other}/x", F_OK) = 0`];
  expect(flowsOf(...lines).sourcesOf(B).tasks).toEqual([B, A]);
  expect(flowsOf(`2 mkdir("${one}/x", 0777) = 0`, `3 getdents64(4</r/${other}>, [], 32768) = 0`).sourcesOf(B).tasks).toEqual([B, A]);
});

const TELEMETRY = '/data/a/.yarn/berry/telemetry.json';

test.each<[string, string, readonly string[]]>([
  ['Yarn', '/data/a/.yarn/releases/yarn-4.18.1.cjs', [B]],
  ['a test', '/r/b.test.js', [B, A]],
])('the file in which Yarn counts its calls joins tasks only if %s reads it', (_, program, expected) => {
  const flows = flowsOf(
    `2 openat(AT_FDCWD</r>, "${TELEMETRY}", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3<${TELEMETRY}>`,
    `3 openat(AT_FDCWD</r>, "${program}", O_RDONLY) = 3<${program}>`,
    `3 access("${TELEMETRY}", F_OK) = 0`,
    `3 openat(AT_FDCWD</r>, "${TELEMETRY}", O_RDONLY) = 3<${TELEMETRY}>`,
  );
  expect(flows.sourcesOf(B).tasks).toEqual(expected);
});
