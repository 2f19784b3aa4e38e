import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { parse } from 'yaml';
import { BY_REFERENCE, parseReference } from '../init/forms.js';
import { findGitLabCiLocal, GitLabProject } from './gitlab-run.fixture.js';

// gitlab-ci-local leaves out what a trigger includes from a project (docs.gitlab.com/ci/yaml, "trigger:include"). So the child pipeline runs
// by itself, with the includes of the trigger.

const program = findGitLabCiLocal();
const cleanUp = cleanUpIn(afterAll);
const REFERENCE = `acme/tributary@${'c'.repeat(40)}`;
const write = BY_REFERENCE['gitlab'];

function readCi(file: string): string {
  return readFileSync(join(findProjectRoot(), 'ci/gitlab', file), 'utf8');
}

(program === undefined ? describe.skip : describe)('the templates of GitLab by reference', () => {
  test('run a plan, its shards and the gate from one file of a team with 19 lines', async () => {
    const own = { node: '24', tasks: ['test'] };
    const text = write?.(readCi('.gitlab-ci.yml'), parseReference(REFERENCE), own) ?? '';
    expect(text.trimEnd().split('\n')).toHaveLength(19);
    const project = await GitLabProject.create(program ?? '', cleanUp, {
      packages: { one: {}, two: {}, three: {} },
      changed: ['one', 'two', 'three'],
      again: ['one', 'two'],
      files: { '.gitlab-ci.yml': text, '.gitlab/affected.yml': '', '.gitlab/affected-pipeline.yml': '' },
    });
    project.bringIncludes(REFERENCE, ['.gitlab/affected.yml', '.gitlab/affected-pipeline.yml']);
    const { tests } = parse(text);
    const [jobs, child] = tests.trigger.include;
    expect(child).toEqual({ artifact: '.tributary/child.yml', job: 'plan' });
    await project.plan({ CI_MERGE_REQUEST_TARGET_BRANCH_SHA: project.shards.repo.id('HEAD^^'), PLAN_OPTIONS: '--shards 2' });
    project.useChild(project.childText, jobs);
    const run = await project.child();
    expect([run.code, project.ran, [...run.jobs.keys()].sort()]).toEqual([
      0,
      ['one', 'two'],
      ['fetch-plan', 'gate', 'shard: [01]', 'shard: [02]'],
    ]);
    expect(run.output).toContain('All 2 planned pieces in 2 shards ran and passed.');
  });

  test('run one job from one file of a team', async () => {
    const text = write?.(readCi('one-job.yml'), parseReference(REFERENCE), { node: '24', tasks: ['test'] }) ?? '';
    const project = await GitLabProject.create(program ?? '', cleanUp, {
      packages: { one: {}, two: {} },
      changed: ['one'],
      files: { '.gitlab-ci.yml': text, '.gitlab/affected.yml': '', '.gitlab/affected-pipeline.yml': '' },
    });
    project.bringIncludes(REFERENCE, ['one-job.yml']);
    const run = await project.pipeline();
    expect([run.code, project.ran, [...run.jobs]]).toEqual([0, ['one'], [['affected', 'passed']]]);
  });
});
