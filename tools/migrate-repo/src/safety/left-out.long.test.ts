import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import type { Manifest } from '@tributary/test-repo/temp-monorepo';
import { published } from '../io/yarn.fixture.js';
import type { MigrateResult } from '../result/result.js';
import { createInstalledFixture, type InstalledFixture } from './installed.fixture.js';
import { createSource } from './migration.fixture.js';

// One package of a family cannot be installed, and the others are imported. Real Yarn, and a registry that lacks a package.

const cleanUp = cleanUpIn(afterAll);
let installed: InstalledFixture;

beforeAll(async () => {
  const packages = [published('used', '1.0.0'), published('used', '1.1.0')];
  packages.push({ manifest: { name: 'broken', version: '1.0.0', dependencies: { gone: '^1.0.0' } } });
  installed = await createInstalledFixture(cleanUp, { packages, workspaces: {} });
});

interface Outcome {
  readonly code: number | null;
  readonly stderr: string;
  readonly result: MigrateResult;
  /** The last commit of each source, by package. */
  readonly tips: ReadonlyMap<string, string>;
}

/** Migrates sources with these manifests and other files, by name. Their files may replace the lockfile made by `createSource`. */
async function migrate(
  family: Readonly<Record<string, Manifest>>,
  args: readonly string[] = [],
  files: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): Promise<Outcome> {
  const tips = new Map<string, string>();
  const packages = Object.fromEntries(
    Object.entries(family).map(([name, manifest]) => {
      const source = createSource(cleanUp, name, manifest);
      source.commit('More', { files: { 'yarn.lock': null, 'index.js': '1;\n', ...files[name] } });
      tips.set(name, source.git('rev-parse', 'HEAD').trim());
      return [name, { source: source.path }];
    }),
  );
  installed.fixture.monorepo.commit('Configure', { files: { 'tributary.json': JSON.stringify({ migrate: { packages } }) } });
  const { code, stdout, stderr } = await installed.fixture.run([...Object.keys(family), '--json', '--no-tags', ...args], {
    env: installed.env,
  });
  return { code, stderr, tips, result: (stdout === '' ? {} : JSON.parse(stdout)) as MigrateResult };
}

function told({ leftOut }: MigrateResult): readonly (readonly [string, string])[] {
  return leftOut.map(({ name, code }) => [name, code]);
}

function hasObject(id = ''): boolean {
  const { monorepo } = installed.fixture;
  return monorepo.git('cat-file', '--batch-all-objects', '--batch-check').includes(id);
}

async function requireInstallable({ branch }: MigrateResult): Promise<void> {
  installed.fixture.monorepo.git('checkout', '-q', branch);
  await installed.yarn('install', '--immutable', '--check-resolutions');
  expect(installed.fixture.monorepo.git('status', '--porcelain')).toBe('');
  installed.fixture.monorepo.git('checkout', '-q', 'main');
}

