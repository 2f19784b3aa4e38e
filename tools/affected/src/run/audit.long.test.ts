import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { AuditResult } from '../result.js';
import { ShardRepo } from '../testing/shard-repo.fixture.js';

// A real clone, real Yarn and turborepo. The test of `reader` reads a file of `data` by a path that it puts together, which nothing declares.

const cleanUp = cleanUpIn(afterAll);
const READS = `import { readFileSync } from 'node:fs';
process.exit(readFileSync(['..', 'p0', 'value.json'].join('/'), 'utf8') === '1\\n' ? 0 : 1);
`;
const EDGE = { reader: { workspaces: {}, files: { 'packages/p0/value.json': 'packages/p1/reader.test.mjs:2' } } };

/** What it left behind makes it fail for ever. */
const POISONED = `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
if (readFileSync(['..', 'p0', 'value.json'].join('/'), 'utf8') !== '1\\n') writeFileSync('.tributary', '');
process.exit(existsSync('.tributary') ? 1 : 0);
`;

function repoWith(reader: string): Promise<ShardRepo> {
  return ShardRepo.create(
    cleanUp,
    {
      data: { manifest: { scripts: {} }, files: { 'value.json': '1\n' } },
      reader: { test: 'node reader.test.mjs', files: { 'reader.test.mjs': reader } },
      fails: { fails: 1 },
      other: {},
    },
    { changed: [] },
  );
}

test('names a test that fails and is not selected, until it is declared, and leaves repository and remote cache as they were', async () => {
  const one = await repoWith(READS);
  const temporary = cleanUp.add(new TempFolder()).path;
  const state = (): readonly string[] => [
    one.repo.git('status', '--porcelain', '--ignored'),
    one.repo.git('for-each-ref'),
    one.repo.git('worktree', 'list'),
    ...readdirSync(temporary).filter((name) => name.startsWith('affected-audit-')),
  ];
  const asked: (string | undefined)[] = [];
  const cache = createServer(({ url }, answer) => {
    asked.push(url);
    answer.writeHead(404).end();
  });
  cleanUp.add({ close: () => void cache.close() });
  await new Promise<void>((resolve) => cache.listen(0, '127.0.0.1', resolve));
  const { port } = cache.address() as AddressInfo;
  const team = { TURBO_TOKEN: 'x', TURBO_TEAM: 'y', TURBO_TEAMID: 'team_z', TURBO_REMOTE_CACHE_READ_ONLY: 'true' };
  const environment = { ...team, TMPDIR: temporary, TURBO_API: `http://127.0.0.1:${port}` };
  const audit = async (): Promise<AuditResult & { readonly code: number | null }> => {
    const before = state();
    const { code, stdout } = await one.affected(['audit', '--mutants', '1', '--json'], { env: environment });
    expect(state()).toEqual(before);
    return { ...(JSON.parse(stdout) as AuditResult), code };
  };
  const first = await audit();
  expect(first).toMatchObject({ code: 1, workspaces: 2, unstable: ['fails'], killed: 1, trials: 1, missed: 1, bound: 1 });
  const change = { kind: 'data', file: 'packages/p0/value.json', line: 1, before: '1', after: '2' };
  expect(first.mutants).toEqual([
    { number: 1, ...change, selected: 0, spared: [], outcome: 'killed', failed: ['reader'], missed: ['reader'] },
  ]);
  one.repo.commit('Declare', { files: { 'tributary.json': JSON.stringify({ affected: { edges: EDGE } }) } });
  expect(asked).toEqual([]);
  const second = await audit();
  expect(second).toMatchObject({ code: 0, trials: 1, missed: 0 });
  expect(second.mutants).toEqual([{ number: 1, ...change, selected: 1, spared: [], outcome: 'killed', failed: ['reader'], missed: [] }]);
});

test('a test that then fails without the change, too, is neither missed nor a proof', async () => {
  const one = await repoWith(POISONED);
  const { code, stdout } = await one.affected(['audit', '--mutants', '1', '--json']);
  const result = JSON.parse(stdout) as AuditResult;
  expect(result).toMatchObject({ workspaces: 2, killed: 0, trials: 0, missed: 0 });
  expect([code, result.warnings]).toEqual([1, ['No change could be judged, so this audit says nothing.']]);
  expect(result.mutants).toMatchObject([{ file: 'packages/p0/value.json', outcome: 'unclear', failed: [], missed: [] }]);
});

test('finds the one of many changes that is missed without a run for each', async () => {
  const log = join(cleanUp.add(new TempFolder()).path, 'runs');
  const reader = `import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(log)}, '.');
process.exit(readFileSync(['..', 'p0', 'value.json'].join('/'), 'utf8').split('\\n')[14] === '1' ? 0 : 1);
`;
  const one = await ShardRepo.create(
    cleanUp,
    {
      data: { manifest: { scripts: {} }, files: { 'value.json': '1\n'.repeat(16) } },
      reader: { test: 'node reader.test.mjs', files: { 'reader.test.mjs': reader } },
    },
    { changed: [] },
  );
  const { stdout } = await one.affected(['audit', '--mutants', '60', '--json']);
  const left = (JSON.parse(stdout) as AuditResult).mutants.filter(({ selected }) => selected === 0);
  expect(left.length).toBeGreaterThan(15);
  expect(left.filter(({ missed }) => missed.length > 0).map(({ line }) => line)).toEqual([15]);
  // One without a change, at the start and at both ends, one of all, two of each of four halves, and one that repeats the failure.
  expect(readFileSync(log, 'utf8').length).toBeLessThan(16);
});
