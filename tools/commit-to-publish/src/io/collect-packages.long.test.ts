import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CloneStory, Collecting, eventLines } from '../collect/story.fixture.js';

let story: CloneStory;
let collecting: Collecting;
beforeEach(() => {
  story = new CloneStory();
  collecting = new Collecting();
});
afterEach(() => {
  story.repo.dispose();
  collecting.dispose();
});

function manifest(name: string, version: string, more: Readonly<Record<string, unknown>> = {}): string {
  return `${JSON.stringify({ name, version, ...more })}\n`;
}

/** Starts a monorepo with `@acme/ui` and `@acme/api` 1.0.0, and a private application. */
function start(): void {
  story.at(0).commit('Start', {
    'package.json': JSON.stringify({ name: 'root', private: true, workspaces: ['packages/*'] }),
    'packages/ui/package.json': manifest('@acme/ui', '1.0.0'),
    'packages/api/package.json': manifest('@acme/api', '1.0.0', { dependencies: { '@acme/ui': '^1.0.0' } }),
    'packages/app/package.json': manifest('app', '0.0.0', { private: true }),
  });
}

test('a change belongs to the packages it touches, and each of them comes out with its own tag', async () => {
  start();
  for (const name of ['@acme/ui', '@acme/api']) story.at(10).repo.tag(`${name}@1.0.0`);
  const both = story.at(20).commit('Both', { 'packages/ui/a.js': '1', 'packages/api/a.js': '1' });
  const ui = story.at(21).commit('One', { 'packages/ui/deep/down/a.js': '1' });
  const none = story.at(22).commit('None', { 'README.md': '1', 'packages/app/a.js': '1' });
  story.at(30).commit('Version Packages (#4)', {
    'packages/ui/package.json': manifest('@acme/ui', '1.1.0'),
    'packages/ui/CHANGELOG.md': '1.1.0',
    'packages/api/package.json': manifest('@acme/api', '1.0.0', { dependencies: { '@acme/ui': '^1.1.0' } }),
  });
  story.repo.tag('@acme/ui@1.1.0');
  story.at(40).commit('Publish', { 'packages/api/package.json': manifest('@acme/api', '1.0.1') });
  story.repo.tag('api-v1.0.1');
  const { repositories } = await collecting.run([story]);
  expect(eventLines(collecting.events(), both)).toEqual([
    '@acme/api merge-wait 20:00',
    '@acme/ui merge-wait 20:00',
    '@acme/ui publish 1.1.0 (latest) 30:00',
    '@acme/api publish 1.0.1 (latest) 40:00',
  ]);
  expect(eventLines(collecting.events(), ui)).toEqual(['@acme/ui merge-wait 21:00', '@acme/ui publish 1.1.0 (latest) 30:00']);
  expect(eventLines(collecting.events(), none)).toEqual([]);
  const first = { pairs: 5, inFirst: 2, changesInFirst: 1 };
  expect(repositories[0]).toMatchObject({ leftOut: ['root', 'app'], unclaimedTags: [], changes: { person: 3, bot: 0 }, ...first });
});

test('one tag for the whole repository is of those whose version came to it', async () => {
  start();
  story.at(10).repo.tag('v1.0.0');
  const ui = story.at(20).commit('UI', { 'packages/ui/a.js': '1' });
  const api = story.at(21).commit('API', { 'packages/api/a.js': '1' });
  story.at(30).commit('v1.1.0', { 'packages/ui/package.json': manifest('@acme/ui', '1.1.0') });
  story.repo.tag('v1.1.0');
  story.at(40).commit('v1.2.0', {
    'packages/ui/package.json': manifest('@acme/ui', '1.2.0'),
    'packages/api/package.json': manifest('@acme/api', '1.2.0'),
  });
  story.repo.tag('v1.2.0');
  story.repo.tag('v9.9.9');
  const { repositories } = await collecting.run([story]);
  expect(eventLines(collecting.events(), ui)[1]).toBe('@acme/ui publish 1.1.0 (latest) 30:00');
  expect(eventLines(collecting.events(), api)[1]).toBe('@acme/api publish 1.2.0 (latest) 40:00');
  expect(repositories[0]).toMatchObject({
    publications: { latest: 5 },
    unclaimedTags: [{ why: 'no package', count: 1, examples: ['v9.9.9'] }],
  });
});

