import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { type LocalRegistry, registryEnvironment, startRegistry } from '@tributary/test-repo/local-registry';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { createFixture, createSource, failureOf, type MigrationFixture, readState } from './migration.fixture.js';

// The rest of the tables; their most telling rows are in the fast ring.
const cleanUp = cleanUpIn(afterEach);

let fixture: MigrationFixture;

beforeEach(() => {
  fixture = createFixture(cleanUp);
});

describe('a monorepo that is refused', () => {
  const cases: Record<string, [string, (repo: TempRepo) => unknown, string[]?]> = {
    'no package.json': ['TARGET_NOT_A_MONOREPO', (repo) => repo.commit('Gone', { files: { 'package.json': null } })],
    'no workspaces': ['TARGET_NOT_A_MONOREPO', (repo) => repo.commit('Plain', { files: { 'package.json': '{"name":"plain"}\n' } })],
    'conflict markers that were committed': [
      'MANIFEST_INVALID',
      (repo) => repo.commit('Broken', { files: { 'package.json': '<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n' } }),
    ],
    'the branch': ['TARGET_BRANCH_TAKEN', (repo) => repo.branch('migrate/left-pad')],
    'a branch below it': ['TARGET_BRANCH_TAKEN', (repo) => repo.branch('migrate/left-pad/x')],
    'the path': ['TARGET_PATH_TAKEN', (repo) => repo.commit('There', { files: { 'packages/left-pad/x': '' } })],
    'the path as a file': ['TARGET_PATH_TAKEN', (repo) => repo.commit('There', { files: { 'packages/left-pad': 'x' } })],
    'a file where a folder above it must be': ['TARGET_PATH_TAKEN', () => undefined, ['--to', 'README.md/left-pad']],
    'a tag where a folder must be': ['TAG_COLLISION', (repo) => repo.tag('left-pad'), ['--tags', '{name}/{version}']],
    'a path out of the repository': ['USAGE', () => undefined, ['--to', '../left-pad']],
  };
  test.each(Object.keys(cases))('%s', async (name) => {
    const [code, spoil, more = []] = cases[name] ?? ['', () => undefined];
    spoil(fixture.monorepo);
    await fixture.refused(code, ['left-pad', '--from', createSource(cleanUp).path, ...more]);
  });
});

describe('a source that is refused', () => {
  const sourceWith = (work: (repo: TempRepo) => unknown): TempRepo => {
    const repo = createSource(cleanUp);
    work(repo);
    return repo;
  };
  const cases: Record<string, [string, () => TempRepo, RegExp?]> = {
    'another name': [
      'SOURCE_NAME_MISMATCH',
      () => sourceWith((repo) => repo.commit('Rename', { files: { 'package.json': '{"name":"@acme/pad"}' } })),
      /use the package name @acme\/pad;/,
    ],
    'a malformed package.json': [
      'MANIFEST_INVALID',
      () => sourceWith((repo) => repo.commit('Break', { files: { 'package.json': '{"name":' } })),
    ],
    'a package.json that is a link': [
      'SOURCE_NO_MANIFEST',
      () => sourceWith((repo) => repo.commit('Link', { files: { 'package.json': { symlink: '/etc/passwd' } } })),
    ],
  };
  test.each(Object.keys(cases))('%s', async (name) => {
    const [code, make, says = /hint: /] = cases[name] ?? ['', () => createSource(cleanUp)];
    const { stderr } = await fixture.refused(code, ['left-pad', '--from', make().path]);
    expect(stderr).toMatch(says);
  });
});

describe('an address that is refused', () => {
  test.each(['-u', 'fd::3', 'http://', '-oProxyCommand=x:y', 'ftp://example.test/x', 'a\nb', ''])('%j', async (address) => {
    await fixture.refused('URL_REFUSED', ['left-pad', `--from=${address}`]);
    const before = readState(fixture.monorepo);
    expect((await fixture.run(['left-pad', '--from', '.', `--source-branch=${address}`])).code).not.toBe(0);
    expect(readState(fixture.monorepo)).toEqual(before);
  });
});

describe('a command line that is refused', () => {
  test.each([
    [['left-pad', '--strategy', 'squash']],
    [['left-pad', 'right-pad', '--to', 'x']],
    [['../left-pad']],
    [['verify', 'a', 'b']],
    [['discard']],
    [['left-pad', '--from', '.', '--branch', 'a..b']],
    [['left-pad', '--from', '.', '--tags', 'a b']],
    [['left-pad', '--from', '.', '--to', '/absolute']],
  ])('%j', async (args) => {
    await fixture.refused('USAGE', args);
  });
});

describe('what the registry says', () => {
  let registry: LocalRegistry;

  beforeEach(async () => {
    registry = cleanUp.add(await startRegistry());
  });

  const publish = (repository: unknown): void =>
    registry.add({ manifest: { name: 'left-pad', version: '1.0.0', ...(repository === undefined ? {} : { repository }) } });
  const environment = () => ({ env: registryEnvironment(registry.url, fixture.home.path) });
  const lead = (address: string, to: string): unknown =>
    fixture.home.write('.gitconfig', `[user]\n\tname = A\n\temail = a@b\n[url "${to}"]\n\tinsteadOf = ${address}\n`);

  test.each([
    ['git+https://example.test/p.git', 'https://example.test/p.git'],
    ['github:acme/left-pad', 'https://github.com/acme/left-pad.git'],
    ['acme/left-pad', 'https://github.com/acme/left-pad.git'],
    [{ type: 'git', url: 'git+ssh://git@github.com/acme/left-pad.git' }, 'https://github.com/acme/left-pad.git'],
    [{ type: 'git', url: 'git://github.com/acme/left-pad.git' }, 'https://github.com/acme/left-pad.git'],
  ])('is understood: %j', async (field, address) => {
    publish(field);
    lead(address, createSource(cleanUp).path);
    const { stdout } = await fixture.run(['left-pad', '--yes', '--json', '--dry-run'], environment());
    expect(stdout).toContain(`"source": "${address}"`);
  });

  test.each([['file:///etc'], ['/etc'], ['../../secret'], ['--upload-pack=touch pwned'], [undefined], [7]])(
    'is not trusted: %j',
    async (field) => {
      publish(field);
      const before = readState(fixture.monorepo);
      const result = await fixture.run(['left-pad', '--yes'], environment());
      expect(failureOf(result)).toEqual({ exit: 1, code: expect.stringMatching(/^(SOURCE_UNKNOWN|URL_REFUSED)$/) });
      expect(readState(fixture.monorepo)).toEqual(before);
    },
  );
});
