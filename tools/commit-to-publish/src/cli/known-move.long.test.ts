// A move that happened, from two clones to the comparison, with the real program. An independent computation gave the expected figures.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { BabylonClones } from '../facts/babylon-clones.fixture.js';

const folder = new TempFolder();
let clones: BabylonClones;
beforeAll(() => {
  clones = new BabylonClones();
});
afterAll(() => {
  clones.dispose();
  folder.dispose();
});

const CHANNELS = ['--channels', 'alpha,beta,rc,latest'];

async function ask(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli('commit-to-publish', args, { cwd: folder.path });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function askJson<Answer>(...args: readonly string[]): Promise<Answer> {
  return JSON.parse(await ask(...args, '--json')) as Answer;
}

interface Figures {
  readonly before: { readonly n: number };
  readonly after: { readonly n: number };
  readonly p50: { readonly difference: { readonly before: number; readonly after: number } };
  readonly p90: { readonly difference: { readonly before: number; readonly after: number } };
  readonly predicted: { readonly scenarios: unknown };
}

function hours(micros: number): number {
  return Math.round(micros / 360e6) / 10;
}

test('collect and compare --migration give what is known of babylon, and predict had the same changes before', async () => {
  const both = ['--repo', clones.babylon.path, '--repo', clones.babel.path];
  await ask('collect', ...both);
  const promised = await askJson<{ readonly scenarios: unknown }>('predict', '--package', 'babylon', ...CHANNELS);
  clones.move();
  const { repositories } = await askJson<{ readonly repositories: readonly { readonly events: { readonly retracted: number } }[] }>(
    'collect',
    ...both,
  );
  expect(repositories.map(({ events }) => events.retracted)).toEqual([0, 0]);
  const came = await askJson<Figures>('compare', '--migration', 'babylon', '--monorepo', clones.babel.path, '--window', '70w', ...CHANNELS);
  expect([came.before.n, came.after.n]).toEqual([219, 248]);
  const { p50, p90 } = came;
  expect([p50, p90].map(({ difference }) => hours(difference.before))).toEqual([381.4, 822.8]);
  expect([p50, p90].map(({ difference }) => hours(difference.after))).toEqual([122.6, 397.4]);
  expect(promised.scenarios).toHaveLength(2);
  expect(came.predicted.scenarios).toEqual(promised.scenarios);
});
