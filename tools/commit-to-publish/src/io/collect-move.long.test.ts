import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { CommitId, ObjectId, WorkspaceName } from '@tributary/model/ids';
import { formatImportRecord } from '@tributary/model/import-record';
import type { RepoPath } from '@tributary/model/paths';
import { CloneStory, Collecting, eventLines } from '../collect/story.fixture.js';
import { renderCollection } from '../render/collection.js';

let core: CloneStory;
let app: CloneStory;
let collecting: Collecting;
beforeEach(() => {
  core = new CloneStory();
  app = new CloneStory();
  core.repo.git('remote', 'add', 'origin', 'https://host.example/acme/core.git');
  app.repo.git('remote', 'add', 'origin', 'https://host.example/acme/app.git');
  collecting = new Collecting();
});
afterEach(() => {
  core.repo.dispose();
  app.repo.dispose();
  collecting.dispose();
});

function lock(version: string): Readonly<Record<string, string>> {
  const entry = `"core@npm:^1.0.0":\n  version: ${version}\n  resolution: "core@npm:${version}"\n  languageName: node\n  linkType: hard\n`;
  return { 'yarn.lock': `__metadata:\n  version: 8\n\n${entry}` };
}

/** The consumer before the move, with the library from the registry. */
const APP = { name: 'app', version: '1.0.0', dependencies: { core: '^1.0.0' } };

/** Commits a change of core at hour 10n - 1, and release 1.n.0 at hour 10n. The consumer takes it and is published within two hours. */
function release(minor: number): string {
  const change = core.at(minor * 10 - 1).commit(`Change (#${minor})`, { 'a.js': `${minor}` });
  core.at(minor * 10).version(`1.${minor}.0`, { name: 'core', version: `1.${minor}.0` });
  core.repo.tag(`v1.${minor}.0`);
  return change;
}

function upgrade(minor: number): void {
  app.at(minor * 10 + 1).commit('Upgrade core', lock(`1.${minor}.0`));
  app.at(minor * 10 + 2).version(`1.${minor}.0`, { ...APP, version: `1.${minor}.0` });
  app.repo.tag(`v1.${minor}.0`);
}

/** Starts both with 1.0.0. Then each release of the consumer contains one more change, `count` in all. */
function releases(count: number): readonly string[] {
  core.at(1).version('Start', { name: 'core', version: '1.0.0' });
  core.repo.tag('v1.0.0');
  app.at(2).commit('Start', { 'package.json': `${JSON.stringify(APP)}\n`, ...lock('1.0.0') });
  app.repo.tag('v1.0.0');
  return Array.from({ length: count }, (_, at) => {
    const change = release(at + 1);
    upgrade(at + 1);
    return change;
  });
}

/** Copies the library into the consumer's repository, as people do by hand. */
function commitIn(hour: number, version: string): void {
  app.at(hour).commit('Move core in', {
    'package.json': `${JSON.stringify({ ...APP, workspaces: ['packages/*'] })}\n`,
    'packages/core/package.json': `${JSON.stringify({ name: 'core', version })}\n`,
  });
}

