import { afterEach, describe, expect, test } from '@jest/globals';
import { schema } from '@octokit/graphql-schema';
import type { Forge, ReleaseList } from '@tributary/model/forge';
import type { Instant } from '@tributary/model/time';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { buildSchema, parse, validate } from 'graphql';
import { DEPLOYMENTS } from './deployments.js';
import { openGitHub } from './open-github.js';
import { DESCRIBED, startDescribedGitHub } from './testing/described-github.js';
import { answerGraphql, commitId, type DeploymentNode, deploymentNode } from './testing/graphql-github.js';
import { type LocalGitHub, startGitHub } from './testing/local-github.js';

const cleanUp = cleanUpIn(afterEach);
const at = (day: number): string => new Date(Date.UTC(2026, 0, 1) + (day - 1) * 24 * 3600e3).toISOString().replace('.000', '');
const time = (day: number): Instant => Date.parse(at(day)) as Instant;

async function all<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const found: T[] = [];
  for await (const page of pages) found.push(...page);
  return found;
}

function changed(answer: ReleaseList | 'unchanged'): ReleaseList {
  if (answer === 'unchanged') throw new Error('they are as they were');
  return answer;
}

function connect({ apiUrl }: { readonly apiUrl: string }): Forge {
  return openGitHub({ owner: 'acme', repo: 'app', apiUrl, token: 'ghs_x' });
}

describe('deployments', () => {
  async function start(deployments: readonly DeploymentNode[]): Promise<LocalGitHub> {
    return cleanUp.add(await startGitHub((_, body) => answerGraphql({ deployments }, body)));
  }

  test("the query is one of GitHub's schema", () => {
    const github = buildSchema(schema.idl, { assumeValidSDL: true, assumeValid: true });
    expect(validate(github, parse(DEPLOYMENTS))).toEqual([]);
    expect(validate(github, parse(DEPLOYMENTS.replace('commitOid', 'sha')))).toHaveLength(1);
  });

  test('to one environment, by their statuses in the order of time', async () => {
    const statuses = [
      { state: 'SUCCESS', createdAt: at(9) },
      { state: 'IN_PROGRESS', createdAt: at(8) },
    ];
    const server = await start([deploymentNode(2, at(7), statuses), { ...deploymentNode(3, at(7), statuses), environment: 'staging' }]);
    expect(await all(connect(server).readDeployments('production'))).toEqual([
      {
        id: 2,
        commit: commitId(2, 'main'),
        startedAt: time(8),
        endedAt: time(9),
        outcome: 'success',
        confidence: 'exact',
      },
    ]);
  });

  /** `states`: one each day from day 2 on; created on day 1. Returns `begun-ended outcome`. */
  async function read(states: string, unlisted = 0): Promise<string | undefined> {
    const statuses = states.split(' ').flatMap((state, index) => (state === '' ? [] : [{ state, createdAt: at(index + 2) }]));
    const node = deploymentNode(2, at(1), statuses);
    const server = await start([{ ...node, statuses: { totalCount: statuses.length + unlisted, nodes: statuses } }]);
    const day = (moment: number | null): string => (moment === null ? '' : String((moment - time(1)) / (24 * 3600e3) + 1));
    const [brief] = (await all(connect(server).readDeployments('production'))).map(
      ({ startedAt, endedAt, outcome, confidence }) => `${day(startedAt)}-${day(endedAt)} ${outcome} ${confidence}`,
    );
    return brief;
  }

  test.each([
    ['', '1- null exact'],
    ['SUCCESS', '1-2 success exact'],
    ['PENDING QUEUED IN_PROGRESS SUCCESS', '4-5 success exact'],
    ['IN_PROGRESS SUCCESS INACTIVE', '2-3 success exact'],
    // A second success does not change the end.
    ['IN_PROGRESS SUCCESS IN_PROGRESS SUCCESS', '2-3 success exact'],
    ['IN_PROGRESS FAILURE', '2-3 failure exact'],
    ['IN_PROGRESS ERROR INACTIVE', '2-3 failure exact'],
    // It is being retried.
    ['IN_PROGRESS FAILURE IN_PROGRESS', '2- null exact'],
    ['IN_PROGRESS FAILURE QUEUED SUCCESS', '2-5 success exact'],
    ['WAITING', '1- null exact'],
    // Another one replaced it before its end was reported.
    ['IN_PROGRESS INACTIVE', '2- null exact'],
  ])('with the states "%s" are %s', async (states, expected) => {
    expect(await read(states)).toBe(expected);
  });

  test('with more statuses than one answer holds are derived', async () => {
    expect(await read('SUCCESS', 1)).toBe('1-2 success derived');
  });

  test('the newest first, fifty in a request at most, and no further than somebody reads', async () => {
    const server = await start(Array.from({ length: 200 }, (_, index) => deploymentNode(index + 1, at(8 + index / 100), [])));
    const ids = (await all(connect(server).readDeployments('production'))).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 200 }, (_, index) => 200 - index));
    expect(server.requests).toHaveLength(6);
    for await (const page of connect(server).readDeployments('production')) {
      expect(page).toHaveLength(25);
      break;
    }
    expect(server.requests).toHaveLength(7);
  });
});

describe('releases', () => {
  const release = (tag_name: string, more: Readonly<Record<string, unknown>> = {}): unknown => ({
    tag_name,
    published_at: at(5),
    draft: false,
    prerelease: false,
    html_url: `https://github.example/acme/app/releases/tag/${tag_name}`,
    ...more,
  });

  test('without drafts, to the last page, as GitHub describes them', async () => {
    const releases = [
      release('v3.0.0', { draft: true, published_at: null }),
      release('v2.0.0-rc.1', { prerelease: true }),
      ...Array.from({ length: 118 }, (_, patch) => release(`v1.0.${patch}`)),
    ];
    const server = cleanUp.add(await startDescribedGitHub(() => ({ entries: releases })));
    const { releases: found } = changed(await connect(server).readReleases(undefined));
    expect(found).toHaveLength(119);
    expect(found[0]).toEqual({
      tag: 'v2.0.0-rc.1',
      publishedAt: time(5),
      kind: 'prerelease',
    });
    expect(server.requests).toHaveLength(2);
    expect(server.flaws).toEqual([]);
  });

  test('are not sent again where they are as they were', async () => {
    const releases = Array.from({ length: 101 }, (_, patch) => release(`v1.0.${patch}`));
    const server = cleanUp.add(await startDescribedGitHub(() => ({ entries: releases })));
    const { etag } = changed(await connect(server).readReleases(undefined));
    expect(etag).toMatch(/^"/);
    await expect(connect(server).readReleases(etag)).resolves.toBe('unchanged');
    releases.unshift(release('v1.1.0'));
    expect(changed(await connect(server).readReleases(etag)).releases).toHaveLength(102);
    expect(server.requests).toHaveLength(5);
  });

  test('a server that says "unchanged" without being asked is no empty list', async () => {
    const server = cleanUp.add(await startGitHub(() => ({ status: 304, body: '' })));
    await expect(connect(server).readReleases(undefined)).rejects.toMatchObject({ code: 'GITHUB_UNREACHABLE' });
  });
});

test("GitHub's own example of a release", async () => {
  const server = cleanUp.add(await startGitHub(() => ({ body: DESCRIBED['/repos/{owner}/{repo}/releases']?.example })));
  expect(changed(await connect(server).readReleases(undefined)).releases).toMatchObject([{ tag: 'v1.0.0', kind: 'release' }]);
});
