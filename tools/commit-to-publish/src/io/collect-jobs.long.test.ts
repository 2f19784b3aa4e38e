import { afterEach, expect, test } from '@jest/globals';
import { startDescribedGitHub } from '@tributary/github/testing/described-github';
import { answerGraphql } from '@tributary/github/testing/graphql-github';
import { refusal } from '@tributary/github/testing/local-github';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { BEGIN, CloneStory, Collecting, eventLines } from '../collect/story.fixture.js';
import type { Micros } from '../model/event.js';
import type { ForgeRequest } from './open-forge.js';

const cleanUp = cleanUpIn(afterEach);

/** Returns a time in hours after the start of the story, in GitHub's format. */
const hour = (hours: number): string => new Date((BEGIN + hours * 3600) * 1000).toISOString().replace('.000', '');

interface Run {
  readonly id: number;
  readonly commit: string;
  readonly workflow: string;
  readonly attempt: number;
  readonly conclusion: string | null;
  /** `main`, or a tag. */
  readonly branch: string;
  readonly jobs: readonly (readonly [name: string, attempt: number, from: number, to: number, conclusion: string])[];
}

interface Scene {
  readonly story: CloneStory;
  readonly collecting: Collecting;
  readonly runs: Run[];
  readonly forge: ForgeRequest;
  readonly requests: readonly string[];
  readonly flaws: readonly string[];
  /** The number of the request for jobs that fails, from 1. */
  readonly fails: { at: number };
}

async function start(): Promise<Scene> {
  const story = new CloneStory();
  cleanUp.add(story.repo);
  const runs: Run[] = [];
  const fails = { at: 0 };
  let asked = 0;
  const server = cleanUp.add(
    await startDescribedGitHub(
      (url) => listOf(url, runs),
      ({ pathname }, body) => {
        if (pathname.endsWith('/graphql')) return answerGraphql({}, body);
        return pathname.endsWith('/jobs') && ++asked === fails.at ? refusal(401, 'Bad credentials') : undefined;
      },
    ),
  );
  const forge = { repository: { owner: 'acme', repo: 'core' }, branch: 'main', apiUrl: server.apiUrl, token: 'ghs_x' };
  const { requests, flaws } = server;
  return { story, collecting: cleanUp.add(new Collecting()), runs, forge, requests, flaws, fails };
}

function listOf({ pathname, searchParams }: URL, runs: readonly Run[]): { entries: readonly unknown[]; wrap?: string } {
  if (pathname.endsWith('/releases')) return { entries: [] };
  const id = /\/runs\/(\d+)\/jobs$/.exec(pathname)?.[1];
  if (id !== undefined) return { entries: runs.find((run) => run.id === Number(id))?.jobs.map(jobOf) ?? [], wrap: 'jobs' };
  const [branch, commit] = [searchParams.get('branch'), searchParams.get('head_sha')];
  const [from = '', to = '9'] = (searchParams.get('created') ?? '').split('..');
  const own = runs.filter((run) => (branch === null || run.branch === branch) && (commit === null || run.commit === commit));
  return { entries: own.map(runOf).filter((run) => run.created_at >= from && run.created_at <= to), wrap: 'workflow_runs' };
}

function runOf({ id, commit, workflow, attempt, conclusion, jobs }: Run): { readonly created_at: string } {
  const more = { path: '.github/workflows/ci.yml', run_attempt: attempt, created_at: hour(jobs[0]?.[2] ?? 20), conclusion };
  return { id, head_sha: commit, name: workflow, ...more } as { created_at: string };
}

function jobOf([name, attempt, from, to, conclusion]: Run['jobs'][number]): unknown {
  return { name, run_attempt: attempt, created_at: hour(from), started_at: hour(from), completed_at: hour(to), conclusion };
}

const SOON = { now: ((BEGIN + 100 * 3600) * 1e6) as Micros, jobs: 'ask' } as const;
const jobsAsked = (requests: readonly string[]): number => requests.filter((request) => request.includes('/jobs?')).length;

