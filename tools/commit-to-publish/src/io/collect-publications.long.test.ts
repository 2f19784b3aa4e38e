import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { startDescribedGitHub } from '@tributary/github/testing/described-github';
import { answerGraphql, type DeploymentNode, deploymentNode } from '@tributary/github/testing/graphql-github';
import type { PublishConfig } from '@tributary/model/publish-config';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { BEGIN, CloneStory, Collecting, eventLines } from '../collect/story.fixture.js';
import type { CollectWork } from './collect-work.js';

const cleanUp = cleanUpIn(afterEach);

/** Returns a time in hours after the start of the story, in GitHub's format. */
const hour = (hours: number): string => new Date((BEGIN + hours * 3600) * 1000).toISOString().replace('.000', '');

interface Scene {
  readonly story: CloneStory;
  readonly collecting: Collecting;
  readonly releases: Record<string, unknown>[];
  readonly deployments: DeploymentNode[];
  readonly requests: readonly string[];
  readonly flaws: readonly string[];
  readonly forge: NonNullable<CollectWork['forge']>;
}

async function start(): Promise<Scene> {
  const story = new CloneStory();
  cleanUp.add(story.repo);
  const releases: Record<string, unknown>[] = [];
  const deployments: DeploymentNode[] = [];
  const server = cleanUp.add(
    await startDescribedGitHub(
      () => ({ entries: releases }),
      ({ pathname }, body) => (pathname.endsWith('/graphql') ? answerGraphql({ deployments }, body) : undefined),
    ),
  );
  const forge = { repository: { owner: 'acme', repo: 'app' }, branch: undefined, apiUrl: server.apiUrl, token: 'ghs_x' };
  const { requests, flaws } = server;
  return { story, collecting: cleanUp.add(new Collecting()), releases, deployments, requests, flaws, forge };
}

function release(tag: string, hours: number, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const html_url = `https://github.example/acme/app/releases/tag/${tag}`;
  return { tag_name: tag, published_at: hour(hours), draft: false, prerelease: false, html_url, ...more };
}

/** Returns a deployment with its statuses and their times in hours. */
function deployment(id: number, commit: string, statuses: readonly (readonly [state: string, at: number])[]): DeploymentNode {
  const nodes = statuses.map(([state, at]) => ({ state, createdAt: hour(at) }));
  return { ...deploymentNode(id, nodes[0]?.createdAt ?? hour(0), nodes), commitOid: commit };
}

const asked = (requests: readonly string[]): number => requests.filter((request) => request.includes('/releases')).length;

test('a release at GitHub is a publication of its own, beside the tag it belongs to, and the first of them measures nothing', async () => {
  const { story, collecting, releases, forge, flaws } = await start();
  story.at(0).version('Start', { name: 'core', version: '1.0.0' });
  story.at(10).repo.tag('v1.0.0');
  const change = story.at(20).commit('Add', { 'a.js': '1' });
  story.at(25).repo.tag('v1.1.0-rc.1');
  const more = story.at(26).commit('More', { 'a.js': '2' });
  story.at(30).repo.tag('v1.1.0');
  releases.push(
    release('v1.1.0', 32),
    release('v1.1.0-rc.1', 25.5, { prerelease: true }),
    release('v1.2.0', 40, { draft: true, published_at: null }),
    release('gone', 33),
    release('v1.0.0', 11),
  );
  const { repositories } = await collecting.run([story], { forge });
  expect(eventLines(collecting.events(), change)).toEqual([
    'core merge-wait 20:00',
    'core publish 1.1.0-rc.1 (rc) 20:00',
    'core publish 1.1.0-rc.1 (github-prerelease) 25:30',
    'core publish 1.1.0 (latest) 26:00',
    'core publish 1.1.0 (github-release) 32:00',
  ]);
  expect(eventLines(collecting.events(), more).slice(1)).toEqual([
    'core publish 1.1.0 (latest) 26:00',
    'core publish 1.1.0 (github-release) 32:00',
  ]);
  expect(
    collecting
      .events()
      .filter(({ source }) => source === 'api')
      .map(({ confidence }) => confidence),
  ).toEqual(Array(4).fill('exact'));
  expect(repositories[0]).toMatchObject({
    publications: { 'github-prerelease': 1, 'github-release': 2, latest: 2, rc: 1 },
    leftAtGitHub: { releases: ['gone'] },
  });
  expect(flaws).toEqual([]);
});

