import childProcess, { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const script = fileURLToPath(new URL('./bundle.mjs', import.meta.url));
const PACKAGES = {
  'package.json': '{ "name": "@tributary/tool", "type": "module" }',
  'node_modules/esm/package.json': '{ "name": "esm", "version": "1.0.0", "type": "module", "license": "MIT", "exports": "./main.js" }',
  'node_modules/esm/main.js': `export const named = 'named'; export default 'default';`,
  'node_modules/esm/LICENSE': 'The licence of esm.',
  'node_modules/@old/cjs/package.json': '{ "name": "@old/cjs", "version": "2.0.0", "license": "MIT", "author": "Ada", "main": "main.js" }',
  'node_modules/@old/cjs/main.js': `exports.__esModule = true; exports.default = 'inner'; exports.named = 'named';`,
};
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary bundle '));
  write(PACKAGES);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a start file, and a late file for each import()', () => {
  write({
    'src/cli.ts': `void import('./io/late.js').then(({ say, state }) => say(state));`,
    'src/io/late.ts': `import { named } from 'esm';\nexport const state: string = named;\nexport function say(text: string): void { console.log(text); }`,
    'out/old.cjs': '',
  });
  expect(bundle()).toEqual({ status: 0, stderr: '' });
  expect(readdirSync(join(folder, 'out')).filter((file) => file.endsWith('.cjs'))).toEqual(['cli.cjs', 'late-tool-io-late.cjs']);
  expect(run('cli.cjs')).toBe('named\n');
  expect(read('out/cli.cjs')).toMatch(/^#!\/usr\/bin\/env node\n/);
  if (process.platform !== 'win32') expect(statSync(join(folder, 'out/cli.cjs')).mode & 0o777).toBe(0o755);
});

test('`default` of a late package is what Node gives', () => {
  write({
    'src/cli.ts': `
      async function main(): Promise<void> {
        const [esm, cjs, path] = [await import('esm'), await import('@old/cjs'), await import('node:path')];
        console.log(JSON.stringify([esm.default, esm.named, cjs.default, cjs.named, path.basename('a/b')]));
      }
      void main();`,
  });
  expect(bundle()).toEqual({ status: 0, stderr: '' });
  expect(JSON.parse(run('cli.cjs'))).toEqual(['default', 'named', { __esModule: true, default: 'inner', named: 'named' }, 'named', 'b']);
  expect(readdirSync(join(folder, 'out')).filter((file) => /^late.*cjs$/.test(file))).toEqual([
    'late-esm-main.cjs',
    'late-old-cjs-main.cjs',
  ]);
});

test('a package that many files use is one file', () => {
  const manifest = { name: 'picomatch', version: '1.0.0', license: 'MIT', main: 'main.js' };
  const use = `import match from 'picomatch';\nexport const answer = () => match('x') + match.more;`;
  write({
    'node_modules/picomatch/package.json': JSON.stringify(manifest),
    'node_modules/picomatch/main.js': `module.exports = (text) => 'shared ' + text; module.exports.more = '!';`,
    'src/one.ts': use,
    'src/other.ts': use,
    'src/cli.ts': `
      async function main(): Promise<void> {
        for (const { answer } of [await import('./one.js'), await import('./other.js')]) console.log(answer());
      }
      void main();`,
  });
  expect(bundle()).toEqual({ status: 0, stderr: '' });
  expect(run('cli.cjs')).toBe('shared x!\nshared x!\n');
  const files = readdirSync(join(folder, 'out')).filter((file) => file.endsWith('.cjs'));
  expect(files.filter((file) => read(`out/${file}`).includes('"shared "'))).toEqual(['late-picomatch-main.cjs']);
});

/** Put together, because what is written out would be read as a use of the workspace. */
const own = (path) => ['node_modules', '@tributary', path].join('/');

test('shared modules that go together are one file, in which each finds the other', () => {
  write({
    [own('git/package.json')]: '{ "name": "@tributary/git", "version": "1.0.0", "license": "MIT" }',
    [own('git/objects.js')]: `exports.ask = (text) => require('@tributary/process/spawn').start('asked ' + text);`,
    [own('git/git.js')]: `exports.version = () => 'git';`,
    [own('process/package.json')]: '{ "name": "@tributary/process", "version": "1.0.0", "license": "MIT" }',
    [own('process/spawn.js')]: `exports.start = (text) => 'started ' + text;`,
    'src/late.ts': `import { ask } from '@tributary/git/objects';\nexport const answer = () => ask('late');`,
    'src/cli.ts': `
      import { start } from '@tributary/process/spawn';
      async function main(): Promise<void> { console.log(start('first'), (await import('./late.js')).answer()); }
      void main();`,
  });
  expect(bundle()).toEqual({ status: 0, stderr: '' });
  expect(run('cli.cjs')).toBe('started first started asked late\n');
  const files = readdirSync(join(folder, 'out')).filter((file) => file.endsWith('.cjs'));
  expect(files).toEqual(['cli.cjs', 'late-git-objects.cjs', 'late-tool-late.cjs']);
});

test('a package that many files use is loaded when one of its names is first used', () => {
  const manifest = { name: 'jsonc-parser', version: '1.0.0', license: 'MIT', main: 'main.js' };
  write({
    'node_modules/jsonc-parser/package.json': JSON.stringify(manifest),
    'node_modules/jsonc-parser/main.js': `console.log('loaded'); exports.parse = (text) => 'parsed ' + text; exports.other = 1;`,
    'src/cli.ts': `
      import { other, parse } from 'jsonc-parser';
      console.log('started');
      console.log(parse('x'), parse('y'), other);`,
  });
  expect(bundle()).toEqual({ status: 0, stderr: '' });
  expect(run('cli.cjs')).toBe('started\nloaded\nparsed x parsed y 1\n');
});

