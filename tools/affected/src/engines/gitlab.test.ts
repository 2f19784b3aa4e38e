import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { gitlab } from './gitlab.js';
import { idsOf, planOf, sameTime } from './plan.fixture.js';
import { A, B, branch, C, type ChangeRow, commit, read, unknown, ZERO } from './read-change.fixture.js';

describe('GitLab', () => {
  const always = { GITLAB_CI: 'true', CI_COMMIT_SHA: A, CI_PROJECT_ID: '1', CI_DEFAULT_BRANCH: 'main' };
  const onRequest = {
    ...always,
    CI_PIPELINE_SOURCE: 'merge_request_event',
    CI_COMMIT_BEFORE_SHA: ZERO,
    CI_MERGE_REQUEST_IID: '42',
    CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
    CI_MERGE_REQUEST_PROJECT_ID: '1',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'next',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: B,
  };
  const target = commit(C, 'CI_MERGE_REQUEST_TARGET_BRANCH_SHA');
  const merged = { CI_MERGE_REQUEST_TARGET_BRANCH_SHA: C };

  test.each<ChangeRow>([
    ['its target branch', {}, { event: 'pull request', base: branch('next', 'CI_MERGE_REQUEST_TARGET_BRANCH_NAME') }],
    ['merged results', { ...merged, CI_MERGE_REQUEST_EVENT_TYPE: 'merged_result' }, { event: 'pull request', base: target }],
    ['a merge train', { ...merged, CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train' }, { event: 'merge queue', base: target }],
    [
      'a merge train that does not say onto what',
      { CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train' },
      { event: 'merge queue', base: branch('next', 'CI_MERGE_REQUEST_TARGET_BRANCH_NAME') },
    ],
    [
      'a child pipeline',
      { CI_PIPELINE_SOURCE: 'parent_pipeline' },
      { event: 'pull request', base: branch('next', 'CI_MERGE_REQUEST_TARGET_BRANCH_NAME') },
    ],
    [
      'in a fork, whose branches are others',
      { CI_PROJECT_ID: '2' },
      { event: 'pull request', base: commit(B, 'CI_MERGE_REQUEST_DIFF_BASE_SHA') },
    ],
    [
      'in a fork, without the base of the diff',
      { CI_PROJECT_ID: '2', CI_MERGE_REQUEST_DIFF_BASE_SHA: '' },
      { base: unknown('CI_MERGE_REQUEST_DIFF_BASE_SHA') },
    ],
    ['a target that is an option', { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: '-x' }, { base: unknown('CI_MERGE_REQUEST_TARGET_BRANCH_NAME') }],
  ])('merge request: %s', (_, more, expected) => {
    expect(read({ ...onRequest, ...more })).toMatchObject({
      engine: 'gitlab',
      head: A,
      pullRequest: 42,
      repository: null,
      ...(expected as object),
    });
  });

  const onPush = { ...always, CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'main', CI_COMMIT_BEFORE_SHA: B };
  const push = { kind: 'push', branch: 'main', before: B, forced: 'unknown', source: 'CI_COMMIT_BEFORE_SHA', workflow: null };
  test.each<ChangeRow>([
    ['to the default branch', {}, { event: 'push', base: push }],
    ['the first of a branch', { CI_COMMIT_BEFORE_SHA: ZERO }, { event: 'push', base: { ...push, before: null } }],
    [
      'to another branch: all it has of its own, not the last push',
      { CI_COMMIT_BRANCH: 'topic' },
      { event: 'push', base: branch('main', 'CI_DEFAULT_BRANCH') },
    ],
    [
      'where no default branch is known',
      { CI_COMMIT_BRANCH: 'topic', CI_DEFAULT_BRANCH: '' },
      { event: 'push', base: { ...push, branch: 'topic' } },
    ],
    ['in a child pipeline', { CI_PIPELINE_SOURCE: 'parent_pipeline' }, { event: 'push', base: push }],
    ['a tag', { CI_COMMIT_BRANCH: '', CI_COMMIT_TAG: 'v1' }, { event: 'push', base: unknown('tag') }],
    ['no branch', { CI_COMMIT_BRANCH: 'a..b' }, { event: 'push', base: unknown('CI_COMMIT_BRANCH') }],
    ...['web', 'schedule', 'api', 'trigger', 'pipeline', ''].map(
      (source): ChangeRow => [
        `not a push: "${source}"`,
        { CI_PIPELINE_SOURCE: source },
        { event: 'other', base: unknown('CI_PIPELINE_SOURCE') },
      ],
    ),
  ])('push: %s', (_, more, expected) => {
    expect(read({ ...onPush, ...more })).toMatchObject({ pullRequest: null, ...(expected as object) });
  });

  test('a pull request on GitHub of a mirror', () => {
    const variables = { ...always, CI_PIPELINE_SOURCE: 'external_pull_request_event', CI_EXTERNAL_PULL_REQUEST_IID: '7' };
    expect(read({ ...variables, CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME: 'main' })).toMatchObject({
      event: 'pull request',
      base: branch('main', 'CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME'),
      pullRequest: 7,
    });
    expect(read(variables)?.base).toEqual(unknown('is not set'));
  });
});

/** Returns the lines of a pipeline by job, without the text before the first job. */
function jobsOf(text: string): ReadonlyMap<string, string> {
  const [, ...parts] = text.split(/^(?=[\w-]+:\n {2}extends:)/m);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf(':')), part]));
}