test('asked again, GitHub need not send the releases that are known, and without it they are not forgotten', async () => {
  const { story, collecting, releases, forge, requests } = await start();
  story.at(0).version('Start', { name: 'core', version: '1.0.0' });
  story.at(10).repo.tag('v1.0.0');
  const change = story.at(20).commit('Add', { 'a.js': '1' });
  story.at(30).repo.tag('v1.1.0');
  releases.push(...Array.from({ length: 150 }, (_, at) => release(`v0.${at}.0`, 1)), release('v1.0.0', 11));
  const fresh = async (asking: CollectWork['forge']): Promise<number | undefined> =>
    (await collecting.run([story], { forge: asking })).repositories[0]?.events.fresh;
  expect(await fresh(forge)).toBe(5);
  expect(asked(requests)).toBe(2);
  expect(await fresh(forge)).toBe(0);
  expect(asked(requests)).toBe(3);
  releases.unshift(release('v1.1.0', 31));
  expect(await fresh(forge)).toBe(1);
  expect(asked(requests)).toBe(5);
  expect(await fresh(undefined)).toBe(0);
  expect(eventLines(collecting.events(), change)).toContain('core publish 1.1.0 (github-release) 31:00');
});

const MANIFEST = { name: 'root', private: true, workspaces: ['packages/*'] };
const DEPLOYMENTS: Partial<PublishConfig> = { deployments: { production: ['app', 'ui'] } };

test('a deployment brings out what its commit has, of the packages that are configured, from its beginning to its first success', async () => {
  const { story, collecting, deployments, forge } = await start();
  const app = { 'packages/app/package.json': '{"name":"app","private":true}', 'packages/ui/package.json': '{"name":"ui"}' };
  const first = story
    .at(0)
    .commit('Start', { 'package.json': JSON.stringify(MANIFEST), ...app, 'packages/tool/package.json': '{"name":"tool"}' });
  const change = story.at(20).commit('App', { 'packages/app/a.js': '1' });
  const both = story.at(21).commit('Both', { 'packages/app/a.js': '2', 'packages/ui/a.js': '2' });
  const tool = story.at(22).commit('Tool', { 'packages/tool/a.js': '2' });
  const later = story.at(23).commit('Later', { 'packages/app/a.js': '3' });
  deployments.push(
    deployment(1, first, [
      ['PENDING', 1],
      ['SUCCESS', 2],
    ]),
    // It failed and was deployed again. A later deployment replaced it in the end.
    deployment(2, both, [
      ['QUEUED', 23],
      ['IN_PROGRESS', 24],
      ['FAILURE', 25],
    ]),
    deployment(3, both, [
      ['PENDING', 26],
      ['IN_PROGRESS', 27],
      ['SUCCESS', 28],
      ['INACTIVE', 40],
    ]),
    // The same commit again, and then the first one: nothing new came out.
    deployment(4, both, [['SUCCESS', 29]]),
    deployment(5, first, [['SUCCESS', 30]]),
    deployment(6, later, [['IN_PROGRESS', 31]]),
    deployment(7, 'd'.repeat(40), [['SUCCESS', 32]]),
    { ...deployment(8, later, [['SUCCESS', 33]]), environment: 'staging' },
  );
  const { repositories } = await collecting.run([story], { forge, config: DEPLOYMENTS });
  const out = `${both.slice(0, 12)} (deployment:production) 27:00 to 28:00`;
  expect(eventLines(collecting.events(), change)).toEqual(['app merge-wait 20:00', `app publish ${out}`]);
  expect(eventLines(collecting.events(), both)).toEqual([
    'app merge-wait 21:00',
    'ui merge-wait 21:00',
    `app publish ${out}`,
    `ui publish ${out}`,
  ]);
  expect(eventLines(collecting.events(), tool)).toEqual(['tool merge-wait 22:00']);
  expect(eventLines(collecting.events(), later)).toEqual(['app merge-wait 23:00']);
  expect(repositories[0]).toMatchObject({
    packages: ['app', 'tool', 'ui'],
    leftAtGitHub: { deployments: { production: { failed: 1, underWay: 1, elsewhere: 1 } } },
  });
});

