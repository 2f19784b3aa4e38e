// `.ci/run` with rings and installers that are small scripts, on a machine that has just the programs in one folder.
import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const SYSTEM = ['bash', 'cat', 'dirname', 'env', 'grep', 'mktemp', 'node', 'npm', 'rm', 'sh', 'sleep', 'tail', 'timeout', 'touch', 'tr'];
const RINGS = ['long', 'engines', 'browser'];
const TOOLS = [...readFileSync(join(root, 'scripts/engine-tools.sh'), 'utf8').matchAll(/^provide ([A-Z0-9_]+) /gm)].map(([, name]) => name);
let folder;

/** A project with a passing test in each ring. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-ci-run-'));
  write('package.json', JSON.stringify({ scripts: { build: 'exit 0', test: 'node ring.mjs test' } }));
  for (const file of ['.ci/run', 'scripts/sum-tests.mjs']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  write('ring.mjs', RING);
  write('scripts/yarn.mjs', "import '../ring.mjs';\n");
  write('scripts/engine-tools.sh', `#!/bin/sh\n${TOOLS.map((name) => `echo ${name}=/tools/${name}\n`).join('')}`);
  for (const program of SYSTEM) symlinkSync(find(program), write(`bin/${program}`, null));
  for (const program of ['git-filter-repo', 'strace', 'chromium']) write(`bin/${program}`, '#!/bin/sh\n');
  write('bin/id', '#!/bin/sh\necho 1000\n');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes the results of the rings in its command line, and the variables that it got. */
const RING = `import { mkdirSync, writeFileSync } from 'node:fs';
const rings = process.argv.slice(2).filter((word) => ['test', ${RINGS.map((ring) => `'${ring}'`)}].includes(word));
const result = { numTotalTests: 1, numPassedTests: 1, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, numRuntimeErrorTestSuites: 0 };
mkdirSync('.test-results', { recursive: true });
writeFileSync('.test-results/' + rings.join('+') + '.json', JSON.stringify(result));
writeFileSync(rings.join('+') + '.env.json', JSON.stringify(process.env));
`;
const INSTALLS = '#!/bin/sh\necho $$ > hangs\nexec sleep 1000\n';
const HANGS = "import { writeFileSync } from 'node:fs';\nwriteFileSync('hangs', String(process.pid));\nsetInterval(() => {}, 1000);\n";

test('every ring runs, with what was installed for it', async () => {
  const { code, stdout } = await run().ended;
  expect([code, lastLine(stdout)]).toEqual([0, 'tests: 3 passed, 0 failed, 0 skipped']);
  const programs = { CHROMIUM: join(folder, 'bin/chromium'), GIT_FILTER_REPO: join(folder, 'bin/git-filter-repo') };
  expect(environmentOf('long+browser')).toMatchObject(programs);
  expect(environmentOf('engines')).toMatchObject(Object.fromEntries(TOOLS.map((name) => [name, `/tools/${name}`])));
});

test('what cannot be installed is left out, each with its name', async () => {
  for (const program of ['git-filter-repo', 'strace', 'chromium']) rmSync(join(folder, 'bin', program));
  write('scripts/engine-tools.sh', '#!/bin/sh\necho "act is left out: no network" >&2\n');
  const { code, stdout } = await run().ended;
  expect([code, lastLine(stdout)]).toEqual([0, `tests: 3 passed, 0 failed, ${3 + TOOLS.length} skipped`]);
  for (const name of ['git-filter-repo', 'strace', 'browser', 'act', 'vitest']) expect(stdout).toContain(`\n${name}: left out\n`);
});

test.each([
  ['ring.mjs', 1],
  ['scripts/yarn.mjs', 2],
])('each command of %s that fails is a failed test, whatever the tests say', async (file, commands) => {
  write('scripts/yarn.mjs', RING);
  write(file, `${RING}process.exitCode = 3;\n`);
  const { code, stdout } = await run().ended;
  expect([code, lastLine(stdout)]).toEqual([1, `tests: 3 passed, ${commands} failed, 0 skipped`]);
});

test('no ring waits for what another needs', async () => {
  write('scripts/engine-tools.sh', '#!/bin/sh\nuntil [ -e long+browser.env.json ]; do sleep 0.05; done\n');
  const { code, stdout } = await run().ended;
  expect([code, lastLine(stdout)]).toEqual([0, `tests: 3 passed, 0 failed, ${TOOLS.length} skipped`]);
});

test('without bundles the rings that run them fail, and nothing is installed any more', async () => {
  const build = 'until [ -e hangs ]; do sleep 0.05; done; exit 1';
  write('package.json', JSON.stringify({ scripts: { build, test: 'node ring.mjs test' } }));
  write('scripts/engine-tools.sh', INSTALLS);
  const { code, stdout } = await run().ended;
  expect([code, lastLine(stdout)]).toEqual([1, 'tests: 1 passed, 2 failed, 0 skipped']);
  expect(await isGone()).toBe(true);
});

test('rings that hang are ended by their limit, and nothing of them is left', async () => {
  write('ring.mjs', HANGS);
  const { code, stdout } = await run({ TRIBUTARY_RING_LIMIT: '2s' }).ended;
  expect([code, lastLine(stdout)]).toEqual([1, 'tests: 0 passed, 3 failed, 0 skipped']);
  expect(await isGone()).toBe(true);
});

test.each([
  ['SIGTERM', 143, 'a ring', () => write('ring.mjs', HANGS)],
  ['SIGINT', 130, 'a ring', () => write('ring.mjs', HANGS)],
  ['SIGTERM', 143, 'an installation', () => write('scripts/engine-tools.sh', INSTALLS)],
])('%s ends it with %i during %s, and nothing is left', async (signal, expected, _, hang) => {
  hang();
  const { child, ended } = run();
  while (!existsSync(join(folder, 'hangs')) || hanging() === 0) await setTimeout(20);
  child.kill(signal);
  expect((await ended).code).toBe(expected);
  expect(await isGone()).toBe(true);
});

function run(env = {}) {
  const child = spawn(join(folder, '.ci/run'), { env: { PATH: join(folder, 'bin'), HOME: folder, TMPDIR: folder, ...env } });
  let stdout = '';
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  return { child, ended: new Promise((resolve) => child.on('exit', (code) => resolve({ code, stdout }))) };
}

/** Waits for the program that hangs to end: only a signal can do that. */
async function isGone() {
  for (;;) {
    try {
      process.kill(hanging(), 0);
    } catch {
      return true;
    }
    await setTimeout(20);
  }
}

function environmentOf(rings) {
  return JSON.parse(readFileSync(join(folder, `${rings}.env.json`), 'utf8'));
}

function hanging() {
  return Number(readFileSync(join(folder, 'hangs'), 'utf8'));
}

function lastLine(text) {
  return text.trimEnd().split('\n').at(-1);
}

function find(program) {
  if (program === 'node') return process.execPath;
  return process.env.PATH.split(delimiter)
    .map((path) => join(path, program))
    .find((file) => existsSync(file));
}

/** Writes a program or another file, if it has text, and returns its path. */
function write(file, text) {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  if (text === null) return path;
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}
