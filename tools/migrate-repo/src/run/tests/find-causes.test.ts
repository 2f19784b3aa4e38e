import { afterEach, expect, test } from '@jest/globals';
import type { RepoFolder } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { TestRun } from '../../tests/test-run.js';
import type { Experiment } from './experiments.js';
import { findCauses } from './find-causes.js';

const cleanUp = cleanUpIn(afterEach);
const run = (result: TestRun['result']): TestRun => ({ result, counts: undefined, coverage: undefined, output: '', remarks: [] });
const failing = { name: 'a', before: [run('passed')], after: [run('failed')], kept: { before: false, after: false } } as const;

/** Finds causes where the tests pass with the experiments that `passes` accepts. */
function causesWhere(passes: (experiment: Experiment) => boolean): ReturnType<typeof findCauses> {
  const folder = cleanUp.add(new TempFolder());
  folder.write('package.json', '{}');
  const root = folder.path;
  return findCauses(failing, {
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
      attempt: async (_, experiment) => run(passes(experiment) ? 'passed' : 'failed'),
      install: async () => root,
      variables: async () => ({ B: 'b', npm_config_user_agent: 'yarn/4' }),
    },
    branch: { tip: '' as never, root: '', members: [], closures: { of: () => ['' as RepoFolder] } },
    onAttempt: () => {},
  });
}

test('a change is a cause only where the tests fail without it', async () => {
  expect(await causesWhere(({ repository }) => repository === 'own')).toMatchObject([{ kind: 'repository root', withRemedy: 'passes' }]);
  expect(await causesWhere(({ variables }) => variables?.['A'] === '1')).toEqual([
    {
      kind: 'environment variable',
      text: "Its tests need `A`, which yarn 1.22.22 sets and the monorepo's Yarn does not.",
      remedy: 'With `A=1`',
      withRemedy: 'passes',
    },
  ]);
  expect(await causesWhere(({ variables }) => variables?.['npm_package_config_token'] !== undefined)).toMatchObject([
    { remedy: 'With `npm_package_config_token`' },
  ]);
  expect(await causesWhere(() => true)).toEqual([]);
  expect(await causesWhere(() => false)).toEqual([]);
});