test('a deployment before its own commit measures nothing, and is named: one of both clocks is wrong', async () => {
  const { story, collecting, deployments, forge } = await start();
  const first = story.at(0).version('Start', { name: 'app', private: true });
  const change = story.at(30).commit('By a clock that is ahead', { 'a.js': '1' });
  deployments.push(deployment(1, first, [['SUCCESS', 1]]), deployment(2, change, [['SUCCESS', 10]]));
  const { repositories } = await collecting.run([story], { forge, config: { deployments: { production: ['*'] } } });
  expect(eventLines(collecting.events(), change)[0]).toBe(`app publish unmeasured ${change.slice(0, 12)} (deployment:production) 10:00`);
  expect(repositories[0]?.refused).toMatchObject([{ why: 'before a change in it', count: 1 }]);
});

test('a deployment that was under way the last time is known the next time, and old ones are not asked for again', async () => {
  const { story, collecting, deployments, forge, requests } = await start();
  const first = story.at(0).version('Start', { name: 'app' });
  const change = story.at(4000).commit('Add', { 'a.js': '1' });
  deployments.push(
    ...Array.from({ length: 130 }, (_, at) => deployment(at + 1, first, [['SUCCESS', 1 + at]])),
    deployment(200, change, [['IN_PROGRESS', 4001]]),
  );
  const config = { deployments: { production: ['*'] } };
  await collecting.run([story], { forge, config });
  const graphql = (): number => requests.filter((request) => request.includes('graphql')).length;
  const before = graphql();
  deployments[130] = deployment(200, change, [
    ['IN_PROGRESS', 4001],
    ['SUCCESS', 4002],
  ]);
  await collecting.run([story], { forge, config });
  expect(eventLines(collecting.events(), change)[1]).toBe(`app publish ${change.slice(0, 12)} (deployment:production) 4001:00 to 4002:00`);
  // One request for the pull requests, and two for the deployments: the first page has something new, the second one nothing.
  expect(graphql() - before).toBe(3);
});

test('what is kept of publications and is damaged is no empty list', async () => {
  const { story, collecting, forge } = await start();
  story.at(0).version('Start', { name: 'app' });
  await collecting.run([story], { forge });
  const folder = join(collecting.record, 'collected');
  const file = readdirSync(folder).find((name) => name.endsWith('.publications.json')) ?? '';
  writeFileSync(join(folder, file), '{"schemaVersion":1,');
  await expect(collecting.run([story])).rejects.toMatchObject({ code: 'RECORD_INVALID', hint: expect.stringContaining('--full') });
  await expect(collecting.run([story], { forge, what: 'all' })).resolves.toBeDefined();
  await expect(collecting.run([story])).resolves.toBeDefined();
});

test('a token that may not look at deployments is told what it lacks', async () => {
  const { story, collecting, forge } = await start();
  story.at(0).version('Start', { name: 'app' });
  const server = cleanUp.add(
    await startDescribedGitHub(
      () => ({ entries: [] }),
      ({ pathname }, body) => {
        if (body.includes('pullRequests')) return answerGraphql({}, body);
        const errors = [{ type: 'FORBIDDEN', path: ['repository', 'deployments'], message: 'Resource not accessible by integration' }];
        return pathname.endsWith('/graphql') ? { body: { data: { repository: { deployments: null } }, errors } } : undefined;
      },
    ),
  );
  await expect(collecting.run([story], { forge: { ...forge, apiUrl: server.apiUrl }, config: DEPLOYMENTS })).rejects.toMatchObject({
    code: 'GITHUB_REFUSED',
    hint: expect.stringContaining('deployments: read'),
  });
});
