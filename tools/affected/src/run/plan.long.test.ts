import { afterEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '@tributary/terminal/clock';
import { type Progress, silentProgress } from '@tributary/terminal/progress';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { createTempMonorepo, type Manifest } from '@tributary/test-repo/temp-monorepo';
import type { Files } from '@tributary/test-repo/temp-repo';
import { affectedOf } from '../gate/proof.fixture.js';
import { type Plan, pieceName } from '../plan/plan.js';
import type { AffectedReason } from '../result.js';
import { readHeadProject } from './head-project.js';
import { makePlan } from './plan.js';
import { selectWithHead } from './select-with-head.js';

const cleanUp = cleanUpIn(afterEach);
const ui = new Ui(recordStreams(), {}, { quiet: true, verbose: false, color: 'never', input: 'never', json: false });
const services = { ui, clock: systemClock, signal: new AbortController().signal };
const TURBO = { 'turbo.json': '{ "tasks": { "build": { "dependsOn": ["^build"] }, "test": { "dependsOn": ["^build"] } } }' };

/** Returns the plan for `app`, which a file of `lib` affects. The monorepo has the two given workspaces, and more files. */
async function planFor(
  app: Manifest,
  { files = TURBO, lib = {}, shards = 1, listed }: { files?: Files; lib?: Manifest; shards?: number; listed?: number } = {},
): Promise<Plan> {
  const packages = { 'packages/app': { scripts: { test: 'jest' }, ...app }, 'packages/lib': { version: '1.2.0', ...lib } };
  const repo = cleanUp.add(createTempMonorepo({ packages, files }));
  const reasons: readonly AffectedReason[] = [
    { kind: 'dependency', path: ['app', 'lib'], because: { kind: 'file', file: 'packages/lib/x', others: 0 } },
  ];
  const affected = affectedOf(['app']);
  const [one] = affected.workspaces;
  const head = repo.git('rev-parse', 'HEAD').trim();
  const answer = { ...affected, head, workspaces: one === undefined ? [] : [{ ...one, reasons }] };
  const request = { cwd: repo.path, base: undefined, head: undefined, filesFrom: undefined, pullRequest: undefined };
  const shardRequest = { setupSeconds: 60, maxShards: shards, shards };
  const timings = new Map([
    ['lib#build', [{ seconds: 7, startedAt: null }]],
    ['app#test', listed === undefined ? [] : [{ seconds: 20, startedAt: null, testFiles: listed }]],
  ]);
  const project = await readHeadProject({ cwd: repo.path, head }, services);
  return makePlan(
    [{ task: 'test', affected: answer, head: project, changed: new Map(), tasksAtBase: 'unknown' }],
    { ...request, uncommitted: 'without', fetch: 'never', timings, shardRequest, dropped: [] },
    silentProgress,
  );
}

async function isFresh(app: Manifest, more: Parameters<typeof planFor>[1] = {}): Promise<boolean | undefined> {
  const { shards } = await planFor(app, more);
  return shards[0]?.pieces[0]?.fresh;
}

describe('turborepo follows a dependency', () => {
  test.each<[range: string, followed: boolean]>([
    ['workspace:^', true],
    ['workspace:*', true],
    ['workspace:packages/lib', true],
    ['^1.0.0', true],
    ['*', true],
    // Each was checked with turborepo 2.11, which then does not run the task of lib before that of app.
    ['portal:../lib', false],
    ['catalog:', false],
    ['patch:lib@workspace%3Alib#./x.patch', false],
    ['npm:lib@^1.0.0', false],
    ['^2.0.0', false],
  ])('that is asked for as %s: %s', async (range, followed) => {
    expect(await isFresh({ dependencies: { lib: range } })).toBe(!followed);
  });

  test.each(['devDependencies', 'optionalDependencies'])('of %s, too', async (field) => {
    expect(await isFresh({ [field]: { lib: 'workspace:^' } })).toBe(false);
  });

  test('never a peer', async () => expect(await isFresh({ peerDependencies: { lib: 'workspace:^' } })).toBe(true));
});

describe('a turbo.json beside the package.json of a workspace', () => {
  const app = { dependencies: { lib: 'workspace:^' } };
  const own = '{ "extends": ["//"], "tasks": { "test": { "dependsOn": [] } } } // none';

  test.each(['turbo.json', 'turbo.jsonc'])('counts: %s', async (name) => {
    expect(await isFresh(app)).toBe(false);
    expect(await isFresh(app, { files: { ...TURBO, [`packages/app/${name}`]: own } })).toBe(true);
  });

  test('is not taken for that of another one, nor one that lies deeper', async () => {
    const files = { ...TURBO, 'packages/lib/turbo.json': own, 'packages/app/sub/turbo.json': own };
    expect(await isFresh(app, { files })).toBe(false);
  });

  test('that is a link is not counted on', async () => {
    const files = { ...TURBO, 'packages/app/turbo.json': { symlink: '../../turbo.json' } };
    expect(await isFresh(app, { files })).toBe(true);
  });

  test('that cannot be read is named', async () => {
    await expect(planFor(app, { files: { ...TURBO, 'packages/app/turbo.json': '{' } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'packages/app/turbo.json cannot be read: it is not JSON.',
    });
  });
});

test('what must be built before is counted', async () => {
  const { shards } = await planFor({ dependencies: { lib: 'workspace:^' } }, { lib: { scripts: { build: 'tsc' } } });
  expect(shards.map(({ builds }) => builds)).toEqual([7]);
});

test('test files are counted for the workspace that owns them', async () => {
  const tests = ['a.test.ts', 'src/b.spec.js', 'test/c.mjs'].map((path) => [`packages/app/${path}`, '']);
  const more = { 'packages/app/src/d.ts': '', 'packages/lib/a.test.ts': '', 'a.test.ts': '' };
  const { shards } = await planFor({}, { files: { ...TURBO, ...more, ...Object.fromEntries(tests) } });
  // Five seconds for each of three files.
  expect(shards.map(({ pieces }) => pieces.map((piece) => [pieceName(piece), piece.seconds]))).toEqual([[['app', 15]]]);
});

describe('a suite is cut into parts', () => {
  const files = { ...TURBO, ...Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`packages/app/${name}.test.js`, ''])) };
  const node = { scripts: { test: 'node --test' } };
  const threshold = { jest: { coverageThreshold: { global: { lines: 90 } } } };

  test.each<[title: string, app: Manifest, listed: number | undefined, parts: number]>([
    ['as its runner listed files', {}, 4, 2],
    ['not if its runner was not asked', {}, undefined, 1],
    ['not if its runner listed two files beside many that look like tests', {}, 2, 1],
    ['by the names of files for node, which has no list', node, undefined, 2],
    ['not if its package.json holds jest to a coverage', threshold, 4, 1],
  ])('%s', async (_, app, listed, parts) => {
    const { shards } = await planFor(app, { files, shards: 2, ...(listed === undefined ? {} : { listed }) });
    expect(shards.flatMap(({ pieces }) => pieces)).toHaveLength(parts);
  });
});

