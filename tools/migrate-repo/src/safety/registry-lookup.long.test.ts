import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type LocalRegistry, registryEnvironment, startRegistry } from '@tributary/test-repo/local-registry';
import { findProjectRoot, yarnRelease } from '@tributary/test-repo/project-root';
import type { CliResult } from '@tributary/test-repo/run-cli';
import { createFixture, createSource, type FixtureRun, type MigrationFixture, readState } from './migration.fixture.js';

const cleanUp = cleanUpIn(afterEach);

let fixture: MigrationFixture;
let registry: LocalRegistry;

beforeEach(async () => {
  fixture = createFixture(cleanUp);
  registry = cleanUp.add(await startRegistry());
});

function publish(repository: unknown): void {
  registry.add({ manifest: { name: 'left-pad', version: '1.0.0', ...(repository === undefined ? {} : { repository }) } });
}

function environment(): FixtureRun {
  return { env: registryEnvironment(registry.url, fixture.home.path) };
}

/** Directs the address to a repository of the test, with the user's git settings. */
function lead(address: string, to: string): void {
  fixture.home.write('.gitconfig', `[user]\n\tname = A\n\temail = a@b\n[url "${to}"]\n\tinsteadOf = ${address}\n`);
}

function useYarn(): void {
  const releases = join(fixture.monorepo.path, '.yarn/releases');
  mkdirSync(releases, { recursive: true });
  copyFileSync(yarnRelease(findProjectRoot()), join(releases, 'yarn.cjs'));
  fixture.monorepo.commit('Yarn', { files: { '.yarnrc.yml': 'yarnPath: .yarn/releases/yarn.cjs\n' } });
}

function sourceOf(result: CliResult): string {
  return /"source": "([^"]*)"/.exec(result.stdout)?.[1] ?? result.stderr;
}

describe('what the registry says is shown and must be confirmed', () => {
  test.each(['npm', "the monorepo's own Yarn"])('asked through %s', async (client) => {
    if (client !== 'npm') useYarn();
    publish({ type: 'git', url: 'git+https://example.test/acme/left-pad.git' });
    lead('https://example.test/acme/left-pad.git', createSource(cleanUp).path);
    const { stderr } = await fixture.refused('SOURCE_NOT_CONFIRMED', ['left-pad'], environment());
    expect(stderr).toContain('https://example.test/acme/left-pad.git');
    expect(stderr).toContain('--yes');
    const result = await fixture.accepted(['left-pad', '--yes', '--json'], environment());
    expect(sourceOf(result)).toBe('https://example.test/acme/left-pad.git');
  });

  test('a folder of a larger repository', async () => {
    publish({ type: 'git', url: 'https://example.test/mono.git', directory: 'libs/pad' });
    const source = createSource(cleanUp, 'mono');
    source.commit('Pad', { files: { 'libs/pad/package.json': '{"name":"left-pad"}\n' } });
    lead('https://example.test/mono.git', source.path);
    await fixture.accepted(['left-pad', '--yes'], environment());
    expect(fixture.monorepo.git('ls-tree', '--name-only', 'migrate/left-pad:packages/left-pad')).toBe('package.json');
  });
});

describe('what the registry says is not trusted', () => {
  test.each([
    ['the same in capitals', 'FILE:///etc'],
    ['another transport', 'ext::sh -c touch% pwned'],
    ['an escape sequence', 'https://example.test/\u001b]0;x\u0007'],
    ['a folder outside', { url: 'https://example.test/x', directory: '../../etc' }],
  ])('%s', async (_, field) => {
    publish(field);
    const before = readState(fixture.monorepo);
    const result = await fixture.run(['left-pad', '--yes'], environment());
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/\[(SOURCE_UNKNOWN|URL_REFUSED)\]/);
    expect(result.stderr).not.toContain('\u001b]');
    expect(readState(fixture.monorepo)).toEqual(before);
  });

  test('a package that is not there, and a registry that is not there, are told apart', async () => {
    const unknown = await fixture.refused('SOURCE_UNKNOWN', ['left-pad', '--yes'], environment());
    await registry.close();
    const gone = await fixture.refused('SOURCE_UNKNOWN', ['left-pad', '--yes'], {
      env: { ...environment().env, npm_config_fetch_retries: '0' },
    });
    expect(unknown.stderr).not.toBe(gone.stderr);
    expect(gone.stderr).toMatch(/ECONNREFUSED/);
  });
});

test('a mistyped command asks no registry, unless it is said to be a package', async () => {
  for (const [word, meant] of [
    ['statsu', 'status'],
    ['migrat', 'migrate'],
  ] as const) {
    const { stderr } = await fixture.refused('USAGE', [word, '--dry-run', '--yes'], environment());
    expect(stderr).toContain(`Did you mean ${meant}?`);
  }
  const { stderr } = await fixture.refused('USAGE', ['discrad', 'left-pad', '--yes'], environment());
  expect(stderr).not.toContain('registry');
  await fixture.refused('SOURCE_UNKNOWN', ['migrate', 'statsu', '--yes'], environment());
  fixture.monorepo.write({ 'tributary.json': '{ "migrate": { "packages": { "statsu": { "source": "./gone" } } } }' });
  await fixture.refused('SOURCE_UNREACHABLE', ['statsu'], environment());
});
