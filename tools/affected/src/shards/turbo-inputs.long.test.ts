import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import type { Plan } from '../plan/plan.js';
import type { Receipt } from '../receipt/receipt.js';
import { ShardRepo } from '../testing/shard-repo.fixture.js';

// For a task, turborepo hashes the files that its `inputs` name. The tests of `b` read a file of `a`. So a result that was cached with
// another state of that file must not count, whatever the inputs leave out.

const cleanUp = cleanUpIn(afterAll);

/** Passes as long as data.json of `a` says 1. */
const TEST = "import { readFileSync } from 'node:fs';\nif (readFileSync('../p0/data.json', 'utf8').trim() !== '1') process.exit(1);\n";

/** Passes unless data.json of `a` is executable. */
const MODE_TEST = "import { statSync } from 'node:fs';\nif ((statSync('../p0/data.json').mode & 0o100) !== 0) process.exit(1);\n";

const EDGE = '{ "affected": { "edges": { "b": { "files": { "packages/p1/notes.json": "packages/p1/t.mjs:1" } } } } }\n';
const RULE = '{ "affected": { "rules": [{ "files": "**/notes.json", "affects": ["b"] }] } }\n';

const USUAL = { build: { dependsOn: ['^build'] }, test: { dependsOn: ['^build'] } };

interface Scene {
  readonly tasks: Readonly<Record<string, unknown>>;
  readonly files?: Files;
  /** Files of `a` and `b` besides their usual ones. */
  readonly a?: Files;
  readonly b?: Files;
}

async function createRepo({ tasks, files = {}, a = {}, b = {} }: Scene): Promise<ShardRepo> {
  return ShardRepo.create(
    cleanUp,
    {
      a: { builds: true, files: { 'data.json': '1\n', ...a } },
      b: { dependencies: ['a'], test: 'node t.mjs', files: { 't.mjs': TEST, ...b } },
    },
    { changed: [], files: { 'turbo.json': `${JSON.stringify({ tasks })} // the tasks\n`, ...files } },
  );
}

