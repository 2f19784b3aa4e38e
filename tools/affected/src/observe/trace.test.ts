import { describe, expect, test } from '@jest/globals';
import { UseTable, writtenAt } from './paths.js';
import { newReadings, summariseReadings, type TraceSummary } from './readings.js';
import { Trace } from './trace.js';

const END = '1 +++ exited with 0 +++';

function traced(...lines: readonly string[]): TraceSummary {
  const trace = new Trace('/r');
  for (const line of lines) trace.add(line);
  return trace.finish();
}

/** Returns the inputs of a trace: `read /r/a`. */
function inputs(...lines: readonly string[]): readonly string[] {
  const { uses } = traced(...lines);
  const kinds = ['read', 'readByTool', 'found', 'absent', 'listed'] as const;
  return [...uses]
    .flatMap(([path, use]) => kinds.filter((kind) => use[kind] < writtenAt(uses, path)).map((kind) => `${kind} ${path}`))
    .sort();
}

describe('a path counts from', () => {
  test('the folder that the process is in, also after chdir and fchdir', () => {
    expect(
      inputs(
        '1 chdir("sub")           = 0',
        '1 access("a", R_OK) = 0',
        '1 fchdir(3</r/other>) = 0',
        '1 access("b", R_OK) = -1 ENOENT (No such file or directory)',
        '1 access("../c", R_OK) = 0',
        END,
      ),
    ).toEqual(['absent /r/other/b', 'found /r/c', 'found /r/sub', 'found /r/sub/a']);
  });

  test('the folder of its parent, also before the call that made it has returned', () => {
    expect(
      inputs(
        '1 chdir("/r/sub") = 0',
        '1 vfork( <unfinished ...>',
        '2 access("child", R_OK) = 0',
        '1 <... vfork resumed>)              = 2',
        '2 chdir("/r/other") = 0',
        '2 access("child", R_OK) = 0',
        '1 access("parent", R_OK) = 0',
        '2 +++ exited with 0 +++',
        END,
      ),
    ).toEqual(['found /r/other', 'found /r/other/child', 'found /r/sub', 'found /r/sub/child', 'found /r/sub/parent']);
  });

  test('the one folder that threads share', () => {
    const clone = '1 clone3({flags=CLONE_VM|CLONE_FS|CLONE_THREAD, exit_signal=0} => {parent_tid=[2]}, 88) = 2';
    expect(inputs(clone, '2 chdir("/r/x") = 0', '1 access("a", R_OK) = 0', '2 +++ exited with 0 +++', END)).toEqual([
      'found /r/x',
      'found /r/x/a',
    ]);
  });

  test('the folder of a descriptor, which tells more than the working folder', () => {
    expect(
      inputs('1 newfstatat(5</r/d>, "a", {st_mode=S_IFREG|0644, ...}, 0) = 0', '1 statx(AT_FDCWD</r/e>, "a", 0, 0, {}) = 0', END),
    ).toEqual(['found /r/d/a', 'found /r/e/a']);
  });
});

describe('what the command wrote first is no input', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['a new file', ['openat(AT_FDCWD</r>, "a", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</r/a>', 'open("a", O_RDONLY) = 3</r/a>'], []],
    ['a file in a new folder', ['mkdir("d", 0777) = 0', 'open("d/a", O_RDONLY) = 3</r/d/a>'], ['absent /r/d']],
    ['what is gone', ['unlink("a") = 0', 'access("a", R_OK) = -1 ENOENT (x)'], ['found /r/a']],
    [
      'a file that gets a new name',
      ['open("t", O_WRONLY|O_CREAT|O_TRUNC) = 3</r/t>', 'rename("t", "a") = 0', 'open("a", O_RDONLY) = 3</r/a>'],
      [],
    ],
  ])('%s', (_, calls, expected) => expect(inputs(...calls.map((call) => `1 ${call}`), END)).toEqual(expected));

  test.each<[string, readonly string[], readonly string[]]>([
    ['a file that is added to', ['open("a", O_WRONLY|O_CREAT|O_APPEND) = 3</r/a>'], ['read /r/a']],
    ['a file that is read and then replaced', ['open("a", O_RDONLY) = 3</r/a>', 'creat("a", 0666) = 3</r/a>'], ['read /r/a']],
    ['a file that is replaced only if it is not there', ['open("a", O_WRONLY|O_CREAT|O_EXCL) = 3</r/a>'], ['absent /r/a']],
    ['what a file is renamed from', ['rename("a", "b") = 0', 'open("b", O_RDONLY) = 3</r/b>'], ['read /r/a']],
    ['what a second name is given to', ['link("a", "b") = 0'], ['read /r/a']],
    ['a write that failed', ['open("a", O_WRONLY|O_TRUNC) = -1 EACCES (x)', 'open("a", O_RDONLY) = 3</r/a>'], ['found /r/a', 'read /r/a']],
    ['a write that a signal cut short', ['open("a", O_WRONLY|O_TRUNC|O_CREAT) = ?', 'open("a", O_RDONLY) = 3</r/a>'], ['read /r/a']],
  ])('but %s is', (_, calls, expected) => expect(inputs(...calls.map((call) => `1 ${call}`), END)).toEqual(expected));

  test('a write that ends after a read began does not hide it', () => {
    const lines = ['1 creat("a", 0666 <unfinished ...>', '2 open("/r/a", O_RDONLY) = 3</r/a>', '1 <... creat resumed>) = 3</r/a>'];
    expect(inputs('1 fork() = 2', ...lines, '2 +++ exited with 0 +++', END)).toEqual(['read /r/a']);
  });
});

