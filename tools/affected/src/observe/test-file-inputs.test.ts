import { describe, expect, test } from '@jest/globals';
import { parseRepoPath } from '@tributary/model/paths';
import { listFolders } from './listing.js';
import { inputTable } from './observation.js';
import { joinFiles, newReadings, summariseReadings } from './readings.js';
import { type Surroundings, sortUses } from './sort-uses.js';
import { testFileInputs } from './test-file-inputs.js';
import { Trace } from './trace.js';

const HASH = 'aaaaaaaaaaaaaaaa';
const TRACKED = ['w/a.test.js', 'w/b.test.js', 'w/lib.js', 'w/own.js', 'w/package.json', 'w/setup.js', 'w/x.sh'].map((path) =>
  parseRepoPath(path),
);
const around: Surroundings = {
  root: '/r',
  temporary: ['/tmp'],
  tracked: TRACKED,
  listings: listFolders(TRACKED.map((path) => ({ path, kind: 'file' }))),
  submodules: [],
  own: ['/tmp/affected-tasks-x'],
  isStrict: true,
  resolve: (path) => ({ end: path.replace(/^\/r\/link(?=\/|$)/, '/r/w'), links: [] }),
  packageAt: () => undefined,
};

function mark(what: string): string {
  return `access("/tmp/affected-tasks-x/test-files-mark/${what}", F_OK) = -1 ENOENT (x)`;
}

const A = `2 ${mark('file/r/w/a.test.js')}`;
const B = `3 ${mark('file/r/w/b.test.js')}`;
const read = (path: string): string => `openat(AT_FDCWD</r/w>, "${path}", O_RDONLY) = 3</r/w/${path}>`;
const write = (path: string): string => `openat(AT_FDCWD</r/w>, "${path}", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</r/w/${path}>`;

/** Returns the inputs of a piece's files by name. Process 1 is the task, which starts 2 and 3. */
function inputsOf(lines: readonly string[], ran: readonly string[] | undefined = []): unknown {
  const trace = new Trace('/r/w');
  const start = [`1 execve("/usr/bin/node", ["node"], ["TURBO_HASH=${HASH}"]) = 0`, '1 fork() = 2', '1 fork() = 3'];
  const end = [3, 2, 1].map((pid) => `${pid} +++ exited with 0 +++`);
  for (const line of [...start, ...lines, ...end]) trace.add(line);
  trace.addInterpreters((path) => ({ interpreter: path.endsWith('.sh') ? 'own.js' : undefined, end: path }));
  const { tasks } = trace.finishTasks();
  const seen = sortUses(joinFiles(tasks).get(HASH)?.table.uses ?? new Map(), around);
  const flows = { isForeign: (path: string) => path.startsWith('/tmp/affected-'), endOf: (path: string) => around.resolve(path).end };
  const found = testFileInputs({ hash: HASH, traces: tasks, before: [], flows, around, folder: 'w', ran }, seen);
  if (found === undefined || 'unclear' in found) return found;
  const { paths, lists } = inputTable(seen);
  const named = (places: readonly number[]): readonly string[] => places.map((place) => paths[place] ?? `[${lists[place - paths.length]}]`);
  return {
    shared: named(found.shared),
    ...Object.fromEntries(Object.entries(found.each).map(([file, places]) => [file, named(places)])),
  };
}