test('one tag beside the main line is of those that have the version there', async () => {
  start();
  story.at(10).repo.tag('v1.0.0');
  const ui = story.at(20).commit('UI', { 'packages/ui/a.js': '1' });
  const api = story.at(21).commit('API', { 'packages/api/a.js': '1' });
  story.repo.git('checkout', '-q', '-b', 'release');
  story.at(30).commit('v1.0.1', { 'packages/ui/package.json': manifest('@acme/ui', '1.0.1') });
  story.repo.tag('v1.0.1');
  story.repo.checkout('main');
  await collecting.run([story]);
  expect(eventLines(collecting.events(), ui)[1]).toBe('@acme/ui publish 1.0.1 (latest) 30:00');
  expect(eventLines(collecting.events(), api)).toEqual(['@acme/api merge-wait 21:00']);
});

test('a package that moves to another folder goes on, and a repository that becomes a monorepo too', async () => {
  story.at(0).commit('Start', { 'package.json': manifest('@acme/ui', '1.0.0'), 'a.js': '0' });
  story.at(10).repo.tag('v1.0.0');
  const before = story.at(20).commit('At the root', { 'a.js': '1' });
  const move = story.at(25).commit('Move', {
    'package.json': JSON.stringify({ name: 'root', private: true, workspaces: ['packages/*'] }),
    'a.js': null,
    'packages/ui/package.json': manifest('@acme/ui', '1.0.0'),
    'packages/ui/a.js': '1',
  });
  const after = story.at(26).commit('In its folder', { 'packages/ui/a.js': '2' });
  story.at(30).commit('1.1.0', { 'packages/ui/package.json': manifest('@acme/ui', '1.1.0') });
  story.repo.tag('v1.1.0');
  await collecting.run([story]);
  for (const commit of [before, move, after])
    expect(eventLines(collecting.events(), commit).slice(1)).toEqual(['@acme/ui publish 1.1.0 (latest) 30:00']);
});

test('a tag of the folder of a package is of it, whatever its name is there', async () => {
  story.at(0).commit('Start', { 'package.json': '{"name":"root","private":true,"workspaces":["packages/*"]}' });
  story.at(1).version('Add ui', { name: '@acme/widgets' }, 'packages/ui/');
  story.repo.tag('packages/ui/v1.0.0', { message: '1.0.0' });
  const change = story.at(20).commit('Change ui', { 'packages/ui/a.js': '1' });
  story.at(30).repo.tag('packages/ui/v1.1.0', { message: '1.1.0' });
  const { repositories } = await collecting.run([story]);
  expect(repositories[0]).toMatchObject({ unmatchedTags: { count: 0 }, publications: { latest: 2 } });
  expect(eventLines(collecting.events(), change)[1]).toBe('@acme/widgets publish 1.1.0 (latest) 30:00');
});

test('a package that comes back under a former name is not published by that', async () => {
  const root = { name: 'root', private: true, workspaces: ['packages/*'] };
  story.at(0).version('Start', root);
  story.at(1).version('Add ui', { name: 'ui', version: '1.0.0' }, 'packages/ui/');
  story.at(2).version('Rename ui', { name: 'widgets', version: '1.0.0' }, 'packages/ui/');
  story.at(3).version('2.0.0', { name: 'widgets', version: '2.0.0' }, 'packages/ui/');
  const back = story.at(20).version('Rename widgets back', { name: 'ui', version: '2.0.0' }, 'packages/ui/');
  story.at(30).version('2.1.0', { name: 'ui', version: '2.1.0' }, 'packages/ui/');
  await collecting.run([story]);
  expect(eventLines(collecting.events(), back)).toEqual(['ui merge-wait 20:00', 'ui publish unmeasured 2.1.0 (latest) 30:00']);
});

test('a private package that tags name is measured, and patterns and teams are as configured', async () => {
  start();
  story.at(10).repo.tag('deploy/app/1.0.0');
  const change = story.at(20).commit('App', { 'packages/app/a.js': '1' });
  story.at(30).repo.tag('deploy/app/1.1.0', { message: 'Deployed' });
  const config = { tags: ['deploy/{shortName}/{version}'], teams: { web: ['app'], base: ['@acme/*'] } };
  await collecting.run([story], { config });
  expect(eventLines(collecting.events(), change)).toEqual(['app merge-wait 20:00', 'app publish 1.1.0 (latest) 30:00']);
  expect(new Set(collecting.events().map((event) => `${event.package} ${event.team}`))).toEqual(
    new Set(['app web', '@acme/ui base', '@acme/api base']),
  );
});

