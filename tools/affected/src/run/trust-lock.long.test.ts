import { afterAll, describe, expect, test } from '@jest/globals';
import { changedFile, readDifference } from '@tributary/git/changeset';
import { plumbing } from '@tributary/git/git';
import { withObjectReader } from '@tributary/git/objects';
import { DEFAULT_CONFIG } from '@tributary/model/config';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import type { DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { parseSemverRange } from '@tributary/workspaces/ranges';
import fc from 'fast-check';
import { locate } from '../io/locate.js';
import { readRootTexts } from '../io/reading.js';
import type { Snapshot } from '../snapshot.js';
import type { AffectedInputs } from './inputs.js';
import { readSnapshot } from './read-snapshot.js';
import { lockfilesAreCurrent } from './trust-lock.js';

const cleanUp = cleanUpIn(afterAll);

type Manifest = Readonly<Record<string, unknown>> & { readonly name: string };
/** By folder; `''` is the root. */
type Project = Readonly<Record<string, Manifest>>;

const ROOT: Manifest = { name: 'root', workspaces: ['packages/*'] };
const TWO: Project = {
  '': ROOT,
  'packages/app': { name: 'app', version: '1.0.0', dependencies: { lib: '^1.0.0', left: '^1.0.0' } },
  'packages/lib': { name: 'lib', version: '1.0.0' },
};

function blockOf(manifest: Manifest, block: string): readonly (readonly [string, string])[] {
  return Object.entries((manifest[block] as Record<string, string> | undefined) ?? {});
}

function isIn(version: unknown, range: string): boolean {
  return typeof version === 'string' && parseSemverRange(range)?.test(version) === true;
}

/** Returns the lockfile that Yarn would write for plain ranges and those of the protocol `workspace:`. */
function lockOf(project: Project): string {
  const keys = new Map(Object.entries(project).map(([folder, { name }]) => [folder, [`${name}@workspace:${folder || '.'}`]]));
  const others = new Map<string, string>();
  const resolve = (name: string, range: string): string => {
    const isLocal = range.startsWith('workspace:');
    const descriptor = `${name}@${range.includes(':') ? range : `npm:${range}`}`;
    const [folder] =
      Object.entries(project).find(([, one]) => one.name === name && (isLocal || (!range.includes(':') && isIn(one['version'], range)))) ??
      [];
    if (folder === undefined) others.set(descriptor, name);
    else keys.get(folder)?.push(descriptor);
    return range.includes(':') ? range : `npm:${range}`;
  };
  const bodies = Object.entries(project).map(([folder, manifest]) => {
    const asked = new Map(['dependencies', 'devDependencies'].flatMap((block) => blockOf(manifest, block)));
    const lines = [...asked].map(([name, range]) => `    ${name}: "${resolve(name, range)}"\n`);
    const peers = blockOf(manifest, 'peerDependencies').map(([name, range]) => `    ${name}: "${range}"\n`);
    const body = `${lines.length === 0 ? '' : `  dependencies:\n${lines.join('')}`}${peers.length === 0 ? '' : `  peerDependencies:\n${peers.join('')}`}`;
    return { folder, body };
  });
  const entries = bodies.map(({ folder, body }) => {
    const [own = '', ...more] = keys.get(folder) ?? [];
    const key = [...new Set([own, ...more])].sort().join(', ');
    return `"${key}":\n  version: 0.0.0-use.local\n  resolution: "${own}"\n${body}  languageName: unknown\n  linkType: soft\n`;
  });
  const packages = [...others].map(
    ([descriptor, name]) =>
      `"${descriptor}":\n  version: 9.0.0\n  resolution: "${name}@npm:9.0.0"\n  languageName: node\n  linkType: hard\n`,
  );
  return `__metadata:\n  version: 8\n\n${[...entries, ...packages].sort().join('\n')}`;
}

/** A project with its own lockfile, or with that of another one. */
interface Commit {
  readonly project: Project;
  readonly lockOf?: Project;
}

function filesOf({ project, lockOf: locked = project }: Commit): readonly (readonly [string, string])[] {
  const manifests = Object.entries(project).map(
    ([folder, manifest]) => [`${folder === '' ? '' : `${folder}/`}package.json`, `${JSON.stringify(manifest, undefined, 2)}\n`] as const,
  );
  return [...manifests, ['yarn.lock', lockOf(locked)]];
}

/** Writes each change as two commits, `base-<at>` and `head-<at>`, into one repository. */
function repositoryOf(changes: readonly (readonly [base: Commit, head: Commit])[]): TempRepo {
  const repo = cleanUp.add(TempRepo.create());
  const commit = (branch: string, from: string | undefined, files: readonly (readonly [string, string])[]): string => {
    const lines = files.map(([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
    const start = from === undefined ? '' : `from refs/heads/${from}\n`;
    return `commit refs/heads/${branch}\ncommitter A <a@example.com> 1600000000 +0000\ndata 1\nx\n${start}deleteall\n${lines.join('')}\n`;
  };
  const stream = changes.flatMap(([base, head], at) => [
    commit(`base-${at}`, undefined, filesOf(base)),
    commit(`head-${at}`, `base-${at}`, filesOf(head)),
  ]);
  repo.fastImport(stream.join(''));
  return repo;
}

interface Verdict {
  readonly trusted: boolean;
  /** Whether the lockfiles give the same edges as the manifests. */
  readonly same: boolean;
}

async function judge(repo: TempRepo, at: number): Promise<Verdict> {
  const place = locate(repo.path);
  return withObjectReader(plumbing(place.gitDir), async (git) => {
    const [mergeBase, head] = [repo.id(`base-${at}`), repo.id(`head-${at}`)];
    const files = (await readDifference(git, mergeBase, head)).map(changedFile);
    const texts = await readRootTexts(git, head, place.project);
    const known = { git, place, base: mergeBase, head, headTree: head, mergeBase, files, all: undefined, texts, warnings: [] };
    const inputs: AffectedInputs = { ...known, config: DEFAULT_CONFIG.affected };
    const read = async (commit: string, source: 'lockfile' | 'manifests'): Promise<Snapshot> => {
      const side = await readSnapshot(inputs, commit, { texts: await readRootTexts(git, commit, place.project), source });
      if ('all' in side) throw new Error(side.all.reason);
      return side;
    };
    const sides = { base: await read(mergeBase, 'lockfile'), head: await read(head, 'lockfile') };
    const trusted = await lockfilesAreCurrent(inputs, mergeBase, sides);
    const exact = [await read(mergeBase, 'manifests'), await read(head, 'manifests')];
    const outlines = [sides.base, sides.head].map((side, which) => [outlineOf(side.graph), outlineOf(exact[which]?.graph)]);
    return { trusted, same: outlines.every(([lock, manifests]) => lock === manifests) };
  });
}

function outlineOf({ members = [], edges = [] }: Partial<DependencyGraph> = {}): string {
  const pairs = edges.filter(({ from, to }) => from !== to).map(({ from, to }) => `${members[from]?.name} -> ${members[to]?.name}`);
  return [...new Set([...members.map(({ name, path }) => `${name} ${path}`), ...pairs])].sort().join('\n');
}

/** Returns two workspaces, with some keys of one of them overridden. */
function over(folder: string, keys: Readonly<Record<string, unknown>>): Project {
  return { ...TWO, [folder]: { ...TWO[folder], ...keys } as Manifest };
}

const WITHOUT_LIB: Project = {
  '': ROOT,
  'packages/app': over('packages/app', { dependencies: { left: '^1.0.0' } })['packages/app'] as Manifest,
};
const WITH_MORE: Project = { ...TWO, 'packages/more': { name: 'more', dependencies: { lib: 'workspace:^' } } };

describe('lockfiles are trusted', () => {
  const cases: readonly (readonly [sentence: string, base: Commit, head: Commit])[] = [
    ['after a new description', { project: TWO }, { project: over('packages/app', { description: 'x' }) }],
    ['after a new dependency', { project: TWO }, { project: over('packages/lib', { devDependencies: { left: '^2.0.0' } }) }],
    ['after a version that the ranges still admit', { project: TWO }, { project: over('packages/lib', { version: '1.1.0' }) }],
    ['after a version that they do not admit', { project: TWO }, { project: over('packages/lib', { version: '2.0.0' }) }],
    ['after a workspace came', { project: TWO }, { project: WITH_MORE }],
    ['after a workspace went', { project: TWO }, { project: WITHOUT_LIB }],
    [
      'after a manifest of no workspace came',
      { project: TWO },
      { project: { ...TWO, 'packages/app/fixture': { name: 'x' } }, lockOf: TWO },
    ],
    ['where a base was mended', { project: TWO }, { project: over('packages/app', { peerDependencies: { lib: '>=9' } }) }],
  ];
  test.each(cases)('%s', async (_, base, head) => {
    expect(await judge(repositoryOf([[base, head]]), 0)).toEqual({ trusted: true, same: true });
  });
});

/** A project whose `app` depends on `lib` by another name, which the lockfile resolves to the registry. */
function aliased(version: string): Project {
  const app = { name: 'app', version: '1.0.0', dependencies: { kit: 'npm:lib@^1.0.0' } };
  return { ...TWO, 'packages/app': app, 'packages/lib': { name: 'lib', version } };
}

/** `app` has workspaces of its own. */
const NESTING: Project = { ...TWO, 'packages/app': { name: 'app', version: '1.0.0', workspaces: ['sub/*'] } };

describe('lockfiles are not trusted', () => {
  const cases: readonly (readonly [sentence: string, base: Commit, head: Commit])[] = [
    [
      'that lack a workspace which another one than the root takes in',
      { project: NESTING },
      { project: { ...NESTING, 'packages/app/sub/in': { name: 'in' } }, lockOf: NESTING },
    ],
    [
      'that lead an alias elsewhere than a new version would',
      { project: aliased('2.0.0') },
      { project: aliased('1.5.0'), lockOf: aliased('2.0.0') },
    ],
    ['that lack a new dependency', { project: TWO }, { project: over('packages/lib', { dependencies: { app: '^1.0.0' } }), lockOf: TWO }],
    ['that have one which went', { project: TWO }, { project: over('packages/app', { dependencies: {} }), lockOf: TWO }],
    ['that have another range', { project: TWO }, { project: over('packages/app', { dependencies: { lib: '^2.0.0' } }), lockOf: TWO }],
    ['that lack a new peer', { project: TWO }, { project: over('packages/lib', { peerDependencies: { app: '*' } }), lockOf: TWO }],
    [
      'that link a version which ranges no longer admit',
      { project: TWO },
      { project: over('packages/lib', { version: '2.0.0' }), lockOf: TWO },
    ],
    [
      'that do not link one which they admit now',
      { project: over('packages/lib', { version: '2.0.0' }) },
      { project: TWO, lockOf: over('packages/lib', { version: '2.0.0' }) },
    ],
    ['that lack a new workspace', { project: TWO }, { project: WITH_MORE, lockOf: TWO }],
    ['that have a workspace which went', { project: WITH_MORE }, { project: TWO, lockOf: WITH_MORE }],
    ['that have the old name', { project: TWO }, { project: over('packages/lib', { name: 'new' }), lockOf: TWO }],
    ['where the base was stale', { project: WITH_MORE, lockOf: TWO }, { project: TWO }],
    ['where other workspaces count as such', { project: TWO }, { project: over('', { workspaces: ['packages/a*'] }) }],
    ['where resolutions changed', { project: TWO }, { project: over('', { resolutions: { left: 'workspace:packages/lib' } }) }],
    [
      'that were cut off',
      { project: WITH_MORE },
      { project: { ...WITH_MORE, 'packages/app': { ...WITH_MORE['packages/app'], description: 'x' } as Manifest }, lockOf: TWO },
    ],
  ];
  test.each(cases)('%s', async (_, base, head) => {
    expect(await judge(repositoryOf([[base, head]]), 0)).toMatchObject({ trusted: false });
  });
});

/** Small projects in which the same names, versions and ranges often occur. */
const project: fc.Arbitrary<Project> = fc
  .dictionary(
    fc.constantFrom('packages/a', 'packages/b', 'packages/c', 'packages/d'),
    fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      version: fc.constantFrom('1.0.0', '2.0.0', undefined),
      ...Object.fromEntries(
        ['dependencies', 'devDependencies', 'peerDependencies'].map((block) => [
          block,
          fc.option(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'left'), fc.constantFrom('^1.0.0', '^2.0.0', '*'), { maxKeys: 2 }), {
            nil: undefined,
          }),
        ]),
      ),
    }),
    { minKeys: 1 },
  )
  .map((folders) => {
    const names = new Set<string>();
    const own = Object.entries(folders).filter(([, { name }]) => names.size < names.add(name).size);
    return { '': ROOT, ...Object.fromEntries(own.map(([folder, manifest]) => [folder, withoutRepeats(manifest as Manifest)])) } as Project;
  });