describe('a family of three, one of which asks for what the registry does not have', () => {
  test.each(['optionalDependencies', 'dependencies', 'devDependencies'])('in its %s', async (block) => {
    const names = ['one', 'two', 'three'].map((name) => `${name}-${block.toLowerCase()}`);
    const [one = '', two = '', three = ''] = names;
    const { code, result, tips } = await migrate({
      [one]: { dependencies: { used: '^1.0.0' } },
      [two]: { [block]: { gone: '^1.0.0' } },
      [three]: { dependencies: { used: '^1.1.0' } },
    });
    expect([code, told(result)]).toEqual([1, [[two, 'INSTALL_FAILED']]]);
    expect(result.packages.map(({ name }) => name)).toEqual([one, three].sort());
    expect(result.branch).not.toContain(two);
    const [leftOut] = result.leftOut;
    expect(leftOut?.message).toContain(`${two} (packages/${two}) requires gone@^1.0.0, which cannot be installed`);
    expect(leftOut?.hint?.includes('optional dependencies')).toBe(block === 'optionalDependencies');
    const files = installed.fixture.monorepo.git('ls-tree', '-r', '--name-only', result.branch);
    expect(files).not.toContain(`packages/${two}/`);
    expect(installed.fixture.monorepo.git('show', `${result.branch}:yarn.lock`)).not.toContain('gone@');
    expect(hasObject(tips.get(one))).toBe(true);
    expect(hasObject(tips.get(two))).toBe(false);
    await requireInstallable(result);
  });

  test('and what needs it stays out with it', async () => {
    const { code, result } = await migrate({
      bad: { optionalDependencies: { gone: '^1.0.0' } },
      needs: { dependencies: { bad: '^1.0.0' } },
      free: {},
    });
    expect([code, told(result)]).toEqual([
      1,
      [
        ['bad', 'INSTALL_FAILED'],
        ['needs', 'DEPENDENCY_LEFT_OUT'],
      ],
    ]);
    expect(result.packages.map(({ name }) => name)).toEqual(['free']);
    await requireInstallable(result);
  });

  test('several of them, each for its own reason: found in the files, in a lockfile, and by Yarn', async () => {
    const lock = '# yarn lockfile v1\n\n\nused@^9.0.0:\n  version "9.0.0"\n';
    const { code, result } = await migrate(
      {
        optional: { optionalDependencies: { gone: '^1.0.0' } },
        catalog: { dependencies: { used: 'catalog:' } },
        stale: { dependencies: { used: '^1.0.0' } },
        indirect: { dependencies: { broken: '^1.0.0' } },
        fine: { dependencies: { used: '^1.0.0' } },
      },
      [],
      { stale: { 'yarn.lock': lock } },
    );
    expect([code, [...told(result)].sort()]).toEqual([
      1,
      [
        ['catalog', 'DEPENDENCY_UNRESOLVABLE'],
        ['indirect', 'INSTALL_FAILED'],
        ['optional', 'INSTALL_FAILED'],
        ['stale', 'LOCKFILE_MISMATCH'],
      ],
    ]);
    expect(result.packages.map(({ name }) => name)).toEqual(['fine']);
    await requireInstallable(result);
  });

  test('a dry run leaves out what the migration would, found in the files and by Yarn', async () => {
    const family = { seen: { dependencies: { used: 'catalog:' } }, lacking: { dependencies: { broken: '^1.0.0' } }, dry: {} };
    const { code, result } = await migrate(family, ['--dry-run']);
    const out = [
      ['seen', 'DEPENDENCY_UNRESOLVABLE'],
      ['lacking', 'INSTALL_FAILED'],
    ];
    expect([code, told(result), result.packages.map(({ name }) => name)]).toEqual([1, out, ['dry']]);
  });

  test('where it is all of them, nothing is handed over, and each is named', async () => {
    const refs = installed.fixture.monorepo.git('for-each-ref');
    const { code, stderr } = await migrate({
      'all-one': { optionalDependencies: { gone: '^1.0.0' } },
      'all-two': { dependencies: { gone: '^2.0.0' } },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/None of the 2 packages can be migrated/);
    expect(stderr).toContain('all-one');
    expect(stderr).toContain('all-two');
    const now = installed.fixture.monorepo.git('for-each-ref');
    expect(now.replaceAll(/^\w+ commit\trefs\/heads\/main$/gm, '')).toBe(refs.replaceAll(/^\w+ commit\trefs\/heads\/main$/gm, ''));
  });

  test('one that is asked for alone is refused as before', async () => {
    const { code, stderr } = await migrate({ lone: { optionalDependencies: { gone: '^1.0.0' } } });
    expect(code).toBe(1);
    expect(stderr).toContain('INSTALL_FAILED');
    expect(stderr).toContain('lone (packages/lone) requires gone@^1.0.0');
  });
});

test('a registry that is in trouble stops all: it has said nothing of any package', async () => {
  const family = { 'off-one': { dependencies: { used: '^1.0.0' } }, 'off-two': {} };
  const { url } = installed.registry;
  const env = { ...installed.env, YARN_NPM_REGISTRY_SERVER: url.replace(/\d+$/, '1') };
  const packages = Object.fromEntries(
    Object.entries(family).map(([name, manifest]) => {
      const source = createSource(cleanUp, name, manifest);
      source.commit('No lockfile', { files: { 'yarn.lock': null, x: '1\n' } });
      return [name, { source: source.path }];
    }),
  );
  installed.fixture.monorepo.commit('Configure', { files: { 'tributary.json': JSON.stringify({ migrate: { packages } }) } });
  await installed.fixture.refused('REGISTRY_UNREACHABLE', ['off-one', 'off-two'], { env });
});
