// Installs the three packed tools as a stranger would, on each supported version of Node, and asks each of them something.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TOOLS } from './tools.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const yarn = join(root, '.yarn/releases/yarn-4.18.1.cjs');
const work = realpathSync(mkdtempSync(join(tmpdir(), 'tributary-installed-')));
const packed = join(work, 'packed');
const NODES = [process.execPath, process.env.NODE_22, process.env.NODE_24].filter((node) => node !== undefined && node !== '');
const WAYS = ['npm', 'pnp', 'node-modules'];

beforeAll(() => void run(process.execPath, [join(root, 'scripts/pack-tools.mjs'), packed], {}));

afterAll(() => rmSync(work, { recursive: true, force: true }));

const cases = NODES.flatMap((node) => WAYS.map((way) => [versionOf(node), way, node]));
test.each(cases)('on Node %s, installed by %s, all three answer', (_, way, node) => {
  const folder = makeMonorepo(way);
  // Whatever starts a `node` gets this one.
  const env = { ...process.env, PATH: `${dirname(realpathSync(node))}${delimiter}${process.env.PATH}` };
  const [program, ...install] = way === 'npm' ? ['npm', 'install', '--no-audit', '--no-fund'] : ['node', yarn, 'install'];
  run(program, install, { cwd: folder, env });
  commit(folder, { '.gitignore': 'node_modules\n.yarn\n.pnp.*\n.tributary\n' });
  commit(folder, { 'packages/lib/index.js': 'export const step = 2;\n' });
  const [start, ...before] = way === 'npm' ? ['npm', 'exec', '--no', '--'] : ['node', yarn, 'run'];
  const ask = (...words) => run(start, [...before, ...words], { cwd: folder, env });
  expect(ask('affected', '--base', 'HEAD~1', '--format', 'names')).toBe('app\nlib\n');
  // It has a native part.
  expect(JSON.parse(ask('commit-to-publish', 'collect', '--json')).repositories).toHaveLength(1);
  expect(ask('migrate-repo', '--version')).toBe(ask('affected', '--version'));
});

function makeMonorepo(way) {
  const folder = mkdtempSync(join(work, `${way}-`));
  const tarballs = readdirSync(packed).map((file) => [`@tributary/${TOOLS.find((tool) => file.startsWith(`tributary-${tool}-`))}`, file]);
  const devDependencies = Object.fromEntries(tarballs.map(([name, file]) => [name, `file:${join(packed, file)}`]));
  const yarnVersion = way === 'npm' ? {} : { packageManager: 'yarn@4.18.1' };
  const lib = way === 'npm' ? '*' : 'workspace:*';
  run('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder });
  write(folder, {
    'package.json': JSON.stringify({
      name: 'acme',
      private: true,
      type: 'module',
      workspaces: ['packages/*'],
      devDependencies,
      ...yarnVersion,
    }),
    '.yarnrc.yml': `nodeLinker: ${way === 'npm' ? 'node-modules' : way}\nenableImmutableInstalls: false\n`,
    'packages/lib/package.json': JSON.stringify({ name: 'lib', version: '1.0.0', type: 'module' }),
    'packages/lib/index.js': 'export const step = 1;\n',
    'packages/app/package.json': JSON.stringify({ name: 'app', version: '1.0.0', dependencies: { lib } }),
  });
  return folder;
}

function commit(folder, files) {
  write(folder, files);
  run('git', ['add', '--all'], { cwd: folder });
  run('git', ['-c', 'user.name=acme', '-c', 'user.email=acme@localhost', 'commit', '--quiet', '--message', 'Step'], { cwd: folder });
}

function write(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function versionOf(node) {
  return run(node, ['--version'], {}).trim();
}

function run(program, args, options) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status ?? error}:\n${stdout}\n${stderr}`);
  return stdout;
}
