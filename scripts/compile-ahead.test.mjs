import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { wrap } from '../packages/engine/dist/late-file.js';

let folder;

// The real scripts, on a tool of two late files that share a third.
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary compile ahead '));
  write({
    'package.json': '{ "name": "@tributary/tool", "type": "module" }',
    'src/cli.ts': `
      async function main(): Promise<void> {
        const [{ one }, { two }] = [await import('./one.js'), await import('./two.js')];
        console.log(await one(), await two());
      }
      void main();`,
    'src/one.ts': `export async function one(): Promise<string> { return (await import('./third.js')).next(); }`,
    'src/two.ts': `export async function two(): Promise<string> { return (await import('./third.js')).next(); }`,
    'src/third.ts': `let count = 0;\nexport function next(): string { count++; return 'number ' + String(count); }`,
    'spy.cjs': `
      const vm = require('node:vm');
      vm.Script = class extends vm.Script {
        constructor(text, options) {
          super(text, options);
          process.stderr.write((this.cachedDataRejected ? 'not taken' : 'taken') + '\\n');
        }
      };`,
  });
  script('bundle.mjs');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('every late file is loaded once, out of its compiled form', () => {
  expect(run()).toEqual({ stdout: 'number 1 number 2\n', stderr: '' });
  script('compile-ahead.mjs');
  expect(compiled()).toHaveLength(3);
  expect(run()).toEqual({ stdout: 'number 1 number 2\n', stderr: 'taken\ntaken\ntaken\n' });
});

test('a file that was changed is not taken for what was compiled, be it as long as before', () => {
  script('compile-ahead.mjs');
  const file = join(folder, 'out/late-tool-third.cjs');
  writeFileSync(file, readFileSync(file, 'utf8').replace('number ', 'NUMBER '));
  expect(run()).toEqual({ stdout: 'NUMBER 1 NUMBER 2\n', stderr: 'taken\ntaken\n' });
});

test('an engine under other settings compiles the text', () => {
  script('compile-ahead.mjs');
  expect(run('--stack-size=900').stdout).toBe('number 1 number 2\n');
  expect(run('--stack-size=900').stderr).toBe('not taken\n'.repeat(3));
});

test.each([0, 1, 100, -1, -1000])('a compiled form that ends at %i is not used', (end) => {
  script('compile-ahead.mjs');
  for (const name of compiled()) {
    const file = join(folder, 'out', name);
    truncateSync(file, end < 0 ? readFileSync(file).length + end : end);
  }
  expect(run().stdout).toBe('number 1 number 2\n');
  expect(run().stderr).not.toMatch(/^taken/m);
});

test('a compiled form that ends within its text is not used', () => {
  script('compile-ahead.mjs');
  for (const name of compiled()) {
    const text = readFileSync(join(folder, 'out', name.replace(/\.cjs\..*/, '.cjs')));
    truncateSync(join(folder, 'out', name), wrap(text).length - 1);
  }
  expect(run()).toEqual({ stdout: 'number 1 number 2\n', stderr: '' });
});

test('what fails while it is loaded fails as with `require`, and is not kept', () => {
  write({ 'src/third.ts': `if (process.argv.length > 2) throw new Error('not today');\nexport const next = (): string => 'fine';` });
  script('bundle.mjs');
  script('compile-ahead.mjs');
  const failed = spawnSync(process.execPath, [join(folder, 'out/cli.cjs'), 'fail'], { encoding: 'utf8' });
  expect(failed.status).toBe(1);
  expect(failed.stderr).toContain('Error: not today');
  expect(failed.stderr).toContain('late-tool-third.cjs');
  expect(run().stdout).toBe('fine fine\n');
});

test('a large file stays as it is', () => {
  writeFileSync(join(folder, 'out/late-tool-one.cjs'), `// ${'long '.repeat(30_000)}\n`);
  script('compile-ahead.mjs');
  expect(compiled()).toHaveLength(2);
});

test('a bundle that is not written in ASCII is refused', () => {
  writeFileSync(join(folder, 'out/late-tool-one.cjs'), 'exports.one = () => "é";');
  const { status, stderr } = spawnSync(process.execPath, [scriptFile('compile-ahead.mjs')], { cwd: folder, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('late-tool-one.cjs is not written in ASCII');
});

function write(files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function script(name) {
  const { status, stderr } = spawnSync(process.execPath, [scriptFile(name)], { cwd: folder, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

function scriptFile(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

function compiled() {
  return readdirSync(join(folder, 'out')).filter((name) => name.endsWith('.compiled'));
}

function run(...options) {
  const line = [...options, '--require', join(folder, 'spy.cjs'), join(folder, 'out/cli.cjs')];
  const { stdout, stderr } = spawnSync(process.execPath, line, { encoding: 'utf8' });
  return { stdout, stderr };
}
