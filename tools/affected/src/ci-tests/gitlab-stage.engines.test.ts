import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { STAGE_FILES, STAGE_PACKAGES, stageTimings } from '../testing/build-stage.fixture.js';
import { findGitLabCiLocal, GitLabProject } from './gitlab-run.fixture.js';

const program = findGitLabCiLocal();
const cleanUp = cleanUpIn(afterAll);

(program === undefined ? describe.skip : describe)('a build stage by ci/gitlab, run by gitlab-ci-local', () => {
  test('gives its builds to the shards', async () => {
    const packages = STAGE_PACKAGES;
    const project = await GitLabProject.create(program ?? '', cleanUp, { packages, changed: ['left', 'right'], files: STAGE_FILES });
    const timings = join(project.shards.repo.path, '.gitlab-ci-local/cache/affected-timings/.tributary/timings.json');
    mkdirSync(dirname(timings), { recursive: true });
    writeFileSync(timings, stageTimings());
    const { code, jobs } = await project.pipeline({ PLAN_OPTIONS: '--shards 2', AFFECTED_BUILD_STAGE: 'true' });
    expect([...jobs].filter(([, result]) => result === 'failed')).toEqual([]);
    expect([code, [...jobs.keys()].filter((name) => /build|shard/.test(name)).sort()]).toEqual([
      0,
      ['build: [01]', 'build: [02]', 'shard: [01]', 'shard: [02]'],
    ]);
    expect(project.ran).toEqual(['build left', 'build right', 'left', 'right', 'test p2', 'test p3']);
  });
});
