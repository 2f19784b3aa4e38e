import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { type CliResult, runProcess } from '@tributary/test-repo/run-cli';
import type { Plan } from '../plan/plan.js';
import { ShardRepo } from '../testing/shard-repo.fixture.js';

// The output of tests reaches the log of the job through real turborepo, and the log must not obey it.

/** Prints commands to both streams, the last one without a line end, and looks for a token to print. */
const HARM = `
console.log('::error file=a.js::from a test');
console.error('::stop-commands::mine');
console.log('::mine::');
console.error('##[add-mask]a');
console.log(JSON.stringify(process.env), process.argv.join(' '));
for (const pid of ['self', process.ppid]) console.log(require('node:fs').readFileSync('/proc/' + pid + '/cmdline', 'utf8'));
process.stdout.write('::add-mask::b');
process.exit(1);
`;

const cleanUp = cleanUpIn(afterAll);
const GITHUB = { GITHUB_ACTIONS: 'true' };
let one: ShardRepo;
let planFile: string;

beforeAll(async () => {
  one = await ShardRepo.create(
    cleanUp,
    { harm: { test: 'node harm.cjs', files: { 'harm.cjs': HARM } }, calm: {} },
    { changed: ['harm', 'calm'], files: { 'turbo.json': '{ "globalPassThroughEnv": ["*"], "tasks": { "build": {}, "test": {} } }\n' } },
  );
  planFile = join(one.work, 'plan.json');
  await one.affected(['plan', '--base', 'main', '--out', planFile, '--shards', '2', '--max-shards', '2']);
});

beforeEach(() => writeFileSync(one.log, ''));

function runShards(env: Readonly<Record<string, string>>): Promise<CliResult> {
  const { shards } = JSON.parse(readFileSync(planFile, 'utf8')) as Plan;
  return one.affected(['run-shard', ...shards.map(({ id }) => id), '--plan', planFile, '--receipts', join(one.work, 'receipts')], { env });
}

/** Returns the commands that the runner of GitHub obeys in a stream: actions/runner, `ActionCommandManager.TryProcessCommand`. */
function obeyed(output: string): readonly string[] {
  const found: string[] = [];
  let stopped: string | undefined;
  for (const line of output.split(/\r?\n/)) {
    const [, name = ''] = /^\s*::([\w-]+)[ :]/.exec(line) ?? /##\[([\w-]+)/.exec(line) ?? [];
    if (stopped !== undefined) {
      if (name === stopped) stopped = undefined;
    } else if (name === 'stop-commands') stopped = line.slice('::stop-commands::'.length);
    else if (name !== '') found.push(line);
  }
  expect(stopped).toBeUndefined();
  return found;
}

describe('on GitHub', () => {
  test('nothing that tests print is obeyed, and what failed is an annotation', async () => {
    const { code, stdout, stderr } = await runShards(GITHUB);
    expect([code, obeyed(stdout).map((line) => line.split('::').slice(0, 2).join('::'))]).toEqual([1, ['::error title=harm failed']]);
    expect(stdout).toContain('::error file=a.js::from a test');
    // Everything is in one stream, whose order is known.
    expect(stderr).not.toMatch(/::|##/);
  });

  test('a token is new each time, and in nothing that tests are given', async () => {
    const outputs = [await runShards(GITHUB), await runShards(GITHUB)].map(({ stdout }) => stdout);
    const tokens = outputs.flatMap((stdout) => [...stdout.matchAll(/^::stop-commands::([0-9a-f]{64})$/gm)].map(([, token = '']) => token));
    expect([tokens.length, new Set(tokens).size]).toEqual([4, 4]);
    for (const token of tokens) expect(outputs.join('').split(token)).toHaveLength(3);
  });
});

test('elsewhere there are no such commands', async () => {
  const { code, stdout, stderr } = await runShards({});
  expect(code).toBe(1);
  expect(stdout).not.toMatch(/^::stop-commands::[0-9a-f]|^::error title/m);
  expect(stderr).toContain('Shard 01');
});

// `script` of util-linux gives a program a terminal.
(process.platform === 'linux' ? test : test.skip)('on a terminal, too, no proof is shown, and turborepo has colors', async () => {
  const cli = join(findProjectRoot(), 'tools/affected/out/cli.cjs');
  const command = [process.execPath, cli, 'run-shard', '--all', '--plan', planFile, '--receipts', join(one.work, 'terminal')].join(' ');
  const env = { ...one.environment, TERM: 'xterm-256color' };
  const { stdout } = await runProcess('script', ['-qec', command, join(one.work, 'typescript')], { cwd: one.repo.path, env });
  expect(stdout).not.toContain('nothing is missing');
  expect(stdout).toContain('\u001b[36mcalm:test: ');
});
