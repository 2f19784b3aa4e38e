import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Plan } from '../plan/plan.js';
import { findGitLabCiLocal, GitLabProject, type GitLabRun } from './gitlab-run.fixture.js';
import { bringAffected } from './packed-tool.fixture.js';

// gitlab-ci-local runs the templates of `ci/gitlab` unchanged. It calls a parent passed although its child pipeline failed, so the tests of
// failures run the child alone. engines/gitlab.test.ts checks in the template that `tests` waits for the child.

const program = findGitLabCiLocal();
const cleanUp = cleanUpIn(afterAll);
let project: GitLabProject;

/** Ends with the number in `ran.log.fails`, if the file exists. */
const UNSTEADY = `node ../../run-tests.mjs 'c++lib' $(cat "$RAN_LOG.fails" 2> /dev/null || echo 0)`;
const CHANGED = ['@acme/core', 'c++lib', '@acme/a.b+c', 'docs', 'tools'];
const AFFECTED = [...CHANGED, '@acme/ui', 'app.web'].sort();
/** The workspaces that the last two commits change. */
const FEW = ['c++lib', 'docs', 'tools'];

(program === undefined ? describe.skip : describe)('GitLab', () => {
  beforeAll(async () => {
    const packages = {
      '@acme/core': {},
      '@acme/ui': { dependencies: ['@acme/core'] },
      'app.web': { dependencies: ['@acme/ui'] },
      'c++lib': { test: UNSTEADY },
      '@acme/a.b+c': {},
      docs: {},
      tools: {},
      untouched: {},
    };
    project = await GitLabProject.create(program ?? '', cleanUp, { packages, changed: CHANGED, again: FEW });
  });

  beforeEach(() => {
    project.reset();
    steady();
  });

  describe('the pipeline of a merge request', () => {
    test('runs four shards on four machines, and every planned workspace once', async () => {
      const { code, jobs } = await project.pipeline({ PLAN_OPTIONS: '--shards 4' });
      expect(project.ran).toEqual(AFFECTED);
      expect(legsIn(jobs)).toEqual(['01', '02', '03', '04']);
      expect(namesOf(project.readPlan())).toEqual(AFFECTED);
      expect([code, jobs.size, failedIn(jobs)]).toEqual([0, 4 + 4, []]);
    });

    test('runs one shard, which only reads the remote cache and knows no token', async () => {
      const { code, jobs } = await project.pipeline({ ...fewOnly(), PLAN_OPTIONS: '--shards 1' });
      expect(project.ran).toEqual(FEW);
      expect([code, [...jobs.keys()].sort()]).toEqual([0, ['fetch-plan', 'gate', 'plan', 'shard: [01]', 'tests']]);
      expect(project.cacheSettings).toEqual(['local:rw,remote:r token:']);
    });

    test('takes its options, and what the tests need, from the inputs of the 15 lines', async () => {
      const { repo, work } = project.shards;
      const install = `yarn install --immutable && echo installed >> '${work}/installed.log'`;
      const caller = readFileSync(join(repo.path, '.gitlab-ci.yml'), 'utf8');
      repo.write({
        '.gitlab-ci.yml': caller.replace(/options: .*/, () => `options: --shards 2\n      install: ${JSON.stringify(install)}`),
      });
      const { code, jobs } = await project.pipeline(fewOnly());
      repo.write({ '.gitlab-ci.yml': caller });
      expect([project.ran, code, legsIn(jobs), failedIn(jobs)]).toEqual([FEW, 0, ['01', '02'], []]);
      expect(readFileSync(`${work}/installed.log`, 'utf8')).toBe('installed\n'.repeat(2));
    });

    test('fails where the installation does, in its first command too', async () => {
      await project.plan({ ...fewOnly(), PLAN_OPTIONS: '--shards 1' });
      const { code, jobs } = await project.child([], { AFFECTED_INSTALL: 'false && true' });
      expect([project.ran, code, failedIn(jobs)]).toEqual([[], 1, ['gate', 'shard: [01]']]);
    });

    test('starts the package in the repository where nothing else is said', async () => {
      await bringAffected(project.shards);
      project.shards.repo.git('add', '--force', 'ci/affected.tgz');
      const { code, jobs } = await project.pipeline({ ...fewOnly(), PLAN_OPTIONS: '--shards 1', AFFECTED: '' });
      project.shards.repo.git('rm', '--quiet', '--force', 'ci/affected.tgz');
      expect([project.ran, code, failedIn(jobs)]).toEqual([FEW, 0, []]);
    });

    test('keeps no times; it reads what a protected branch has kept, unless that cannot be used', async () => {
      const none = 'No timings at .tributary/timings.json yet';
      expect((await project.pipeline({ ...fewOnly(), PLAN_OPTIONS: '--shards 1' })).output).toContain(none);
      expect(await project.plan(fewOnly())).toContain(none);
      await project.child([], { CI_COMMIT_REF_PROTECTED: 'true' });
      expect(await project.plan(fewOnly())).not.toContain(none);
      for (const file of project.keptTimings()) writeFileSync(file, '{');
      const plan = await project.plan(fewOnly());
      expect(plan).toContain('[TIMINGS_INVALID]');
      expect(plan).toContain(none);
    });

    test('runs the gate alone where nothing is affected', async () => {
      const { code, jobs } = await project.pipeline({ CI_MERGE_REQUEST_TARGET_BRANCH_SHA: project.shards.repo.id('HEAD^') });
      expect(project.ran).toEqual([]);
      expect([code, [...jobs.keys()].sort(), failedIn(jobs)]).toEqual([0, ['gate', 'plan', 'tests'], []]);
    });

    test('ends with the plan if there cannot be one', async () => {
      const { code, jobs } = await project.pipeline({ PLAN_OPTIONS: '--task nonsense' });
      expect([code, [...jobs]]).toEqual([1, [['plan', 'failed']]]);
    });
  });

  describe('the child pipeline', () => {
    beforeEach(async () => {
      await project.plan({ ...fewOnly(), PLAN_OPTIONS: '--shards 3' });
    });

    test('passes by itself', async () => {
      const { code, jobs } = await project.child();
      expect([code, failedIn(jobs), jobs.get('gate')]).toEqual([0, [], 'passed']);
      expect(project.ran).toEqual(FEW);
    });

    test('fails with a test, after all the others have run; run again, the shard and then the gate pass', async () => {
      const leg = legOf('c++lib');
      unsteady();
      const first = await project.child();
      expect([first.code, failedIn(first.jobs)]).toEqual([1, ['gate', `shard: [${leg}]`]]);
      expect(first.output).toContain('c++lib failed with exit code 3');
      expect(project.ran).toEqual(FEW);
      steady();
      // GitLab does not run a finished gate again automatically.
      const second = await project.child([`shard: [${leg}]`]);
      const gate = await project.child(['gate']);
      expect([second.code, gate.code]).toEqual([0, 0]);
    });

    test('fails where a shard was cancelled', async () => {
      const [leg = '', ...others] = project.readPlan().shards.map(({ id }) => id);
      const shards = await project.child(['fetch-plan', ...others.map((id) => `shard: [${id}]`)]);
      const gate = await project.child(['gate']);
      expect([shards.code, gate.code]).toEqual([0, 1]);
      expect(gate.output).toContain(`Shard ${leg} has no receipt`);
    });

    test('fails where the receipts of a machine are lost', async () => {
      const [leg = ''] = project.readPlan().shards.map(({ id }) => id);
      await project.child();
      project.loseReceipts(leg);
      const gate = await project.child(['gate']);
      expect([gate.code, gate.jobs.get('gate')]).toEqual([1, 'failed']);
      expect(gate.output).toContain(`Shard ${leg} has no receipt`);
    });

    test('fails with receipts of another plan', async () => {
      await project.child();
      const text = project.childText;
      await project.plan({ ...fewOnly(), PLAN_OPTIONS: '--shards 2' });
      project.useChild(text);
      const gate = await project.child(['fetch-plan', 'gate']);
      expect(gate.code).toBe(1);
      expect(gate.output).toContain('is a receipt of a different plan');
    });

    test('writes to the remote cache on a protected branch', async () => {
      await project.child([`shard: [${legOf('c++lib')}]`], { CI_COMMIT_REF_PROTECTED: 'true', TURBO_TOKEN: 'may-write' });
      expect(project.cacheSettings).toEqual(['local:rw,remote:rw token:may-write']);
    });

    test('reads it elsewhere with a token of its own', async () => {
      await project.child([`shard: [${legOf('c++lib')}]`], { TURBO_READ_TOKEN: 'may-read' });
      expect(project.cacheSettings).toEqual(['local:rw,remote:r token:may-read']);
    });
  });
});

