// Compares the answers of affected with the oracle beside this file, on random monorepos. ORACLE_RUNS=10000 asks more questions,
// ORACLE_SEED=7 starts elsewhere. A fault names its seed.
import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { findFault } from './random-answers.fixture.js';
import { makeShallowCase } from './random-history.fixture.js';
import { makeQuestion, type RandomQuestion } from './random-questions.fixture.js';
import { storeCommits } from './random-repo.fixture.js';

const cleanUp = cleanUpIn(afterAll);

const RUNS = Number(process.env['ORACLE_RUNS'] ?? 100);
const FIRST = Number(process.env['ORACLE_SEED'] ?? 1);
const BATCH = 100;
/** Each showed a fault that is mended. */
const FORMER = [1376, 2165, 5223, 5364, 42672, 90490, 92991, 93918, 94586, 94719, 95704, 96823, 820738, 840518];
/** A clone takes as long as twenty questions. */
const SHALLOW_BATCH = 5;

describe('no workspace is missed', () => {
  const starts = Array.from({ length: Math.ceil(RUNS / BATCH) }, (_, at) => FIRST + at * BATCH);

  test.each(starts)('from seed %d on', async (start) => {
    expect(await faultsOf(Array.from({ length: BATCH }, (_, at) => start + at))).toEqual([]);
  });

  test('with seeds that showed a fault before', async () => {
    expect(await faultsOf(FORMER)).toEqual([]);
  });

  test.each(starts)('in shallow clones, from seed %d on', async (start) => {
    const faults: string[] = [];
    for (let at = 0; at < SHALLOW_BATCH; at++) {
      const { origin, clone, question } = makeShallowCase(start + at);
      cleanUp.add(origin);
      cleanUp.add(clone);
      faults.push(...(await faultOf(clone, question)));
    }
    expect(faults).toEqual([]);
  });
});

async function faultsOf(seeds: readonly number[]): Promise<readonly string[]> {
  const questions = seeds.map(makeQuestion);
  const repo = cleanUp.add(TempRepo.create());
  storeCommits(
    repo,
    questions.flatMap(({ commits }) => commits),
  );
  for (const { prepare } of questions) prepare?.(repo);
  const faults: string[] = [];
  for (const question of questions) faults.push(...(await faultOf(repo, question)));
  return faults;
}

async function faultOf(repo: TempRepo, question: RandomQuestion): Promise<string[]> {
  const fault = await findFault(repo, question);
  return fault === undefined ? [] : [`seed ${question.seed}, ${question.kind}, ${question.changes.join(' + ')}: ${fault}`];
}
