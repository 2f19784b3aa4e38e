import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const script = fileURLToPath(new URL('./assemble.mjs', import.meta.url));
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary assemble '));
  mkdirSync(join(folder, 'assembly'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function assemble(source) {
  writeFileSync(join(folder, 'assembly/twice-as.ts'), source);
  return spawnSync(process.execPath, [script, '.'], { cwd: folder, encoding: 'utf8' });
}

test('a module with the WebAssembly of each source', () => {
  expect(assemble('export function twice(value: i32): i32 { return 2 * value; }')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const [, code] = /^export const TWICE_AS = '([^']+)';$/m.exec(readFileSync(join(folder, 'twice-as.wasm.ts'), 'utf8'));
  const module = new globalThis.WebAssembly.Module(Buffer.from(code, 'base64'));
  expect(new globalThis.WebAssembly.Instance(module).exports.twice(21)).toBe(42);
});

test('what is wrong with a source is told with its place, and there is no module', () => {
  writeFileSync(join(folder, 'twice-as.wasm.ts'), 'of an older source');
  const { status, stderr } = assemble('export function twice(value: i32): i32 { return values; }');
  expect(status).toBe(1);
  expect(stderr).toContain("Cannot find name 'values'");
  expect(stderr).toContain('assembly/twice-as.ts(1,');
  expect(existsSync(join(folder, 'twice-as.wasm.ts'))).toBe(false);
});
