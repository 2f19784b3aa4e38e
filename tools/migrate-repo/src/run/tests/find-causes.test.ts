import { afterEach, expect, test } from '@jest/globals';
import type { RepoFolder } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { TestRun } from '../../tests/test-run.js';
import type { ComparedPackage } from './compare-tests.js';
import type { Experiment } from './experiments.js';
import { findCauses, tryShown } from './find-causes.js';

const cleanUp = cleanUpIn(afterEach);
const run = (result: TestRun['result']): TestRun => ({ result, counts: undefined, coverage: undefined, output: '', remarks: [] });
const failing = { name: 'a', before: [run('passed')], after: [run('failed')], kept: { before: false, after: false } } as const;

/** Finds causes where the tests pass in the experiments that `passes` accepts. */
function causesWhere(passes: (experiment: Experiment) => boolean): ReturnType<typeof findCauses> {
  return findCauses(
    failing,
    searchWhere((experiment) => run(passes(experiment) ? 'passed' : 'failed')),
  );
}

function searchWhere(attempt: (experiment: Experiment) => TestRun): Parameters<typeof findCauses>[1] {
  const folder = cleanUp.add(new TempFolder());
  folder.write('package.json', '{}');
  const root = folder.path;
  return {
    alone: {
      bed: async () => run('passed'),
      attempt: async () => run('passed'),
      variables: async () => ({
        A: '1',
        npm_package_config_token: 'hunter2',
        B: `${root}/b`,
        npm_config_user_agent: 'yarn/1.22.22 npm/? node/?',
      }),
      sourceVariables: async () => ({ ci: new Map(), read: new Set() }),
      locate: async () => ({ folder: root, top: root }),
      close: () => {},
    },
    laboratory: {
      attempt: async (_, experiment) => attempt(experiment),
      install: async () => root,
      variables: async () => ({ B: 'b', npm_config_user_agent: 'yarn/4' }),
    },
    branch: { tip: '' as never, root: '', members: [], closures: { of: () => ['' as RepoFolder] } },
    onAttempt: () => {},
  };
}

test('a change is a cause only where the tests fail without it', async () => {
  const causesOf = async (passes: (experiment: Experiment) => boolean) => (await causesWhere(passes)).causes;
  expect(await causesOf(({ repository }) => repository === 'own')).toMatchObject([{ kind: 'repository root', withRemedy: 'passes' }]);
  expect(await causesOf(({ variables }) => variables?.['A'] === '1')).toEqual([
    {
      kind: 'environment variable',
      text: "Its tests need `A`, which yarn 1.22.22 sets but the monorepo's Yarn does not.",
      remedy: 'With `A=1`',
      withRemedy: 'passes',
    },
  ]);
  expect(await causesOf(({ variables }) => variables?.['npm_package_config_token'] !== undefined)).toMatchObject([
    { remedy: 'With `npm_package_config_token`' },
  ]);
  expect(await causesWhere(() => true)).toEqual({ causes: [], passing: run('passed') });
  expect(await causesWhere(() => false)).toEqual({ causes: [], passing: undefined });
});

// As d3-geo where `canvas` does not compile: some tests fail on both sides, and only after the migration a file is not found by its path.
const ATLAS = "Error: ENOENT: no such file or directory, open './node_modules/world-atlas/land.json'";
const counted = (passed: number, failed: number, output = ''): TestRun => ({ ...run('failed'), counts: { passed, failed }, output });
const unhoisted = ({ unhoisted: folders }: Experiment): boolean => folders !== undefined;

test('of a package that fails on both sides, and more after, a remedy helps that brings it as far as before', async () => {
  const one: ComparedPackage = { ...failing, before: [counted(5, 1)], after: [counted(4, 2, ATLAS)] };
  const search = searchWhere((experiment) => (unhoisted(experiment) ? counted(5, 1) : counted(4, 2, ATLAS)));
  expect((await findCauses(one, search)).causes).toMatchObject([
    { kind: 'path into node_modules', text: expect.stringContaining('`world-atlas`'), withRemedy: 'as before' },
  ]);
});

const silent = (output: string): TestRun => ({ ...run('failed'), output });
const bothFail: ComparedPackage = { ...failing, before: [silent('no canvas')], after: [silent(ATLAS)] };

/** What the only cause is said to do where `remedied` comes of its remedy, and `control` of a run without a change. */
async function withRemedy(remedied: TestRun, control = silent(ATLAS), one = bothFail): Promise<unknown> {
  const { causes, passing } = await tryShown(
    one,
    searchWhere((experiment) => (unhoisted(experiment) ? remedied : control)),
  );
  return passing ?? causes.map((cause) => cause.withRemedy);
}

test('of a package that fails as much on both sides, the remedy for what only the output after shows is tried', async () => {
  expect(await withRemedy(run('passed'))).toEqual(['passes']);
  expect(await withRemedy(silent('no canvas'))).toEqual(['not shown']);
  expect(await withRemedy(counted(0, 100))).toEqual(['not shown']);
  expect(await withRemedy({ ...run('not built'), output: 'x' })).toEqual(['not finished']);
  expect(await withRemedy({ ...run('timed out'), output: 'x' })).toEqual(['not finished']);
  expect(await withRemedy(silent(ATLAS))).toEqual(['still fails']);
  const sides: ComparedPackage = { ...failing, before: [counted(5, 1)], after: [counted(5, 1, ATLAS)] };
  expect(await withRemedy(counted(5, 1), counted(5, 1, ATLAS), sides)).toEqual(['as before']);
  expect(await withRemedy(counted(4, 2), counted(5, 1, ATLAS), sides)).toEqual(['still fails']);
});

test('nothing is claimed of a remedy for what the output before shows too, or a run without a change does not show', async () => {
  expect(await withRemedy(run('passed'), silent(ATLAS), { ...bothFail, before: bothFail.after })).toEqual([]);
  expect(await withRemedy(run('passed'), silent('no canvas'))).toEqual([]);
  expect(await withRemedy(run('passed'), run('passed'))).toEqual(run('passed'));
});
