import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Files } from '@tributary/test-repo/temp-repo';
import { manifestOf } from './monorepo.fixture.js';
import { type ChangeCase, Scene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.create(cleanUp);
});

const UNCLAIMED = 'all: FILE_UNCLAIMED';

describe('a Makefile', () => {
  const makefile = (over: { pin?: string; build?: string; docs?: string; top?: string } = {}): Files => ({
    Makefile: [
      over.top ?? '.PHONY: build docs test',
      `PIN = ${over.pin ?? '1'}`,
      'TOOL := node tool.js',
      'build: prepare',
      `\t$(TOOL) ${over.build ?? 'build'}`,
      'prepare:',
      '\t@echo',
      'docs:',
      `\t$(TOOL) ${over.docs ?? 'docs'} $(PIN)`,
      'test: build',
      '\tyarn jest',
      '',
    ].join('\n'),
  });
  const scripts = manifestOf('', { scripts: { test: 'make test', lint: 'make docs' } });
  test.each<ChangeCase>([
    ['affects the root by a target that no test leads to', { ...makefile(), ...scripts }, makefile({ docs: 'other' }), ['monorepo']],
    ['affects the root by a variable of such a target', { ...makefile(), ...scripts }, makefile({ pin: '2' }), ['monorepo']],
    ['affects nobody by its comments', { ...makefile(), ...scripts }, { Makefile: `# Words\n${makefile()['Makefile'] as string}` }, []],
    ['affects everybody by a target that a test leads to', { ...makefile(), ...scripts }, makefile({ build: 'other' }), UNCLAIMED],
    [
      'affects everybody by a target that a workflow names',
      { ...makefile(), ...scripts, '.github/workflows/ci.yml': '- run: make -j docs' },
      makefile({ pin: '2' }),
      UNCLAIMED,
    ],
    [
      'affects everybody by a target that a script names',
      { ...makefile(), ...scripts, 'scripts/all.sh': 'cd . && make docs\n' },
      makefile({ pin: '2' }),
      UNCLAIMED,
    ],
    [
      'affects everybody by a target that a workspace names',
      { ...makefile(), ...scripts, 'packages/lib/a.js': "exec('make docs')" },
      makefile({ pin: '2' }),
      UNCLAIMED,
    ],
    [
      'affects everybody where a target is put together',
      { ...makefile(), ...scripts, 'scripts/all.sh': 'make "$1"\n' },
      makefile({ pin: '2' }),
      UNCLAIMED,
    ],
    [
      'affects everybody where arguments stand elsewhere',
      { ...makefile(), ...scripts, 'packages/lib/a.js': "spawn('make', args)" },
      makefile({ pin: '2' }),
      UNCLAIMED,
    ],
    [
      'affects everybody where its text is read',
      { ...makefile(), ...scripts, 'scripts/pin.js': "readFileSync('Makefile')" },
      makefile({ pin: '2' }),
      UNCLAIMED,
    ],
    [
      'affects everybody where a variable is one of the environment',
      { ...makefile(), ...scripts, 'scripts/pin.js': 'process.env.PIN' },
      makefile({ pin: '2' }),
      UNCLAIMED,
    ],
    [
      'affects everybody by a file that it includes',
      { ...makefile({ top: 'include more.mk' }), ...scripts },
      makefile({ pin: '2', top: 'include more.mk' }),
      UNCLAIMED,
    ],
    [
      'affects everybody where everything is exported',
      { ...makefile({ top: 'export' }), ...scripts },
      makefile({ pin: '2', top: 'export' }),
      UNCLAIMED,
    ],
    ['affects everybody where it is new', scripts, makefile(), UNCLAIMED],
    ['affects everybody where it goes', { ...makefile(), ...scripts }, { Makefile: null }, UNCLAIMED],
  ])('%s', (_, before, files, affected) => scene.answers({ before, files }, affected));

  test('names the target as the reason', async () => {
    const { workspaces } = await scene.resultOf({ before: { ...makefile(), ...scripts }, files: makefile({ docs: 'other' }) });
    expect(workspaces[0]?.reasons).toEqual([{ kind: 'setting', file: 'Makefile', key: 'docs' }]);
  });
});
