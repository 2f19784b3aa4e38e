import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { listFiles } from '../io/receipts.js';
import type { Receipt } from '../receipt/receipt.js';
import { STAGE_FILES, STAGE_PACKAGES, stageTimings } from '../testing/build-stage.fixture.js';
import { readTemplates } from './github-run.fixture.js';
import { GitHubScene, outcomeOf } from './github-scene.fixture.js';
import { findTool } from './tools.fixture.js';

const WORKFLOW = '.github/workflows/affected.yml';
const act = findTool('ACT');
const cleanUp = cleanUpIn(afterEach);

(act === undefined ? describe.skip : describe)('a build stage by ci/github, run by act', () => {
  test.each(['workflow', 'caller'] as const)('of %s.yml gives its builds to the shards', async (form) => {
    const scene = await GitHubScene.create({ act: act ?? '', cleanUp }, STAGE_PACKAGES, {
      changed: ['left', 'right'],
      files: {
        ...STAGE_FILES,
        [WORKFLOW]: readTemplates(form)[WORKFLOW].replace('    secrets:', "    with: { shards: '2' }\n    secrets:"),
      },
      form,
    });
    scene.github.folder.write('store/cache/affected-timings-test-0-1', stageTimings());
    const run = await scene.github.run({ event: scene.pullRequest, variables: { AFFECTED_SHARDS: '2', AFFECTED_BUILD_STAGE: 'true' } });
    expect(outcomeOf(run)).toMatchObject({ code: 0, gate: 'passed', failed: [] });
    expect(scene.ran()).toEqual(['build left', 'build right', 'left', 'right', 'test p2', 'test p3']);
    expect(stagedIn(scene)).toEqual([{ builds: ['left#build', 'right#build'] }, { builds: ['left#build', 'right#build'] }]);
  });
});

function stagedIn({ github }: GitHubScene): readonly Receipt['staged'][] {
  const folder = github.folder.join('store/artifacts/1');
  return listFiles(folder, '.json')
    .filter((file) => file.includes('-receipts-'))
    .map((file) => (JSON.parse(readFileSync(join(folder, file), 'utf8')) as Receipt).staged);
}