/** Variables for the few workspaces that the last commits change. Each costs seconds, and most tests need no large number. */
function fewOnly(): Readonly<Record<string, string>> {
  return { CI_MERGE_REQUEST_TARGET_BRANCH_SHA: project.shards.repo.id('HEAD^^') };
}

function unsteady(): void {
  writeFileSync(`${project.shards.log}.fails`, '3');
}

function steady(): void {
  rmSync(`${project.shards.log}.fails`, { force: true });
}

/** Returns the leg of a workspace. There are fewer shards than the limit of legs, so each is a leg. */
function legOf(workspace: string): string {
  return project.readPlan().shards.find(({ pieces }) => pieces.some((piece) => piece.workspace === workspace))?.id ?? '';
}

function namesOf({ shards }: Plan): readonly string[] {
  return shards.flatMap(({ pieces }) => pieces.map(({ workspace }) => workspace)).sort();
}

function legsIn(jobs: GitLabRun['jobs']): readonly string[] {
  return [...jobs.keys()].flatMap((name) => /^shard: \[(.*)\]$/.exec(name)?.[1] ?? []).sort();
}

function failedIn(jobs: GitLabRun['jobs']): readonly string[] {
  return [...jobs].flatMap(([name, state]) => (state === 'failed' ? [name] : [])).sort();
}
