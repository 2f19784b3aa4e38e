import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { withInput } from '../init/forms.js';
import { readTemplates } from './github-run.fixture.js';
import { GitHubScene, outcomeOf } from './github-scene.fixture.js';
import { findTool } from './tools.fixture.js';

const act = findTool('ACT');
const cleanUp = cleanUpIn(afterEach);
const WORKFLOW = '.github/workflows/affected.yml';

/** As the guide says. */
const INPUTS = Object.entries({
  'turbo-api': 'vars.TURBO_API',
  'turbo-team': 'vars.TURBO_TEAM',
  'turbo-token': 'secrets.TURBO_TOKEN',
  'turbo-read-token': 'secrets.TURBO_READ_TOKEN',
})
  .map(([input, value]) => `${input}: "\${{ ${value} }}"`)
  .join(', ');

/** Starts an empty remote cache for turborepo. `asked` lists each `GET` and `PUT` of an artifact, with its token. */
async function startCache(): Promise<{ readonly url: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const isArtifact = /^\/v8\/artifacts\/[0-9a-f]{16}/.test(request.url ?? '');
    // turborepo 2.11.9 also sends HEAD requests.
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (isArtifact) asked.push(`${method} ${request.headers.authorization}`);
    request.resume().on('end', () => response.writeHead(isArtifact && method === 'GET' ? 404 : 200).end('{"status":"enabled"}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp.defer(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

(act === undefined ? describe.skip : describe)("turborepo's remote cache", () => {
  test.each(['workflow', 'one-job'] as const)(
    'by %s.yml is read and not written by a pull request, with a token of its own or not at all, and written by main',
    async (form) => {
      const workflow = withInput(readTemplates(form)[WORKFLOW], INPUTS, 'every');
      const scene = await GitHubScene.create({ act: act ?? '', cleanUp }, { one: {} }, { form, files: { [WORKFLOW]: workflow } });
      const ofPullRequest = await startCache();
      const secrets = { TURBO_TOKEN: 'may-write', TURBO_READ_TOKEN: 'may-read' };
      const variables = { TURBO_TEAM: 'acme' };
      const pull = await scene.github.run({ event: scene.pullRequest, secrets, variables: { ...variables, TURBO_API: ofPullRequest.url } });
      expect(outcomeOf(pull).code).toBe(0);
      expect(new Set(ofPullRequest.asked)).toEqual(new Set(['GET Bearer may-read']));
      const ofStranger = await startCache();
      const without = {
        event: scene.pullRequest,
        secrets: { TURBO_TOKEN: 'may-write' },
        variables: { ...variables, TURBO_API: ofStranger.url },
      };
      expect(outcomeOf(await scene.github.run(without)).code).toBe(0);
      expect(ofStranger.asked).toEqual([]);
      const ofMain = await startCache();
      const { repo } = scene.shards;
      repo.git('checkout', '-q', '-B', 'main');
      const payload = { ref: 'refs/heads/main', before: repo.id('HEAD~1'), after: repo.id('HEAD'), forced: false };
      const push = await scene.github.run({
        event: { name: 'push', payload },
        secrets,
        variables: { ...variables, TURBO_API: ofMain.url },
      });
      expect(outcomeOf(push).code).toBe(0);
      expect(new Set(ofMain.asked)).toEqual(new Set(['GET Bearer may-write', 'PUT Bearer may-write']));
    },
  );
});