/** Removes repeated names. For a name in two blocks, Yarn takes the dev dependency and leaves the other one out of the lockfile. */
function withoutRepeats(manifest: Manifest): Manifest {
  const dev = new Set(blockOf(manifest, 'devDependencies').map(([name]) => name));
  const dependencies = blockOf(manifest, 'dependencies').filter(([name]) => !dev.has(name));
  return { ...manifest, dependencies: Object.fromEntries(dependencies) };
}

test('random lockfiles, current or not, are trusted only if they give the edges of the manifests', async () => {
  const count = Number(process.env['TRUST_RUNS'] ?? 80);
  const mixed = fc.tuple(project, project, fc.constantFrom('own', 'other'), fc.constantFrom('own', 'other'), fc.boolean());
  const changes = fc.sample(mixed, count).map(([one, other, baseLock, headLock, near]): readonly [Commit, Commit] => {
    // Half of the changes are small.
    const head = near ? { ...one, ...Object.fromEntries(Object.entries(other).slice(1, 2)) } : other;
    const names = Object.values(head).map(({ name }) => name);
    const after = new Set(names).size === names.length ? head : other;
    return [
      { project: one, lockOf: baseLock === 'own' ? one : after },
      { project: after, lockOf: headLock === 'own' ? after : one },
    ];
  });
  const repo = repositoryOf(changes);
  const wrong: unknown[] = [];
  let trusted = 0;
  for (const at of changes.keys()) {
    const verdict = await judge(repo, at);
    if (verdict.trusted) trusted++;
    if (verdict.trusted && !verdict.same) wrong.push(changes[at]);
  }
  expect(wrong).toEqual([]);
  expect(trusted).toBeGreaterThan(count / 10);
});
