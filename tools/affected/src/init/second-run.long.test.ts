import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import { createTempMonorepo } from '@tributary/test-repo/temp-monorepo';
import type { AffectedInitResult } from './init-result.js';

const cleanUp = cleanUpIn(afterEach);
const OLD = '.github/workflows/ci.yml';
const JOB = `on: pull_request
jobs:
  test: { steps: [{ run: yarn turbo run test }, { run: yarn audit }] }
  deploy: { steps: [{ run: ./deploy.sh }] }
`;

test('a second run still tells what the old workflow does, until that runs no test', async () => {
  const repo = cleanUp.add(
    createTempMonorepo({
      root: { devDependencies: { turbo: '2.11.9' } },
      packages: { 'packages/ui': { scripts: { test: 'jest' } } },
      files: { 'turbo.json': '{ "tasks": { "test": {} } }\n', '.nvmrc': '24\n', [OLD]: JOB },
    }),
  );
  const init = async (): Promise<readonly string[]> => {
    const { stdout } = await runCli('affected', ['init', '--json', '--yes'], { cwd: repo.path });
    const { problems } = JSON.parse(stdout) as AffectedInitResult;
    for (const { message, hint } of problems) if (message.includes('still runs')) expect(hint).toMatch(/ Its other jobs stay: deploy\.$/);
    return problems.map(({ message }) => message);
  };
  const told = [`${OLD} also has: step "yarn audit".`, `${OLD} still runs tests: yarn turbo run test.`];
  expect(await init()).toEqual(told);
  repo.commit('Adopt', { files: {} });
  expect(await init()).toEqual(told);
  repo.commit('Test once', { files: { [OLD]: JOB.replace('{ run: yarn turbo run test }, ', '') } });
  expect(await init()).toEqual([]);
});
