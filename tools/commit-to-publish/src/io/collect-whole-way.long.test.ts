import { afterEach, expect, test } from '@jest/globals';
import { startDescribedGitHub } from '@tributary/github/testing/described-github';
import {
  answerGraphql,
  checkRun,
  commitNode,
  type DeploymentNode,
  deploymentNode,
  type PullNode,
  pullNode,
} from '@tributary/github/testing/graphql-github';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { BEGIN, CloneStory, Collecting, eventLines } from '../collect/story.fixture.js';
import { leadTimeOf } from '../engine/lead-time-oracle.fixture.js';
import type { ForgeRequest } from './open-forge.js';

const cleanUp = cleanUpIn(afterEach);

/** Returns a time in hours after the start of the story, in GitHub's format. */
const hour = (hours: number): string => new Date((BEGIN + hours * 3600) * 1000).toISOString().replace('.000', '');

/** GitHub's data of a repository. */
interface Forge {
  readonly pulls: PullNode[];
  readonly deployments: DeploymentNode[];
  readonly releases: unknown[];
}

interface Scene {
  readonly core: CloneStory;
  readonly app: CloneStory;
  readonly forges: Readonly<Record<'core' | 'app', Forge>>;
  readonly forge: ForgeRequest;
  readonly collecting: Collecting;
}

async function start(): Promise<Scene> {
  const [core, app] = [new CloneStory(), new CloneStory()];
  cleanUp.add(core.repo);
  cleanUp.add(app.repo);
  const nothing = (): Forge => ({ pulls: [], deployments: [], releases: [] });
  const forges: Scene['forges'] = { core: nothing(), app: nothing() };
  const forgeOf = (repo: string): Forge => forges[repo as 'core' | 'app'];
  const server = cleanUp.add(
    await startDescribedGitHub(
      ({ pathname }) => ({ entries: forgeOf(pathname.split('/')[5] ?? '').releases }),
      ({ pathname }, body) => {
        if (!pathname.endsWith('/graphql')) return undefined;
        const { variables } = JSON.parse(body) as { variables: { repo: string } };
        return answerGraphql(forgeOf(variables.repo), body);
      },
    ),
  );
  for (const [name, { repo }] of Object.entries({ core, app })) repo.git('remote', 'add', 'origin', `http://127.0.0.1/acme/${name}.git`);
  const forge = { repository: undefined, branch: 'main', apiUrl: server.apiUrl, token: 'ghs_x' };
  return { core, app, forges, forge, collecting: cleanUp.add(new Collecting()) };
}

interface PullStory {
  readonly number: number;
  readonly merged: string;
  readonly opened: number;
  readonly approved: number;
  readonly mergedAt: number;
  /** Start and end of each attempt. */
  readonly tests: readonly (readonly [from: number, to: number, conclusion?: string])[];
  readonly after?: readonly (readonly [from: number, to: number])[];
  readonly author?: string;
}

function pull({ number, merged, opened, approved, mergedAt, tests, after = [], author }: PullStory): PullNode {
  const head = number.toString(16).padStart(40, 'e');
  const suite = (event: string, runs: PullStory['tests']): unknown => ({
    workflowRun: { event, workflow: { name: 'CI' } },
    checkRuns: {
      totalCount: runs.length,
      nodes: runs.map(([from, to, conclusion]) => ({ ...checkRun('test', 0, conclusion), startedAt: hour(from), completedAt: hour(to) })),
    },
  });
  const commit = (oid: string, at: number, suites: readonly unknown[]): Readonly<Record<string, unknown>> => ({
    ...commitNode(oid, 0, suites),
    committedDate: hour(at),
    authoredDate: hour(at),
  });
  return pullNode(number, {
    createdAt: hour(opened),
    updatedAt: hour(mergedAt),
    mergedAt: hour(mergedAt),
    headRefOid: head,
    ...(author === undefined ? {} : { author: { __typename: 'Bot', login: author } }),
    reviews: { nodes: [{ submittedAt: hour(approved), commit: { oid: head } }] },
    commits: { totalCount: 1, nodes: [{ commit: commit(head, opened, [suite('pull_request', tests)]) }] },
    mergeCommit: { ...commit(merged, mergedAt, [suite('push', after)]), messageHeadline: `Add (#${number})` },
  });
}

