import { afterEach, describe, expect, test } from '@jest/globals';
import type { Instant } from '@tributary/model/time';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { createGitHub, type GitHub } from './client.js';
import { type DeploymentFacts, readDeployments } from './deployments.js';
import { type ReleaseFacts, readReleases } from './releases.js';
import { DESCRIBED, type DescribedGitHub, startDescribedGitHub } from './testing/described-github.js';
import { startGitHub } from './testing/local-github.js';

const cleanUp = cleanUpIn(afterEach);
const repo = { owner: 'acme', repo: 'app' };
const at = (day: number): string => `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`;
const time = (day: number): Instant => Date.parse(at(day)) as Instant;

async function all<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const found: T[] = [];
  for await (const page of pages) found.push(...page);
  return found;
}

function connect({ apiUrl }: { readonly apiUrl: string }): GitHub {
  return createGitHub({ apiUrl, token: 'ghs_x' });
}

describe('deployments', () => {
  const deployment = (id: number, day: number): unknown => ({
    id,
    sha: id.toString(16).padStart(40, '0'),
    environment: 'production',
    created_at: at(day),
  });
  const statuses = [
    { state: 'success', created_at: at(9) },
    { state: 'pending', created_at: at(8) },
  ];

  async function start(deployments: readonly unknown[]): Promise<DescribedGitHub> {
    return cleanUp.add(
      await startDescribedGitHub(({ pathname }) => ({ entries: pathname.endsWith('/statuses') ? statuses : deployments })),
    );
  }

  test('with their statuses, as GitHub describes them', async () => {
    const server = await start([deployment(2, 8)]);
    const found: DeploymentFacts[] = await all(readDeployments(connect(server), { ...repo, environment: 'eu/production' }));
    expect(found).toEqual([
      {
        id: 2,
        commit: '2'.padStart(40, '0'),
        environment: 'production',
        createdAt: time(8),
        statuses: [
          { state: 'pending', at: time(8) },
          { state: 'success', at: time(9) },
        ],
      },
    ]);
    expect(server.requests).toEqual([
      'GET /repos/acme/app/deployments?environment=eu%2Fproduction&per_page=100',
      'GET /repos/acme/app/deployments/2/statuses?per_page=100',
    ]);
    expect(server.flaws).toEqual([]);
  });

  test('older ones are not asked for', async () => {
    const server = await start(Array.from({ length: 120 }, (_, index) => deployment(index + 1, index < 3 ? 8 : 2)));
    await expect(all(readDeployments(connect(server), { ...repo, since: time(5) }))).resolves.toHaveLength(3);
    expect(server.requests).toHaveLength(4);
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
    const found: ReleaseFacts[] = await all(readReleases(connect(server), repo));
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
});

test("GitHub's own examples", async () => {
  const server = cleanUp.add(
    await startGitHub(({ pathname }) => {
      const path = pathname.replace('/api/v3/repos/acme/app', '/repos/{owner}/{repo}').replace('/1/', '/{deployment_id}/');
      return { body: DESCRIBED[path]?.example };
    }),
  );
  await expect(all(readDeployments(connect(server), repo))).resolves.toMatchObject([{ id: 1, statuses: [{ state: 'success' }] }]);
  await expect(all(readReleases(connect(server), repo))).resolves.toMatchObject([{ tag: 'v1.0.0', kind: 'release' }]);
});
