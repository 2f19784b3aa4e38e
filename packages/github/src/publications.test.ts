import { afterEach, describe, expect, test } from '@jest/globals';
import { schema } from '@octokit/graphql-schema';
import type { Instant } from '@tributary/model/time';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { buildSchema, parse, validate } from 'graphql';
import { createGitHub, type GitHub } from './client.js';
import { DEPLOYMENTS, readDeployments } from './deployments.js';
import { type Releases, readReleases } from './releases.js';
import { DESCRIBED, startDescribedGitHub } from './testing/described-github.js';
import { answerGraphql, commitId, type DeploymentNode, deploymentNode } from './testing/graphql-github.js';
import { type LocalGitHub, startGitHub } from './testing/local-github.js';

const cleanUp = cleanUpIn(afterEach);
const repo = { owner: 'acme', repo: 'app' };
const at = (day: number): string => new Date(Date.UTC(2026, 0, 1) + (day - 1) * 24 * 3600e3).toISOString().replace('.000', '');
const time = (day: number): Instant => Date.parse(at(day)) as Instant;

async function all<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const found: T[] = [];
  for await (const page of pages) found.push(...page);
  return found;
}

function changed(answer: Releases | 'unchanged'): Releases {
  if (answer === 'unchanged') throw new Error('they are as they were');
  return answer;
}

function connect({ apiUrl }: { readonly apiUrl: string }): GitHub {
  return createGitHub({ apiUrl, token: 'ghs_x' });
}

describe('deployments', () => {
  async function start(deployments: readonly DeploymentNode[]): Promise<LocalGitHub> {
    return cleanUp.add(await startGitHub((_, body) => answerGraphql({ deployments }, body)));
  }
  const asked = { ...repo, environment: 'production' };

  test("the query is one of GitHub's schema", () => {
    const github = buildSchema(schema.idl, { assumeValidSDL: true, assumeValid: true });
    expect(validate(github, parse(DEPLOYMENTS))).toEqual([]);
    expect(validate(github, parse(DEPLOYMENTS.replace('commitOid', 'sha')))).toHaveLength(1);
  });

  test('to one environment, with their statuses in the order of time', async () => {
    const statuses = [
      { state: 'SUCCESS', createdAt: at(9) },
      { state: 'PENDING', createdAt: at(8) },
    ];
    const server = await start([deploymentNode(2, at(8), statuses), { ...deploymentNode(3, at(8), statuses), environment: 'staging' }]);
    expect(await all(readDeployments(connect(server), asked))).toEqual([
      {
        id: 2,
        commit: commitId(2, 'main'),
        createdAt: time(8),
        statuses: [
          { state: 'PENDING', at: time(8) },
          { state: 'SUCCESS', at: time(9) },
        ],
        completeness: 'complete',
      },
    ]);
  });

  test('the newest first, fifty in a request at most, and no further than somebody reads', async () => {
    const server = await start(Array.from({ length: 200 }, (_, index) => deploymentNode(index + 1, at(8 + index / 100), [])));
    const ids = (await all(readDeployments(connect(server), asked))).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 200 }, (_, index) => 200 - index));
    expect(server.requests).toHaveLength(6);
    for await (const page of readDeployments(connect(server), asked)) {
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
    const { releases: found } = changed(await readReleases(connect(server), repo));
    expect(found).toHaveLength(119);
    expect(found[0]).toEqual({
      tag: 'v2.0.0-rc.1',
      publishedAt: time(5),
      kind: 'prerelease',
      url: 'https://github.example/acme/app/releases/tag/v2.0.0-rc.1',
    });
    expect(server.requests).toHaveLength(2);
    expect(server.flaws).toEqual([]);
  });

  test('are not sent again where they are as they were', async () => {
    const releases = Array.from({ length: 101 }, (_, patch) => release(`v1.0.${patch}`));
    const server = cleanUp.add(await startDescribedGitHub(() => ({ entries: releases })));
    const { etag } = changed(await readReleases(connect(server), repo));
    expect(etag).toMatch(/^"/);
    await expect(readReleases(connect(server), { ...repo, etag })).resolves.toBe('unchanged');
    releases.unshift(release('v1.1.0'));
    expect(changed(await readReleases(connect(server), { ...repo, etag })).releases).toHaveLength(102);
    expect(server.requests).toHaveLength(5);
  });

  test('a server that says "unchanged" without being asked is no empty list', async () => {
    const server = cleanUp.add(await startGitHub(() => ({ status: 304, body: '' })));
    await expect(readReleases(connect(server), repo)).rejects.toMatchObject({ code: 'GITHUB_UNREACHABLE' });
  });
});

test("GitHub's own example of a release", async () => {
  const server = cleanUp.add(await startGitHub(() => ({ body: DESCRIBED['/repos/{owner}/{repo}/releases']?.example })));
  expect(changed(await readReleases(connect(server), repo)).releases).toMatchObject([{ tag: 'v1.0.0', kind: 'release' }]);
});
