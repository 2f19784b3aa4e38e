import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CloneStory, Collecting, eventLines } from '../collect/story.fixture.js';
import { renderCollection } from '../render/collection.js';

let core: CloneStory;
let app: CloneStory;
let collecting: Collecting;
beforeEach(() => {
  core = new CloneStory();
  app = new CloneStory();
  app.repo.git('remote', 'add', 'origin', 'git@host.example:acme/app.git');
  core.repo.git('remote', 'add', 'origin', 'https://user:secret@github.example/acme/core.git');
  collecting = new Collecting();
});
afterEach(() => {
  core.repo.dispose();
  app.repo.dispose();
  collecting.dispose();
});

type Locks = (version: string) => Readonly<Record<string, string>>;

const classic: Locks = (version) => ({
  'yarn.lock': `# yarn lockfile v1\n\n\n"@acme/core@^1.0.0", "@acme/core@~1.0.0":\n  version "${version}"\n  resolved "https://host.example/core.tgz"\n\nother@^9.0.0:\n  version "9.9.9"\n`,
});
const berry: Locks = (version) => ({
  'yarn.lock': `__metadata:\n  version: 8\n\n"@acme/core@npm:^1.0.0":\n  version: ${version}\n  resolution: "@acme/core@npm:${version}"\n  languageName: node\n  linkType: hard\n`,
});
const pnpm: Locks = (version) => ({
  'pnpm-lock.yaml': `lockfileVersion: '9.0'\n\nimporters: {}\n\npackages:\n\n  '@acme/core@${version}':\n    resolution: {integrity: sha512-x}\n`,
});
const npm: Locks = (version) => ({
  'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: { '': {}, 'node_modules/@acme/core': { version } } }),
});
const pinned: Locks = (version) => ({
  'package.json': JSON.stringify({ name: 'app', private: true, dependencies: { '@acme/core': version } }),
});
const oldNpm: Locks = (version) => ({
  'npm-shrinkwrap.json': JSON.stringify({ dependencies: { a: { version: '1.0.0', dependencies: { '@acme/core': { version } } } } }),
});

/** Creates releases 1.0.0 to 1.3.0 at the hours 10 to 40, each but the first with a change an hour before. */
function releases(): readonly string[] {
  core.at(1).version('Start', { name: '@acme/core', version: '1.0.0' });
  core.at(10).repo.tag('v1.0.0');
  return [1, 2, 3].map((minor) => {
    const change = core.at(minor * 10 + 9).commit(`Change (#${minor})`, { 'a.js': `${minor}` });
    core.at(minor * 10 + 10).version(`1.${minor}.0`, { name: '@acme/core', version: `1.${minor}.0` });
    core.repo.tag(`v1.${minor}.0`);
    return change;
  });
}

test.each([
  ['the lockfile of Yarn 1', classic],
  ['the lockfile of Yarn 4', berry],
  ['the lockfile of npm', npm],
  ['the lockfile of npm before 7', oldNpm],
  ['the lockfile of pnpm', pnpm],
  ['a manifest without a lockfile', pinned],
] as const)('an upgrade is what %s says: taken, skipped for a later one, not yet', async (_, lock) => {
  const [first = '', second = '', third = ''] = releases();
  app.at(12).commit('Start', { 'package.json': '{"name":"app","private":true}', ...lock('1.0.0') });
  app.at(35).commit('Upgrade', lock('1.2.0'));
  const { upgrades } = await collecting.run([core, app]);
  const upgrade = (commit: string): readonly string[] => eventLines(collecting.events(), commit).slice(2);
  expect(upgrade(first)).toEqual(['@acme/core in acme/app upgrade-merge 20:00 to 35:00']);
  expect(upgrade(second)).toEqual(['@acme/core in acme/app upgrade-merge 30:00 to 35:00']);
  expect(upgrade(third)).toEqual([]);
  expect(upgrades).toEqual([{ package: '@acme/core', consumer: 'acme/app', taken: 1, skipped: 1, open: 1 }]);
});