describe('a program', () => {
  test('is an input, and git and package managers read for themselves', () => {
    const lines = [
      '1 execve("/usr/bin/node", ["n"..., ...], 0x7ffe /* 35 vars */) = 0',
      '1 open("/r/.yarn/releases/yarn-4.18.1.cjs", O_RDONLY) = 3</r/.yarn/releases/yarn-4.18.1.cjs>',
    ];
    const { programs } = traced(...lines, END);
    expect(programs).toEqual(['/usr/bin/node']);
    expect(
      inputs(
        ...lines,
        '1 open("b.json", O_RDONLY) = 3</r/b.json>',
        '1 fork() = 2',
        '2 execve("jest", [], 0x1) = 0',
        '2 open("c", O_RDONLY) = 3</r/c>',
        '2 +++ exited with 0 +++',
        END,
      ),
    ).toEqual(['read /r/c', 'read /r/jest', 'read /usr/bin/node', 'readByTool /r/.yarn/releases/yarn-4.18.1.cjs', 'readByTool /r/b.json']);
  });

  test('that tests start is told from one that leads to them', () => {
    const yarn = '/r/.yarn/releases/yarn-4.18.1.cjs';
    const load = (pid: number): string => `${pid} open("${yarn}", O_RDONLY) = 3<${yarn}>`;
    const exec = (pid: number, path: string): string => `${pid} execve("${path}", [], 0x1) = 0`;
    const lead = ['1 execve("/bin/sh", [], 0x1) = 0', exec(1, '/usr/bin/node'), load(1), '1 fork() = 2', exec(2, '/usr/bin/node')];
    const end = ['2 +++ exited with 0 +++', END];
    // A script that calls Yarn again also leads to the tests.
    expect(traced(...lead, load(2), ...end).nested).toEqual([]);
    expect(traced(...lead, exec(2, '/usr/bin/git'), ...end).nested).toEqual(['/usr/bin/git']);
    expect(traced(...lead, exec(2, '/usr/bin/node'), load(2), ...end).nested).toEqual([yarn]);
  });

  test('does not read for itself because a file of the project is called like a package manager', () => {
    const lines = ['yarn.js', 'yarn-lock.js', 'src/pnpm.js', 'b.json'].map((name) => `1 open("/r/${name}", O_RDONLY) = 3</r/${name}>`);
    expect(inputs(...lines, END)).toEqual(['read /r/b.json', 'read /r/src/pnpm.js', 'read /r/yarn-lock.js', 'read /r/yarn.js']);
  });

  test.each(['/r/.yarn/releases/yarn-4.18.1.cjs', '/r/packages/npm/src/yarn.js', '/usr/local/bin/yarn.cjs'])(
    'does not read for itself because it reads %s after its own script',
    (yarn) => {
      const lines = ['/r/package.json', '/r/a.test.ts', yarn, '/r/b.json'].map((path) => `1 open("${path}", O_RDONLY) = 3<${path}>`);
      expect(inputs(...lines, END)).toEqual(['/r/a.test.ts', '/r/b.json', '/r/package.json', yarn].sort().map((path) => `read ${path}`));
    },
  );

  test.each(['/usr/local/bin/yarn.cjs', '/usr/share/yarn-4.18.1.cjs', '/usr/lib/node_modules/corepack/dist/yarn.js'])(
    'reads for itself as %s, after what Node reads first',
    (yarn) => {
      const first = ['/lib/libc.so.6', '/proc/self/maps', '/etc/ssl/openssl.cnf', '/usr/share/locale/x', '/tmp/affected-1/task-hook.cjs'];
      const lines = [...first, '/tmp/affected-1/watched.json', yarn, '/r/b.json'].map((path) => `1 open("${path}", O_RDONLY) = 3<${path}>`);
      expect(inputs(...lines, END).filter((use) => use.startsWith('readByTool'))).toEqual(['readByTool /r/b.json', `readByTool ${yarn}`]);
    },
  );

  test.each<[string, string]>([
    ['/r/packages/npm/src/yarn.js', 'read'],
    ['/r/yarn/yarn.js', 'read'],
    ['/r/node_modules/@yarnpkg/cli-dist/bin/yarn.js', 'readByTool'],
    ['/r/.cache/node/corepack/v1/yarn/4.18.1/yarn.js', 'readByTool'],
  ])('of the project is a package manager only among what was installed: %s', (script, expected) => {
    const lines = [script, '/r/made.txt'].map((path) => `1 open("${path}", O_RDONLY) = 3<${path}>`);
    expect(inputs(...lines, END)).toContain(`${expected} /r/made.txt`);
  });

  test.each<[string, readonly string[], string]>([
    ['/r/test/bin/git', [], 'read'],
    ['/tmp/x/git', ['creat("/tmp/x/git", 0777) = 3</tmp/x/git>'], 'read'],
    ['/usr/bin/git', [], 'readByTool'],
    ['/r/node_modules/turbo-linux-64/bin/turbo', [], 'readByTool'],
  ])('is git or turborepo only if it is not of the tests: %s', (path, before, expected) => {
    const lines = [...before, `execve("${path}", [], 0x1) = 0`, 'open("/r/made.txt", O_RDONLY) = 3</r/made.txt>'];
    expect(inputs(...lines.map((line) => `1 ${line}`), END)).toContain(`${expected} /r/made.txt`);
  });

  test('that a thread runs goes on under the id of the process', () => {
    const { gaps, programs } = traced(
      '1 clone3({flags=CLONE_VM|CLONE_FS|CLONE_THREAD} => {parent_tid=[2]}, 88) = 2',
      '2 execve("/bin/true", ["t"...], 0x1 /* 1 var */ <unfinished ...>',
      '2 +++ superseded by execve in pid 1 +++',
      '1 <... execve resumed>) = 0',
      END,
    );
    expect([gaps, programs]).toEqual([[], ['/bin/true']]);
  });

  test('by descriptor alone (execveat, fexecve)', () => {
    expect(inputs('1 execveat(3</r/tool>, "", ["t"...], NULL, AT_EMPTY_PATH) = 0', END)).toEqual(['read /r/tool']);
  });
});

