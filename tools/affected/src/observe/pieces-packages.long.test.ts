import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type LocalRegistry, startRegistry } from '@tributary/test-repo/local-registry';
import type { AffectedResult, AuditResult } from '../result.js';
import { ShardRepo } from '../testing/shard-repo.fixture.js';
import type { Observation } from './observation.js';

// What pieces use of node_modules, under a real strace, and whom a raised dependency of the root spares. With real git, Yarn and turborepo.

const cleanUp = cleanUpIn(afterAll);
const withStrace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0 ? describe : describe.skip;

const published = (name: string, version: string, more: object = {}, files: Readonly<Record<string, string>> = {}) => ({
  manifest: { name, version, main: 'index.js', ...more },
  files: { 'index.js': `module.exports = '${version}';\n`, ...files },
});

const PACKAGES = [
  published('left', '1.0.0', { bin: 'cli.js' }, { 'cli.js': '#!/usr/bin/env node\n', 'data.txt': '1\n' }),
  published('left', '1.1.0', { bin: 'cli.js' }, { 'cli.js': '#!/usr/bin/env node\n', 'data.txt': '2\n' }),
  published('right', '1.0.0', { dependencies: { two: '^1.0.0' } }, { 'index.js': "module.exports = require('two');\n" }),
  published('@types/right', '1.0.0'),
  published('two', '1.0.0'),
  published('two', '2.0.0'),
  published('three', '2.0.0', { dependencies: { two: '^2.0.0' }, scripts: { postinstall: 'node index.js' } }),
  published('fresh', '1.0.0', { dependencies: { two: '^2.0.0' } }),
  published('@types/more', '1.0.0'),
  published('@alone/one', '1.0.0'),
];

const ROOT = {
  left: '^1.0.0',
  right: '^1.0.0',
  three: '^2.0.0',
  '@types/right': '*',
  inside: 'link:./node_modules/left',
  '@alone/one': '*',
  fork: 'file:./forks/a',
};
const node = (code: string) => ({ test: 'node test.cjs', files: { 'test.cjs': code } });
const READ = "require('node:fs').readFileSync(";
const EXISTS = "require('node:fs').existsSync(";
const LIST = "require('node:fs').readdirSync(";

let one: ShardRepo;
let registry: LocalRegistry;
let path: string;
let observed: ReadonlyMap<string, Observation>;

/** Runs all tests, and keeps what they used. */
async function trace(): Promise<ReadonlyMap<string, Observation>> {
  const [plan, receipts] = [join(one.work, 'plan.json'), join(one.work, 'receipts')];
  for (const args of [
    ['plan', '--base', 'main', '--shards', '1', '--out', plan],
    ['run-shard', '01', '--trace', '--plan', plan, '--receipts', receipts],
    ['timings', 'collect', '--receipts', receipts, '--into', join(one.work, 'timings.json'), '--observations', join(one.work, 'seen.json')],
  ]) {
    const { code, stdout, stderr } = await one.affected(args, { env: { PATH: path } });
    if (code !== 0) throw new Error(stdout + stderr);
  }
  const lines = readFileSync(join(receipts, '01.observations.ndjson'), 'utf8').trim().split('\n');
  return new Map(lines.map((line) => JSON.parse(line) as Observation).map((observation) => [observation.workspace, observation]));
}