/** Tells of a change at 20, tested twice, and of the version of 30, which a tag published at the second attempt. */
function tell({ story, runs }: Scene): string {
  story.at(0).version('Start', { name: 'core', version: '1.0.0' });
  story.at(10).repo.tag('v1.0.0');
  const change = story.at(20).commit('Add', { 'a.js': '1' });
  const release = story.at(30).version('1.1.0', { name: 'core', version: '1.1.0' });
  story.repo.tag('v1.1.0');
  const again = [
    ['test', 1, 20, 21, 'failure'],
    ['lint', 1, 20, 20.5, 'success'],
    ['test', 2, 22, 24, 'success'],
  ] as const;
  const published = [
    ['npm', 1, 31, 32, 'failure'],
    ['npm', 2, 33, 34, 'success'],
  ] as const;
  runs.push(
    { id: 1, commit: change, workflow: 'CI', attempt: 2, conclusion: 'success', branch: 'main', jobs: again },
    { id: 2, commit: release, workflow: 'CI', attempt: 1, conclusion: 'success', branch: 'main', jobs: [['test', 1, 30, 30.5, 'success']] },
    { id: 3, commit: release, workflow: 'Publish', attempt: 2, conclusion: 'success', branch: 'v1.1.0', jobs: published },
  );
  return change;
}

test('jobs say how often a change was tested after its merge, and when the attempts to publish it began and ended', async () => {
  const scene = await start();
  const change = tell(scene);
  await scene.collecting.run([scene.story], { forge: scene.forge, ...SOON });
  const events = scene.collecting.events();
  expect(eventLines(events, change)).toEqual([
    'core merge-wait 20:00',
    'core post-merge-tests 20:00 to 21:00',
    'core post-merge-tests 22:00 to 24:00',
    'core publish 1.1.0 (latest) 31:00 to 32:00',
    'core publish 1.1.0 (latest) 33:00 to 34:00',
  ]);
  const own = events.filter((event) => event.change === change && event.stage !== 'merge-wait');
  expect(own.map(({ stage, outcome, source, confidence }) => `${stage} ${outcome} ${source} ${confidence}`).sort()).toEqual([
    'post-merge-tests failure api exact',
    'post-merge-tests success api exact',
    'publish failure api exact',
    'publish success api exact',
  ]);
  expect(new Set(own.map(({ attempt }) => attempt)).size).toBe(3);
  expect(scene.flaws).toEqual([]);
});

test('runs that are known are not asked for again, one that was run again is, and without GitHub they stay', async () => {
  const scene = await start();
  const change = tell(scene);
  const { collecting, story, forge, requests, runs } = scene;
  const fresh = async (more: object): Promise<number | undefined> => (await collecting.run([story], more)).repositories[0]?.events.fresh;
  await fresh({ forge, ...SOON });
  expect(jobsAsked(requests)).toBe(3);
  expect(await fresh({ forge, ...SOON })).toBe(0);
  expect(await fresh({ forge })).toBe(0);
  expect(await fresh({})).toBe(0);
  expect(jobsAsked(requests)).toBe(3);
  const [first] = runs;
  if (first !== undefined) runs[0] = { ...first, attempt: 3, jobs: [...first.jobs, ['test', 3, 25, 26, 'success']] };
  expect(await fresh({ forge, ...SOON })).toBe(1);
  expect(jobsAsked(requests)).toBe(4);
  expect(eventLines(collecting.events(), change)).toContain('core post-merge-tests 25:00 to 26:00');
});

test('tests that are under way are none yet, also when GitHub is not asked in between', async () => {
  const scene = await start();
  const change = tell(scene);
  const { collecting, story, forge, runs } = scene;
  runs.push({
    id: 4,
    commit: change,
    workflow: 'E2E',
    attempt: 1,
    conclusion: null,
    branch: 'main',
    jobs: [['browser', 1, 20, 99, 'success']],
  });
  const tested = (): number => eventLines(collecting.events(), change).filter((way) => way.includes('tests')).length;
  await collecting.run([story], { forge, ...SOON });
  await collecting.run([story]);
  expect(tested()).toBe(0);
  runs[3] = { ...(runs[3] as Run), conclusion: 'success' };
  await collecting.run([story], { forge, ...SOON });
  expect(tested()).toBe(2);
});

test('broken off between two runs it goes on behind the first, and a look keeps nothing', async () => {
  const scene = await start();
  const change = tell(scene);
  const { collecting, story, forge, requests, fails } = scene;
  await collecting.run([story], { forge, ...SOON, doing: 'look' });
  expect(jobsAsked(requests)).toBe(3);
  fails.at = 5;
  await expect(collecting.run([story], { forge, ...SOON })).rejects.toMatchObject({ code: 'GITHUB_REFUSED' });
  await collecting.run([story], { forge, ...SOON });
  expect(jobsAsked(requests)).toBe(7);
  expect(eventLines(collecting.events(), change)).toHaveLength(5);
});
