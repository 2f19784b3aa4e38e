import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { gitlab } from '../engines/gitlab.js';
import { sameTime } from '../engines/plan.fixture.js';
import { findGitLabCiLocal, GitLabProject } from './gitlab-run.fixture.js';
import { findTool } from './tools.fixture.js';

// The limits of a GitLab pipeline: its published schema and gitlab-ci-local check them, and a test runs as much as seconds allow.

const cleanUp = cleanUpIn(afterAll);
const AT_THE_LIMIT = gitlab.emit(sameTime(200));
const ABOVE_IT = AT_THE_LIMIT.replace('- LEG: "200"\n', (line) => `${line}      - LEG: "201"\n`);

const checker = findTool('CHECK_JSONSCHEMA');

(checker === undefined ? describe.skip : describe)('the schema of GitLab', () => {
  async function check(text: string): Promise<string> {
    const file = cleanUp.add(new TempFolder()).write('pipeline.yml', text);
    return (await runProcess(checker ?? '', ['--builtin-schema', 'vendor.gitlab-ci', file], { cwd: findProjectRoot() })).stdout;
  }

  test.each([0, 1, 7, 200, 201, 1_000])('takes %i shards', async (count) => {
    expect(await check(gitlab.emit(sameTime(count)))).toBe('ok -- validation done\n');
  });

  test('takes the templates', async () => {
    // gitlab-ci-local reads one document of a file, and the inputs of the pipeline are a separate one.
    const [inputs = '', ...pipeline] = readFileSync(join(findProjectRoot(), 'ci/gitlab/.gitlab/affected-pipeline.yml'), 'utf8').split(
      '\n---\n',
    );
    const folder = cleanUp.add(new TempFolder());
    const files = [
      ...['ci/gitlab/.gitlab-ci.yml', 'ci/gitlab/.gitlab/affected.yml'],
      folder.write('inputs.yml', inputs),
      folder.write('pipeline.yml', pipeline.join('')),
    ];
    const { code, stdout } = await runProcess(checker ?? '', ['--builtin-schema', 'vendor.gitlab-ci', ...files], {
      cwd: findProjectRoot(),
    });
    expect([code, stdout]).toEqual([0, 'ok -- validation done\n']);
  });

  test('would not take a leg more', async () => {
    expect(await check(ABOVE_IT)).toContain('is too long');
  });
});

const program = findGitLabCiLocal();

(program === undefined ? describe.skip : describe)('gitlab-ci-local', () => {
  let project: GitLabProject;

  beforeAll(async () => {
    const names = Array.from({ length: 201 }, (_, at) => `@acme/a.b+${at}`);
    const packages = Object.fromEntries(names.map((name) => [name, {}]));
    project = await GitLabProject.create(program ?? '', cleanUp, { packages, changed: names });
  });

  async function countLegs(text: string): Promise<number> {
    project.useChild(text);
    const { code, output } = await project.list();
    if (code !== 0) throw new Error(output);
    return output.match(/"name": "shard: \[\d+\]"/g)?.length ?? 0;
  }

  test('sees a leg for each of 200 shards', async () => expect(await countLegs(AT_THE_LIMIT)).toBe(200));

  test('sees 200 legs for 201 shards', async () => expect(await countLegs(gitlab.emit(sameTime(201)))).toBe(200));

  test('would refuse a leg more', async () => {
    await expect(countLegs(ABOVE_IT)).rejects.toThrow('must not have more than 200 items');
  });

  test('runs both shards of a leg that has two, and the gate misses all the others', async () => {
    await project.plan({ PLAN_OPTIONS: '--shards 201 --max-shards 201' });
    const { shards } = project.readPlan();
    expect(shards).toHaveLength(201);
    const [, leg = '', ids = ''] = /^ {8}(\d+)\) SHARDS='(.*)' ;;$/m.exec(project.childText) ?? [];
    const both = shards.filter(({ id }) => ids.split(' ').includes(id)).flatMap(({ pieces }) => pieces.map(({ workspace }) => workspace));
    const { jobs } = await project.child(['fetch-plan', `shard: [${leg}]`, 'gate']);
    expect(project.ran).toEqual(both.sort());
    expect([...jobs]).toEqual([
      ['fetch-plan', 'passed'],
      [`shard: [${leg}]`, 'passed'],
      ['gate', 'failed'],
    ]);
    expect(both).toHaveLength(2);
  });
});