/** Changes dependencies of the root, installs, and returns by workspace why it is spared or selected. The change is then removed. */
async function change(dependencies: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string>> {
  const manifest = JSON.parse(readFileSync(join(one.repo.path, 'package.json'), 'utf8')) as object;
  one.repo.write({ 'package.json': `${JSON.stringify({ ...manifest, devDependencies: dependencies }, undefined, 2)}\n` });
  await one.install(one.repo.path);
  one.repo.commit('Dependencies');
  const { code, stdout, stderr } = await one.affected([
    '--base',
    'HEAD~1',
    '--task',
    'test',
    '--observations',
    join(one.work, 'seen.json'),
    '--json',
  ]);
  if (code !== 0) throw new Error(stdout + stderr);
  const { workspaces, spared = [], all, warnings } = JSON.parse(stdout) as AffectedResult;
  if (all !== null) throw new Error(JSON.stringify({ all, warnings }));
  one.repo.git('reset', '-q', '--hard', 'HEAD~1');
  await one.install(one.repo.path);
  const reasons = workspaces.map(
    ({ name, reasons: [reason] }) => [name, reason?.kind === 'shared' ? reason.because : String(reason?.kind)] as const,
  );
  return new Map(
    [...spared.map(({ name, reason }) => [name, reason] as const), ...reasons].map(([name, text]) => [
      name,
      text.replace(/,? (which|last) .*/, ''),
    ]),
  );
}

withStrace('a changed dependency of the root', () => {
  beforeAll(async () => {
    registry = await startRegistry({ packages: PACKAGES });
    const host = new URL(registry.url).hostname;
    one = await ShardRepo.create(
      cleanUp,
      {
        requires: node("require('left');\n"),
        reads: node(`${READ}'../../node_modules/left/data.txt');\n`),
        lists: node(`${LIST}'../../node_modules/left');\n`),
        runs: { test: '../../node_modules/.bin/left' },
        rights: node("require('right');\n"),
        threes: node("require('three');\n"),
        nested: node(`${READ}'../../node_modules/three/node_modules/two/package.json');\n`),
        all: node(`${LIST}'../../node_modules');\n`),
        types: node(`${LIST}'../../node_modules/@types');\n`),
        scope: node(`${EXISTS}'../../node_modules/@none');\n`),
        forks: node("require('fork');\n"),
        there: node(`${EXISTS}'../../node_modules/@alone');\n`),
        vain: node("try { require('fresh'); } catch {}\n"),
        globs: { test: 'node test.cjs ../../node_modules/@types/*', files: { 'test.cjs': '0;' } },
        stdin: { test: 'node test.cjs < ../../package.json', files: { 'test.cjs': `${READ}0);` } },
        deep: node(`${LIST}'../../node_modules/right', { recursive: true });\n`),
        linked: node(`${READ}'../../node_modules/inside/index.js');\n`),
        links: node(`${READ}'../../node_modules/own/src.js');\n`),
        own: node(`${READ}'src.js');\n`),
      },
      {
        changed: [
          ...['requires', 'reads', 'lists', 'runs', 'rights', 'threes', 'nested', 'all', 'types', 'scope', 'vain'],
          ...['forks', 'there', 'globs', 'stdin', 'deep', 'linked', 'links', 'own'],
        ],
        root: { devDependencies: { ...ROOT, left: '1.0.0' } },
        environment: { YARN_ENABLE_NETWORK: '1', YARN_NPM_REGISTRY_SERVER: registry.url, YARN_UNSAFE_HTTP_WHITELIST: host },
        files: {
          // The name inside is that of another package.
          ...Object.fromEntries(['a', 'b'].map((name) => [`forks/${name}/package.json`, '{ "name": "left", "version": "1.0.0" }\n'])),
          'forks/a/index.js': "module.exports = 'a';\n",
          'forks/b/index.js': "module.exports = 'b';\n",
          'tributary.json': '{ "affected": { "observed": "narrow" } }\n',
          // So every workspace may use them.
          'jest.config.js': "module.exports = ['left', 'right', 'three', 'fresh', 'inside', '@types/more', '@alone/one', 'fork'];\n",
        },
      },
    );
    // Programs in a folder for temporary files would count as the left-over of another run.
    const bin = join(one.repo.path, 'node_modules/.bin');
    cpSync(join(one.work, 'bin'), bin, { recursive: true });
    path = `${bin}:${(one.environment['PATH'] ?? '').slice((one.environment['PATH'] ?? '').indexOf(':') + 1)}`;
    observed = await trace();
  });

  afterAll(() => registry?.close());

  test.each<[string, readonly string[]]>([
    ['requires', ['left@1.0.0']],
    ['reads', ['left@1.0.0']],
    ['lists', ['left@1.0.0']],
    ['runs', ['left@1.0.0']],
    ['rights', ['right@1.0.0', 'two@1.0.0']],
    ['threes', ['three@2.0.0 builds']],
    ['nested', ['three@2.0.0 builds', 'two@2.0.0']],
    ['vain', ['fresh@null']],
    ['deep', ['right@1.0.0']],
    ['linked', ['inside@0.0.0-use.local', 'left@1.0.0']],
    ['links', ['own@0.0.0-use.local']],
    ['own', []],
  ])('is seen in what %s used', (name, packages) => {
    const { gaps, packages: used = [] } = observed.get(name) ?? {};
    expect(gaps).toEqual([]);
    // Node also looks for files beside packages.
    const names = used.filter(({ name: found }) => !/\.(js|json|node)$/.test(found));
    expect(names.map(({ name: found, version, builds }) => `${found}@${version}${builds ? ' builds' : ''}`)).toEqual(packages);
  });

  test('is seen in lists, and in a scope that is missing', () => {
    expect(observed.get('all')?.listed.map((folder) => folder.path)).toEqual(['node_modules']);
    expect(observed.get('types')?.listed.map((folder) => folder.path)).toEqual(['node_modules/@types']);
    expect(observed.get('scope')?.absent).toContain('node_modules/@none');
  });

  test('spares who did not use it', async () => {
    const reasons = await change({ ...ROOT, left: '1.1.0' });
    const spared = 'not affected by left (left@npm:1.0.0 became left@npm:1.1.0): not used in 1 observed run';
    const used = 'it used the package left';
    expect(Object.fromEntries(reasons)).toEqual({
      monorepo: expect.any(String),
      requires: used,
      reads: used,
      lists: used,
      runs: used,
      rights: spared,
      threes: spared,
      nested: spared,
      all: 'it read the list of node_modules',
      types: spared,
      scope: spared,
      forks: used,
      there: spared,
      vain: spared,
      globs: spared,
      stdin: expect.stringContaining('not-understood: the script test of stdin reads a file with <'),
      deep: spared,
      linked: used,
      links: spared,
      own: spared,
    });
  });

  test('selects who used a package that moves with it', async () => {
    const before = readFileSync(join(one.repo.path, 'node_modules/two/package.json'), 'utf8');
    const reasons = await change({ ...ROOT, left: '1.0.0', fresh: '1.0.0' });
    expect(before).toContain('1.0.0');
    expect(Object.fromEntries(reasons)).toMatchObject({
      requires: expect.stringContaining('not affected by fresh'),
      rights: 'it used the package two',
      vain: 'it looked for the package fresh',
      deep: 'it read the list of node_modules/right',
    });
  });

  test('selects a script with a pattern that the shell of Yarn follows', async () => {
    const reasons = await change({ ...ROOT, left: '1.0.0', '@types/more': '1.0.0' });
    expect(reasons.get('globs')).toBe('it read the list of node_modules/@types');
    expect(reasons.get('own')).toContain('not affected by @types/more');
  });

  test('selects who saw a scope that goes', async () => {
    const { '@alone/one': _, ...rest } = ROOT;
    const reasons = await change({ ...rest, left: '1.0.0' });
    expect(reasons.get('there')).toBe('it read that there was node_modules/@alone');
    expect(reasons.get('own')).toContain('not affected by @alone/one');
  });

  test('selects who used a package under another name than its own', async () => {
    const reasons = await change({ ...ROOT, left: '1.0.0', fork: 'file:./forks/b' });
    expect(reasons.get('forks')).toBe('it looked for the package fork');
    expect(reasons.get('requires')).toContain('not affected by fork');
  });

  test('selects who read through a link into a package', async () => {
    const reasons = await change({ ...ROOT, left: '1.0.0', inside: 'link:./node_modules/right' });
    expect(reasons.get('linked')).toBe('it used the package inside');
    expect(reasons.get('requires')).toContain('not affected by inside');
  });

  test('misses no test that fails with a broken package, in an audit', async () => {
    const asked = ['audit', '--mutants', '6', '--observations', join(one.work, 'seen.json'), '--json'];
    const { code, stdout, stderr } = await one.affected(asked);
    if (code !== 0) throw new Error(stdout + stderr);
    const { mutants, missed } = JSON.parse(stdout) as AuditResult;
    const ofPackages = mutants.filter(({ kind, spared, outcome }) => kind === 'package' && spared.length > 0 && outcome === 'killed');
    expect({ missed, isJudged: ofPackages.length > 0 }).toEqual({ missed: 0, isJudged: true });
  });
});
