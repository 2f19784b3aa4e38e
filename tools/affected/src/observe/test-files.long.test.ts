import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import type { Plan } from '../plan/plan.js';
import type { Receipt } from '../receipt/receipt.js';
import { ShardRepo } from '../testing/shard-repo.fixture.js';
import { formatObservations } from './kept-observation.js';
import type { Observation } from './observation.js';

// Test files of a shard under a real strace, with real jest, node, git, Yarn and turborepo; then a shard without the spared ones.

const cleanUp = cleanUpIn(afterAll);
const canTrace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;
// The jest of this project, in a folder for temporary files, would count as the left-over of another run.
const isTemporary = ['/tmp', tmpdir()].some((folder) => findProjectRoot().startsWith(`${folder}/`));
const withStrace = canTrace && !isTemporary ? describe : describe.skip;

/** Reads a file in a process of its own, by a name that no source holds. */
const CHILD = "require('node:child_process').execSync('cat ' + ['da', 'ta'].join('') + '.txt', { cwd: __dirname + '/..' })";
/** Puts a file into each module that it transforms. */
const TRANSFORM = `const { readFileSync } = require('node:fs');
module.exports = {
  process: (source, path) => ({
    code: path.endsWith('macro.js') ? 'module.exports = ' + JSON.stringify(readFileSync(__dirname + '/macro.txt', 'utf8')) : source,
  }),
};
`;
const JEST = {
  'jest.config.js':
    "module.exports = { testEnvironment: 'node', globalSetup: './global.js', transform: { '\\\\.js$': './transform.js' } };\n",
  'global.js': "module.exports = async () => void require('node:fs').readFileSync(__dirname + '/global.txt');\n",
  'global.txt': '1\n',
  'transform.js': TRANSFORM,
  'macro.txt': '1\n',
  'data.txt': '1\n',
  'src/macro.js': '0;\n',
  'src/child.test.js': `test('x', () => void ${CHILD});\n`,
  'src/macro.test.js': "test('x', () => void require('./macro.js'));\n",
  'src/again.test.js': "test('x', () => void require('./macro.js'));\n",
};
const NODE = {
  'data.txt': '1\n',
  'lib.js': '0;\n',
  'test/child.test.js': `require('node:test')('x', () => void ${CHILD});\n`,
  'test/lib.test.js': "require('node:test')('x', () => void require(['..', 'lib.js'].join('/')));\n",
};
const WRITES = (name: string): string =>
  `const fs = require('node:fs');\nrequire('node:test')('x', () => { if (fs.existsSync('state')) fs.readFileSync('state'); fs.writeFileSync('state', '${name}'); });\n`;

let one: ShardRepo;
let env: Readonly<Record<string, string>>;
let kept: string;
let observed: ReadonlyMap<string, Observation>;

async function affected(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await one.affected(args, { env });
  if (code !== 0) throw new Error(stdout + stderr);
  return stdout;
}

const file = (name: string): string => join(one.work, name);
const read = (name: string): unknown => JSON.parse(readFileSync(file(name), 'utf8'));

/** The inputs of a test file that are in its workspace, besides the shared ones. */
function inputsOf(workspace: string, name: string): readonly string[] {
  const found = observed.get(workspace);
  if (found?.testFiles === undefined || 'unclear' in found.testFiles) throw new Error(JSON.stringify(found?.testFiles ?? found?.gaps));
  const places = found.testFiles.each[name] ?? [];
  return places.flatMap((place) => found.files[place] ?? []);
}

