import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { Plan } from '../plan/plan.js';
import { ShardRepo } from '../testing/shard-repo.fixture.js';
import { readActRun } from './github-log.fixture.js';
import { findTool } from './tools.fixture.js';

const act = findTool('ACT');
const cleanUp = cleanUpIn(afterEach);

/** One job that makes a leg of each row, as `ci/github/workflow.yml` does, and prints the ids that `affected run-shard` would get. */
const WORKFLOW = `on: push
jobs:
  shards:
    runs-on: ubuntu-latest
    strategy:
      matrix: \${{ fromJSON(vars.MATRIX) }}
    steps:
      - env:
          SHARDS: \${{ matrix.shards }}
        run: for id in $SHARDS; do echo "shard $id"; done
`;

// GitHub takes 256 legs and refuses 257. act takes any number, so the test asserts the limit itself.
(act === undefined ? describe.skip : describe)('the limit of GitHub', () => {
  test('257 shards are run by 256 legs, each once', async () => {
    const count = 257;
    // As many workspaces as shards, because the plan leaves out a useless machine.
    const names = Array.from({ length: count }, (_, at) => `@acme/p${at}`);
    const repo = await ShardRepo.create(cleanUp, Object.fromEntries(names.map((name) => [name, {}])), { changed: names });
    const planned = await repo.affected([
      'plan',
      '--base',
      'main',
      '--shards',
      `${count}`,
      '--max-shards',
      `${count}`,
      '--out',
      'plan.json',
    ]);
    expect(planned).toMatchObject({ code: 0 });
    const { shards }: Plan = JSON.parse(readFileSync(`${repo.repo.path}/plan.json`, 'utf8'));
    expect(shards).toHaveLength(count);
    const emitted = await repo.affected(['emit', 'github', '--plan', 'plan.json']);
    const [, matrix = ''] = /^matrix=(.*)$/m.exec(emitted.stdout) ?? [];
    expect(JSON.parse(matrix).include).toHaveLength(256);
    const folder = cleanUp.add(new TempFolder());
    folder.write('.github/workflows/limit.yml', WORKFLOW);
    const args = ['push', '--json', '--no-cache-server', '--platform', 'ubuntu-latest=-self-hosted', '--var', `MATRIX=${matrix}`];
    const ended = await runProcess(act ?? '', args, { cwd: folder.path, timeoutMs: 240_000 });
    const run = readActRun(ended);
    expect(new Set(run.steps.map(({ leg }) => leg)).size).toBe(256);
    const ran = [...(run.printed['shards'] ?? '').matchAll(/shard (\d+)/g)].map(([, id]) => id);
    expect({ code: run.code, ran: ran.sort() }).toEqual({ code: 0, ran: shards.map(({ id }) => id).sort() });
  });
});
