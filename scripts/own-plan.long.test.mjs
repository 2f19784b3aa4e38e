// .github/workflows/ring.yml relies on this: in this project, `affected plan` selects every workspace whose tests a change can break.
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listWorkspaces } from './workspaces.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cli = join(root, 'tools/affected/out/cli.cjs');
const manifests = listWorkspaces(root).map((folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')));
const EVERYTHING = manifests.map(({ name }) => name);
/** Their tests read files all over the project. */
const ALWAYS = ['@tributary/scripts', '@tributary/workspaces'];
/** Their sources search upwards for the project, or read below a folder that is not known. */
const MAY_READ_ANYTHING = [
  'affected',
  'bench',
  'commit-to-publish',
  'demo',
  'git',
  'migrate-repo',
  'process',
  'references',
  'test-repo',
].map((name) => `@tributary/${name}`);
let copy;

// The current files in a separate repository: this one may be a shallow clone, or have changes.
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'tributary-own-plan-'));
  for (const file of git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  git(copy, 'init', '-q');
  commit('Start');
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

test.each([
  ['packages/model/src/errors.ts', withDependents('@tributary/model')],
  ['packages/github/src/client.ts', withDependents('@tributary/github')],
  ['tools/demo/src/cli.ts', ['@tributary/demo']],
  ['tools/migrate-repo/src/cli.ts', ['@tributary/migrate-repo', '@tributary/bench', '@tributary/demo']],
  ['ci/github/action.yml', [...withDependents('@tributary/affected'), '@tributary/commit-to-publish']],
  ['ci/lead-time/lead-time.sh', withDependents('@tributary/affected', '@tributary/commit-to-publish')],
  ['docs/errors.md', []],
  ['docs/guides/events-from-ci.md', withDependents('@tributary/commit-to-publish')],
  ['scripts/docs.test.mjs', MAY_READ_ANYTHING],
  ['scripts/run-tests.mjs', EVERYTHING],
  ['scripts/bundle.mjs', EVERYTHING],
  ['jest.config.mjs', EVERYTHING],
  ['.ci/run', []],
  ['.oxlintrc.json', []],
])('a change of %s plans the tests that it can break', (file, expected) => {
  expect(planned(file, 'test')).toEqual([...new Set([...expected, ...ALWAYS])].sort());
});

test.each(['long', 'engines'])('the ring %s is planned for the workspaces that have it', (ring) => {
  const withRing = manifests.filter(({ scripts }) => scripts?.[ring] !== undefined).map(({ name }) => name);
  expect(withRing).not.toEqual([]);
  expect(planned('jest.config.mjs', ring)).toEqual(withRing.sort());
});

test('`affected check` finds no file that is read across workspaces without being declared', () => {
  affected('check', '--quiet');
});

/** Changes a file, and returns the names of the workspaces that are planned for it, ordered. */
function planned(file, task) {
  appendFileSync(join(copy, file), '\n');
  commit(`Change ${file}`);
  const out = join(copy, '.git/plan.json');
  affected('plan', '--base', 'HEAD~1', '--task', task, '--out', out);
  const { shards } = JSON.parse(readFileSync(out, 'utf8'));
  return [...new Set(shards.flatMap(({ pieces }) => pieces.map(({ workspace }) => workspace)))].sort();
}

/** Returns some workspaces and all their dependents, according to the manifests. */
function withDependents(...names) {
  const found = new Set(names);
  for (const name of found) {
    for (const { name: other, dependencies, devDependencies } of manifests) {
      if ({ ...dependencies, ...devDependencies }[name] !== undefined) found.add(other);
    }
  }
  return [...found];
}

function commit(message) {
  git(copy, 'add', '--all', '--force');
  git(copy, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '-m', message);
}

/** In a container the checkout may belong to another user, and git would refuse to read it. */
function git(folder, ...args) {
  return run('git', ['-c', 'safe.directory=*', ...args], folder);
}

function affected(...args) {
  return run(process.execPath, [cli, ...args], copy);
}

function run(program, args, cwd) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
