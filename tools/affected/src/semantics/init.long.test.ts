import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { type CliResult, runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { createTempMonorepo } from '@tributary/test-repo/temp-monorepo';
import type { Files, TempRepo } from '@tributary/test-repo/temp-repo';
import type { AffectedInitResult } from '../init/init-result.js';

const cleanUp = cleanUpIn(afterEach);
const TURBO = { 'turbo.json': '{ "tasks": { "test": {} } }\n', '.nvmrc': '24\n' };
const TESTING = 'on: pull_request\njobs: { test: { steps: [{ run: yarn test }] } }\n';
const GITHUB = { '.github/workflows/ci.yml': 'on: push\n' };

function monorepo(files: Files, root = {}): TempRepo {
  const packages = { 'packages/ui': { scripts: { test: 'jest' } }, 'packages/core': {} };
  return cleanUp.add(createTempMonorepo({ root: { devDependencies: { turbo: '2.11.9' }, ...root }, packages, files }));
}

function init(cwd: string, ...args: readonly string[]): Promise<CliResult> {
  return runCli('affected', ['init', ...args], { cwd });
}

async function answer(repo: TempRepo, ...args: readonly string[]): Promise<AffectedInitResult> {
  const { code, stdout, stderr } = await init(repo.path, '--json', ...args);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as AffectedInitResult;
}

const statesOf = ({ files }: AffectedInitResult): unknown => Object.fromEntries(files.map(({ path, state }) => [path, state]));
const read = (repo: TempRepo, path: string): string => readFileSync(join(repo.path, path), 'utf8');
const FILES = ['tributary.json', '.github/workflows/affected.yml', '.github/actions/affected/action.yml'];

test('what --yes writes are the templates, and a second run writes nothing', async () => {
  const repo = monorepo({ ...TURBO, ...GITHUB, '.yarnrc.yml': 'nodeLinker: node-modules\n' });
  const before = repo.git('status', '--porcelain', '--branch');
  const result = await answer(repo, '--yes');
  expect(result).toMatchObject({ state: 'written', engine: 'github', problems: [] });
  expect(result.project).toMatchObject({ packageManager: 'yarn', version: '4.18.1', linker: 'node-modules', workspaces: 3, tested: 1 });
  expect(result.project.runners).toEqual([{ name: 'jest', workspaces: 1 }]);
  expect(result.files.map(({ path, written }) => [path, written])).toEqual(FILES.map((path) => [path, true]));
  const template = (name: string): string => readFileSync(join(findProjectRoot(), 'ci/github', name), 'utf8');
  expect(read(repo, FILES[1] ?? '')).toBe(template('workflow.yml'));
  expect(read(repo, FILES[2] ?? '')).toBe(template('action.yml'));
  expect(JSON.parse(read(repo, 'tributary.json'))).toEqual({
    affected: { strictScripts: true, rules: [{ files: 'ci/affected.tgz', affects: 'none' }] },
  });
  // Nothing is staged.
  expect(
    repo
      .git('status', '--porcelain', '--branch')
      .split('\n')
      .filter((line) => !line.startsWith('??'))
      .join('\n'),
  ).toBe(before.trim());
  expect(result.next.map(({ command }) => command)).toContain(`printf '\\n.turbo\\n.tributary\\n' >> .gitignore && git add .gitignore`);
  const again = await answer(repo, '--yes');
  expect(again.state).toBe('unchanged');
  expect(again.files.map(({ state }) => state)).toEqual(FILES.map(() => 'same'));
  const { stdout } = await runCli('affected', ['check', '--rules', '--json'], { cwd: repo.path });
  expect(stdout).toContain('"built-in"');
});

test('the three forms: in shards, in one job, and so that everything runs and the rest is reported', async () => {
  const repo = monorepo({ ...TURBO, ...GITHUB, '.nvmrc': '22\n' });
  const reporting = await answer(repo, '--form', 'report-only');
  expect([reporting.form, reporting.files[1]?.content]).toEqual([
    'report-only',
    expect.stringContaining('with: { part: plan, report-only: true }'),
  ]);
  expect(reporting.next.map(({ command }) => command)).toContain('affected report --runs runs');
  expect(statesOf(await answer(repo, '--form', 'one-job'))).toEqual({
    'tributary.json': 'new',
    '.github/workflows/affected.yml': 'new',
    '.github/actions/affected/action.yml': 'new',
  });
  const commit = 'c'.repeat(40);
  const by = await answer(repo, '--form', 'one-job', '--uses', `acme/tributary@${commit}`, '--yes');
  expect(statesOf(by)).toEqual({ 'tributary.json': 'new', '.github/workflows/affected.yml': 'new' });
  const workflow = read(repo, '.github/workflows/affected.yml');
  expect(workflow).toContain(`      - uses: acme/tributary/ci/github@${commit}\n        with: { node-version: '22' }\n`);
  expect(workflow.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  expect(JSON.parse(read(repo, 'tributary.json'))).toEqual({ affected: { strictScripts: true } });
  expect(by.next.map(({ command }) => command).join()).not.toContain('affected.tgz');
  const gitlab = await answer(repo, '--engine', 'gitlab', '--form', 'one-job', '--uses', `acme/tributary@${commit}`);
  expect(gitlab.files[1]?.content).toContain(`    ref: ${commit}\n    file: /ci/gitlab/one-job.yml\n`);
  const sharded = await answer(repo, '--uses', `acme/tributary@${commit}`);
  expect(statesOf(sharded)).toEqual({ 'tributary.json': 'same', '.github/workflows/affected.yml': 'differs' });
  const [, { content: three } = { content: '' }] = sharded.files;
  const template = readFileSync(join(findProjectRoot(), 'ci/github/workflow.yml'), 'utf8');
  expect(three.replaceAll(`acme/tributary/ci/github@${commit}`, './.github/actions/affected').replaceAll(", node-version: '22'", '')).toBe(
    template,
  );
  for (const args of [
    ['--uses', 'acme/tributary@main'],
    ['--uses', `acme/tributary@${commit}`, '--engine', 'circleci'],
  ])
    expect((await init(repo.path, ...args)).code).toBe(2);
});

test('what check finds is shown before anything is written', async () => {
  const repo = monorepo({ ...TURBO, ...GITHUB, 'packages/core/data.json': '{}', 'packages/ui/a.test.js': "import '../core/data.json';\n" });
  const { stdout } = await init(repo.path, '--dry-run');
  expect(stdout).toMatch(/affected check: 1 finding\n {4}ui reads files of packages\/core\/data\.json: packages\/ui\/a\.test\.js:1/);
  const { findings } = await answer(repo);
  const checked = await runCli('affected', ['check', '--json'], { cwd: repo.path });
  expect(findings).toEqual((JSON.parse(checked.stdout) as { findings: unknown }).findings);
  expect((await init(monorepo({ ...TURBO, ...GITHUB }).path, '--dry-run')).stdout).toContain('  affected check: nothing to mend\n');
});

/** A monorepo whose workflow runs several tasks. */
function withSeveralTasks(): TempRepo {
  const tasks = { test: {}, lint: {}, build: { dependsOn: ['^build'] }, format: {} };
  const workflow = `on: pull_request
jobs:
  lint: { steps: [{ run: yarn install --immutable }, { run: yarn lint }, { run: yarn turbo run format }] }
  test: { env: { DB: x }, steps: [{ run: yarn install --immutable }, { run: yarn turbo run test build }, { run: yarn typecheck }] }
`;
  const scripts = { test: 'jest', lint: 'eslint .', build: 'tsc', format: 'prettier --check .', typecheck: 'tsc --noEmit' };
  return cleanUp.add(
    createTempMonorepo({
      root: { devDependencies: { turbo: '2.11.9' }, scripts: { lint: 'turbo run lint', typecheck: 'tsc -b' } },
      packages: { 'packages/ui': { scripts }, 'packages/core': { scripts: { test: 'jest' } } },
      files: { 'turbo.json': JSON.stringify({ tasks }), '.nvmrc': '24\n', '.github/workflows/ci.yml': workflow },
    }),
  );
}

test('the tasks that the workflow of today runs share one plan, and why others stay is told', async () => {
  const repo = withSeveralTasks();
  const { stdout } = await init(repo.path, '--dry-run');
  expect(stdout).toContain(`  tasks     test, lint, build: .github/workflows/ci.yml runs them
  left to .github/workflows/ci.yml: format (it may change files), typecheck (turbo.json has no task "typecheck")
`);
  expect(stdout).toContain('! .github/workflows/ci.yml still runs test, lint, build: yarn lint; yarn turbo run test build.');
  expect(stdout).toContain('! .github/workflows/ci.yml also has: step "yarn turbo run format", step "yarn typecheck".');
  expect(stdout).toContain('  given     variable DB\n');
  expect(stdout).toContain('  test, lint, build run in .github/workflows/ci.yml: yarn lint; yarn turbo run test build\n');
  const { files, tasks, taken } = await answer(repo, '--form', 'report-only', '--yes');
  expect([tasks, taken]).toEqual([['test', 'lint', 'build'], ['variable DB']]);
  const template = readFileSync(join(findProjectRoot(), 'ci/github/workflow.yml'), 'utf8');
  const inputs = "part: plan, report-only: true, task: 'test,lint,build'";
  expect(read(repo, files[1]?.path ?? '')).toBe(
    template.replace('part: plan', inputs).replace(/^ {4}steps: # Services/m, '    env:\n      DB: x\n$&'),
  );
  repo.commit('Adopt', { files: {} });
  expect((await answer(repo, '--form', 'report-only')).state).toBe('unchanged');
});

/** A pipeline of GitLab with what a workflow needs, and several tasks. */
const PIPELINE = `image: node:22
variables: { DB: x }
test: { services: [postgres:17], before_script: [yarn install --immutable --inline-builds], script: [yarn turbo run test] }
lint: { before_script: [yarn install --immutable --inline-builds], script: [yarn lint] }
build: { rules: [{ if: $NIGHT }], script: [yarn turbo run build] }
`;

test.each([
  ['sharded', 'copied'],
  ['one-job', 'copied'],
  ['sharded', 'by reference'],
  ['one-job', 'by reference'],
])('on GitLab, %s and %s: image, tasks and settings are taken over, and a second run changes nothing', async (form, how) => {
  const repo = withSeveralTasks();
  repo.commit('GitLab', { files: { '.github/workflows/ci.yml': null, '.gitlab-ci.yml': PIPELINE } });
  const { stdout } = await init(repo.path, '--dry-run', '--form', form);
  expect(stdout).toContain('  Node 22 (.gitlab-ci.yml: 22)\n');
  expect(stdout).toContain(`  tasks     test, lint: .gitlab-ci.yml runs them
  left to .gitlab-ci.yml: build (it runs under a condition)
  given     service postgres:17
            variable DB
            installation "yarn install --immutable --inline-builds"
`);
  const args = ['--form', form, ...(how === 'copied' ? [] : ['--uses', `acme/tributary@${'c'.repeat(40)}`])];
  const first = await answer(repo, ...args, '--yes');
  const pipeline = first.files.find(({ path }) => path === '.gitlab-ci.yml');
  expect(pipeline?.content).toContain('--task test,lint --');
  expect((await answer(repo, ...args)).files.filter(({ state }) => state !== 'same').map(({ path }) => path)).toEqual(['.gitlab-ci.yml']);
  // The user takes the proposed text.
  repo.commit('Adopt', { files: { '.gitlab-ci.yml': pipeline?.content ?? '' } });
  const { state, files, taken, tasks, problems } = await answer(repo, ...args);
  expect([state, taken, tasks]).toEqual(['unchanged', first.taken, ['test', 'lint']]);
  expect(problems.filter(({ message }) => !message.startsWith('turborepo gives tests few variables'))).toEqual([]);
  expect(files.map(({ content }) => content)).toEqual(first.files.map(({ content }) => content));
});

test('the plan of the proposed tasks has the pieces of all of them', async () => {
  const repo = withSeveralTasks();
  const { tasks } = await answer(repo);
  const args = ['plan', '--task', tasks.join(','), '--report-only', '--base', 'HEAD', '--out', join(repo.path, '.tributary/plan.json')];
  const plan = await runCli('affected', args, { cwd: repo.path });
  expect([plan.code, plan.stderr]).toEqual([0, expect.not.stringContaining('format')]);
  const { shards } = JSON.parse(read(repo, '.tributary/plan.json')) as { shards: { pieces: { workspace: string; task: string }[] }[] };
  const pieces = shards.flatMap((shard) => shard.pieces.map(({ workspace, task }) => `${workspace}#${task}`));
  expect(pieces.sort()).toEqual(['core#test', 'ui#build', 'ui#lint', 'ui#test']);
});

test('without a workflow that runs them, other tasks are not proposed', async () => {
  const repo = withSeveralTasks();
  repo.commit('Only tests', {
    files: { '.github/workflows/ci.yml': 'on: pull_request\njobs: { test: { steps: [{ run: yarn test }] } }\n' },
  });
  const { tasks, files } = await answer(repo);
  expect([tasks, files[1]?.content.includes('task:')]).toEqual([['test'], false]);
});

test('init, check --setup and the answer count the same workspaces', async () => {
  const repo = monorepo({ ...TURBO, ...GITHUB });
  const { project } = await answer(repo);
  const setup = await runCli('affected', ['check', '--setup'], { cwd: repo.path });
  const { stdout } = await runCli('affected', ['--base', 'HEAD', '--json'], { cwd: repo.path });
  expect(JSON.parse(stdout)).toMatchObject({ workspaceCount: project.workspaces });
  expect(setup.stdout).toContain(` ${project.workspaces} workspaces, `);
});

test('the main branch of the remote is named in the workflow, and ignored files need no step', async () => {
  const repo = monorepo({ ...TURBO, ...GITHUB, '.gitignore': '.turbo\n.tributary\n' });
  repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
  const { files, next } = await answer(repo);
  expect(files[1]?.content).toContain('branches: [trunk]');
  expect(next.map(({ command }) => command).join()).not.toContain('.gitignore');
  expect(next.map(({ command }) => command)).toContain('affected --base origin/trunk');
});

test('the cache that the jobs of GitLab write is to be ignored, unless it is in git', async () => {
  const repo = monorepo({ ...TURBO, '.gitignore': '.turbo\n.tributary\n' });
  const gitignore = async (): Promise<string | null | undefined> =>
    (await answer(repo, '--engine', 'gitlab')).next.map(({ command }) => command).find((command) => command?.includes('.gitignore'));
  expect(await gitignore()).toBe(`printf '\\n.yarn/cache\\n' >> .gitignore && git add .gitignore`);
  repo.commit('Keep the cache', { files: { '.yarn/cache/a.zip': '' } });
  expect(await gitignore()).toBeUndefined();
});

test.each<[what: string, files: Files, said: readonly string[]]>([
  [
    'a workflow with merge markers',
    { '.github/workflows/ci.yml': 'on: pull_request\njobs:\n<<<<<<< HEAD\n  a: {}\n=======\n  b: {}\n>>>>>>> x\n' },
    ['.github/workflows/ci.yml cannot be read: line 3 is a conflict marker.'],
  ],
  [
    'a written workflow that is broken',
    { ...GITHUB, '.github/workflows/affected.yml': 'on: pull_request\njobs: [\n' },
    ['.github/workflows/affected.yml cannot be read: line 3: '],
  ],
  [
    'a pipeline with a tag of its own',
    { '.gitlab-ci.yml': 'test:\n  script: !reference [.all, script]\n' },
    ['.gitlab-ci.yml cannot be read: line 2: Unresolved tag: !reference.'],
  ],
  [
    'written shards of GitLab with merge markers',
    { '.gitlab-ci.yml': 'include: [{ local: .gitlab/affected-pipeline.yml }]\n', '.gitlab/affected.yml': '<<<<<<< HEAD\n' },
    ['.gitlab/affected.yml cannot be read: line 1 is a conflict marker.'],
  ],
  [
    'several workflows',
    { '.github/workflows/a.yml': TESTING, '.github/workflows/b.yml': TESTING },
    ['Several workflows test pull requests: .github/workflows/a.yml, .github/workflows/b.yml.'],
  ],
])('%s: it says that nothing is taken over', async (_, files, said) => {
  const { problems } = await answer(monorepo({ ...TURBO, ...files }));
  expect(problems.map(({ message }) => message)).toEqual(said.map((one) => expect.stringContaining(one)));
});

test.each<[engine: string, path: string, text: string, node: string | null]>([
  [
    'circleci',
    '.circleci/config.yml',
    'jobs: { test: { docker: [{ image: "cimg/node:22.11" }, { image: "cimg/postgres:17" }] } }\n',
    '22.11',
  ],
  ['azure', 'azure-pipelines.yml', 'steps: [{ task: NodeTool@0, inputs: { versionSpec: 22.x } }, { script: yarn test }]\n', '22'],
  [
    'buildkite',
    '.buildkite/pipeline.yml',
    'steps: [{ command: yarn test, plugins: [{ docker: { image: "node:20" } }, { docker: { image: "node:22" } }] }]\n',
    null,
  ],
  ['jenkins', 'Jenkinsfile', "node { docker.image('acme/node:22-slim').inside { sh 'yarn test' } }\n", '22'],
  ['gitlab', '.gitlab-ci.yml', 'include: [{ project: acme/ci, file: base.yml }]\n', '24'],
])('of %s the version of Node is read, and it says that nothing else is taken over', async (engine, path, text, node) => {
  const repo = monorepo({ ...TURBO, [path]: text });
  const first = await answer(repo);
  expect([first.engine, first.project.node?.version]).toEqual([engine, node]);
  const said = { message: `affected sees no tests in ${path}.`, hint: expect.stringContaining('Nothing is copied from there.') };
  expect(first.problems).toContainEqual(said);
  rmSync(join(repo.path, path));
  await answer(repo, '--yes');
  expect((await answer(repo)).problems).not.toContainEqual(said);
});

test('a file that differs is never overwritten, and what to add is shown', async () => {
  const mine = '{\n  // mine\n  "affected": { "always": ["ui"] }\n}\n';
  const repo = monorepo({ ...TURBO, ...GITHUB, 'tributary.json': mine, '.github/workflows/affected.yml': 'on: pull_request\n' });
  const { code, stdout, stderr } = await init(repo.path, '--yes');
  expect([code, stderr]).toEqual([0, 'Wrote 1 file.\n']);
  expect(read(repo, 'tributary.json')).toBe(mine);
  expect(read(repo, '.github/workflows/affected.yml')).toBe('on: pull_request\n');
  expect(stdout).toMatch(/tributary\.json exists and is not overwritten[\s\S]*\+ {3}\/\/ mine[\s\S]*"files": "ci\/affected\.tgz"/);
  expect(stdout).toContain('Add the proposed lines by hand to tributary.json, .github/workflows/affected.yml.');
});

test('without a terminal and without --yes nothing is written', async () => {
  const repo = monorepo({ ...TURBO, ...GITHUB });
  for (const args of [[], ['--dry-run'], ['--json']]) {
    const { code, stdout } = await init(repo.path, ...args);
    expect([code, stdout.includes('.github/actions/affected/action.yml')]).toEqual([0, true]);
  }
  expect(repo.git('status', '--porcelain')).toBe('');
});

test('two CI engines: --yes asks for one, and --engine names it', async () => {
  const repo = monorepo({ ...TURBO, ...GITHUB, '.circleci/config.yml': 'version: 2.1\n' });
  const { code, stderr } = await init(repo.path, '--yes');
  expect([code, stderr]).toEqual([2, expect.stringContaining('GitHub Actions, CircleCI. [USAGE]')]);
  expect(repo.git('status', '--porcelain')).toBe('');
  expect(statesOf(await answer(repo))).toEqual({ 'tributary.json': 'new' });
  expect(statesOf(await answer(repo, '--engine', 'circleci'))).toEqual({ 'tributary.json': 'new', '.circleci/config.yml': 'differs' });
  expect(statesOf(await answer(repo, '--engine', 'none', '--yes'))).toEqual({ 'tributary.json': 'new' });
});

test.each<[what: string, files: Files, root: object, message: string]>([
  ['a turbo.json that is broken', { ...GITHUB, 'turbo.json': '{ "tasks": ' }, {}, 'turbo.json is invalid'],
  ['npm', { ...TURBO, ...GITHUB, 'package-lock.json': '{}' }, { packageManager: 'npm@11.0.0' }, 'uses npm'],
  ['no CI', TURBO, {}, 'no committed files of a CI engine'],
])('%s: settings alone are proposed, with the reason', async (_, files, root, message) => {
  const result = await answer(monorepo(files, root));
  expect(statesOf(result)).toEqual({ 'tributary.json': 'new' });
  expect(result.problems.map((one) => one.message)).toEqual([expect.stringContaining(message)]);
});

describe('refused, with nothing written:', () => {
  test.each<[what: string, prepare: (repo: TempRepo) => void, code: string]>([
    ['a folder without git', (repo) => rmSync(join(repo.path, '.git'), { recursive: true }), 'TARGET_NOT_FOUND'],
    ['a folder without package.json', (repo) => rmSync(join(repo.path, 'package.json')), 'TARGET_NOT_A_MONOREPO'],
    ['a package.json that is broken', (repo) => repo.write({ 'package.json': '{' }), 'MANIFEST_INVALID'],
    ['a tributary.json that is broken', (repo) => repo.write({ 'tributary.json': '{ "affected": 1 }' }), 'CONFIG_INVALID'],
    ['pnpm', (repo) => repo.commit('pnpm', { files: { 'pnpm-workspace.yaml': '' } }), 'PACKAGE_MANAGER_UNSUPPORTED'],
    ['one package', (repo) => repo.commit('One', { files: { 'package.json': '{ "name": "one" }' } }), 'TARGET_NOT_A_MONOREPO'],
  ])('%s', async (_, prepare, code) => {
    const repo = monorepo(TURBO);
    prepare(repo);
    const before = readdirSync(repo.path);
    const run = await init(repo.path, '--yes', '--engine', 'github');
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(`[${code}]`)]);
    expect(readdirSync(repo.path)).toEqual(before);
  });

  test.each<[what: string, place: (path: string) => void]>([
    ['a file where a folder should be', (path) => writeFileSync(path, '')],
    [
      'a link that leads out of the repository',
      (path) => {
        const outside = cleanUp.add(new TempFolder());
        symlinkSync(outside.path, path);
      },
    ],
  ])('%s', async (_, place) => {
    const repo = monorepo(TURBO);
    place(join(repo.path, '.github'));
    const run = await init(repo.path, '--yes', '--engine', 'github');
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('[FILE_UNUSABLE]')]);
    expect(existsSync(join(repo.path, 'tributary.json'))).toBe(false);
    expect(existsSync(join(repo.path, '.github/workflows/affected.yml'))).toBe(false);
  });
});
