// The rules of the design are configuration, and a pattern that never matches looks like a clean tree. So each rule gets one violation, in
// a separate tree with clean files. The real configuration runs over it once and must find exactly the violations.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const imports = (...names) =>
  names.map((name, index) => `import * as i${index} from '${name}';\nexport const o${index} = i${index};\n`).join('');

const FLOOR = 'no-restricted-imports';
const PURE = 'plugin';
/** The forbidden construct, its file, its text, and the rule that must find it. */
const VIOLATIONS = [
  ['model imports a library', 'packages/model/src/a.ts', imports('picomatch'), FLOOR],
  ['model imports a package', 'packages/model/src/b.ts', imports('@tributary/process/spawn'), FLOOR],
  ['model imports Node', 'packages/model/src/c.ts', imports('node:path'), FLOOR],
  ['workspaces imports git', 'packages/workspaces/src/a.ts', imports('@tributary/git/objects'), FLOOR],
  ['a type from another room', 'packages/workspaces/src/b.ts', `import type { A } from '@tributary/git/a';\nexport type B = A;\n`, FLOOR],
  ['a late import from another room', 'packages/terminal/src/a.ts', `export const a = () => import('@tributary/git/a');\n`, FLOOR],
  ['re-exporting from another room', 'packages/terminal/src/b.ts', `export { a } from '@tributary/git/a';\n`, FLOOR],
  ['git imports workspaces', 'packages/git/src/a.ts', imports('@tributary/workspaces/graph'), FLOOR],
  ['git client imports workspaces', 'packages/git/src/client.ts', imports('@tributary/workspaces/graph'), FLOOR],
  ['lockfile imports workspaces', 'packages/lockfile/src/a.ts', imports('@tributary/workspaces/manifest'), FLOOR],
  ['git imports references', 'packages/git/src/n.ts', imports('@tributary/references/reference'), FLOOR],
  ['git imports lockfile', 'packages/git/src/m.ts', imports('@tributary/lockfile/lockfile'), FLOOR],
  ['process imports git', 'packages/process/src/a.ts', imports('@tributary/git/objects'), FLOOR],
  ['github imports git', 'packages/github/src/a.ts', imports('@tributary/git/objects'), FLOOR],
  ['terminal imports process', 'packages/terminal/src/c.ts', imports('@tributary/process/spawn'), FLOOR],
  ['test-repo imports git', 'packages/test-repo/src/a.ts', imports('@tributary/git/objects'), FLOOR],
  ['another package by a path', 'packages/git/src/b.ts', imports('../../model/src/paths.js'), FLOOR],
  ['a tool imports a tool by name', 'tools/affected/src/io/a.ts', imports('@tributary/migrate-repo/plan'), FLOOR],
  ['a tool imports a tool by a path', 'tools/affected/src/io/b.ts', imports('../../../migrate-repo/src/plan.js'), FLOOR],
  ['a test imports another tool', 'tools/affected/src/a.test.ts', imports('@tributary/migrate-repo/plan'), FLOOR],
  ['a tool imports the test package', 'tools/affected/src/io/c.ts', imports('@tributary/test-repo/temp-repo'), FLOOR],
  ['simple-git beside its door', 'packages/git/src/c.ts', imports('simple-git'), FLOOR],
  ['simple-git in a tool', 'tools/migrate-repo/src/io/a.ts', imports('simple-git'), FLOOR],
  ['octokit beside its door', 'tools/affected/src/io/d.ts', imports('octokit'), FLOOR],
  ['a forge beside its door', 'tools/affected/src/io/f.ts', `export const a = () => import('@tributary/github/open-github');\n`, FLOOR],
  [
    'a type of a forge',
    'tools/commit-to-publish/src/collect/a.ts',
    `import type { A } from '@tributary/github/a';\nexport type B = A;\n`,
    FLOOR,
  ],
  ['a part of octokit beside its door', 'packages/git/src/d.ts', imports('@octokit/request'), FLOOR],
  ['core beside its door', 'tools/migrate-repo/src/io/b.ts', imports('@yarnpkg/core'), FLOOR],
  ['fslib beside its door', 'packages/workspaces/src/c.ts', imports('@yarnpkg/fslib'), FLOOR],
  ['duckdb beside its door', 'tools/commit-to-publish/src/io/a.ts', imports('@duckdb/node-api'), FLOOR],
  ['child_process beside its door', 'packages/git/src/e.ts', imports('node:child_process'), FLOOR],
  ['child_process under its old name', 'tools/migrate-repo/src/run.ts', `import { spawn } from 'child_process';\nspawn('x');\n`, FLOOR],
  ['child_process in the bench', 'bench/src/a.ts', imports('node:child_process'), FLOOR],
  ['a circle', 'packages/git/src/circle-a.ts', `import { b } from './circle-b.js';\nexport const a = () => b;\n`, 'no-cycle'],
  [
    'a circle of types',
    'packages/git/src/types-a.ts',
    `import type { B } from './types-b.js';\nexport type A = B[] | string;\n`,
    'no-cycle',
  ],
  ['a barrel', 'packages/git/src/barrel.ts', `export * from './clean.js';\n`, 'no-barrel-file'],
  ['a promise nobody waits for', 'packages/git/src/f.ts', `async function a(): Promise<void> {}\na();\n`, 'no-floating-promises'],
  ['a promise as a condition', 'packages/git/src/g.ts', `export const a = (b: Promise<number>) => (b ? 1 : 2);\n`, 'no-misused-promises'],
  ['any', 'packages/git/src/h.ts', 'export const a = (b: any): string => String(b);\n', 'no-explicit-any'],
  ['the exclamation mark', 'packages/git/src/i.ts', 'export const a = (b?: string): number => b!.length;\n', 'no-non-null-assertion'],
  [
    'a switch that forgets a case',
    'packages/git/src/j.ts',
    "export function a(b: 'x' | 'y'): void {\n  switch (b) {\n    case 'x':\n      console.log(b);\n  }\n}\n",
    'switch-exhaustiveness-check',
  ],
  ['await in the model', 'packages/model/src/d.ts', 'export const a = async (b: Promise<number>) => (await b) + 1;\n', PURE],
  ['await in lockfile', 'packages/lockfile/src/b.ts', 'export const a = async (b: Promise<number>) => (await b) + 1;\n', PURE],
  ['for await in workspaces', 'packages/workspaces/src/d.ts', forAwait(), PURE],
  ['await in the parser of git', 'packages/git/src/parse.ts', 'export const a = async (b: Promise<number>) => (await b) + 1;\n', PURE],
  ['the clock in a tool', 'tools/affected/src/plan.ts', 'export const a = () => Date.now();\n', PURE],
  ['today in a tool', 'tools/affected/src/render.ts', 'export const a = () => new Date();\n', PURE],
  ['the stop watch in a tool', 'tools/affected/src/engines/b.ts', 'export const a = () => performance.now();\n', PURE],
  ['the environment in a tool', 'tools/affected/src/engines/a.ts', 'export const a = () => process.env.HOME;\n', PURE],
  ['the environment, taken apart', 'tools/affected/src/config.ts', 'const { env } = process;\nexport const a = env;\n', PURE],
  ['chance in a tool', 'tools/affected/src/pack.ts', 'export const a = () => Math.random();\n', PURE],
  ['the disk in a tool', 'tools/migrate-repo/src/align/a.ts', imports('node:fs'), PURE],
  ['the disk by promises', 'tools/migrate-repo/src/align/b.ts', imports('node:fs/promises'), PURE],
  [
    'imports out of order',
    'packages/git/src/k.ts',
    imports('./clean.js').replace(/^/, `import { z } from 'z';\nimport { a } from 'a';\na(z);\n`),
    'organizeImports',
  ],
  ['a line that is not formatted', 'packages/git/src/l.ts', 'export const a = "b"\n', 'format'],
];