test('what was out when the consumer took the package in is no upgrade', async () => {
  const [first = '', second = '', third = ''] = releases();
  app.at(32).commit('Start', { 'package.json': '{"name":"app"}', ...berry('1.1.0') });
  app.at(45).commit('Upgrade', berry('1.3.0'));
  await collecting.run([core, app]);
  expect(eventLines(collecting.events(), first)).toHaveLength(2);
  // 1.2.0 existed already: the consumer could take it from hour 32 on.
  expect(eventLines(collecting.events(), second)[2]).toBe('@acme/core in acme/app upgrade-merge 32:00 to 45:00');
  expect(eventLines(collecting.events(), third)[2]).toBe('@acme/core in acme/app upgrade-merge 40:00 to 45:00');
});

test('when a lockfile comes to what was pinned, it counts, and a range alone says nothing', async () => {
  const [first = '', second = '', third = ''] = releases();
  app.at(12).commit('Start', pinned('1.0.0'));
  app.at(22).commit('Upgrade', pinned('1.1.0'));
  app.at(24).commit('A range', pinned('^1.1.0'));
  app.at(35).commit('A lockfile', berry('1.2.0'));
  app.at(45).commit('Pinned again', pinned('1.3.0'));
  await collecting.run([core, app]);
  expect(eventLines(collecting.events(), first)[2]).toBe('@acme/core in acme/app upgrade-merge 20:00 to 22:00');
  expect(eventLines(collecting.events(), second)[2]).toBe('@acme/core in acme/app upgrade-merge 30:00 to 35:00');
  // Only the pinned version can be installed, even if the lockfile lags behind or has only other packages.
  expect(eventLines(collecting.events(), third)[2]).toBe('@acme/core in acme/app upgrade-merge 40:00 to 45:00');
});

test('a lockfile that cannot be read is told with its commits and why, and what it said before goes on', async () => {
  const [first = ''] = releases();
  app.at(12).commit('Start', { 'package.json': '{"name":"app","private":true}', ...berry('1.0.0') });
  const torn = [22, 23].map((hour) => app.at(hour).commit('Torn', { 'yarn.lock': `<<<<<<< HEAD\n${hour}\n` }));
  app.at(35).commit('Mended', berry('1.2.0'));
  const collection = await collecting.run([core, app]);
  expect(eventLines(collecting.events(), first)[2]).toBe('@acme/core in acme/app upgrade-merge 20:00 to 35:00');
  const reason = 'yarn.lock: line 1 is a conflict marker of an unfinished merge.';
  expect(collection.repositories.map(({ unreadableLockfiles }) => unreadableLockfiles)).toEqual([
    [],
    [{ code: 'LOCKFILE_INVALID', reason, count: 2, commits: torn }],
  ]);
  const ids = torn.map((commit) => commit.slice(0, 12)).join(', ');
  expect(renderCollection(collection, { width: 80, signs: 'unicode', bold: (text) => text })).toContain(
    `acme/app: 2 commits (${ids}) cannot be read (LOCKFILE_INVALID): ${reason} The earlier lockfile is used.`,
  );
});

test('two clones of one name are refused, and nothing is recorded', async () => {
  app.repo.git('remote', 'set-url', 'origin', 'https://github.example/acme/core.git');
  releases();
  app.at(1).commit('Start', berry('1.0.0'));
  await expect(collecting.run([core, app])).rejects.toMatchObject({ code: 'USAGE', message: 'Two clones have the name acme/core.' });
  expect(collecting.lines()).toEqual([]);
});

test('repositories are called as their remotes say, and no credential of an address is recorded', async () => {
  const [first = ''] = releases();
  await collecting.run([core]);
  const event = collecting.events().find(({ change }) => change === first);
  expect(event).toMatchObject({ repo: 'acme/core', url: 'https://github.example/acme/core/pull/1' });
  expect(JSON.stringify(collecting.lines())).not.toContain('secret');
});

test('two clones of one name are refused', async () => {
  releases();
  await expect(collecting.run([core, core])).rejects.toMatchObject({ code: 'USAGE' });
});
