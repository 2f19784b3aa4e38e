import { afterEach, expect, test } from '@jest/globals';
import { startDescribedGitHub } from '@tributary/github/testing/described-github';
import { answerGraphql, deploymentNode, pullNode } from '@tributary/github/testing/graphql-github';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { BEGIN, CloneStory, Collecting } from '../collect/story.fixture.js';

const cleanUp = cleanUpIn(afterEach);

test('1,000 pull requests with 50 releases take 23 requests, 100 deployments 4 more, and the next time 3 are enough', async () => {
  // Pull requests of more than two years.
  const pulls = Array.from({ length: 1000 }, (_, at) => pullNode((at + 1) * 100));
  const date = (at: number): string => new Date((BEGIN + at * 24 * 3600) * 1000).toISOString().replace('.000', '');
  const deployments = Array.from({ length: 100 }, (_, at) => deploymentNode(at + 1, date(at), [{ state: 'SUCCESS', createdAt: date(at) }]));
  const releases = Array.from({ length: 50 }, (_, at) => ({
    tag_name: `v1.${at}.0`,
    published_at: '2026-01-05T00:00:00Z',
    draft: false,
    prerelease: false,
    html_url: 'https://github.example/acme/app/releases',
  }));
  const server = cleanUp.add(
    await startDescribedGitHub(
      () => ({ entries: releases }),
      ({ pathname }, body) => (pathname.endsWith('/graphql') ? answerGraphql({ pulls, deployments }, body) : undefined),
    ),
  );
  const story = new CloneStory();
  cleanUp.add(story.repo);
  story.at(0).version('Start', { name: 'app', version: '1.0.0' });
  const forge = { repository: { owner: 'acme', repo: 'app' }, branch: 'main', apiUrl: server.apiUrl, token: 'ghs_x' };
  const collecting = cleanUp.add(new Collecting());
  const asked = async (environments: object): Promise<number> => {
    const before = server.requests.length;
    await collecting.run([story], { forge, config: { deployments: environments as never } });
    return server.requests.length - before;
  };
  expect(await asked({})).toBe(23);
  expect(await asked({ production: ['app'] })).toBe(1 + 1 + 4);
  expect(await asked({ production: ['app'] })).toBe(3);
});