function jobIn(text: string, name: string): string {
  return jobsOf(text).get(name) ?? '';
}

function legsIn(text: string): readonly string[] {
  return [...text.matchAll(/^ {6}- LEG: "(\d+)"$/gm)].map(([, leg]) => leg ?? '');
}

/** Returns the shards that the script of a leg derives from its name: `01 201`. */
function shardsOf(text: string, leg: string): string {
  return new RegExp(`^ {8}${leg}\\) SHARDS='([\\d ]+)' ;;$`, 'm').exec(text)?.[1] ?? leg;
}

describe('an empty plan', () => {
  const text = gitlab.emit(planOf([]));

  test('is a pipeline with the gate alone', () => expect([...jobsOf(text).keys()]).toEqual(['gate']));

  test('gives the gate the plan', () =>
    expect(text).toMatch(/gate:\n(?: {2}.*\n)* {2}needs:\n {4}- pipeline: \$PARENT_PIPELINE_ID\n {6}job: plan\n/));
});

describe('one shard', () => {
  const text = gitlab.emit(planOf([10]));

  test('is a job with one leg', () => expect(legsIn(text)).toEqual(['01']));

  test('makes three jobs', () => expect([...jobsOf(text).keys()]).toEqual(['fetch-plan', 'shard', 'gate']));

  test('takes the plan from the parent', () =>
    expect(jobIn(text, 'shard')).toContain('needs:\n    - pipeline: $PARENT_PIPELINE_ID\n      job: plan\n'));

  test('keeps its receipts also when it fails', () => {
    expect(jobIn(text, 'shard')).toContain('  artifacts:\n    when: always\n    paths: [".tributary/receipts/$LEG"]\n');
  });

  test('runs the shard that its leg is called after', () => {
    expect(jobIn(text, 'shard')).toContain('- SHARDS=$LEG\n    - $AFFECTED run-shard $SHARDS ');
  });
});

describe('the gate', () => {
  const gate = jobIn(gitlab.emit(sameTime(7)), 'gate');

  // With `needs` it would start before the shards, and GitLab allows only 50.
  test('waits for its stage and needs nobody', () => {
    expect(gate).toContain('  stage: gate\n');
    expect(gate).not.toContain('needs:');
  });

  test('runs whatever became of the shards, and may not fail', () => {
    expect(gate).toMatch(/^ {2}rules:\n(?: {4,}.*\n)* {4}- when: always\n {2}allow_failure: false\n/m);
    expect(gate.match(/^ {4}- if: /gm)).toHaveLength(gate.match(/^ {6}when: always$/gm)?.length ?? 0);
  });

  test('keeps times on protected branches alone', () => {
    const kept =
      '    - if: $CI_COMMIT_REF_PROTECTED == "true"\n      when: always\n      variables:\n        AFFECTED_TIMINGS_POLICY: pull-push\n';
    expect(gate).toContain(kept);
    expect(gate.match(/pull-push/g)).toHaveLength(1);
  });
});

// GitLab leaves a job without a rule out of the pipeline of a merge request.
test.each([0, 7])('every job of %i shards has a rule', (count) => {
  const jobs = [...jobsOf(gitlab.emit(sameTime(count))).values()];
  expect(jobs.filter((job) => !/^ {2}rules:\n(?: {4,}.*\n)*? {4}- when: (always|on_success)$/m.test(job))).toEqual([]);
});