test('a package that became private waits for nothing, unless a tag has named it since', async () => {
  start();
  for (const name of ['@acme/ui', '@acme/api']) story.at(10).repo.tag(`${name}@1.0.0`, { message: 'First' });
  const before = story.at(20).commit('Both', { 'packages/ui/a.js': '1', 'packages/api/a.js': '1' });
  const hidden = (name: string): string => manifest(`@acme/${name}`, '1.0.0', { private: true });
  story.at(30).commit('Hide', { 'packages/ui/package.json': hidden('ui'), 'packages/api/package.json': hidden('api') });
  const after = story.at(40).commit('Both again', { 'packages/ui/b.js': '1', 'packages/api/b.js': '1' });
  story.at(50).repo.tag('@acme/api@1.1.0', { message: 'Deployed' });
  const { repositories } = await collecting.run([story]);
  expect(eventLines(collecting.events(), before)).toEqual([
    '@acme/api merge-wait 20:00',
    '@acme/ui merge-wait 20:00',
    '@acme/ui publish unmeasured 30:00',
    '@acme/api publish 1.1.0 (latest) 50:00',
  ]);
  expect(eventLines(collecting.events(), after)).toEqual(['@acme/api merge-wait 40:00', '@acme/api publish 1.1.0 (latest) 50:00']);
  expect(repositories[0]?.departed).toMatchObject([{ package: '@acme/ui', changes: [before] }]);
});

test('where no teams are configured CODEOWNERS says them, and nobody by name', async () => {
  start();
  const owners = '* @acme/everybody\n/packages/ui/ @acme/web @grace\n/packages/api/ @ada\n';
  story
    .at(5)
    .commit('Owners', { '.github/CODEOWNERS': owners, CODEOWNERS: '* @acme/old\n', 'packages/new/package.json': manifest('new', '1.0.0') });
  await collecting.run([story]);
  const teams = (): Set<string> => new Set(collecting.events().map((event) => `${event.package} ${event.team}`));
  expect(teams()).toEqual(new Set(['@acme/ui acme/web', '@acme/api undefined', 'new acme/everybody']));
  const config = { teams: { web: ['@acme/*'] } };
  await collecting.run([story], { config });
  expect(teams()).toEqual(new Set(['@acme/ui web', '@acme/api web', 'new undefined']));
});

test('a manifest that cannot be read leaves the packages as they were, and is told', async () => {
  start();
  story.at(10).repo.tag('v1.0.0');
  const broken = story.at(20).commit('Broken', { 'packages/ui/package.json': '{', 'packages/api/a.js': '1' });
  const { repositories } = await collecting.run([story]);
  expect(eventLines(collecting.events(), broken)).toEqual(['@acme/api merge-wait 20:00', '@acme/ui merge-wait 20:00']);
  const reason = 'packages/ui/package.json:1: it is not JSON: close brace expected.';
  expect(repositories[0]?.unreadable).toEqual([{ code: 'MANIFEST_INVALID', reason, count: 1, commits: [broken] }]);
});

test('a template whose manifest nobody can read does not hide the packages beside it, and is told once', async () => {
  start();
  const template = story
    .at(10)
    .commit('Template', { 'packages/template/package.json': '{{name}}', 'packages/new/package.json': manifest('new', '1.0.0') });
  story.repo.tag('new@1.0.0');
  const change = story.at(20).commit('Add', { 'packages/new/a.js': '1' });
  story.at(25).commit('Another', { 'packages/other/package.json': manifest('other', '1.0.0') });
  story.at(30).repo.tag('new@1.0.1');
  const { repositories } = await collecting.run([story]);
  expect(eventLines(collecting.events(), change)).toEqual(['new merge-wait 20:00', 'new publish 1.0.1 (latest) 25:00']);
  const reason = expect.stringMatching(/^packages\/template\/package\.json:1: it is not JSON: /);
  expect(repositories[0]?.unreadable).toEqual([{ code: 'MANIFEST_INVALID', reason, count: 1, commits: [template] }]);
});

test('what was the only package and is the private root of workspaces now has changes no longer', async () => {
  story.at(0).commit('Alone', { 'package.json': manifest('tool', '1.0.0'), 'a.js': '1' });
  story.repo.tag('v1.0.0');
  const before = story.at(10).commit('Before', { 'a.js': '2' });
  story.at(15).version('Next', { name: 'tool', version: '1.1.0' });
  story.repo.tag('v1.1.0');
  story.at(20).commit('Workspaces', {
    'package.json': manifest('tool', '1.1.0', { private: true, workspaces: ['packages/*'] }),
    'packages/core/package.json': manifest('core', '1.0.0'),
  });
  const after = story.at(30).commit('After', { 'README.md': '1', 'packages/core/a.js': '1' });
  await collecting.run([story]);
  expect(eventLines(collecting.events(), before)).toEqual(['tool merge-wait 10:00', 'tool publish 1.1.0 (latest) 15:00']);
  expect(eventLines(collecting.events(), after)).toEqual(['core merge-wait 30:00']);
});