const lock = (version: string): Readonly<Record<string, string>> => ({
  'yarn.lock': `__metadata:\n  version: 8\n\n"core@npm:^1.0.0":\n  version: ${version}\n  resolution: "core@npm:${version}"\n  linkType: hard\n`,
});

/** Returns the length of each stage in hours: `merge-wait 1.0`. */
function stagesOf(scene: Scene, change: string, until: 'published' | 'upgraded' | 'released'): readonly string[] | string {
  const events = scene.collecting.events().filter((event) => event.change === change);
  const channels = new Set(['latest', 'deployment:production']);
  const lead = leadTimeOf(events, { ready: 'approved', until, channels });
  if (typeof lead === 'string') return lead;
  expect(lead.stages.reduce((sum, { startedAt, endedAt }) => sum + endedAt - startedAt, 0)).toBe(lead.total);
  return lead.stages.map(({ stage, whose, startedAt, endedAt }) => {
    const hours = Math.round(((endedAt - startedAt) / 36e8) * 100) / 100;
    return `${whose === 'package' || stage.startsWith('upgrade') ? '' : 'consumer '}${stage} ${hours}`;
  });
}

const SETTINGS = { config: { deployments: { production: ['app'] } } };

/**
 * Tells of a change of core, merged at 20 and published in 1.1.0 at 30. A bot's pull request takes it into app's lockfile at 41, and app is
 * deployed at 50.
 */
async function tell(scene: Scene): Promise<{ readonly change: string; readonly upgrade: string }> {
  const { core, app, forges } = scene;
  core.at(0).version('Start', { name: 'core', version: '1.0.0' });
  core.at(10).repo.tag('v1.0.0');
  const begun = app
    .at(11)
    .commit('Start', { 'package.json': '{"name":"app","private":true,"dependencies":{"core":"^1.0.0"}}', ...lock('1.0.0') });
  const change = core.at(20).commit('Add (#1)', { 'a.js': '1' });
  core.at(30).version('1.1.0', { name: 'core', version: '1.1.0' });
  core.repo.tag('v1.1.0');
  const upgrade = app.at(41).commit('Update core (#7)', lock('1.1.0'));
  const again = [
    [18, 18.5, 'FAILURE'],
    [18.75, 19.25],
  ] as const;
  forges.core.pulls.push(pull({ number: 1, merged: change, opened: 18, approved: 19, mergedAt: 20, tests: again, after: [[20, 21.5]] }));
  const bot = { author: 'renovate', number: 7, opened: 33, approved: 40, mergedAt: 41 };
  forges.app.pulls.push(
    pull({
      ...bot,
      merged: upgrade,
      tests: [
        [34, 35, 'FAILURE'],
        [36, 38.5],
      ],
    }),
  );
  const deployed = (id: number, commitOid: string, from: number, to: number): DeploymentNode => {
    const statuses = [
      { state: 'IN_PROGRESS', createdAt: hour(from) },
      { state: 'SUCCESS', createdAt: hour(to) },
    ];
    return { ...deploymentNode(id, hour(from), statuses), commitOid };
  };
  forges.app.deployments.push(deployed(1, begun, 12, 13), deployed(2, upgrade, 49, 50), deployed(3, upgrade, 60, 61));
  return { change, upgrade };
}

test('every stage of a change is known, from its approval to the deployment of whoever uses it, and they add up', async () => {
  const scene = await start();
  const { change } = await tell(scene);
  const { repositories, upgrades } = await scene.collecting.run([scene.core, scene.app], { ...SETTINGS, forge: scene.forge });
  expect(repositories.map(({ repo, pullRequests }) => `${repo} ${pullRequests.changes}`)).toEqual(['acme/core 1', 'acme/app 1']);
  expect(upgrades).toEqual([{ package: 'core', consumer: 'acme/app', taken: 1, skipped: 0, open: 0 }]);
  const own = ['pr-tests 0.25', 'merge-wait 0.75', 'post-merge-tests 1.5', 'publish-wait 8.5', 'publish 0'];
  const upgraded = [...own, 'upgrade-open 3', 'upgrade-tests 5.5', 'upgrade-merge 2.5'];
  expect(stagesOf(scene, change, 'published')).toEqual(own);
  expect(stagesOf(scene, change, 'upgraded')).toEqual(upgraded);
  expect(stagesOf(scene, change, 'released')).toEqual([...upgraded, 'consumer publish-wait 8', 'consumer publish 1']);
});

