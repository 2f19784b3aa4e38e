import { type DescribedGitHub, startDescribedGitHub } from '@tributary/github/testing/described-github';
import {
  answerGraphql,
  checkRun,
  commitNode,
  type DeploymentNode,
  deploymentNode,
  type PullNode,
  pullNode,
} from '@tributary/github/testing/graphql-github';
import { BEGIN, CloneStory } from '../collect/story.fixture.js';

/** Returns a time in hours after the start of the story, in GitHub's format. */
const hour = (hours: number): string => new Date((BEGIN + Math.round(hours * 3600)) * 1000).toISOString().replace('.000', '');

type Span = readonly [from: number, to: number];

/** The history of a change of core; all times in hours. */
export interface ChangeStory {
  readonly method: 'squash' | 'merge' | 'rebase' | 'direct';
  readonly opened: number;
  readonly tests: readonly Span[];
  readonly approved: number;
  readonly merged: number;
  readonly after: readonly Span[];
}

/** A version of core, published by a job, and the pull request of app that took it, if any. */
interface ReleaseStory {
  readonly at: number;
  readonly jobs: readonly Span[];
  readonly upgrade: { readonly opened: number; readonly tests: Span; readonly approved: number; readonly merged: number } | undefined;
  readonly deployed: Span | undefined;
}

const METHODS = ['squash', 'merge', 'rebase', 'direct'] as const;
export const IN_RELEASE = 4;
/** One change every ten hours. */
export const CHANGES = Array.from({ length: 16 }, (_, n): ChangeStory => {
  const opened = 20 + 10 * n;
  const [first, again]: Span[] = [
    [opened + 0.25, opened + 0.75],
    [opened + 1, opened + 1.5],
  ];
  return {
    method: METHODS[(n + (n >> 2)) % 4] ?? 'squash',
    opened,
    merged: opened + 3,
    tests: n % 3 === 0 ? ([first, again] as Span[]) : ([first] as Span[]),
    // Half of them before the end of the tests, half after it.
    approved: opened + (n % 2 === 0 ? 0.5 : 2),
    after:
      n % 5 === 0
        ? [
            [opened + 3.25, opened + 4],
            [opened + 4.5, opened + 5],
          ]
        : [[opened + 3.25, opened + 4]],
  };
});
/** One release after every fourth change. */
export const RELEASES = Array.from({ length: CHANGES.length / IN_RELEASE }, (_, n): ReleaseStory => {
  const at = 20 + 10 * IN_RELEASE * (n + 1) - 2;
  const opened = at + 3;
  return {
    at,
    jobs:
      n % 2 === 0
        ? [[at + 0.25, at + 0.5]]
        : [
            [at + 0.25, at + 0.5],
            [at + 1, at + 1.25],
          ],
    // The consumer skips every third version.
    upgrade: n % 3 === 1 ? undefined : { opened, tests: [opened + 0.25, opened + 1], approved: opened + 2, merged: opened + 4 },
    deployed: n % 3 === 1 || n === 3 ? undefined : [opened + 6, opened + 6.5],
  };
});

const lock = (version: number): Readonly<Record<string, string>> => ({
  'yarn.lock': `__metadata:\n  version: 8\n\n"core@npm:^1.0.0":\n  version: 1.${version}.0\n  resolution: "core@npm:1.${version}.0"\n  linkType: hard\n`,
});

interface Repositories {
  readonly core: CloneStory;
  readonly app: CloneStory;
  /** The commits of each change on the main line, by its place. */
  readonly commits: string[][];
  /** The commits of core that set the version, by the release's place; and those of app that took it. */
  readonly bumps: string[];
  readonly upgrades: (string | undefined)[];
  readonly begun: string;
}

/** Makes the commits and tags of both repositories. The caller disposes of them. */
export function tellInGit(): Repositories {
  const [core, app] = [new CloneStory(), new CloneStory()];
  for (const [name, { repo }] of Object.entries({ core, app })) repo.git('remote', 'add', 'origin', `http://127.0.0.1/acme/${name}.git`);
  core.at(0).version('Start', { name: 'core', version: '1.0.0' });
  core.at(10).repo.tag('v1.0.0');
  const begun = app
    .at(11)
    .commit('Start', { 'package.json': '{"name":"app","private":true,"dependencies":{"core":"^1.0.0"}}', ...lock(0) });
  const commits: string[][] = [];
  const bumps: string[] = [];
  const upgrades: (string | undefined)[] = [];
  for (const [n, { method, merged }] of CHANGES.entries()) {
    commits.push(land(core.at(merged), n, method));
    const release = (n + 1) % IN_RELEASE === 0 ? RELEASES[bumps.length] : undefined;
    if (release === undefined) continue;
    const minor = bumps.length + 1;
    bumps.push(core.at(release.at).version(`1.${minor}.0`, { name: 'core', version: `1.${minor}.0` }));
    core.repo.tag(`v1.${minor}.0`);
    upgrades.push(release.upgrade === undefined ? undefined : app.at(release.upgrade.merged).commit('Update core', lock(minor)));
  }
  return { core, app, commits, bumps, upgrades, begun };
}

function land(core: CloneStory, n: number, method: ChangeStory['method']): string[] {
  const file = (name: string): Readonly<Record<string, string>> => ({ [`${name}.js`]: `${n}` });
  if (method === 'rebase') return [core.commit('One of two', file('a')), core.commit('Two of two', file('b'))];
  if (method !== 'merge') return [core.commit(`Change ${n}`, file('a'))];
  core.repo.git('checkout', '-q', '-b', `side-${n}`);
  core.commit('Inside', file('a'));
  core.repo.checkout('main');
  // The clock advances with each commit.
  return [core.repo.merge(`side-${n}`, `Merge pull request #${n} from acme/side`)];
}

