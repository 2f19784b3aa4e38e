import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { withReportOnly } from '../init/forms.js';
import type { TestedPackage } from '../testing/shard-repo.fixture.js';
import { readTemplates } from './github-run.fixture.js';
import { GitHubScene } from './github-scene.fixture.js';
import { bringAffected } from './packed-tool.fixture.js';
import { readTakenOver } from './present-workflow.fixture.js';
import { findTool } from './tools.fixture.js';

const act = findTool('ACT');
const cleanUp = cleanUpIn(afterEach);
const WORKFLOW = '.github/workflows/affected.yml';
const NIGHT = { name: 'schedule', payload: { schedule: '17 3 * * *' } } as const;

/** What `affected init` writes: the package is no input of a test. */
const RULE = { 'tributary.json': '{ "affected": { "rules": [{ "files": "ci/affected.tgz", "affects": "none" }] } }\n' };

async function create(
  packages: Readonly<Record<string, TestedPackage>>,
  changed: readonly string[],
  files: Readonly<Record<string, string>> = RULE,
): Promise<GitHubScene> {
  const scene = await GitHubScene.create({ act: act ?? '', cleanUp }, packages, { form: 'one-job', changed, files });
  await bringAffected(scene.shards);
  // The commit stays the merge that GitHub makes of a pull request.
  scene.shards.repo.git('add', '--all', '--force', 'ci');
  scene.shards.repo.git('commit', '--quiet', '--amend', '--no-edit');
  return scene;
}

(act === undefined ? describe.skip : describe)('the form with one job, run by act', () => {
  test('runs what a pull request can break without an artifact; at night it runs everything, and checks', async () => {
    const scene = await create({ app: { dependencies: ['ui'] }, ui: {}, other: {} }, ['ui']);
    const run = await scene.github.run({ event: scene.pullRequest, command: '' });
    expect([run.code, scene.ran(), existsSync(scene.pwned)]).toEqual([0, ['app', 'ui'], false]);
    expect(run.printed['affected']).toMatch(/cache of \S+\.yarn\/berry\/cache \.yarn\/cache by affected-yarn-\w+-[0-9a-f]{64}/);
    expect(run.summaries['affected']).toContain('All planned tests ran and passed');
    expect(existsSync(scene.github.folder.join('store/artifacts'))).toBe(false);
    expect(run.steps.map(({ step }) => step)).not.toContain('What could affected miss?');
    const night = await scene.github.run({ event: NIGHT });
    expect([night.code, scene.ran()]).toEqual([0, ['app', 'app', 'other', 'ui', 'ui']]);
    expect(night.steps).toContainEqual(expect.objectContaining({ step: 'What could affected miss?', result: 'success' }));
  });

  test('gives tests what the workflow before gave them, and installs with its options', async () => {
    const names = ['LEVEL', 'QUOTED', 'DB_PASSWORD', 'SHOWN'];
    const turbo = JSON.stringify({ tasks: { test: { env: names } }, globalPassThroughEnv: ['RAN_LOG'] });
    const print = { test: `node -p '"given " + JSON.stringify([${names.map((name) => `process.env.${name}`).join()}])'` };
    const scene = await create({ one: print }, ['one'], { ...RULE, 'turbo.json': turbo, [WORKFLOW]: readTakenOver('one-job') });
    const run = await scene.github.run({ event: scene.pullRequest, secrets: { DB_PASSWORD: 'x-y' }, variables: { SHOWN: '1' } });
    expect([run.code, run.printed['affected']]).toEqual([
      0,
      expect.stringContaining('given ["job","010","***","1: pull_request # no comment"]'),
    ]);
    expect(run.printed['affected']).toContain('{"type":"info"');
  });

  test('fails with a test, says so first, and passes where nothing is affected', async () => {
    const scene = await create({ one: {}, two: { fails: 3 } }, ['two']);
    const run = await scene.github.run({ event: scene.pullRequest });
    expect([run.code, scene.ran()]).toEqual([1, ['two']]);
    expect(run.summaries['affected']).toMatch(/## Not proven: 1 problem\n+\*\*Failed:\*\* `two`/);
    const idle = await create({ one: { fails: 3 } }, []);
    expect((await idle.github.run({ event: idle.pullRequest })).code).toBe(0);
  });
});

(act === undefined ? describe.skip : describe)('the form that only reports, run by act', () => {
  test('runs everything, says what it would have left out, and its artifacts add up', async () => {
    const packages = { one: {}, two: { fails: 3 }, three: {} };
    const scene = await GitHubScene.create({ act: act ?? '', cleanUp }, packages, {
      files: { [WORKFLOW]: withReportOnly(readTemplates()[WORKFLOW]) },
      changed: ['one'],
    });
    const run = await scene.github.run({ event: scene.pullRequest });
    expect([run.code, scene.ran()]).toEqual([1, ['one', 'three', 'two']]);
    expect(run.summaries['gate']).toContain('Failed outside of the selection: two.');
    const runs = scene.github.folder.join('store/artifacts');
    expect(readdirSync(runs)).toEqual(['1']);
    const report = await scene.shards.affected(['report', '--runs', runs, '--json']);
    expect(JSON.parse(report.stdout)).toMatchObject({
      runs: 1,
      leftOut: 2,
      failedInside: 0,
      failedOutside: [{ workspace: 'two' }],
      unread: [],
    });
    const night = await scene.github.run({ event: NIGHT });
    expect(night.steps).toContainEqual({ job: 'gate', leg: '', step: 'What could affected miss?', result: 'success' });
    expect(
      readFileSync(scene.shards.log, 'utf8')
        .split('\n')
        .filter((name) => name === 'three'),
    ).toHaveLength(2);
  });
});
