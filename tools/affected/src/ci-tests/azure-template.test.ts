import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { parse } from 'yaml';

interface Pipeline {
  readonly jobs: readonly { readonly steps: readonly { readonly bash?: string; readonly displayName?: string }[] }[];
}

const cleanUp = cleanUpIn(afterAll);
const { jobs } = parse(readFileSync(join(findProjectRoot(), 'ci/azure/azure-pipelines.yml'), 'utf8')) as Pipeline;
const script = jobs.flatMap(({ steps }) => steps).find(({ displayName }) => displayName === 'Run the tests')?.bash ?? '';

/** Returns the token that `run-shard` gets if the step has this one. */
async function handedOn(token: Readonly<Record<string, string>>): Promise<string> {
  const folder = cleanUp.add(new TempFolder());
  const file = folder.join('script.sh');
  writeFileSync(file, script);
  folder.write('affected.sh', 'printenv TURBO_TOKEN || echo none\n');
  const job = { AFFECTED: `sh ${folder.join('affected.sh')}`, PIPELINE_WORKSPACE: folder.path, PLAN_ATTEMPT: '1', SHARDS: '01' };
  const { code, stdout, stderr } = await runProcess('bash', ['--noprofile', '--norc', file], {
    cwd: folder.path,
    env: { ...job, ...token },
  });
  expect([code, stderr]).toEqual([0, '']);
  return stdout.trim();
}

test.each<[title: string, token: Readonly<Record<string, string>>, expected: string]>([
  ['one', { TURBO_TOKEN: 'a-$(b)-c' }, 'a-$(b)-c'],
  ['none', {}, 'none'],
  ['an empty one', { TURBO_TOKEN: '' }, 'none'],
  ['the name of a variable that is not there', { TURBO_TOKEN: '$(TURBO_READ_TOKEN)' }, 'none'],
])('of a token turborepo gets what there is: %s', async (_, token, expected) => {
  expect(await handedOn(token)).toBe(expected);
});

// Azure would replace it before the shell sees it, perhaps with a secret.
test('nothing in a script is a variable of Azure Pipelines', () => {
  const scripts = jobs.flatMap(({ steps }) => steps.flatMap(({ bash = [] }) => bash));
  expect(scripts.length).toBeGreaterThan(3);
  expect(scripts.filter((text) => text.includes('$('))).toEqual([]);
});