test('what reached the consumer stays recorded when the library moves into its repository', async () => {
  const changes = releases(12);
  const { upgrades } = await collecting.run([core, app]);
  const before = collecting.events().filter(({ consumer }) => consumer === 'acme/app');
  expect(before).toHaveLength(24);
  commitIn(130, '1.12.0');
  const after = await collecting.run([core, app]);
  expect(after.repositories.map(({ events }) => events.retracted)).toEqual([0, 0]);
  expect(after.upgrades).toContainEqual(upgrades[0]);
  const fresh = new Collecting();
  try {
    await fresh.run([core, app]);
    const ofConsumer = fresh.events().filter(({ consumer, repo }) => consumer === 'acme/app' && repo === 'acme/core');
    expect(ofConsumer.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
    expect(eventLines(fresh.events(), changes[11] ?? '').slice(2)).toEqual([
      'core in acme/app upgrade-merge 120:00 to 121:00',
      'core in acme/app publish 1.12.0 (latest) 122:00',
    ]);
  } finally {
    fresh.dispose();
  }
});

test('while a package is a workspace nothing is an upgrade, and after it moved out only what came out since', async () => {
  releases(2);
  commitIn(30, '1.2.0');
  // The registry copy is the dependency of another package: the consumer uses the workspace.
  const inside = release(4);
  app.at(41).commit('Refresh', lock('1.4.0'));
  app.at(45).commit('Move core out', {
    'package.json': `${JSON.stringify(APP)}\n`,
    'packages/core/package.json': null,
    ...lock('1.4.0'),
  });
  const outside = release(6);
  upgrade(6);
  const { upgrades } = await collecting.run([core, app]);
  expect(eventLines(collecting.events(), inside).filter((line) => line.includes('in acme/app'))).toEqual([]);
  expect(eventLines(collecting.events(), outside)).toContain('core in acme/app upgrade-merge 60:00 to 61:00');
  expect(upgrades).toContainEqual({ package: 'core', consumer: 'acme/app', taken: 3, skipped: 0, open: 0 });
});

/**
 * Imports the library under `packages/core` as migrate-repo does: each commit under the new path, a merge with the record, and a merge of
 * its branch.
 */
function importCore(hour: number, { tags, name = 'core', path = 'core' }: ImportOptions): void {
  app.at(hour);
  app.repo.git('fetch', '-q', '--no-tags', core.repo.path, 'main:refs/heads/source');
  const moved = new Map<string, CommitId>();
  for (const line of core.repo.git('log', '--reverse', '--format=%H %ct').split('\n')) {
    const [id = '', time = ''] = line.split(' ');
    app.repo.git('read-tree', '--empty');
    app.repo.git('read-tree', `--prefix=packages/${path}/`, id);
    const who = `Ann <ann@host.example> ${time} +0000`;
    const parents = [...moved.values()].slice(-1);
    moved.set(
      id,
      app.repo.writeRawCommit({ tree: app.repo.git('write-tree') as ObjectId, parents, author: who, committer: who, message: id }),
    );
  }
  app.repo.git('reset', '-q', '--hard', 'main');
  const [sourceCommit, importedTip] = [...moved].at(-1) ?? [];
  if (sourceCommit === undefined || importedTip === undefined) throw new Error('The library has no commits.');
  for (const tag of tags === 'with tags' ? core.repo.git('tag').split('\n') : [])
    app.repo.tag(`${name}@${tag.slice(1)}`, { at: moved.get(core.repo.id(`${tag}^{commit}`)) ?? '' });
  app.repo.git('checkout', '-q', '-B', 'move');
  app.repo.git('merge', '-q', '-s', 'ours', '--no-commit', '--allow-unrelated-histories', importedTip);
  app.repo.git('read-tree', '-u', `--prefix=packages/${path}/`, `${importedTip}:packages/${path}`);
  const record = formatImportRecord({
    package: name as WorkspaceName,
    path: `packages/${path}` as RepoPath,
    source: 'https://host.example/acme/core',
    sourceRef: 'main',
    sourceCommit: sourceCommit as CommitId,
    subdirectory: undefined,
    strategy: 'rewrite',
    messages: 'exact',
    signatures: 'keep',
    tags: tags === 'with tags' ? { count: 1, marks: '', pattern: '{name}@{version}' } : undefined,
    importedTip,
  });
  const manifest = app.repo.git('show', `${importedTip}:packages/${path}/package.json`);
  app.commit(`Bring core in\n\n${record}\n`, {
    'package.json': `${JSON.stringify({ ...APP, workspaces: ['packages/*'] })}\n`,
    [`packages/${path}/package.json`]: `${JSON.stringify({ ...JSON.parse(manifest), name })}\n`,
  });
  app.repo.checkout('main');
  app.repo.merge('move', 'Merge pull request #7 from acme/move');
}

interface ImportOptions {
  readonly tags: 'with tags' | 'without tags';
  readonly name?: string;
  readonly path?: string;
}

/** Commits a change of the package in the monorepo, and its release an hour later. */
function releaseInside(hour: number, version: string, { name = 'core', path = 'core' } = {}): string {
  const change = app.at(hour).commit('Change', { [`packages/${path}/a.js`]: `${hour}` });
  app.at(hour + 1).version(`Release ${version}`, { name, version }, `packages/${path}/`);
  app.repo.tag(`${name}@${version}`);
  return change;
}

test.each([
  ['the clone of its source', 'without tags', () => [core, app]],
  ['the tags that came along', 'with tags', () => [app]],
] as const)('the first release after a move is measured, by %s', async (_, tags, clones) => {
  releases(2);
  const unreleased = core.at(25).commit('Last change', { 'a.js': 'last' });
  importCore(30, { tags });
  const [landing, first] = [app.repo.id('HEAD'), releaseInside(40, '1.3.0')];
  const { repositories } = await collecting.run(clones());
  expect(eventLines(collecting.events(), first)).toEqual(['core merge-wait 40:00', 'core publish 1.3.0 (latest) 41:00']);
  const { former, withoutFormer } = repositories.at(-1) ?? {};
  expect([former, withoutFormer]).toEqual([{ core: 3 }, []]);
  // The merge is no change of the package: the changes of the source are what it brought.
  expect(collecting.events().filter(({ change, package: name }) => change === landing && name === 'core')).toEqual([]);
  // What its source had not released comes out here, which only a collection of both knows; one of the source alone takes nothing of it back.
  const isBoth = tags === 'without tags';
  const out = isBoth ? ['core merge-wait 25:00', 'core publish 1.3.0 (latest) 41:00'] : [];
  expect(eventLines(collecting.events(), unreleased)).toEqual(out);
  const again = await collecting.run(isBoth ? [core] : [app]);
  expect(again.repositories[0]?.events).toMatchObject({ fresh: 0, retracted: 0 });
  expect(eventLines(collecting.events(), unreleased)).toEqual(out);
  app.repo.git('tag', '--delete', 'core@1.3.0');
  await collecting.run(clones(), { config: { sources: ['tags'] } });
  const counted = collecting.events().filter(({ outcome }) => outcome !== 'retracted');
  expect(counted.filter(({ release: version }) => version === '1.3.0')).toEqual([]);
});

test('an import of which nothing else is known measures nothing, and is named', async () => {
  releases(1);
  importCore(30, { tags: 'without tags' });
  const first = releaseInside(40, '1.3.0');
  const collection = await collecting.run([app]);
  expect(eventLines(collecting.events(), first)).toEqual(['core merge-wait 40:00', 'core publish unmeasured 1.3.0 (latest) 41:00']);
  expect(renderCollection(collection, { width: 80, signs: 'unicode', bold: (text) => text })).toContain(
    'acme/app: 1 imported package (core from https://host.example/acme/core): no publication from before the move is known, so the first one here measures nothing. Also collect the source.',
  );
});

test('a package that moved with a new name is one package, by the record of the import', async () => {
  const changes = releases(2);
  importCore(30, { tags: 'without tags', name: '@acme/core' });
  const first = releaseInside(40, '1.3.0', { name: '@acme/core', path: 'core' });
  const { repositories, upgrades } = await collecting.run([core, app]);
  expect(eventLines(collecting.events(), first)).toEqual(['@acme/core merge-wait 40:00', '@acme/core publish 1.3.0 (latest) 41:00']);
  expect(eventLines(collecting.events(), changes[1] ?? '')).toEqual([
    '@acme/core merge-wait 19:00',
    '@acme/core publish 1.2.0 (latest) 20:00',
    '@acme/core in acme/app upgrade-merge 20:00 to 21:00',
    '@acme/core in acme/app publish 1.2.0 (latest) 22:00',
  ]);
  expect(repositories.map(({ packages }) => packages)).toEqual([['@acme/core'], ['@acme/core', 'app']]);
  expect(upgrades).toContainEqual({ package: '@acme/core', consumer: 'acme/app', taken: 2, skipped: 0, open: 0 });
});

test('a rename in place suggests the rule that joins both names, and with it the next release is measured', async () => {
  releases(1);
  importCore(30, { tags: 'with tags' });
  releaseInside(40, '1.3.0');
  app.at(50).version('Rename', { name: '@acme/core', version: '1.3.0' }, 'packages/core/');
  const change = releaseInside(60, '1.4.0', { name: '@acme/core', path: 'core' });
  const renamed = (found: Awaited<ReturnType<Collecting['run']>>): unknown => found.repositories[0]?.renamed;
  const commit = app.repo.git('log', '--format=%H', '--grep=^Rename$').trim();
  expect(renamed(await collecting.run([app], { doing: 'look' }))).toEqual([{ former: 'core', name: '@acme/core', commit }]);
  expect(renamed(await collecting.run([app], { config: { renamed: { core: '@acme/core' } } }))).toEqual([]);
  expect(eventLines(collecting.events(), change)).toEqual(['@acme/core merge-wait 60:00', '@acme/core publish 1.4.0 (latest) 61:00']);
  expect(new Set(collecting.events().map((event) => event.package))).toEqual(new Set(['app', '@acme/core']));
});

test('of a package that moved in twice, nothing between is brought out by what the source published meanwhile', async () => {
  releases(1);
  importCore(25, { tags: 'without tags' });
  const unreleased = app.at(27).commit('Never released here', { 'packages/core/b.js': '1' });
  app.at(28).commit('Move core out', { 'package.json': `${JSON.stringify(APP)}\n`, 'packages/core': null });
  release(3);
  app.repo.git('branch', '-q', '-D', 'source');
  importCore(35, { tags: 'without tags' });
  const again = releaseInside(40, '1.4.0');
  await collecting.run([core, app]);
  const published = (commit: string): readonly string[] =>
    eventLines(collecting.events(), commit).filter((line) => line.startsWith('core publish'));
  expect(published(again)).toEqual(['core publish 1.4.0 (latest) 41:00']);
  // Whether the source took it along nobody knows.
  expect(published(unreleased)).toEqual(['core publish unmeasured 28:00']);
});

test('a change that was made after a move is brought out by the next release here, though the source is pulled once more before it', async () => {
  const pull = (hour: number, version: string): void => {
    app.at(hour);
    app.repo.git('fetch', '-q', '--no-tags', core.repo.path, 'main');
    app.repo.git('merge', '-q', '-s', 'ours', '--no-commit', '--allow-unrelated-histories', 'FETCH_HEAD');
    commitIn(hour, version);
  };
  releases(1);
  pull(20, '1.1.0');
  const between = app.at(25).commit('Change', { 'packages/core/b.js': '1' });
  release(3);
  pull(35, '1.3.0');
  releaseInside(40, '1.4.0');
  await collecting.run([core, app]);
  expect(eventLines(collecting.events(), between)).toEqual(['core merge-wait 25:00', 'core publish 1.4.0 (latest) 41:00']);
});

/** Moves the library with its history from one story into another under `packages/core`, without a record. */
function passOn(from: CloneStory, to: CloneStory, { hour, folder }: { readonly hour: number; readonly folder: string }): void {
  to.at(hour);
  to.repo.git('fetch', '-q', '--no-tags', from.repo.path, 'main');
  to.repo.git('merge', '-q', '-s', 'ours', '--no-commit', '--allow-unrelated-histories', 'FETCH_HEAD');
  to.repo.git('read-tree', '-u', '--prefix=packages/core/', `FETCH_HEAD:${folder}`);
  to.commit('Move core in', { 'package.json': `${JSON.stringify({ ...APP, workspaces: ['packages/*'] })}\n` });
}

test('of a package that moved on from one monorepo to the next, what the first released is not called unreleased, and what it left is', async () => {
  const next = new CloneStory();
  next.repo.git('remote', 'add', 'origin', 'https://host.example/acme/next.git');
  releases(1);
  const released = core.at(15).commit('Out with the release of the first monorepo', { 'a.js': 'last' });
  passOn(core, app, { hour: 30, folder: '' });
  releaseInside(40, '1.2.0');
  const left = app.at(45).commit('Left', { 'packages/core/a.js': 'left' });
  next.at(3).commit('Another start', { 'package.json': `${JSON.stringify({ ...APP, name: 'next' })}\n` });
  passOn(app, next, { hour: 50, folder: 'packages/core' });
  const { repositories } = await collecting.run([core, app, next]);
  next.repo.dispose();
  const unreleased = repositories.map((one) => one.unreleased.filter((own) => own.package === 'core').flatMap(({ changes }) => changes));
  expect(unreleased).toEqual([[], [released], [left]]);
  expect(eventLines(collecting.events(), released)).toEqual(['core merge-wait 15:00', 'core publish 1.2.0 (latest) 41:00']);
});