test('O_PATH and O_DIRECTORY read nothing, and a listing is one of its own', () => {
  expect(
    inputs(
      '1 openat(AT_FDCWD</r>, "a", O_RDONLY|O_PATH) = 3</r/a>',
      '1 openat(AT_FDCWD</r>, "d", O_RDONLY|O_DIRECTORY) = 4</r/d>',
      '1 getdents64(4</r/d>, 0x558a /* 5 entries */, 32768) = 136',
      END,
    ),
  ).toEqual(['found /r/a', 'found /r/d', 'listed /r/d']);
});

test('a link is known by the name that was asked for and the file that was opened', () => {
  expect(inputs('1 openat(AT_FDCWD</r>, "link/a", O_RDONLY) = 3</r/real/a>', END)).toEqual(['found /r/link/a', 'read /r/real/a']);
});

describe('an observation is not complete', () => {
  test.each<[string, readonly string[]]>([
    ['cut-off', ['1 open("a", O_RDONLY) = 3</r/a>']],
    ['cut-off', []],
    ['not-understood', ['1 open("a", O_RDO', END]],
    ['not-understood', ['1 <... open resumed>) = 3', END]],
    ['lost-process', ['1 fork() = 5', '2 open("a", O_RDONLY) = 3</r/a>', '2 +++ exited with 0 +++', '5 +++ exited with 0 +++', END]],
    ['io-uring', ['1 io_uring_setup(64, {flags=0}) = 5<anon_inode:[io_uring]>', END]],
    ['file-handles', ['1 open_by_handle_at(3</>, {handle_bytes=8}, O_RDONLY) = 4</r/a>', END]],
    ['mounts', ['1 unshare(CLONE_NEWNS|CLONE_NEWUSER) = 0', END]],
    ['long-path', ['1 open("aaa"..., O_RDONLY) = 3</r/a>', END]],
    ['daemon', ['1 connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="/r/watchman.sock"}, 110) = 0', END]],
    [
      'daemon',
      [
        '1 connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(8080), sin_addr=inet_addr("127.0.0.1")}, 16) = -1 EINPROGRESS (x)',
        END,
      ],
    ],
  ])('%s', (gap, lines) => expect(traced(...lines).gaps.map((one) => one.gap)).toEqual([gap]));

  test('but a server of its own, a call that failed and another machine leave it whole', () => {
    const { gaps, connections } = traced(
      '1 bind(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="/r/own"}, 110) = 0',
      '1 connect(4<socket:[2]>, {sa_family=AF_UNIX, sun_path="/r/own"}, 110) = 0',
      '1 getsockname(5<socket:[3]>, {sa_family=AF_INET6, sin6_port=htons(46091), inet_pton(AF_INET6, "::", &sin6_addr)}, [28]) = 0',
      '1 connect(6<socket:[4]>, {sa_family=AF_INET, sin_port=htons(46091), sin_addr=inet_addr("127.0.0.1")}, 16) = 0',
      '1 connect(7<socket:[5]>, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT (x)',
      '1 connect(8<socket:[6]>, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("192.0.2.1")}, 16) = 0',
      '1 io_uring_setup(64, {flags=0}) = -1 ENOSYS (Function not implemented)',
      END,
    );
    expect([gaps, connections]).toEqual([[], ['192.0.2.1:443']]);
  });
});

