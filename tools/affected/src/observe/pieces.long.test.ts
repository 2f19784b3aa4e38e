import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runProcess } from '@tributary/test-repo/run-cli';
import type { AffectedResult } from '../result.js';
import { ShardRepo } from '../testing/shard-repo.fixture.js';
import type { Observation } from './observation.js';

// Pieces of a shard under a real strace, with real git, Yarn and turborepo.

const cleanUp = cleanUpIn(afterAll);
const canTrace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;
const withStrace = canTrace ? describe : describe.skip;

const BUILD = `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
mkdirSync('dist', { recursive: true });
writeFileSync('dist/out.js', readFileSync('src.js', 'utf8') + readFileSync('../../build' + '-settings.json', 'utf8'));
`;

const TEST = `import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
readFileSync('../p0/dist/out.js');
readFileSync(['..', 'p3', 'data.json'].join('/'));
existsSync('../../missing.json');
readdirSync('../../fixtures');
statSync('../../.git');
`;

let one: ShardRepo;
let path: string;
let observed: ReadonlyMap<string, Observation>;

async function trace(env: Readonly<Record<string, string>> = {}): Promise<ReadonlyMap<string, Observation>> {
  const [plan, receipts] = [join(one.work, 'plan.json'), join(one.work, 'receipts')];
  for (const args of [
    ['plan', '--base', 'main', '--shards', '1', '--out', plan],
    ['run-shard', '01', '--trace', '--plan', plan, '--receipts', receipts],
  ]) {
    const { code, stdout, stderr } = await one.affected(args, { env: { PATH: path, ...env } });
    if (code !== 0) throw new Error(stdout + stderr);
  }
  const lines = readFileSync(join(receipts, '01.observations.ndjson'), 'utf8').trim().split('\n');
  return new Map(lines.map((line) => JSON.parse(line) as Observation).map((observation) => [observation.workspace, observation]));
}

