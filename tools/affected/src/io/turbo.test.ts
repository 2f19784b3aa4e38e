import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { environmentOfTurbo, findTurbo, readTurboSummary, runTurbo } from './turbo.js';

const cleanUp = cleanUpIn(afterAll);

/** Returns a task as turborepo 2.11 writes it, with the fields that the tool reads. */
function task(more: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return {
    taskId: '@acme/ui#test',
    task: 'test',
    package: '@acme/ui',
    hash: '0123456789abcdef',
    cache: { local: false, remote: false, status: 'MISS', timeSaved: 0 },
    command: 'jest',
    execution: { startTime: 1000, endTime: 2500, exitCode: 0 },
    ...more,
  };
}

function read(...tasks: readonly unknown[]): ReturnType<typeof readTurboSummary> {
  return readTurboSummary(JSON.stringify({ id: 'x', version: '1', tasks }), '.turbo/runs/x.json');
}

const executed = {
  workspace: '@acme/ui',
  task: 'test',
  hash: '0123456789abcdef',
  state: 'executed',
  exit: 0,
  startedAt: 1000,
  endedAt: 2500,
};

describe('of a run summary of turborepo', () => {
  test('a task that was run', () => expect(read(task({}))).toEqual([executed]));

  test('a task whose result came out of a cache', () => {
    expect(read(task({ cache: { local: true, remote: false, status: 'HIT', source: 'LOCAL' } }))).toEqual([
      { ...executed, state: 'replayed' },
    ]);
  });

  test('a task that failed', () => {
    const execution = { startTime: 1000, endTime: 2500, error: 'command exited (3)', exitCode: 3 };
    expect(read(task({ execution }))).toEqual([{ ...executed, exit: 3 }]);
  });

  test('a task that could not be started failed, too', () => {
    expect(read(task({ execution: { startTime: 1000, endTime: 2500, exitCode: null } }))).toEqual([{ ...executed, exit: 1 }]);
  });

  test('the root is called //', () => expect(read(task({ package: '//' }))).toEqual([{ ...executed, workspace: '//' }]));

  test.each<[title: string, execution: unknown]>([
    ['it was not reached', undefined],
    ['nothing is said of it', null],
    ['there are no times', { exitCode: 0 }],
    ['times are texts', { startTime: '1000', endTime: '2500', exitCode: 0 }],
    ['it has not ended', { startTime: 1000, exitCode: 0 }],
    ['it has no exit code', { startTime: 1000, endTime: 2500 }],
  ])('a task is not there, if %s', (_, execution) => expect(read(task({ execution }), task({}))).toEqual([executed]));

  test('nothing is known of a cache: it was run', () => {
    for (const cache of [undefined, null, 'HIT', { status: 'hit' }]) expect(read(task({ cache }))).toEqual([executed]);
  });

  test('a clock that was set back gives no time below zero', () => {
    expect(read(task({ execution: { startTime: 1000, endTime: 400, exitCode: 0 } }))).toEqual([{ ...executed, endedAt: 1000 }]);
  });

  test('a run in which nothing ran', () => expect(read()).toEqual([]));
});

test.each<[title: string, text: string]>([
  ['nothing', ''],
  ['half of one', '{"tasks":['],
  ['null', 'null'],
  ['a list', '[]'],
  ['no tasks', '{}'],
  ['tasks that are none', '{"tasks":{}}'],
  ['a task that is null', '{"tasks":[null]}'],
  ['a task without a package', JSON.stringify({ tasks: [task({ package: undefined })] })],
  ['a hash that is a number', JSON.stringify({ tasks: [task({ hash: 7 })] })],
])('no run summary is %s', (_, text) => {
  expect(() => readTurboSummary(text, 'runs/x.json')).toThrow(
    expect.objectContaining({ code: 'TURBO_FAILED', message: 'runs/x.json is not a run summary of turborepo.' }),
  );
});

test('turborepo is the one of the project, of Plug and Play by way of Yarn, else the one in PATH', () => {
  const folder = cleanUp.add(new TempFolder()).path;
  expect(findTurbo(folder)).toEqual({ program: 'turbo', first: [] });
  writeFileSync(join(folder, '.pnp.cjs'), '');
  expect(findTurbo(folder)).toEqual({ program: 'yarn', first: ['run', 'turbo'] });
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/.bin/turbo'), '');
  const own = { program: join(folder, 'node_modules/.bin/turbo'), first: [] };
  expect([findTurbo(folder, 'linux'), findTurbo(folder, 'win32')]).toEqual([own, own]);
  mkdirSync(join(folder, 'node_modules/turbo/bin'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/turbo/bin/turbo'), '');
  const script = { program: process.execPath, first: [join(folder, 'node_modules/turbo/bin/turbo')] };
  expect([findTurbo(folder, 'linux'), findTurbo(folder, 'win32')]).toEqual([own, script]);
});

test('scripts find programs of the root after all others, as where Yarn starts turborepo', () => {
  const path = process.env['PATH'] ?? '';
  expect(environmentOfTurbo('/mono')['PATH']).toBe([path, join('/mono', 'node_modules/.bin')].join(delimiter));
});

test('without turborepo the hint names what installs it', async () => {
  const { path: folder } = cleanUp.add(new TempFolder());
  const call = { folder, task: 'test', workspaces: ['a'], scriptArguments: [], signal: new AbortController().signal };
  const path = process.env['PATH'];
  process.env['PATH'] = folder;
  try {
    const hint = expect.stringMatching(/^Run `yarn install` /);
    await expect(runTurbo({ ...call, cache: 'used', concurrency: 10, env: {} })).rejects.toMatchObject({ code: 'PROGRAM_MISSING', hint });
  } finally {
    process.env['PATH'] = path;
  }
});

test('turborepo is never called for no workspace: it would run all', async () => {
  const call = { folder: '/nowhere', task: 'test', workspaces: [], scriptArguments: [], signal: new AbortController().signal };
  await expect(runTurbo({ ...call, cache: 'used', concurrency: 10, env: {} })).rejects.toThrow('turborepo would run all workspaces');
});