test('the longest leg stands first', () => {
  expect(legsIn(gitlab.emit(planOf([10, 30, 20])))).toEqual(['02', '03', '01']);
});

test('no name of a package is handed on', () => {
  expect(gitlab.emit(sameTime(7))).not.toContain('acme');
});

describe.each([1, 7, 199, 200])('%i shards', (count) => {
  const text = gitlab.emit(sameTime(count));

  test('have a leg each', () => expect(legsIn(text)).toHaveLength(count));

  test('need no translation', () => expect(text).not.toContain('case '));
});

describe.each([201, 400, 613, 4_000])('%i shards, which GitLab would refuse', (count) => {
  const plan = sameTime(count);
  const text = gitlab.emit(plan);

  test('are put together in 200 legs', () => expect(legsIn(text)).toHaveLength(200));

  test('are all there once', () => {
    const ids = legsIn(text).flatMap((leg) => shardsOf(text, leg).split(' '));
    expect(ids.sort()).toEqual([...idsOf(plan)].sort());
  });

  test('are far below the 5 MB that a child pipeline may have', () => expect(text.length).toBeLessThan(100_000));
});

test('a leg of several shards is translated by the shell', () => {
  const script = jobIn(gitlab.emit(planOf(Array.from({ length: 201 }, (_, at) => 300 - at))), 'shard');
  expect(script).toContain(`    - |\n      case "$LEG" in\n        200) SHARDS='200 201' ;;\n        *) SHARDS=$LEG ;;\n      esac\n`);
});

describe('the templates of ci/gitlab', () => {
  const read = (file: string): string => readFileSync(join(findProjectRoot(), 'ci/gitlab', file), 'utf8');
  const pipeline = read('.gitlab/affected-pipeline.yml');
  const jobs = read('.gitlab/affected.yml');

  test('have what the child pipeline is built on', () => {
    const wanted = [...gitlab.emit(sameTime(1)).matchAll(/^ {2}extends: (.*)$/gm)].map(([, name]) => name);
    expect(wanted).toEqual(['.affected', '.affected-shard', '.affected-gate']);
    expect(wanted.filter((name) => !jobs.includes(`\n${name}:\n`))).toEqual([]);
  });

  // gitlab-ci-local ignores this setting, so the text is checked: a failed child pipeline must fail the merge request's pipeline.
  test('take the result of the child pipeline, whatever it is', () => {
    const [, tests] = pipeline.split('\ntests:\n');
    expect(tests).toMatch(/^ {2}allow_failure: false$/m);
    expect(tests).toMatch(/^ {2}trigger:\n(?: {4}.*\n)* {4}strategy: depend\b/m);
  });

  test('hand on the id of the parent and the inputs, and no variable that would go before the settings of the project', () => {
    const [, handedOn = ''] = /^ {2}inherit:\n {4}variables: false\n {2}variables:\n((?: {4}.*\n)*) {2}trigger:\n/m.exec(pipeline) ?? [];
    expect(handedOn.trimEnd().split('\n')).toEqual([
      '    PARENT_PIPELINE_ID: $CI_PIPELINE_ID',
      '    AFFECTED_IMAGE: $[[ inputs.image ]]',
      '    AFFECTED_INSTALL: $[[ inputs.install ]]',
    ]);
  });

  // If a team leaves out the pipeline file, a parent's job takes the input's default, and a child's job takes the settings' default.
  test('have one default of an input', () => {
    for (const value of ['node:24', 'corepack enable && yarn install --immutable']) {
      expect(pipeline).toContain(`      default: ${value}\n`);
      expect(jobs).toContain(`: ${value} #`);
    }
  });

  test('put no input into the text of a script, where it could be anything', () => {
    expect(
      pipeline
        .split('\n')
        .filter((line) => line.includes('$[['))
        .map((line) => line.trim().split(':')[0]),
    ).toEqual(['PLAN_OPTIONS', 'AFFECTED_IMAGE', 'AFFECTED_IMAGE', 'AFFECTED_IMAGE', 'AFFECTED_INSTALL']);
  });

  test('take at most 15 lines of a team', () => {
    expect(read('.gitlab-ci.yml').trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  });
});