test('a workspace that turborepo does not see is not planned', async () => {
  const files = { ...TURBO, 'package.json': '{ "name": "root", "private": true, "workspaces": ["packages/lib"] }' };
  const lib = { workspaces: ['../app'] };
  await expect(planFor({}, { files, lib })).rejects.toMatchObject({
    code: 'WORKSPACE_UNRUNNABLE',
    message: expect.stringMatching(/^The task "test" of app \(packages\/app\) can never run: no pattern of "workspaces" in the root/),
    hint: 'Add "packages/app" to "workspaces" in the root package.json.',
  });
});

test('without a turbo.json nothing is planned', async () => {
  await expect(planFor({}, { files: {} })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  expect((await planFor({}, { files: { 'turbo.jsonc': TURBO['turbo.json'] } })).shards).toHaveLength(1);
});

describe('a cached result does not count for who reads something by tributary.json', () => {
  const edges = (reads: object): Files => ({ ...TURBO, 'tributary.json': JSON.stringify({ affected: { edges: { app: reads } } }) });
  const DEPENDS = { dependencies: { lib: 'workspace:^' } };

  test.each<[sentence: string, reads: object, fresh: boolean]>([
    ['a file', { files: { 'data.json': 'packages/app/a.js:1' } }, true],
    ['a workspace that turborepo does not see', { workspaces: { other: 'packages/app/a.js:1' } }, true],
    ['a workspace that turborepo sees', { workspaces: { lib: 'packages/app/a.js:1' } }, false],
    ['itself, and a workspace that is gone', { workspaces: { app: 'packages/app/a.js:1', gone: 'packages/app/a.js:1' } }, false],
  ])('%s', async (_, reads, fresh) => {
    const files = { ...edges(reads), 'packages/other/package.json': '{"name": "other"}' };
    expect(await isFresh(DEPENDS, { files })).toBe(fresh);
  });
});

test('a plan shows what it does, from its start to its end', async () => {
  const packages = { 'packages/lib': { scripts: { test: 'jest' } }, 'packages/app': { scripts: { test: 'jest' } } };
  const repo = cleanUp.add(
    createTempMonorepo({ packages, files: { 'turbo.json': '{ "tasks": { "test": {} } }', 'package-lock.json': '{}' } }),
  );
  repo.commit('Change', { files: { 'packages/lib/index.js': '' } });
  const shown: string[] = [];
  const progress: Progress = {
    ...silentProgress,
    phase: (name) => shown.push(name),
    step: (name = '') => void shown.push(name),
    done: () => shown.push('done'),
  };
  const ui = Object.assign(Object.create(services.ui) as Ui, { progress: () => progress });
  const request = { cwd: repo.path, base: 'HEAD~1', head: undefined, filesFrom: undefined, pullRequest: undefined } as const;
  const asked = { ...request, uncommitted: 'without', fetch: 'never' } as const;
  const answers = await selectWithHead(asked, ['test'], { ...services, ui });
  const shardRequest = { setupSeconds: 60, maxShards: 2, shards: 2 };
  await makePlan(answers, { ...asked, timings: new Map(), shardRequest, dropped: [] }, progress);
  expect(shown[0]).toBe('Comparing commits');
  expect(shown).toEqual(
    expect.arrayContaining(['Reading sources', 'packages/lib/package.json', 'Following references', 'Reading workspaces']),
  );
  expect(shown.slice(shown.indexOf('done'))).toEqual(['done', 'Reading tasks', 'Planning shards', 'lib', '']);
});