function suite(event: string, runs: readonly Span[]): unknown {
  const nodes = runs.map(([from, to]) => ({ ...checkRun('test', 0), startedAt: hour(from), completedAt: hour(to) }));
  return { workflowRun: { event, workflow: { name: 'CI' } }, checkRuns: { totalCount: nodes.length, nodes } };
}

interface PullStory extends Pick<ChangeStory, 'opened' | 'approved' | 'merged' | 'tests'> {
  readonly number: number;
  readonly commits: readonly string[];
  readonly method: ChangeStory['method'];
}

function pullOf({ number, commits, method, opened, approved, merged, tests }: PullStory): PullNode {
  const head = number.toString(16).padStart(40, 'e');
  const oid = commits.at(-1) ?? '';
  const written = { committedDate: hour(opened), authoredDate: hour(opened), messageHeadline: 'Two of two' };
  const landed = { oid, committedDate: hour(merged), authoredDate: hour(method === 'rebase' ? opened : merged) };
  return pullNode(number, {
    createdAt: hour(opened),
    updatedAt: hour(merged),
    mergedAt: hour(merged),
    headRefOid: head,
    reviews: { nodes: [{ submittedAt: hour(approved), commit: { oid: head } }] },
    commits: { totalCount: commits.length, nodes: [{ commit: { ...commitNode(head, 0, [suite('pull_request', tests)]), ...written } }] },
    mergeCommit: {
      ...commitNode(oid, 0),
      ...landed,
      messageHeadline: method === 'rebase' ? 'Two of two' : `Change (#${number})`,
      parents: { totalCount: method === 'merge' ? 2 : 1 },
    },
  });
}

interface RunOnCommit {
  readonly id: number;
  readonly commit: string;
  readonly workflow: string;
  readonly branch: string;
  readonly jobs: readonly Span[];
}

function runsOf({ commits, bumps }: Repositories): readonly RunOnCommit[] {
  const tests = CHANGES.map(({ after }, n) => ({
    id: n + 1,
    commit: commits[n]?.at(-1) ?? '',
    workflow: 'CI',
    branch: 'main',
    jobs: after,
  }));
  const published = RELEASES.map(({ jobs }, n) => ({
    id: 100 + n,
    commit: bumps[n] ?? '',
    workflow: 'Publish',
    branch: `v1.${n + 1}.0`,
    jobs,
  }));
  return [...tests, ...published];
}

/** Starts a GitHub server with the data of the whole story. */
export async function startTold(repositories: Repositories): Promise<DescribedGitHub> {
  const { commits, upgrades, begun } = repositories;
  const ofCore = CHANGES.flatMap((change, n) =>
    change.method === 'direct' ? [] : [pullOf({ ...change, number: n, commits: commits[n] ?? [] })],
  );
  const ofApp = RELEASES.flatMap(({ upgrade }, n) =>
    upgrade === undefined
      ? []
      : [pullOf({ ...upgrade, tests: [upgrade.tests], number: 500 + n, commits: [upgrades[n] ?? ''], method: 'squash' })],
  );
  const deployed = (id: number, commitOid: string, [from, to]: Span): DeploymentNode => {
    const statuses = [
      ['IN_PROGRESS', from],
      ['SUCCESS', to],
    ].map(([state, at]) => ({ state: String(state), createdAt: hour(Number(at)) }));
    return { ...deploymentNode(id, hour(from), statuses), commitOid };
  };
  const deployments = [
    deployed(1, begun, [12, 13]),
    ...RELEASES.flatMap((release, n) => (release.deployed === undefined ? [] : [deployed(n + 2, upgrades[n] ?? '', release.deployed)])),
  ];
  const runs = runsOf(repositories);
  return await startDescribedGitHub(
    (url) => restList(url, runs),
    ({ pathname }, body) => {
      if (!pathname.endsWith('/graphql')) return undefined;
      const isCore = (JSON.parse(body) as { variables: { repo: string } }).variables.repo === 'core';
      return answerGraphql(isCore ? { pulls: ofCore } : { pulls: ofApp, deployments }, body);
    },
  );
}

function restList({ pathname, searchParams }: URL, all: readonly RunOnCommit[]): { entries: readonly unknown[]; wrap?: string } {
  const runs = pathname.includes('/acme/core/') ? all : [];
  if (pathname.endsWith('/releases')) return { entries: [] };
  const id = /\/runs\/(\d+)\/jobs$/.exec(pathname)?.[1];
  if (id !== undefined) return { entries: jobsOf(runs.find((run) => run.id === Number(id))), wrap: 'jobs' };
  const [branch, commit] = [searchParams.get('branch'), searchParams.get('head_sha')];
  const own = runs.filter((run) => (branch === null || run.branch === branch) && (commit === null || run.commit === commit));
  const path = '.github/workflows/ci.yml';
  const entries = own.map((run) => ({
    id: run.id,
    head_sha: run.commit,
    name: run.workflow,
    path,
    run_attempt: run.jobs.length,
    created_at: hour(run.jobs[0]?.[0] ?? 0),
    conclusion: 'success',
  }));
  return { entries, wrap: 'workflow_runs' };
}

/** Returns the jobs of a run: the last attempt succeeded, the others failed. */
function jobsOf(run: RunOnCommit | undefined): readonly unknown[] {
  const { jobs = [], workflow } = run ?? {};
  return jobs.map(([from, to], at) => {
    const times = { created_at: hour(from), started_at: hour(from), completed_at: hour(to) };
    return { name: workflow, run_attempt: at + 1, ...times, conclusion: at + 1 < jobs.length ? 'failure' : 'success' };
  });
}