/** Similar code that is allowed. */
const CLEAN = [
  ['packages/git/src/circle-b.ts', `import { a } from './circle-a.js';\n\nexport const b = () => a;\n`, 'no-cycle'],
  ['packages/git/src/types-b.ts', `import type { A } from './types-a.js';\n\nexport type B = A[] | number;\n`, 'no-cycle'],
  [
    'packages/git/src/clean.ts',
    `import * as ids from '@tributary/model/ids';\nimport * as spawn from '@tributary/process/spawn';\n\nexport const a = [ids, spawn];\n`,
  ],
  [
    'packages/workspaces/src/clean.ts',
    `import { join } from 'node:path';\nimport * as lockfile from '@tributary/lockfile/lockfile';\n\nexport const a = [lockfile, join, new Date(0)];\n`,
  ],
  [
    'packages/lockfile/src/clean.ts',
    `import * as ids from '@tributary/model/ids';\nimport { parse } from 'jsonc-parser';\n\nexport const a = [ids, parse];\n`,
  ],
  [
    'packages/process/src/spawn.ts',
    `import { spawn } from 'node:child_process';\n\nexport const a = async () => await spawn('x', { env: process.env });\n`,
  ],
  ['packages/github/src/client.ts', `import { Octokit } from 'octokit';\n\nexport const a = Octokit;\n`],
  ['packages/test-repo/src/clean.ts', `import { spawn } from 'node:child_process';\n\nexport const a = spawn;\n`],
  [
    'packages/git/src/clean.test.ts',
    `import { spawn } from 'node:child_process';\nimport { repo } from '@tributary/test-repo/temp-repo';\n\nrepo(spawn);\n`,
  ],
  [
    'packages/workspaces/src/clean.test.ts',
    `import { Project } from '@yarnpkg/core';\n\nexport const a = [Project, await import('node:fs'), Date.now(), process.env];\n`,
  ],
  [
    'tools/migrate-repo/src/io/yarn-project.ts',
    `import { Project } from '@yarnpkg/core';\nimport { npath } from '@yarnpkg/fslib';\n\nexport const a = [Project, npath];\n`,
  ],
  [
    'tools/migrate-repo/src/history/clean.ts',
    `import { readFileSync } from 'node:fs';\n\nexport const a = async (b: Promise<string>) => readFileSync(await b);\n`,
  ],
  ['tools/affected/src/io/open-forge.ts', `export const a = () => import('@tributary/github/open-github');\n`],
  ['tools/affected/src/io/clean.test.ts', `import { startGitHub } from '@tributary/github/testing/local-github';\n\nstartGitHub();\n`],
  ['tools/affected/src/run/clean.ts', 'export const a = async (b: Promise<string>) => (await b) + Date.now();\n'],
  ['tools/affected/src/cli.ts', `import { graph } from '@tributary/workspaces/graph';\n\nexport const a = [process.argv, graph];\n`],
  ['tools/demo/src/run.ts', `import { repo } from '@tributary/test-repo/temp-repo';\n\nexport const a = repo;\n`],
];

