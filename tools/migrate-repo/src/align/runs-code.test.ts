import { describe, expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import { buildOldLock } from './lock/content.js';
import { projectOf } from './project.fixture.js';
import type { Monorepo } from './project.js';
import { findCodeRunners, findNewCode, hasGitPackages, refuseCode } from './runs-code.js';

const ROOT = { name: 'root', private: true, workspaces: ['packages/*'] };

function project(
  app: object,
  {
    root = {},
    files = {},
    manifests = {},
  }: { root?: object; files?: Readonly<Record<string, string>>; manifests?: Readonly<Record<string, object>> } = {},
): Monorepo {
  return projectOf({
    manifests: {
      '': { ...ROOT, ...root },
      'packages/app': { name: 'app', ...app },
      'packages/old': { name: 'old', dependencies: { x: 'acme/x' } },
      ...manifests,
    },
    importedPackages: { 'packages/app': {} },
    files,
  });
}

function found(now: Monorepo, before: Monorepo = now): readonly string[] {
  return findCodeRunners(now, before).map(({ by, name, range, kind }) => `${by}: ${name} ${range} (${kind})`);
}

describe('what runs code', () => {
  test('is found in every block that is installed, and not in peers', () => {
    const app = {
      dependencies: { a: 'acme/a', made: 'exec:./make.js', plain: '^1.0.0' },
      devDependencies: { b: 'git+ssh://git@example.com/b.git' },
      optionalDependencies: { c: 'github:acme/c' },
      peerDependencies: { d: 'acme/d' },
    };
    expect(found(project(app))).toEqual([
      'app (packages/app): a acme/a (git)',
      'app (packages/app): made exec:./make.js (exec)',
      'app (packages/app): b git+ssh://git@example.com/b.git (git)',
      'app (packages/app): c github:acme/c (git)',
    ]);
  });

  test('is found behind a catalog', () => {
    const files = { '.yarnrc.yml': 'catalog:\n  made: "exec:./make.js"\n' };
    expect(found(project({ dependencies: { made: 'catalog:' } }, { files }))).toEqual(['app (packages/app): made exec:./make.js (exec)']);
  });

  test('is found among the overrides that came to the root, and not among those that were there', () => {
    const before = project({}, { root: { resolutions: { old: 'acme/old' } } });
    const now = project({}, { root: { resolutions: { old: 'acme/old', lib: 'exec:./make.js' } } });
    expect(found(now, before)).toEqual(['"resolutions" of the root: lib exec:./make.js (exec)']);
  });

  test('is found in what old lockfiles tell of others', () => {
    const edges = [
      { name: 'own', range: 'acme/own', version: undefined, direct: true },
      { name: 'deep', range: 'github:acme/deep', version: undefined, direct: false },
      { name: 'deep', range: 'github:acme/deep', version: undefined, direct: false },
      { name: 'archive', range: 'https://example.com/a.tgz', version: undefined, direct: false },
    ];
    const oldLock = buildOldLock('yarn.lock', { kind: 'yarn classic', edges, packages: [] });
    const now = project({});
    const importedPackages = now.importedPackages.map((one) => ({ ...one, oldLock }));
    expect(found({ ...now, importedPackages })).toEqual(['a dependency of app (packages/app): deep github:acme/deep (git)']);
  });

  test('is not what the monorepo has locked from the same place', () => {
    const lock =
      '__metadata:\n  version: 8\n\n"a@acme/a":\n  version: 1.0.0\n  resolution: "a@https://github.com/acme/a.git#commit=1"\n  languageName: node\n  linkType: hard\n';
    const now = project({ dependencies: { a: 'acme/a', b: 'acme/b' } }, { files: { 'yarn.lock': lock } });
    expect(found(now)).toEqual(['app (packages/app): b acme/b (git)']);
    expect(now.files.read('yarn.lock' as RepoPath)).toBe(lock);
  });
});

const entry = (resolution: string): string =>
  `"${resolution.split('@')[0]}@^1.0.0":\n  version: 1.0.0\n  resolution: "${resolution}"\n  languageName: node\n  linkType: hard\n`;
const lockOf = (...resolutions: readonly string[]): string => ['__metadata:\n  version: 8\n', ...resolutions.map(entry)].join('\n');

test('a lockfile tells what is new in it', () => {
  const before = lockOf('a@https://github.com/acme/a.git#commit=1', 'c@npm:1.0.0');
  const after = lockOf(
    'a@https://github.com/acme/a.git#commit=1',
    'b@exec:./make.js#./make.js::hash=1',
    'c@npm:1.0.1',
    'd@git@github.com:acme/d.git#commit=2',
  );
  expect(findNewCode(before, after).map(({ name, kind }) => `${name} ${kind}`)).toEqual(['b exec', 'd git']);
  expect([before, after, lockOf('c@npm:1.0.0'), ''].map(hasGitPackages)).toEqual([true, true, false, false]);
});

test('a refusal names five, and says how many more there are', () => {
  const runners = [1, 2, 3, 4, 5, 6, 7].map((at) => ({
    by: 'app (packages/app)',
    name: `l${at}`,
    range: `acme/l${at}`,
    kind: 'git' as const,
  }));
  expect(() => refuseCode(runners)).toThrow(/: app \(packages\/app\) requires l1 "acme\/l1"; .* requires l5 "acme\/l5"; and 2 more\.$/);
  expect(() => refuseCode([])).not.toThrow();
});