test('the attempts of a change and of its upgrade are all recorded, with who made them', async () => {
  const scene = await start();
  const { change } = await tell(scene);
  await scene.collecting.run([scene.core, scene.app], { ...SETTINGS, forge: scene.forge });
  const own = scene.collecting.events().filter((event) => event.change === change);
  expect(eventLines(own, change)).toEqual([
    'core pr-tests 18:00 to 18:30',
    'core pr-tests 18:45 to 19:15',
    'core merge-wait 19:00 to 20:00',
    'core post-merge-tests 20:00 to 21:30',
    'core publish 1.1.0 (latest) 30:00',
    'core in acme/app upgrade-open 30:00 to 33:00',
    'core in acme/app upgrade-tests 34:00 to 35:00',
    'core in acme/app upgrade-tests 36:00 to 38:30',
    'core in acme/app upgrade-merge 40:00 to 41:00',
    expect.stringMatching(/^core in acme\/app publish [0-9a-f]{12} \(deployment:production\) 49:00 to 50:00$/),
  ]);
  const attempts = own
    .filter(({ stage }) => stage.endsWith('-tests'))
    .map(({ stage, attempt, outcome }) => `${stage} ${attempt} ${outcome}`);
  expect(attempts.sort()).toEqual([
    'post-merge-tests 1 success',
    'pr-tests 1 failure',
    'pr-tests 2 success',
    'upgrade-tests 1 failure',
    'upgrade-tests 2 success',
  ]);
  expect(new Set(own.map(({ actor, consumer }) => `${consumer ?? 'core'} ${actor}`))).toEqual(new Set(['core person', 'acme/app bot']));
  expect(own.find(({ stage }) => stage === 'upgrade-merge')?.url).toBe('https://github.example/acme/app/pull/7');
});

test('a pull request that was open before the version came out waited for nobody to open it', async () => {
  const scene = await start();
  const { change } = await tell(scene);
  const upgrade = scene.forges.app.pulls[0]?.['mergeCommit'] as { oid: string };
  const open = {
    number: 7,
    merged: upgrade.oid,
    opened: 15,
    approved: 40,
    mergedAt: 41,
    tests: [
      [16, 17],
      [31, 32],
    ],
  } as const;
  scene.forges.app.pulls[0] = pull(open);
  await scene.collecting.run([scene.core, scene.app], { ...SETTINGS, forge: scene.forge });
  expect(stagesOf(scene, change, 'upgraded')).toEqual(expect.arrayContaining(['upgrade-open 0', 'upgrade-tests 2', 'upgrade-merge 9']));
});

test('an upgrade without a pull request is the commit that made it', async () => {
  const scene = await start();
  const { change } = await tell(scene);
  scene.forges.app.pulls.length = 0;
  await scene.collecting.run([scene.core, scene.app], { ...SETTINGS, forge: scene.forge });
  expect(stagesOf(scene, change, 'released')).toEqual(
    expect.arrayContaining(['upgrade-merge 11', 'consumer publish-wait 8', 'consumer publish 1']),
  );
});

test('what GitHub said of the consumer is used when both are collected without it', async () => {
  const scene = await start();
  const { change } = await tell(scene);
  const { core, app, forge, collecting } = scene;
  await collecting.run([core], { ...SETTINGS, forge });
  await collecting.run([app], { ...SETTINGS, forge });
  await collecting.run([core, app], SETTINGS);
  expect(stagesOf(scene, change, 'upgraded')).toContain('upgrade-open 3');
});

test('a release of the consumer that does not have the upgrade is none of the way', async () => {
  const scene = await start();
  const { change, upgrade } = await tell(scene);
  const { app, collecting, forge } = scene;
  const [first, , ...rest] = scene.forges.app.deployments;
  scene.forges.app.deployments.splice(
    0,
    10,
    ...([first, ...rest].filter((one) => one !== undefined && one['commitOid'] !== upgrade) as DeploymentNode[]),
  );
  await collecting.run([scene.core, app], { ...SETTINGS, forge });
  expect(stagesOf(scene, change, 'released')).toBe('not released');
});