let folder;
let found;

beforeAll(() => {
  // The real path: biome reports absolute paths, and a temporary folder may be a link.
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tributary-lint-')));
  for (const file of ['biome.json', '.oxlintrc.json', 'scripts/lint']) cpSync(join(root, file), join(folder, file), { recursive: true });
  write('tsconfig.json', JSON.stringify({ compilerOptions: { target: 'es2022', module: 'nodenext', strict: true, types: [] } }));
  for (const [, path, text] of VIOLATIONS) write(path, text);
  for (const [path, text] of CLEAN) write(path, text);
  found = [...runOxlint(), ...runBiome()];
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the lint finds', () => {
  test.each(VIOLATIONS)('%s', (_, path, text, rule) => {
    expect({ text, rules: rulesAt(path) }).toEqual({ text, rules: expect.arrayContaining([expect.stringContaining(rule)]) });
  });
});

describe('the lint lets pass', () => {
  test.each(CLEAN)('%s', (...[path, text, otherEndOf]) => {
    expect({ text, rules: rulesAt(path).filter((rule) => !rule.includes(otherEndOf ?? '!')) }).toEqual({ text, rules: [] });
  });
});

test('no seed stands in the way of another', () => {
  const paths = [...VIOLATIONS.map(([, path]) => path), ...CLEAN.map(([path]) => path)];
  expect(paths).toEqual([...new Set(paths)]);
});

test('a circle that an import() closes is found', () => {
  const place = mkdtempSync(join(tmpdir(), 'tributary-circle-'));
  try {
    const { include, rules, cycles } = JSON.parse(readFileSync(join(root, 'knip.json'), 'utf8'));
    expect(include).toContain('cycles');
    const files = {
      'package.json': JSON.stringify({ name: 'circle', type: 'module', exports: './a.js' }),
      'knip.json': JSON.stringify({ include: ['cycles'], rules, cycles }),
      'a.js': "export const a = () => import('./b.js');\n",
      'b.js': "import { a } from './a.js';\n\nexport const b = a;\n",
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
    const knip = join(root, 'node_modules/knip/bin/knip.js');
    const { status, stdout } = spawnSync(process.execPath, [knip, '--no-progress'], { cwd: place, encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, expect.stringContaining('Circular dependencies (1)')]);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});

function forAwait() {
  return 'export async function a(b: AsyncIterable<number>): Promise<void> {\n  for await (const c of b) console.log(c);\n}\n';
}

function write(path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function rulesAt(path) {
  return found.filter((hit) => hit.path === path).map((hit) => hit.rule);
}

function runOxlint() {
  const { diagnostics } = JSON.parse(run('oxlint/bin/oxlint', ['--type-aware', '--format=json']));
  return diagnostics.map((hit) => ({ path: hit.filename.replaceAll('\\', '/'), rule: hit.code }));
}

function runBiome() {
  const lines = run('@biomejs/biome/bin/biome', ['check', '--reporter=github', '--max-diagnostics=none', '.']);
  return [...lines.matchAll(/^::\w+ title=([^,]*),file=([^,]*),/gm)].map((hit) => ({
    path: relative(folder, hit[2]).replaceAll('\\', '/'),
    rule: hit[1],
  }));
}

function run(program, args) {
  // oxlint looks for its type-aware half beside the files it checks, and there is nothing installed there.
  const half = join(root, 'node_modules/.bin', process.platform === 'win32' ? 'tsgolint.cmd' : 'tsgolint');
  const env = { ...process.env, OXLINT_TSGOLINT_PATH: half };
  const ended = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], { cwd: folder, env, encoding: 'utf8' });
  if (ended.status !== 1 || ended.stdout === '') throw new Error(`${program} ended with ${ended.status}:\n${ended.stdout}${ended.stderr}`);
  return ended.stdout;
}
