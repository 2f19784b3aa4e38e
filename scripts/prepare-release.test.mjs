import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { TOOLS } from './tools.mjs';

const script = fileURLToPath(new URL('./prepare-release.mjs', import.meta.url));
const CHANGELOG = '# Changelog\n\n## Unreleased\n\n- Something new.\n\n## 0.1.0 (2026-01-01)\n\n- The first.\n';
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-release-'));
  write('CHANGELOG.md', CHANGELOG);
  for (const tool of TOOLS) {
    write(`tools/${tool}/package.json`, '{\n  "name": "x",\n  "version": "0.1.0"\n}\n');
    write(`tools/${tool}/src/version.ts`, "export const VERSION = '0.1.0';\n");
  }
  git('init', '--quiet');
  commit();
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('writes the version everywhere, closes the section, and names the next commands', () => {
  const { status, stdout, stderr } = prepare('0.2.0');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('git tag --annotate v0.2.0');
  for (const tool of TOOLS) {
    expect(JSON.parse(read(`tools/${tool}/package.json`)).version).toBe('0.2.0');
    expect(read(`tools/${tool}/src/version.ts`)).toBe("export const VERSION = '0.2.0';\n");
  }
  expect(read('CHANGELOG.md')).toMatch(
    /^# Changelog\n\n## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n- Something new\.\n\n## 0\.1\.0/,
  );
});

test.each([
  ['no version', ['next'], 2, 'is no version'],
  ['none at all', [], 2, 'is no version'],
  ['the same version', ['0.1.0'], 1, 'not newer'],
  ['an older version', ['0.0.9'], 1, 'not newer'],
])('%s is refused', (_, args, code, message) => {
  expect(prepare(...args)).toMatchObject({ status: code, stderr: expect.stringContaining(message) });
  expect(git('status', '--porcelain')).toBe('');
});

test('nothing to tell is refused', () => {
  write('CHANGELOG.md', CHANGELOG.replace('- Something new.\n\n', ''));
  commit();
  expect(prepare('0.2.0')).toMatchObject({ status: 1, stderr: expect.stringContaining('nothing under "Unreleased"') });
});

test('a work tree with changes is refused', () => {
  write('new.txt', '');
  expect(prepare('0.2.0')).toMatchObject({ status: 1, stderr: expect.stringContaining('has changes') });
});

function prepare(...args) {
  return spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' });
}

function commit() {
  git('add', '--all');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'x');
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function read(file) {
  return readFileSync(join(folder, file), 'utf8');
}

function write(file, text) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}