/** The plan of a change. */
async function makePlan(one: ShardRepo): Promise<Plan> {
  const path = planPath(one);
  const { code, stderr } = await one.affected(['plan', '--base', 'main', '--shards', '1', '--out', path]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(readFileSync(path, 'utf8'));
}

function planPath(one: ShardRepo): string {
  return join(one.work, 'plan.json');
}

/** Plan, all shards, gate; `between`: after the plan was made. */
async function runAll(
  one: ShardRepo,
  between: () => void = () => {},
): Promise<{ readonly gate: number | null; readonly plan: Plan; readonly receipt: Receipt | undefined }> {
  const path = planPath(one);
  const receipts = join(one.work, 'receipts');
  const plan = await makePlan(one);
  between();
  for (const { id } of plan.shards) await one.affected(['run-shard', id, '--plan', path, '--receipts', receipts]);
  const { code } = await one.affected(['gate', '--plan', path, '--receipts', receipts]);
  const receipt = join(receipts, '01.json');
  return { gate: code, plan, receipt: existsSync(receipt) ? JSON.parse(readFileSync(receipt, 'utf8')) : undefined };
}

/** Tests everything as a shard does, so that turborepo has passed results that count. */
async function cacheAll(one: ShardRepo): Promise<void> {
  const plan = join(one.work, 'all.json');
  expect(await one.affected(['plan', '--base', 'nowhere', '--fallback', 'all', '--shards', '1', '--out', plan])).toMatchObject({ code: 0 });
  expect(await one.affected(['run-shard', '01', '--plan', plan, '--receipts', join(one.work, 'all')])).toMatchObject({ code: 0 });
}

/** Tests everything on main, so that turborepo has a passed result of `b`, then breaks it by a change of what it reads. */
async function breakData(one: ShardRepo): Promise<void> {
  await cacheAll(one);
  one.repo.write({ 'packages/p0/data.json': '2\n' });
  one.repo.commit('Break b');
}

test.each<[title: string, scene: Scene]>([
  ['the inputs of the build', { tasks: { ...USUAL, build: { dependsOn: ['^build'], inputs: ['src/**'] } } }],
  ['the inputs of the build, by a negation', { tasks: { ...USUAL, build: { inputs: ['$TURBO_DEFAULT$', '!*.json'] } } }],
  [
    'a turbo.json beside the package',
    { tasks: USUAL, a: { 'turbo.json': '{ "extends": ["//"], "tasks": { "build": { "inputs": ["src/**"] } } }\n' } },
  ],
  ['a task of one package', { tasks: { ...USUAL, 'a#build': { inputs: ['src/**'] } } }],
])('a result is not replayed for a file that %s leave out', async (_, scene) => {
  const one = await createRepo(scene);
  await breakData(one);
  const { gate, plan, receipt } = await runAll(one);
  expect(receipt?.pieces.find(({ workspace }) => workspace === 'b')).toMatchObject({ state: 'executed', exit: 1 });
  expect(plan.shards[0]?.pieces.find(({ workspace }) => workspace === 'b')).toMatchObject({ fresh: true });
  expect(gate).toBe(1);
});

test('a result is replayed for a file that is hashed, and the receipt shows it', async () => {
  const one = await createRepo({ tasks: USUAL });
  one.repo.write({ 'packages/p0/src.js': '2;\n' });
  one.repo.commit('Change a');
  await cacheAll(one);
  const { gate, plan, receipt } = await runAll(one);
  expect(plan.changed).toEqual([{ workspace: 'a', files: ['packages/p0/src.js'] }]);
  expect(receipt?.pieces.find(({ workspace }) => workspace === 'b')).toMatchObject({ state: 'replayed', exit: 0 });
  expect(gate).toBe(0);
});

test('a result from before a file moved on that the inputs leave out does not count', async () => {
  const one = await createRepo({ tasks: { ...USUAL, build: { dependsOn: ['^build'], inputs: ['src/**'] } } });
  one.repo.write({ 'packages/p1/new.js': '2;\n' });
  one.repo.commit('Change b alone');
  await cacheAll(one);
  one.repo.git('checkout', '-q', 'main');
  one.repo.write({ 'packages/p0/data.json': '2\n' });
  one.repo.commit('Move on');
  one.repo.git('checkout', '-q', 'topic');
  one.repo.git('merge', '-q', '--no-edit', 'main');
  expect((await runAll(one)).gate).toBe(1);
});

test('a task without inputs brings the files back into the hash, so that the cache counts', async () => {
  const test = { dependsOn: ['^build', '^transit'] };
  const one = await createRepo({ tasks: { build: { inputs: ['src/**'] }, transit: { dependsOn: ['^transit'] }, test } });
  await breakData(one);
  const { gate, plan, receipt } = await runAll(one);
  expect(plan.shards[0]?.pieces.find(({ workspace }) => workspace === 'b')).toMatchObject({ fresh: false });
  expect(receipt?.pieces.find(({ workspace }) => workspace === 'b')).toMatchObject({ state: 'executed', exit: 1 });
  expect(receipt?.pieces.find(({ workspace }) => workspace === 'b')).not.toHaveProperty('forced');
  expect(gate).toBe(1);
});

test('a result is not replayed where only the mode of a file changed', async () => {
  const one = await createRepo({ tasks: USUAL, b: { 't.mjs': MODE_TEST } });
  await cacheAll(one);
  chmodSync(join(one.repo.path, 'packages/p0/data.json'), 0o755);
  one.repo.commit('Make it a program');
  expect((await runAll(one)).gate).toBe(1);
});

test('a shard forces what a plan trusted too much, and says so', async () => {
  const one = await createRepo({ tasks: USUAL });
  const narrow = { 'turbo.json': JSON.stringify({ tasks: { ...USUAL, build: { dependsOn: ['^build'], inputs: ['src/**'] } } }) };
  // The plan uses the committed turbo.json. The one in the working tree, which the shard uses, hashes less.
  one.repo.write(narrow);
  await cacheAll(one);
  one.repo.git('checkout', '-q', '--', 'turbo.json');
  one.repo.write({ 'packages/p0/data.json': '2\n' });
  one.repo.commit('Break b');
  const { gate, plan, receipt } = await runAll(one, () => one.repo.write(narrow));
  expect(plan.shards[0]?.pieces.find(({ workspace }) => workspace === 'b')).toMatchObject({ fresh: false });
  expect(receipt?.pieces.find(({ workspace }) => workspace === 'b')).toMatchObject({
    state: 'executed',
    exit: 1,
    forced: 'turborepo does not hash packages/p0/data.json, which changed.',
  });
  expect(gate).toBe(1);
});

/** Returns the plan for a change of one file of `b` itself. */
async function planFor(scene: Scene, path: string): Promise<Plan> {
  const one = await createRepo(scene);
  one.repo.write({ [path]: 'changed\n' });
  one.repo.commit('Change');
  return makePlan(one);
}

const NARROW = { ...USUAL, test: { dependsOn: ['^build'], inputs: ['t.mjs', 'src/**'] } };

test('a file of the workspace itself that the inputs of its tests leave out does not select them', async () => {
  const plan = await planFor({ tasks: NARROW }, 'packages/p1/notes.json');
  expect(plan.affected.workspaces.map(({ name }) => name)).toEqual(['b']);
  expect(plan).toMatchObject({
    shards: [],
    leftOut: [{ workspace: 'b', reason: 'Only packages/p1/notes.json changed, which the inputs of "test" in turbo.json exclude.' }],
  });
});

test.each<[title: string, scene: Scene, path: string]>([
  [
    'inputs are ignored',
    { tasks: NARROW, files: { 'tributary.json': '{ "affected": { "turboInputs": "ignore" } }\n' } },
    'packages/p1/notes.json',
  ],
  ['they have the file', { tasks: NARROW }, 'packages/p1/t.mjs'],
  ['an edge of tributary.json selects it', { tasks: NARROW, files: { 'tributary.json': EDGE } }, 'packages/p1/notes.json'],
  ['a rule names it', { tasks: NARROW, files: { 'tributary.json': RULE } }, 'packages/p1/notes.json'],
])('it does where %s', async (_, scene, path) => {
  const plan = await planFor(scene, path);
  expect(plan.shards.flatMap(({ pieces }) => pieces.map(({ workspace }) => workspace))).toEqual(['b']);
  expect(plan.leftOut).toEqual([]);
});

test('tests that git ignores yet tracks, and that are not cached, run', async () => {
  const tasks = { ...USUAL, test: { dependsOn: ['^build'], cache: false } };
  const one = await createRepo({
    tasks,
    a: { 'ignored.json': '1\n' },
    files: { '.gitignore': 'node_modules\n.turbo\n.yarn\n.tributary\nignored.json\n' },
  });
  one.repo.write({ 'packages/p0/ignored.json': '2\n' });
  one.repo.git('add', '--force', 'packages/p0/ignored.json');
  one.repo.commit('Change what git ignores');
  const { gate, receipt } = await runAll(one);
  expect(receipt?.pieces.find(({ workspace }) => workspace === 'b')).toMatchObject({ state: 'executed' });
  expect(gate).toBe(0);
});