withStrace('run-shard --trace', () => {
  beforeAll(async () => {
    one = await ShardRepo.create(
      cleanUp,
      {
        '@acme/core': { manifest: { scripts: { build: 'node build.mjs', test: 'node -e 0' } }, files: { 'build.mjs': BUILD } },
        '@acme/ui': { dependencies: ['@acme/core'], test: 'node test.mjs', files: { 'test.mjs': TEST } },
        looks: { test: 'node look.mjs', files: { 'look.mjs': "import { existsSync } from 'node:fs';\nexistsSync('../../generated');\n" } },
        other: { test: 'git rev-parse HEAD', files: { 'data.json': '{}\n' } },
      },
      {
        changed: ['@acme/core', 'other', 'looks'],
        files: {
          '.gitignore': 'node_modules\n.turbo\n.yarn\n.tributary\ndist\ngenerated\n',
          'build-settings.json': '{}\n',
          'fixtures/a.json': '{}\n',
        },
      },
    );
    // Programs in a folder for temporary files would count as the left-over of another run.
    const bin = join(one.repo.path, 'node_modules/.bin');
    cpSync(join(one.work, 'bin'), bin, { recursive: true });
    path = `${bin}:${(one.environment['PATH'] ?? '').slice((one.environment['PATH'] ?? '').indexOf(':') + 1)}`;
    writeFileSync(join(one.repo.path, 'generated'), '');
    observed = await trace();
  });

  test('holds what the builds read whose output a piece reads, declared or not', () => {
    const ui = observed.get('@acme/ui');
    expect(ui).toMatchObject({ task: 'test', complete: true, gaps: [], exit: 0, nested: [] });
    expect(ui?.files).toEqual(
      expect.arrayContaining([
        'build-settings.json',
        'packages/p0/build.mjs',
        'packages/p0/src.js',
        'packages/p1/test.mjs',
        'packages/p3/data.json',
      ]),
    );
    expect([...(ui?.files ?? []), ...(ui?.found ?? [])]).toContain('packages/p0/package.json');
    expect(ui?.apart.written).toContain('packages/p0/dist/out.js');
    expect(ui?.absent).toContain('missing.json');
    expect(ui?.listed.map(({ path }) => path)).toContain('fixtures');
  });

  test('is not complete for a piece that only looks whether something untracked is there', () => {
    expect(observed.get('looks')?.gaps).toEqual([{ gap: 'left-over', detail: 'generated' }]);
  });

  test('keeps the readings of other tasks apart', () => {
    const core = observed.get('@acme/core');
    expect(core?.complete).toBe(true);
    expect(core?.files).not.toContain('build-settings.json');
    expect(core?.files).not.toContain('packages/p1/test.mjs');
  });

  test('is not complete for a piece that asks git', () => {
    expect(observed.get('other')?.gaps.map(({ gap }) => gap)).toContain('repository');
  });

  test('is kept with the timings, and then a file that was read selects', async () => {
    const kept = join(one.work, 'observations.json');
    const collect = ['timings', 'collect', '--receipts', join(one.work, 'receipts'), '--into', join(one.work, 'timings.json')];
    const { stderr } = await one.affected([...collect, '--observations', kept]);
    expect(stderr).toContain('4 observations in this run, 4 in');
    one.repo.commit('Data', { files: { 'packages/p3/data.json': '[]\n' } });
    const { stdout } = await one.affected(['--base', 'HEAD~1', '--observations', kept, '--json']);
    expect(JSON.parse(stdout).workspaces.map(({ name }: { readonly name: string }) => name)).toEqual(['@acme/ui', 'other']);
  });

  test('spares who did not read a file of the root', async () => {
    one.repo.commit('Narrow', { files: { 'tributary.json': '{ "affected": { "observed": "narrow" } }\n' } });
    one.repo.commit('Settings', { files: { 'build-settings.json': '[]\n' } });
    const asked = ['--base', 'HEAD~1', '--task', 'test', '--observations', join(one.work, 'observations.json')];
    const { stdout } = await one.affected([...asked, '--json']);
    const { workspaces, spared } = JSON.parse(stdout) as AffectedResult;
    expect(spared?.map(({ name, reason }) => [name, reason.replace(/\w+$/, '')])).toEqual([
      ['@acme/core', 'not affected by build-settings.json: not read in 1 observed run, last at '],
    ]);
    expect(workspaces.map(({ name, reasons: [reason] }) => [name, reason?.kind])).toEqual([
      ['monorepo', 'shared'],
      ['@acme/ui', 'read'],
      ['looks', 'shared'],
      ['other', 'shared'],
    ]);
  });

  test('uses hooks in Node where strace is missing', async () => {
    const bin = join(one.work, 'no-strace');
    mkdirSync(bin);
    for (const name of ['git', 'sh', 'node']) symlinkSync((await runProcess('which', [name], { cwd: bin })).stdout.trim(), join(bin, name));
    one.repo.git('checkout', '-q', 'topic');
    rmSync(join(one.repo.path, 'packages/p0/dist'), { recursive: true });
    const hooked = await trace({ PATH: `${path.slice(0, path.indexOf(':'))}:${bin}` });
    const [ui, seen] = [hooked.get('@acme/ui'), observed.get('@acme/ui')];
    expect(ui).toMatchObject({ tracer: `hooks of Node ${process.versions.node}`, complete: true, gaps: [], exit: 0 });
    // Hooks count each manifest above a file that was read.
    const manifests = ['package.json', 'packages/p3/package.json'];
    expect(ui?.files).toEqual([...(seen?.files ?? []), ...manifests].sort());
    expect(ui?.variables?.read).not.toContain('RAN_LOG');
    expect(hooked.get('looks')?.gaps).toEqual([{ gap: 'left-over', detail: 'generated' }]);
    expect(hooked.get('other')?.gaps.map(({ gap }) => gap)).toContain('native-program');
  });

  test('knows what package managers list', () => {
    expect(observed.get('@acme/ui')?.apart.toolLists).toEqual(expect.arrayContaining(['packages']));
  });
});