describe('a call that strace could not read, because its process was killed,', () => {
  const clone = '1 clone(child_stack=NULL, flags=SIGCHLD) = 2';
  const read = '2 openat(AT_FDCWD</r>, "a", O_RDONLY) = 3</r/a>';
  const gapsOf = (...lines: readonly string[]): readonly string[] =>
    traced(clone, read, ...lines, END).gaps.map(({ gap, detail }) => `${gap}: ${detail}`);

  test.each<[string, readonly string[]]>([
    ['a signal', ['2  ???( <unfinished ...>', '2  <... ??? resumed>)                = ?', '2  +++ killed by SIGKILL +++']],
    ['the end of its process', ['2 ???( <unfinished ...>', '2 +++ exited with 0 +++']],
    ['a signal at once', ['2 ???()                                = ?', '2 +++ killed by SIGTERM (core dumped) +++']],
  ])('did nothing: %s', (_, lines) => {
    expect(gapsOf(...lines)).toEqual([]);
    expect(inputs(clone, read, ...lines, END)).toEqual(['read /r/a']);
  });

  test.each<[string, readonly string[]]>([
    ['goes on', ['2 ???( <unfinished ...>', read, '2 +++ exited with 0 +++']],
    ['runs another program', ['2 ???( <unfinished ...>', '2 +++ superseded by execve in pid 1 +++']],
  ])('is a gap where the process %s', (_, lines) => {
    expect(gapsOf(...lines)).toEqual(['not-understood: line 3 of the trace']);
  });

  test('is a gap where the trace ends with it', () => {
    expect(traced('1 ???( <unfinished ...>').gaps.map(({ gap }) => gap)).toEqual(['cut-off']);
  });
});

test('a gap never tells the arguments of a call, where values of environment variables are', () => {
  const details = [
    '1 execve("/a", ["a"], ["SECRET=hunter2", "API_K',
    'SECRET=hunter2',
    '1 SECRET=hunter2(',
    '1 <... open resumed>"hunter2") = 3',
  ].map((line) => traced(line, END).gaps.find(({ gap }) => gap === 'not-understood')?.detail);
  expect(details).toEqual(['execve', 'line 1 of the trace', 'line 1 of the trace', 'open']);
});

test('a command that uses more paths than are kept is incomplete, and what was kept stays', () => {
  const table = new UseTable(2);
  for (const path of ['/r/a', '/r/b', '/r/c', '/r/a', '/r/d']) table.mark(path, 'read', 1);
  const { uses, gaps } = summariseReadings([{ ...newReadings(), table }], []);
  expect([[...uses.keys()], gaps.map(({ gap }) => gap)]).toEqual([['/r/a', '/r/b'], ['too-many-paths']]);
});

test('so is a task of which the test files use too many paths together', () => {
  const room = { left: 3 };
  const all = [newReadings(room), newReadings(room)];
  for (const { table } of all) for (const path of ['/r/a', '/r/b']) table.mark(path, 'read', 1);
  expect(all.map(({ table }) => [table.uses.size, table.isFull])).toEqual([
    [2, false],
    [1, true],
  ]);
});
