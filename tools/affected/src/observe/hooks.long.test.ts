import { cpSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { findHooks, unknownNode } from '../io/hooks.js';
import { findStrace } from '../io/strace.js';
import type { Traced, WorkingTracer } from '../io/tracer.js';
import { writtenAt } from './paths.js';

// Ways in which a test can read a file. Each must show the file, or make the observation incomplete. All run in a real Node.

const cleanUp = cleanUpIn(afterAll);
const signal = new AbortController().signal;
/** A daemon that the commands did not start. */
const server = createServer((_, answer) => answer.end());
let port = 0;
let tracer: WorkingTracer;
let folder: string;
/** Where commands start: a folder with the files. */
let work: string;
const [, program] = process.argv;

beforeAll(async () => {
  // The hooks are next to the program of affected.
  process.argv[1] = join(findProjectRoot(), 'tools/affected/out/cli.cjs');
  const found = await findHooks(signal);
  if ('gap' in found) throw new Error(found.detail);
  tracer = found;
  folder = realpathSync(cleanUp.add(new TempFolder()).path);
  work = join(folder, 'files');
  for (const name of ['sub/deep', 'deep', 'main', 'twin', 'with', 'named', 'node_modules/dep', 'node_modules/gone', 'node_modules/old'])
    mkdirSync(join(work, name), { recursive: true });
  const files = {
    'x.txt': 'x',
    'x.json': '{}',
    'x.cjs': '',
    'x.mjs': 'export default 1;',
    'sub/deep/z.mjs': '',
    'requires.cjs': "import('./sub/deep/z.mjs');",
    'twin.js': '',
    'twin/index.js': '',
    'with/x.txt': '',
    'none.mjs': "import('gone').catch(() => {});",
    'old.mjs': "import 'old';",
    'deep/uses.cjs': "require.resolve('dep');",
    'meta.mjs': "import.meta.resolve('dep');",
    'imports.mjs': "import 'dep';",
    yarns: `#!/bin/sh\nexec "${process.execPath}"  "$@"\n`,
    'named/node': `#!/bin/sh\ncat x.txt > /dev/null\nexec "${process.execPath}" "$@"\n`,
    'node_modules/gone/package.json': '{ "name": "gone", "exports": "./lib/gone.js" }',
    'node_modules/old/package.json': '{ "name": "old", "main": "a" }',
    'node_modules/old/a.js': '',
    '.env': 'A=1',
    'sub/deep/y.txt': 'y',
    'x.test.mjs': '',
    'main/package.json': '{ "main": "a" }',
    'main/a.js': '',
    'deep/dep.mjs': "import 'dep';",
    'dep.mjs': "import 'dep';",
    'broken.mjs': "import './sub/missing.mjs';",
    'loader.mjs': "import { readFileSync } from 'node:fs';\nreadFileSync('x.txt');",
    'run.sh': '#!/bin/sh\ncat x.txt > /dev/null\n',
    'child.cjs': "require('node:fs').readFileSync(require('node:path').join(__dirname, 'x.txt'));",
    'node_modules/dep/package.json': '{ "name": "dep", "version": "1.0.0", "exports": "./dep.js", "type": "module" }',
    'node_modules/dep/dep.js': '',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text, { mode: 0o755 });
  symlinkSync('sub', join(work, 'link'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  port = (server.address() as AddressInfo).port;
  symlinkSync('../sub', join(work, 'with/link'));
});

afterAll(() => {
  server.close();
  if (program !== undefined) process.argv[1] = program;
});

async function run(command: readonly string[]): Promise<Traced['summary']> {
  const { summary, exit } = await tracer.run({ command, folder: work, output: 'stderr', signal });
  if (exit !== 0) throw new Error(`${command.join(' ')}: ${exit}`);
  return summary;
}

/** Returns the inputs in the folder: `read x.txt`; and the gaps. */
function inputsOf({ uses, gaps }: Traced['summary'], top = work): readonly string[] {
  const kinds = ['read', 'found', 'absent', 'listed'] as const;
  const seen = [...uses].flatMap(([path, one]) =>
    kinds.filter((kind) => one[kind] < writtenAt(uses, path)).map((kind) => `${kind} ${path}`),
  );
  const moved = [...uses].flatMap(([path, one]) => (one.moved ? [`moved ${path}`] : []));
  return [...[...seen, ...moved].map((text) => text.replace(`${top}/`, '')), ...gaps.map(({ gap }) => `gap ${gap}`)];
}

/** Tells whether inputs that were seen change whenever this one does. */
function isImplied(input: string, seen: ReadonlySet<string>): boolean {
  const [kind = '', named = ''] = input.split(' ');
  const path = normalize(named);
  const folders = path.split('/').map((_, at, names) => names.slice(0, at).join('/'));
  const folder = folders.at(-1) ?? '';
  // Of two links to one folder, only the first is followed.
  const isListed = [folder, folder.replace('with/link', 'sub')].some((one) => seen.has(`listed ${one}`));
  if (seen.has(`${kind} ${path}`)) return true;
  switch (kind) {
    case 'found':
      return (
        isListed ||
        ['read', 'listed', 'moved'].some((one) => seen.has(`${one} ${path}`)) ||
        [...seen].some((one) => one.includes(` ${path}/`))
      );
    case 'absent':
      return isListed || folders.some((one) => seen.has(`absent ${one}`));
    case 'read':
      // A copy opens the file that it writes.
      return seen.has(`absent ${path}`) || (isListed && path.endsWith('/sub/a.js'));
    default:
      return false;
  }
}

type Attack = readonly [way: string, code: string, shown: string];

const FS = "const fs = require('node:fs');";
const CHILD = "const child = require('node:child_process');";
const WORKER = "const { Worker } = require('node:worker_threads');";

const DAEMON = `require('node:http').get({ host: 'any.test', port: PORT, lookup: (_, options, end) => options.all ? end(null, [{ address: '127.0.0.1', family: 4 }]) : end(null, '127.0.0.1', 4) }, (answer) => answer.resume())`;

const HTTP2 = `const http2 = require('node:http2'); const server = http2.createServer((_, answer) => answer.stream.respondWithFile('@/x.txt'));
  server.listen(0, () => { const one = http2.connect('http://localhost:' + server.address().port);
    one.request().on('end', () => { one.close(); server.close(); }).resume(); });`;

/** In one process, each with a folder of its own: `@`. */
const INSIDE: readonly Attack[] = [
  ['with readFileSync', "fs.readFileSync('@/x.txt')", 'read x.txt'],
  ['with a callback', "fs.readFile('@/x.txt', () => {})", 'read x.txt'],
  ['with a promise', "fs.promises.readFile('@/x.txt')", 'read x.txt'],
  ['with functions of node:fs/promises', "require('node:fs/promises').open('@/x.txt').then((it) => it.readFile())", 'read x.txt'],
  ['with a stream', "fs.createReadStream('@/x.txt').resume()", 'read x.txt'],
  ['with a stream by its class', "new fs.ReadStream('@/x.txt').resume()", 'read x.txt'],
  ['with a Blob', "fs.openAsBlob('@/x.txt').then((blob) => blob.text())", 'read x.txt'],
  ['by flags as a number', "fs.readSync(fs.openSync('@/x.txt', fs.constants.O_RDWR), Buffer.alloc(1))", 'read x.txt'],
  ['by adding to it', "fs.appendFileSync('@/x.txt', '')", 'read x.txt'],
  ['by a URL', "fs.readFileSync(require('node:url').pathToFileURL('@/x.txt'))", 'read x.txt'],
  ['by bytes', "fs.readFileSync(Buffer.from('@/x.txt'))", 'read x.txt'],
  [
    'after chdir',
    "const at = process.cwd(); process.chdir('@/sub'); fs.readFileSync('deep/y.txt'); process.chdir(at)",
    'read sub/deep/y.txt',
  ],
  ['through a link', "fs.readFileSync('@/link/deep/y.txt')", 'read link/deep/y.txt'],
  ['by a copy', "fs.copyFileSync('@/x.txt', '@/copy.txt')", 'read x.txt'],
  ['by a copy of its folder', "fs.cpSync('@/sub', '@/copied', { recursive: true })", 'read sub/deep/y.txt'],
  ['by another name', "fs.linkSync('@/x.txt', '@/linked.txt'); fs.readFileSync('@/linked.txt')", 'read x.txt'],
  ['by a name that its folder gets', "fs.renameSync('@/sub', '@/moved'); fs.renameSync('@/moved', '@/sub')", 'read sub'],
  ['only that it is there', "fs.accessSync('@/x.txt')", 'found x.txt'],
  ['its status', "fs.promises.lstat('@/x.txt')", 'found x.txt'],
  ['its real path', "fs.realpathSync.native('@/x.txt')", 'found x.txt'],
  ['that it is not there', "fs.existsSync('@/nothing.txt')", 'absent nothing.txt'],
  ['that it is not there, by promisify', "require('node:util').promisify(fs.exists)('@/nothing.txt')", 'absent nothing.txt'],
  ['a folder', "fs.readdirSync('@/sub')", 'listed sub'],
  ['a folder and all below', "fs.readdirSync('@', { recursive: true })", 'listed sub/deep'],
  ['a folder by opendir', "fs.promises.opendir('@/sub').then((it) => it.close())", 'listed sub'],
  ['as a module', "require('@/x')", 'read x.json'],
  ['as a module, another that would be first', "require('@/x')", 'absent x.js'],
  ['as the main file of a folder', "require('@/main')", 'read main/a.js'],
  ['as an ES module', "import('@/x.mjs')", 'read x.mjs'],
  ['as a package', "import('@/dep.mjs')", 'read node_modules/dep/dep.js'],
  ['a package that would be first', "import('@/deep/dep.mjs').catch(() => {})", 'absent deep/node_modules'],
  ['the manifest that decides the kind of a module', "require('@/x.cjs')", 'absent package.json'],
  ['that an ES module is not there', "import('@/sub/missing.mjs').catch(() => {})", 'absent sub/missing.mjs'],
  ['that a module of a module is not there', "import('@/broken.mjs').catch(() => {})", 'absent sub/missing.mjs'],
  ['that a CommonJS module is not there', "try { require('@/missing') } catch {}", 'absent missing.json'],
  ['by code that is a text', "eval('fs.readFileSync(\\'@/x.txt\\')')", 'read x.txt'],
  ['in another context', "require('node:vm').runInNewContext('f.readFileSync(\\'@/x.txt\\')', { f: fs })", 'read x.txt'],
  ['in a worker', "new (require('node:worker_threads').Worker)('@/child.cjs')", 'read x.txt'],
  ['in a worker without options', "new (require('node:worker_threads').Worker)('@/child.cjs', { execArgv: [] })", 'read x.txt'],
  ['in a process', "require('node:child_process').fork('@/child.cjs')", 'read x.txt'],
  ['in a process that is waited for', "require('node:child_process').execFileSync(process.execPath, ['@/child.cjs'])", 'read x.txt'],
  ['as a file of variables', "process.loadEnvFile('@/.env')", 'read .env'],
  [
    'through a link of its own, removed again',
    "fs.symlinkSync('@/sub', '@/own'); fs.readFileSync('@/own/deep/y.txt'); fs.unlinkSync('@/own')",
    'read sub/deep/y.txt',
  ],
  [
    'that it is not there, through a link of its own',
    "fs.symlinkSync('sub', '@/own'); fs.existsSync('@/own/nothing'); fs.unlinkSync('@/own')",
    'absent sub/nothing',
  ],
  [
    'through a link of its own that leads elsewhere later',
    "for (const to of ['sub', 'deep']) { fs.symlinkSync('@/' + to, '@/own'); fs.existsSync('@/own/dep.mjs'); fs.unlinkSync('@/own') }",
    'found deep/dep.mjs',
  ],
  [
    'behind a link of its own that another thread follows',
    "fs.symlinkSync('@/sub', '@/own'); fs.stat('@/own', () => fs.unlinkSync('@/own'))",
    'moved sub',
  ],
  [
    'beside the end of a link of its own',
    "fs.symlinkSync('@/sub/deep', '@/own'); fs.readFileSync('@/own/../../x.txt'); fs.unlinkSync('@/own')",
    'read x.txt',
  ],
  [
    'through /proc after a move',
    "const at = process.cwd(); for (const to of ['@', '@/sub']) { process.chdir(to); fs.existsSync('/proc/self/cwd/deep/y.txt') } process.chdir(at)",
    'found sub/deep/y.txt',
  ],
  [
    'by the number of a folder',
    "const fd = fs.openSync('@/sub'); fs.readFileSync('/proc/self/fd/' + fd + '/deep/y.txt'); fs.closeSync(fd)",
    'read sub/deep/y.txt',
  ],
  [
    'by a number in /dev/fd',
    "const fd = fs.openSync('@/x.txt', fs.constants.O_RDWR | fs.constants.O_EXCL); fs.readFileSync('/dev/fd/' + fd)",
    'read x.txt',
  ],
  ['only whether a folder can be entered', "try { process.chdir('@/nothing') } catch {}", 'absent nothing'],
  ['only whether a folder is empty', "try { fs.rmdirSync('@/sub') } catch {}", 'listed sub'],
  ['whether a name is taken, by a copy', "try { fs.copyFileSync('@/x.txt', '@/x.json', 1) } catch {}", 'found x.json'],
  ['whether a name is taken, by a link', "try { fs.linkSync('@/x.txt', '@/x.json') } catch {}", 'found x.json'],
  ['whether a name is taken, by a move', "try { fs.renameSync('@/main', '@/sub') } catch {}", 'found sub'],
  [
    'in a folder that another one was copied into',
    "fs.cpSync('@/main', '@/sub', { recursive: true }); fs.readFileSync('@/sub/deep/y.txt')",
    'read sub/deep/y.txt',
  ],
  ['behind a link in a folder that is copied', "fs.cpSync('@', '@-copy', { recursive: true })", 'moved sub'],
  ['a list behind a link', "fs.readdirSync('@/with', { recursive: true })", 'listed sub/deep'],
  ['as a module from elsewhere', "require.resolve('./y.txt', { paths: ['@/sub/deep'] })", 'found sub/deep/y.txt'],
  ['as a module that is not elsewhere', "try { require.resolve('none', { paths: ['@/sub'] }) } catch {}", 'absent sub/node_modules'],
  [
    'as a module of a folder that nobody read',
    "try { require('node:module').createRequire('@/sub/x.js')('#own') } catch {}",
    'absent sub/package.json',
  ],
  ['by the search of require itself', "require('node:module')._findPath('./a', ['@/main'])", 'found main/a.js'],
  ['by the look of require itself', "require('node:module')._stat('@/x.txt')", 'found x.txt'],
  ['as a folder of a module, beside a file', "require('@/twin/')", 'absent twin/package.json'],
  ['which entry a package has', "require('@/deep/uses.cjs')", 'read node_modules/dep/package.json'],
  ['which file is the main one of a package, for an ES module', "import('@/old.mjs')", 'absent node_modules/old/a'],
  ['packages that are kept in the repository', "import('@/dep.mjs')", 'moved node_modules'],
  ['an ES module through a link', "import('@/link/deep/z.mjs')", 'found link/deep/z.mjs'],
  ['a module that another one needs', "require('@/requires.cjs')", 'read sub/deep/z.mjs'],
  ['by a response of HTTP/2', HTTP2, 'read x.txt'],
  ['by a small program of Yarn', "require('node:child_process').spawn('@/yarns', ['@/child.cjs'])", 'read x.txt'],
  ['whether a program is there', "require('node:child_process').spawnSync('@/none')", 'absent none'],
  [
    'whether the folder of a program is there',
    "require('node:child_process').spawn('node', { cwd: '@/none' }).on('error', () => {})",
    'absent none',
  ],
];

describe('a test cannot read unseen, in one process', () => {
  let summary: Traced['summary'];
  let script: string;

  beforeAll(async () => {
    const code = INSIDE.map(([, text], at) => {
      mkdirSync(join(folder, `in/${at}`), { recursive: true });
      cpSync(join(folder, 'files'), join(folder, `in/${at}`), { recursive: true, verbatimSymlinks: true });
      return `{ ${text.replaceAll('@', join(folder, `in/${at}`))} }`;
    });
    script = `${FS} ${code.join('\n')}`;
    cpSync(join(folder, 'in'), join(folder, 'fresh'), { recursive: true, verbatimSymlinks: true });
    summary = await run(['node', '-e', script]);
  });

  test.each(INSIDE.map(([way, code, shown], at) => ({ way, code, shown, at })))('$way', ({ shown, at }) => {
    expect(inputsOf(summary, join(folder, `in/${at}`))).toContain(shown);
  });

  test('and all of it is complete', () => {
    expect(summary.gaps).toEqual([]);
  });

  test('and strace sees no input that the hooks do not see', async () => {
    const strace = await findStrace(signal);
    if ('gap' in strace) return;
    rmSync(join(folder, 'in'), { recursive: true });
    renameSync(join(folder, 'fresh'), join(folder, 'in'));
    const traced = await strace.run({ command: ['node', '-e', script], folder: work, output: 'stderr', signal });
    const seen = new Set(inputsOf(summary, folder));
    const unseen = inputsOf(traced.summary, folder).filter((input) => /^\w+ (?:in|files)\b/.test(input) && !isImplied(input, seen));
    expect(unseen).toEqual([]);
  });
});

describe('what cannot be seen makes the observation incomplete', () => {
  test.each<Attack>([
    [
      'a loader in another thread',
      "require('node:module').register('./loader.mjs', require('node:url').pathToFileURL('./any'))",
      'read x.txt',
    ],
    ['by a loader', "require('node:module').register('data:text/javascript,')", 'gap not-hooked'],
    ['in a worker without variables', `${WORKER} new Worker('./child.cjs', { env: {} })`, 'gap not-hooked'],
    ['in a process without variables', `${CHILD} child.spawnSync(process.execPath, ['child.cjs'], { env: {} })`, 'gap not-hooked'],
    ['in a process with options of its own', `${CHILD} child.fork('./child.cjs', { env: { NODE_OPTIONS: '' } })`, 'gap not-hooked'],
    [
      'in a process that stays',
      `${CHILD} const one = child.spawn(process.execPath, ['-e', 'process.send(1); setTimeout(() => {}, 9000)'], { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
      one.on('message', () => { one.disconnect(); one.unref(); })`,
      'gap cut-off',
    ],
    [
      'in a process without access',
      `${CHILD} child.fork('./child.cjs', { execArgv: ['--experimental-permission', '--allow-fs-read=*'] })`,
      'gap not-hooked',
    ],
    [
      'after it closed the log',
      `${FS} for (let fd = 3; fd < 40; fd++) try { if (fs.readlinkSync('/proc/self/fd/' + fd).endsWith('.log')) { fs.closeSync(fd); fs.openSync('x.txt', 'a+'); } } catch {} fs.existsSync('x.json')`,
      'gap not-hooked',
    ],
    ['by another program', `${CHILD} child.spawn('cat', ['x.txt'])`, 'gap native-program'],
    ['by a shell', `${CHILD} child.execSync('cat x.txt')`, 'gap native-program'],
    ['by a script', `${CHILD} child.execFile('./run.sh')`, 'gap native-program'],
    ['by native code', "try { process.dlopen({ exports: {} }, './x.node') } catch {}", 'gap native-addon'],
    ['by a binding', "try { process.binding('fs') } catch {}", 'gap not-hooked'],
    ['by WASI', "new (require('node:wasi').WASI)({ version: 'preview1', preopens: { '/': '.' } })", 'gap not-hooked'],
    ['by sqlite or another module of Node that opens files', "require('node:inspector').open()", 'gap not-hooked'],
    ['by a debugger', "const one = new (require('node:inspector').Session)(); one.connect(); one.post('Runtime.enable')", 'gap not-hooked'],
    [
      'by a program that is called node',
      `${CHILD} child.spawn('node', ['child.cjs'], { env: { ...process.env, PATH: 'named:' + process.env.PATH } })`,
      'gap native-program',
    ],
    ['by an entry that only import.meta resolves', "import('./meta.mjs')", 'gap not-hooked'],

    [
      'by code of a worker that is no file',
      `${WORKER} new Worker("import.meta.resolve('dep')", { eval: true, execArgv: ['--input-type=module'] })`,
      'gap not-hooked',
    ],
    [
      'by import in a text',
      "const vm = require('node:vm'); new vm.Script('0', { importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER })",
      'gap not-hooked',
    ],
    ['by maps of sources', 'process.setSourceMapsEnabled(true)', 'gap not-hooked'],
    [
      'by a datagram',
      "const one = require('node:dgram').createSocket('udp4'); one.send('x', 9, '127.0.0.1', () => one.close())",
      'gap daemon',
    ],
    ['by a daemon behind another name', DAEMON, 'gap daemon'],
    [
      'by code that ran before the hooks',
      `${CHILD} child.fork('./x.cjs', { env: { ...process.env, NODE_OPTIONS: '--require ./child.cjs ' + process.env.NODE_OPTIONS } })`,
      'gap not-hooked',
    ],
    [
      'by a library that is loaded first',
      `${CHILD} child.fork('./x.cjs', { env: { ...process.env, LD_LIBRARY_PATH: '.' } })`,
      'gap not-hooked',
    ],
    ['by options of a worker', `${WORKER} new Worker('./x.cjs', { execArgv: ['--enable-source-maps'] })`, 'gap not-hooked'],
    ['by internals', `${CHILD} child.fork('./x.cjs', { execArgv: ['--expose-internals'] })`, 'gap not-hooked'],
    ['by files of variables', `${CHILD} child.fork('./x.cjs', { execArgv: ['--env-file=.env'] })`, 'gap not-hooked'],
    ['by a daemon', "require('node:net').connect('/no/socket').on('error', () => {})", 'gap daemon'],
  ])('%s', async (_, code, shown) => {
    expect(inputsOf(await run(['node', '-e', code.replace('PORT', String(port))]))).toContain(shown);
  });

  test.each<readonly [way: string, args: readonly string[], shown: string]>([
    ['by an entry that a package lacks', ['none.mjs'], 'gap not-hooked'],
    ['by code that is no file', ['--input-type=module', '-e', "import.meta.resolve('dep')"], 'gap not-hooked'],
    ['by an option', ['--env-file=.env', '-e', '0'], 'read .env'],
    ['before', ['--require', './child.cjs', '-e', '0'], 'read x.txt'],
    ['as a search for tests', ['--test'], 'listed sub/deep'],
    ['by an import in a module', ['--input-type=module', '-e', "import { readFileSync as read } from 'fs'; read('x.txt')"], 'read x.txt'],
    ['by a dynamic import of fs', ['--input-type=module', '-e', "(await import('node:fs')).default.readFileSync('x.txt')"], 'read x.txt'],
  ])('%s (node %s)', async (_, args, shown) => {
    expect(inputsOf(await run(['node', ...args]))).toContain(shown);
  });
});

test('an honest test is complete, and what it wrote itself is no input', async () => {
  const code = `${FS} ${CHILD} fs.mkdirSync('out/a', { recursive: true }); fs.writeFileSync('out/a/b', '1'); fs.readFileSync('out/a/b');
    fs.promises.writeFile('out/c', '2').then(() => child.fork('./child.cjs'));`;
  const summary = await run(['node', '-e', code]);
  const inputs = inputsOf(summary);
  expect([summary.gaps, inputs.filter((one) => one.includes('out'))]).toEqual([[], ['absent out/a']]);
  expect(inputs).toContain('read x.txt');
});

test('names of variables are told, copies apart, and no values', async () => {
  process.env['AFFECTED_TRIAL'] = 'secret';
  const code = `const { AFFECTED_TRIAL } = process.env; 'NOT_THERE' in process.env; Object.hasOwn(process.env, 'HAS_OWN');
    process.env.OWN = '1'; process.env.OWN; require('node:child_process').fork('./child.cjs')`;
  const { variables } = await run(['node', '-e', code]);
  expect(variables?.read).toEqual(['AFFECTED_TRIAL']);
  expect(variables?.unset).toEqual(expect.arrayContaining(['HAS_OWN', 'NOT_THERE', 'OWN']));
  expect(variables?.all).toBe(false);
  const copied = await run(['node', '-e', '({ ...process.env }); Object.assign({}, process.env); Object.entries(process.env)']);
  expect(copied.variables).toMatchObject({ read: [], all: true });
  delete process.env['AFFECTED_TRIAL'];
});

test('tests find their environment as it was', async () => {
  const code = `const { deepStrictEqual: same } = require('node:assert');
    process.env.A = 1; same(process.env.A, '1'); delete process.env.A; same('A' in process.env, false);
    same(require('node:util').inspect(process.env).includes('PATH'), true); same(JSON.parse(JSON.stringify(process.env)).PATH, process.env.PATH);
    const fs = require('node:fs'); same(fs.readFileSync.name, 'readFileSync'); same(fs.existsSync('x.txt'), true); same(fs.readFileSync.length, 2);
    same(require('node:worker_threads').Worker.name, 'Worker');
    fs.exists('x.txt', (is) => same(is, true)); fs.promises.readFile('none').catch(({ code }) => same(code, 'ENOENT'));
    require('node:child_process').execFile(process.execPath, ['-p', 'process.argv.length'], (_, out) => same(out, '1\\n'));`;
  await expect(run(['node', '-e', code])).resolves.toBeDefined();
});

test('a log that is cut off, or of a Node that was not tried, is incomplete', async () => {
  const { readHookLogs } = await import('./hook-trace.js');
  const start = (more: object = {}): string =>
    `${JSON.stringify(['start', { pid: 1, ppid: 0, thread: 0, task: '', node: '20.0.0', variables: [], moment: 1, ...more }])}\n`;
  const gapsOf = (...texts: readonly string[]): readonly string[] => {
    const { gaps, tasks } = readHookLogs(
      texts.map((text) => () => text),
      '20.0.0',
    );
    return [...gaps, ...[...tasks.values()].flatMap((one) => [...one.gaps.values()])].map(({ gap }) => gap);
  };
  expect(gapsOf(start())).toEqual([]);
  expect(gapsOf(`${start()}["use","re`)).toEqual(['cut-off']);
  expect(gapsOf('')).toEqual(['cut-off']);
  expect(gapsOf(start({ node: '18.0.0' }))).toEqual(['not-hooked']);
  expect(gapsOf(`${start()}["program","/usr/bin/node",true]\n`)).toEqual(['not-hooked']);
  expect(gapsOf(`${start()}["program","/usr/bin/node",true]\n`, start({ pid: 2, ppid: 1, moment: 2 }))).toEqual([]);
  expect(gapsOf(`${start()}["thread",1]\n`)).toEqual(['not-hooked']);
});

test('hooks are complete only where they were compared with strace', () => {
  const known = (['20.20.2', '22.0.0', '24.21.0'] as const).map((node) => unknownNode(node, 'linux'));
  expect(known).toEqual([undefined, undefined, undefined]);
  expect(unknownNode('24.99.0', 'linux')).toBe('the hooks are not proven with Node 24.99.0');
  expect(unknownNode('23.1.0', 'linux')).toContain('23.1.0');
  expect(unknownNode('20.20.2', 'darwin')).toBe('the hooks are proven on Linux only, not on darwin');
});
