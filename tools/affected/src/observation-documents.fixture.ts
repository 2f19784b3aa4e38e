import type { Gap, Observation } from './observe/observation.js';
import { ID } from './result-documents.fixture.js';

const GAPS = Object.keys({
  'tracer-missing': true,
  'tracer-denied': true,
  'cut-off': true,
  'not-understood': true,
  'lost-process': true,
  'io-uring': true,
  'file-handles': true,
  mounts: true,
  daemon: true,
  'long-path': true,
  interpreter: true,
  'not-utf8': true,
  'warm-cache': true,
  'zip-packages': true,
  submodule: true,
  crawl: true,
  uncommitted: true,
  repository: true,
  'left-over': true,
  replayed: true,
  'not-proven': true,
  'native-program': true,
  'native-addon': true,
  'not-hooked': true,
  'too-many-paths': true,
} satisfies Record<Gap, true>) as readonly Gap[];

/** Observations as `affected trace` writes them: a complete one, and one with every gap. */
export function observations(): readonly Observation[] {
  const complete: Observation = {
    schemaVersion: 1,
    version: '0.1.0',
    tracer: 'strace 6.1 --seccomp-bpf',
    commit: ID,
    platform: { os: 'linux', arch: 'x64', node: '22' },
    command: ['yarn', 'run', 'test'],
    folder: 'app',
    workspace: 'app',
    exit: 0,
    complete: true,
    gaps: [],
    files: ['app/a.js', 'lib/data.json'],
    found: ['app'],
    absent: ['app/b.js'],
    listed: [{ path: 'app', hash: ID }],
    packages: [
      { name: 'left', version: '1.2.3', builds: true },
      { name: 'right', version: null },
    ],
    programs: ['/usr/bin/node'],
    nested: ['/usr/bin/git'],
    connections: ['192.0.2.1:443'],
    apart: {
      written: ['app/out.txt'],
      ignored: ['lib/dist/a.js'],
      caches: ['.turbo/x'],
      tools: ['yarn.lock'],
      toolLists: ['lib'],
      outside: ['/srv/data.json'],
    },
  };
  return [
    complete,
    { ...complete, task: 'test', plan: ID, part: [1, 2], variables: { read: ['TZ'], unset: ['DEBUG'], all: true } },
    { ...complete, task: 'test', plan: ID, part: [1, 2], testFiles: { shared: [0, 5], search: [5], each: { 'a.test.js': [1] } } },
    { ...complete, testFiles: { unclear: 'b.test.js uses what a.test.js wrote' } },
    { ...complete, tracer: null, exit: null, complete: false, gaps: GAPS.map((gap) => ({ gap, detail: 'x' })) },
  ];
}
