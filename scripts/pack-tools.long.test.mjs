// What the registry would receive: the three tarballs as released, their licences, and what npm needs to publish them.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TOOLS } from './tools.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'tributary-packed-'));
/** Packages that npm installs for a tool, because they have native parts. */
const INSTALLED = { affected: [], 'commit-to-publish': ['@duckdb/node-api'], 'migrate-repo': [] };
/** The limit for `affected`, which CI jobs unpack many times a day. The parser of scripts is 35 kB of it. */
const MOST_BYTES = 750_000;

beforeAll(() => {
  for (const line of succeed(process.execPath, [join(root, 'scripts/pack-tools.mjs'), folder])
    .trim()
    .split('\n')) {
    const file = line.split('  ')[1];
    const tool = TOOLS.find((one) => file.startsWith(`tributary-${one}-`));
    succeed('tar', ['-xzf', join(folder, file), '--transform', `s/^package/${tool}/`, '-C', folder]);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(TOOLS)('%s', (tool) => {
  const read = (file) => readFileSync(join(folder, tool, file), 'utf8');
  const manifest = () => JSON.parse(read('package.json'));

  test('has its licence, its README and no file that it does not need', () => {
    expect(readdirSync(join(folder, tool)).sort()).toEqual(['LICENSE', 'README.md', 'out', 'package.json', 'schema']);
    expect(read('LICENSE')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
    expect(manifest().license).toBe('MIT');
  });

  test('is ready for a registry', () => {
    expect(manifest().publishConfig).toEqual({ access: 'public', provenance: true });
    expect(manifest()).not.toHaveProperty('private');
    expect(manifest().engines.node).toMatch(/^>=/);
    expect(Object.keys(manifest().dependencies ?? {})).toEqual(INSTALLED[tool]);
  });

  test('names each package whose code is inside, with its version and its licence', () => {
    const notices = read('out/THIRD-PARTY-NOTICES.txt')
      .split(/^-{80}$/m)
      .slice(1)
      .map((part) => part.trim());
    const packages = packagesIn(tool);
    expect(packages.length).toBeGreaterThan(5);
    expect(notices.map((notice) => notice.split('\n')[0])).toEqual(expect.arrayContaining(packages));
    // Name, kind of the licence, and its text.
    expect(notices.filter((notice) => !/^\S+ \S+\n\nLicence: \S.*\n\n[\s\S]{200}/.test(notice))).toEqual([]);
  });
});

test.each([
  ['affected', ['check']],
  ['affected', ['--base', 'HEAD', '--json']],
  ['commit-to-publish', ['check']],
  ['migrate-repo', ['check']],
])('%s %j from which files are missing ends with 70, as an internal error', (tool, args) => {
  const cut = join(folder, 'cut', tool);
  cpSync(join(folder, tool, 'out/cli.cjs'), join(cut, 'cli.cjs'));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(cut, 'cli.cjs'), ...args], { cwd: root, encoding: 'utf8' });
  expect([status, stdout]).toEqual([70, '']);
  expect(stderr).toMatch(/^error: This is a bug in Tributary\. .*Cannot find module/);
  expect(stderr).toContain('\nhint: ');
});

test('the packed affected is small', () => {
  const file = readdirSync(folder).find((name) => name.startsWith('tributary-affected-') && name.endsWith('.tgz'));
  expect(statSync(join(folder, file)).size).toBeLessThan(MOST_BYTES);
});

test('a tool without its program is not packed', () => {
  const copy = join(folder, 'unbuilt');
  for (const file of ['scripts/pack-tools.mjs', 'scripts/tools.mjs', ...TOOLS.map((tool) => `tools/${tool}/package.json`)])
    cpSync(join(root, file), join(copy, file));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(copy, 'scripts/pack-tools.mjs'), join(copy, 'packed')], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe('Not built: affected, commit-to-publish, migrate-repo. Run "npm run build" first.\n');
});

/** Returns `name version` of each package in the source maps of the bundles, which the collection of licences does not read. */
function packagesIn(tool) {
  const out = join(root, 'tools', tool, 'out');
  const maps = readdirSync(out, { recursive: true }).filter((file) => file.endsWith('.map'));
  const sources = maps.flatMap((file) =>
    JSON.parse(readFileSync(join(out, file), 'utf8')).sources.map((one) => resolve(out, file, '..', one)),
  );
  return [...new Set(sources.filter((source) => /node_modules/.test(source)).flatMap(packageOf))].sort();
}

/** Returns the package of a source; empty for a path that exists only in the map of a package. */
function packageOf(source) {
  for (let home = dirname(source); /node_modules./.test(home); home = dirname(home)) {
    const { name, version } = existsSync(join(home, 'package.json')) ? JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) : {};
    if (name !== undefined && version !== undefined) return [`${name} ${version}`];
  }
  return [];
}

function succeed(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