/** Plans one commit on top, which it then removes; by workspace, the spared test files, or why there are none. */
async function planned(files: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>>> {
  one.repo.commit('Change', { files });
  try {
    await affected('plan', '--base', 'HEAD~1', '--shards', '1', '--observations', kept, '--out', file('next.json'));
    const { shards } = read('next.json') as Plan;
    const pieces = shards.flatMap((shard) => shard.pieces);
    return Object.fromEntries(pieces.map(({ workspace, spared, whole }) => [workspace, spared?.files ?? whole]));
  } finally {
    one.repo.git('reset', '-q', '--hard', 'HEAD~1');
  }
}

withStrace('test files of a traced shard', () => {
  beforeAll(async () => {
    const files = { 'tributary.json': '{ "affected": { "observed": "files" } }\n' };
    one = await ShardRepo.create(
      cleanUp,
      {
        jests: { test: 'jest', files: JEST },
        nodes: { test: 'node --test', files: NODE },
        state: { test: 'node --test --test-concurrency=1', files: { 'a.test.js': WRITES('a'), 'b.test.js': WRITES('b') } },
      },
      { changed: ['jests', 'nodes', 'state'], files: { ...files, '.gitignore': 'node_modules\n.turbo\n.yarn\n.tributary\nstate\n' } },
    );
    // Programs in a folder for temporary files would count as the left-over of another run.
    const bin = join(one.repo.path, 'node_modules/.bin');
    cpSync(join(one.work, 'bin'), bin, { recursive: true });
    writeFileSync(join(bin, 'jest'), `#!/bin/sh\nexec node "${join(findProjectRoot(), 'node_modules/jest/bin/jest.js')}" "$@"\n`, {
      mode: 0o755,
    });
    const path = one.environment['PATH'] ?? '';
    env = { PATH: `${bin}:${path.slice(path.indexOf(':') + 1)}`, CI: '1' };
    await affected('plan', '--base', 'main', '--shards', '1', '--out', file('plan.json'));
    await affected('run-shard', '01', '--trace', '--plan', file('plan.json'), '--receipts', file('receipts'));
    const lines = readFileSync(file('receipts/01.observations.ndjson'), 'utf8').trim().split('\n');
    // jest is in the modules of this project, so outside of the traced one.
    const all = lines.map((line) => JSON.parse(line) as Observation).map((found) => ({ ...found, apart: { ...found.apart, outside: [] } }));
    observed = new Map(all.map((found) => [found.workspace, found]));
    kept = file('observations.json');
    writeFileSync(kept, formatObservations(all));
  });

  test('have what their processes read, in child processes and transforms too', () => {
    const top = 'packages/p0/';
    expect(inputsOf('jests', 'src/child.test.js')).toEqual([`${top}data.txt`, `${top}src/child.test.js`]);
    for (const name of ['macro', 'again'])
      expect(inputsOf('jests', `src/${name}.test.js`)).toEqual(
        [`${top}macro.txt`, `${top}src/${name}.test.js`, `${top}src/macro.js`].sort(),
      );
    expect(inputsOf('nodes', 'test/lib.test.js')).toEqual(['packages/p1/lib.js', 'packages/p1/test/lib.test.js']);
  });

  test('that share a state are not told apart', () => {
    expect(observed.get('state')?.testFiles).toEqual({ unclear: expect.stringMatching(/^[ab]\.test\.js uses what [ab]\.test\.js wrote$/) });
  });

  const jests = ['src/again.test.js', 'src/child.test.js', 'src/macro.test.js'];
  const without = (...names: readonly string[]): readonly string[] => jests.filter((name) => !names.includes(name));

  test('are left out if they used nothing that changed', async () => {
    const spared = await planned({ 'packages/p0/macro.txt': '2\n', 'packages/p1/data.txt': '2\n' });
    expect(spared).toEqual({ jests: without('src/again.test.js', 'src/macro.test.js'), nodes: ['test/lib.test.js'] });
    expect(await planned({ 'packages/p0/src/new.test.js': "test('x', () => {});\n" })).toEqual({ jests });
  });

  test('all run after a change of what all use, and where nobody knows', async () => {
    const all = await planned({ 'packages/p0/global.txt': '2\n', 'packages/p1/test/data.txt': '2\n', 'packages/p2/b.test.js': '0;\n' });
    expect(all).toEqual({
      jests: expect.stringContaining('packages/p0/global.txt'),
      nodes: expect.stringContaining('the list of packages/p1/test'),
      state: expect.stringContaining('cannot be judged one by one'),
    });
    expect(await planned({ 'packages/p0/src/__mocks__/svc.js': '0;\n' })).toEqual({ jests: expect.stringContaining('the list of') });
  });

  test('are not told apart by hooks in Node', async () => {
    const bin = join(one.work, 'no-strace');
    mkdirSync(bin);
    for (const name of ['git', 'sh', 'node']) symlinkSync(spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim(), join(bin, name));
    rmSync(join(one.repo.path, 'packages/p2/state'));
    one.repo.commit('Change', { files: { 'packages/p2/a.test.js': WRITES('c') } });
    const [path = ''] = env['PATH']?.split(':') ?? [];
    await affected('plan', '--base', 'HEAD~1', '--shards', '1', '--out', file('hooks.json'));
    const args = ['run-shard', '01', '--trace', '--plan', file('hooks.json'), '--receipts', file('hooks')];
    expect(await one.affected(args, { env: { ...env, PATH: `${path}:${bin}` } })).toMatchObject({ code: 0 });
    const found = JSON.parse(readFileSync(file('hooks/01.observations.ndjson'), 'utf8')) as Observation;
    expect(found).toMatchObject({ workspace: 'state', tracer: `hooks of Node ${process.versions.node}`, gaps: [], complete: true });
    expect(found.testFiles).toEqual({ unclear: 'hooks in Node do not show which test file a process runs' });
  });

  test('do not run, the gate knows it, and no time is kept', async () => {
    one.repo.commit('Change', {
      files: { 'packages/p0/data.txt': '2\n', 'packages/p1/data.txt': '2\n', 'packages/p1/test/new.test.js': '0;\n' },
    });
    await affected('plan', '--base', 'HEAD~1', '--shards', '1', '--observations', kept, '--out', file('part.json'));
    await affected('run-shard', '01', '--plan', file('part.json'), '--receipts', file('part'));
    const receipt = read('part/01.json') as Receipt;
    const ran = receipt.pieces.map(({ workspace, fileSeconds = [], leftOut }) => [
      workspace,
      fileSeconds.map(({ file: name }) => name).sort(),
      leftOut,
    ]);
    expect(new Set(ran)).toEqual(
      new Set([
        ['jests', ['src/child.test.js'], without('src/child.test.js')],
        ['nodes', ['test/child.test.js', 'test/new.test.js'], ['test/lib.test.js']],
      ]),
    );
    expect(await affected('gate', '--plan', file('part.json'), '--receipts', file('part'))).toContain('passed');
    await affected('timings', 'collect', '--receipts', file('part'), '--into', file('timings.json'));
    expect(readFileSync(file('timings.json'), 'utf8')).not.toMatch(/jests#test|nodes#test/);
    const forged = receipt.pieces.map((piece) => ({ ...piece, fileSeconds: piece.fileSeconds?.slice(1) ?? [] }));
    writeFileSync(file('part/01.json'), JSON.stringify({ ...receipt, pieces: forged }));
    await expect(affected('gate', '--plan', file('part.json'), '--receipts', file('part'))).rejects.toThrow(
      /ran without 1 of its \d test files/,
    );
  });
});