test('what every answer needs is in one file, which later files load and start files do not', () => {
  write({
    'src/text.ts': `export const text = (what: string) => 'text of ' + what;`,
    'src/run/decide.ts': `import { read } from './read.js';\nexport const decide = () => read('decide');`,
    'src/run/read.ts': `import { text } from '../text.js';\nexport const read = (what: string) => 'read ' + text(what);`,
    'src/run/select.ts': `export { decide as answer } from './decide.js';`,
    'src/cli/select.ts': `export { answer } from '../run/select.js';`,
    'src/late.ts': `import { decide } from './run/decide.js';\nimport { read } from './run/read.js';\nexport const late = () => decide() + read('late');`,
    'src/cli.ts': `
      import { text } from './text.js';
      async function main(): Promise<void> { console.log(text('cli'), (await import('./late.js')).late(), (await import('./cli/select.js')).answer()); }
      void main();`,
  });
  expect(bundle()).toEqual({ status: 0, stderr: '' });
  expect(run('cli.cjs')).toBe('text of cli read text of decideread text of late read text of decide\n');
  const having = (text) => readdirSync(join(folder, 'out')).filter((file) => file.endsWith('.cjs') && read(`out/${file}`).includes(text));
  expect(having('"read "')).toEqual(['late-tool-cli-select.cjs']);
  expect(having('"text of "')).toEqual(['cli.cjs', 'late-tool-cli-select.cjs']);
});

test('two modules of a shared file that export one name are refused', () => {
  const more = (name) => ({ [`src/run/${name}.ts`]: `export const same = '${name}';\nexport const ${name} = () => same;` });
  write({
    ...more('one'),
    ...more('other'),
    'src/run/decide.ts': `import { one } from './one.js';\nimport { other } from './other.js';\nexport const decide = () => one() + other();`,
    'src/run/select.ts': `export { decide as answer } from './decide.js';`,
    'src/cli/select.ts': `export { answer } from '../run/select.js';`,
    'src/cli.ts': `void import('./cli/select.js').then(({ answer }) => answer());`,
  });
  expect(bundle()).toEqual({ status: 1, stderr: expect.stringContaining('Re-export of "same"') });
});

test('what a CommonJS package requires of Node at its top is loaded when it is used', () => {
  write({
    'node_modules/@old/cjs/main.js': `
      const child = require('child_process');
      const { pid } = require('node:process');
      exports.names = () => Object.keys(child);
      exports.one = () => child.execFileSync(process.execPath, ['-p', '1'], { encoding: 'utf8' });
      exports.isThis = () => pid === process.pid && require('process') === process;`,
    'src/cli.ts': `
      import { isThis, names, one } from '@old/cjs';
      const loaded = () => ['net', 'child_process'].filter((name) => process.moduleLoadList.includes('NativeModule ' + name));
      const said = [loaded(), isThis(), names(), one(), loaded()];
      console.log(JSON.stringify(said));`,
  });
  expect(bundle()).toEqual({ status: 0, stderr: '' });
  expect(JSON.parse(run('cli.cjs'))).toEqual([[], true, Object.keys(childProcess), '1\n', ['net', 'child_process']]);
});

test('each benchmark is a start file of its own', () => {
  write({ 'src/one.bench.ts': `console.log('one');`, 'src/two.bench.ts': `console.log('two');`, 'src/shared.ts': 'export {};' });
  expect(bundle().status).toBe(0);
  expect([run('one.cjs'), run('two.cjs')]).toEqual(['one\n', 'two\n']);
});

test('the notices name the packages that are inside, and no other', () => {
  write({ 'src/cli.ts': `import { named } from '@old/cjs';\nconsole.log(named, await_());\nfunction await_() { return import('esm'); }` });
  expect(bundle().status).toBe(0);
  const notices = read('out/THIRD-PARTY-NOTICES.txt');
  expect(notices).toMatch(/@old\/cjs 2\.0\.0\n\nLicence: MIT\n\nCopyright \(c\) Ada\n\nPermission is hereby granted/);
  expect(notices).toMatch(/esm 1\.0\.0\n\nLicence: MIT\n\nThe licence of esm\./);
  expect(notices).not.toContain('tributary');
});

test.each([
  [
    'a package without a licence',
    { 'node_modules/esm/LICENSE': null, 'src/cli.ts': `import a from 'esm';\nconsole.log(a);` },
    'esm 1.0.0 has no licence file',
  ],
  ['import.meta, which CommonJS has not', { 'src/cli.ts': 'console.log(import.meta.url);' }, 'import.meta'],
  ['a module that is not there', { 'src/cli.ts': `void import('./nowhere.js');` }, './nowhere.js'],
])('refused: %s', (_, files, said) => {
  write({ ...files, 'node_modules/esm/package.json': PACKAGES['node_modules/esm/package.json'].replace('MIT', 'Odd-1.0') });
  expect(bundle()).toEqual({ status: 1, stderr: expect.stringContaining(said) });
});

function bundle() {
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  return { status, stderr };
}

function run(name) {
  return spawnSync(process.execPath, [join(folder, 'out', name)], { encoding: 'utf8' }).stdout;
}

function read(file) {
  return readFileSync(join(folder, file), 'utf8');
}

function write(files) {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    if (content === null) rmSync(join(folder, file));
    else writeFileSync(join(folder, file), content);
  }
}