describe('test files are told apart', () => {
  test('by their processes, with all that these start', () => {
    const lines = [`1 ${read('setup.js')}`, A, B, '2 fork() = 4', `4 ${read('lib.js')}`, `3 ${read('own.js')}`, '4 +++ exited with 0 +++'];
    expect(inputsOf(lines)).toEqual({ shared: ['w/setup.js'], 'a.test.js': ['w/lib.js'], 'b.test.js': ['w/own.js'] });
  });

  test('also in what the kernel reads to run a file', () => {
    const run = 'execve("/r/w/x.sh", ["x.sh"], [])';
    const lines = [A, B, `2 ${run} = 0`, `3 ${run} = 0`];
    expect(inputsOf(lines)).toEqual({ shared: [], 'a.test.js': ['w/own.js', 'w/x.sh'], 'b.test.js': ['w/own.js', 'w/x.sh'] });
  });

  test('and one that used too many paths makes the piece incomplete', () => {
    const [readings, other] = [newReadings(), newReadings()];
    other.table.isFull = true;
    const all = joinFiles(
      new Map([
        [HASH, readings],
        [`${HASH}\n/r/w/a.test.js`, other],
      ]),
    );
    expect(summariseReadings([...all.values()], []).gaps).toMatchObject([{ gap: 'too-many-paths' }]);
  });

  test('and what a process read before it named its test file counts for every file', () => {
    expect(inputsOf([`2 ${read('lib.js')}`, A, B])).toEqual({ shared: ['w/lib.js'], 'a.test.js': [], 'b.test.js': [] });
  });

  test('a name with a link in it is the file behind it', () => {
    expect(inputsOf([`2 ${mark('file/r/link/a.test.js')}`, `2 ${read('lib.js')}`])).toMatchObject({ 'a.test.js': ['w/lib.js'] });
  });

  test("node's search for test files looks up files that no test uses", () => {
    const lines = [`1 ${mark('search')}`, `1 access("lib.js", F_OK) = 0`, `1 getdents64(4</r/w>, [], 32768) = 0`, `1 ${read('setup.js')}`];
    expect(inputsOf([...lines, A])).toEqual({ shared: ['w/setup.js', '[w]'], 'a.test.js': [] });
  });

  test("jest's index reads every file, and only manifests of it count", () => {
    const index = ['lib.js', 'own.js', 'package.json'].map((path) => `1 ${read(path)}`);
    const lines = [
      `1 ${mark('index')}`,
      ...index,
      '1 access("babel.config.js", F_OK) = -1 ENOENT (x)',
      `1 ${mark('shared')}`,
      `1 ${read('setup.js')}`,
    ];
    expect(inputsOf([...lines, A, `2 ${read('own.js')}`])).toEqual({
      shared: ['w/package.json', 'w/setup.js', 'w/babel.config.js'],
      'a.test.js': ['w/own.js'],
    });
  });

  test('and a file that lists where the runner searches depends on each entry itself', () => {
    const list = 'getdents64(4</r/w>, [], 32768) = 0';
    expect(inputsOf([`1 ${mark('search')}`, `1 ${list}`, A, B, `2 ${list}`])).toMatchObject({ 'a.test.js': ['[w]'], 'b.test.js': [] });
  });
});

describe('test files are not told apart', () => {
  test.each<[string, readonly string[], string]>([
    ['if one uses what another wrote', [A, B, `2 ${write('x')}`, `3 ${read('x')}`], 'b.test.js uses what a.test.js wrote'],
    [
      'if one lists what another wrote',
      [A, B, `2 ${write('x')}`, '3 getdents64(4</r/w>, [], 32768) = 0'],
      'b.test.js uses what a.test.js wrote',
    ],
    [
      'if one looks for what another removed',
      [A, B, '2 unlink("x") = 0', '3 access("x", F_OK) = -1 ENOENT (x)'],
      'b.test.js uses what a.test.js wrote',
    ],
    [
      'if one uses a server that another process opened',
      [
        A,
        '1 bind(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}, 16) = 0',
        '2 connect(3<socket:[2]>, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}, 16) = 0',
      ],
      'a.test.js uses 127.0.0.1:80, which another process opened',
    ],
    [
      'if one process runs two',
      [A, `2 ${read('lib.js')}`, `2 ${mark('file/r/w/b.test.js')}`],
      'b.test.js ran in a process that had run another test file',
    ],
    ['if one lies elsewhere', [`2 ${mark('file/r/x.test.js')}`], '/r/x.test.js is outside the workspace'],
  ])('%s', (_, lines, unclear) => expect(inputsOf(lines)).toEqual({ unclear }));

  test('if one ran that did not say so', () => {
    expect(inputsOf([A], ['a.test.js', 'b.test.js'])).toEqual({ unclear: 'b.test.js did not tell that it ran' });
  });

  test('without a mark', () => expect(inputsOf([`2 ${read('lib.js')}`])).toBeUndefined());
});
