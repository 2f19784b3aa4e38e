import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CloneStory, Collecting, eventLines } from '../collect/story.fixture.js';

// Other lists of packages than `workspaces`: lerna before there were workspaces, and pnpm.

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

const ROOT = JSON.stringify({ name: 'ui', private: true });
/** The root has the name of a package, as in babel before 2018. */
const PACKAGES = {
  'packages/ui/package.json': manifest('ui', '1.0.0'),
  'packages/api/package.json': manifest('@acme/api', '1.0.0'),
  'codemods/old/package.json': manifest('@acme/old', '1.0.0'),
};

test.each([
  ['lerna.json', { 'lerna.json': '{ "version": "1.0.0", "packages": ["packages/*"] }' }],
  ['lerna.json that says nothing', { 'lerna.json': '{ "lerna": "2.0.0", "version": "1.0.0" }' }],
  ['lerna 1', { 'package.json': JSON.stringify({ name: 'ui', private: true, devDependencies: { lerna: '^1.0.0' } }) }],
  ['pnpm', { 'pnpm-workspace.yaml': "packages:\n  - 'packages/**'\n", 'lerna.json': '{ "packages": ["codemods/*"] }' }],
])('packages are those that %s lists', async (_, list) => {
  story.at(0).commit('Start', { 'package.json': ROOT, ...PACKAGES, ...list });
  story.at(10).repo.tag('v1.0.0');
  const api = story.at(20).commit('API', { 'packages/api/a.js': '1' });
  const ui = story.at(21).commit('UI', { 'packages/ui/a.js': '1' });
  const none = story.at(22).commit('None', { 'README.md': '1', 'codemods/old/a.js': '1' });
  const next = story.at(30).commit('v1.1.0', { 'packages/api/package.json': manifest('@acme/api', '1.1.0') });
  story.repo.tag('v1.1.0');
  const { repositories } = await collecting.run([story]);
  const events = collecting.events();
  expect(eventLines(events, api)).toEqual(['@acme/api merge-wait 20:00', '@acme/api publish 1.1.0 (latest) 30:00']);
  expect(eventLines(events, ui)).toEqual(['ui merge-wait 21:00']);
  expect([...eventLines(events, none), ...eventLines(events, next)]).toEqual([]);
  expect(repositories[0]).toMatchObject({ packages: ['@acme/api', 'ui'], unreadable: [] });
});

test('a repository that comes to lerna, lists more with it, and goes over to workspaces, is read as it is at each commit', async () => {
  story.at(0).commit('Alone', { 'package.json': manifest('ui', '1.0.0') });
  story.repo.tag('v1.0.0');
  const alone = story.at(10).commit('Alone still', { 'a.js': '1', 'codemods/old/package.json': manifest('@acme/old', '1.0.0') });
  story.at(20).commit('Lerna', { 'package.json': ROOT, ...PACKAGES, 'lerna.json': '{ "version": "1.0.0" }' });
  const notYet = story.at(30).commit('Not listed', { 'codemods/old/a.js': '1' });
  story.at(40).commit('Listed', { 'lerna.json': '{ "version": "1.0.0", "packages": ["packages/*", "codemods/*"] }' });
  const listed = story.at(50).commit('Listed now', { 'codemods/old/a.js': '2' });
  story.at(60).commit('Broken', { 'lerna.json': '{ "version": "1.0.0", "packages": [' });
  const broken = story.at(61).commit('As before', { 'codemods/old/a.js': '3' });
  story.at(70).commit('Workspaces', {
    'package.json': JSON.stringify({ name: 'root', private: true, workspaces: ['packages/*'] }),
    'lerna.json': '{ "version": "1.0.0", "packages": ["codemods/*"] }',
  });
  const after = story.at(80).commit('Not any more', { 'codemods/old/a.js': '4', 'packages/api/a.js': '1' });
  const { repositories } = await collecting.run([story]);
  const names = (commit: string): readonly string[] => eventLines(collecting.events(), commit).map((way) => way.split(' ')[0] ?? '');
  // Twice where it was still waiting when the list no longer named it: the wait, and that no publication can be measured any more.
  const left = ['@acme/old', '@acme/old'];
  expect([alone, notYet, listed, broken, after].map(names)).toEqual([['ui'], [], left, left, ['@acme/api']]);
  const reason = 'lerna.json:1: it is not JSON: close bracket expected.';
  expect(repositories[0]?.unreadable).toMatchObject([{ code: 'MANIFEST_INVALID', reason, count: 1 }]);
});

test('a root that is published beside the packages of lerna counts; a lerna.json that finds none changes nothing', async () => {
  story.at(0).commit('Start', { 'package.json': manifest('cli', '1.0.0'), 'lerna.json': '{}' });
  const alone = story.at(5).commit('Alone', { 'a.js': '1' });
  story.at(10).commit('Another', { 'packages/api/package.json': manifest('@acme/api', '1.0.0') });
  story.repo.tag('v1.0.0');
  const both = story.at(20).commit('Both', { 'a.js': '2', 'packages/api/a.js': '1' });
  story.at(30).commit('v1.1.0', { 'package.json': manifest('cli', '1.1.0'), 'packages/api/package.json': manifest('@acme/api', '1.1.0') });
  story.repo.tag('v1.1.0');
  await collecting.run([story]);
  expect(eventLines(collecting.events(), alone)).toEqual(['cli merge-wait 5:00', 'cli publish unmeasured 1.0.0 (latest) 10:00']);
  expect(eventLines(collecting.events(), both)).toEqual([
    '@acme/api merge-wait 20:00',
    'cli merge-wait 20:00',
    '@acme/api publish 1.1.0 (latest) 30:00',
    'cli publish 1.1.0 (latest) 30:00',
  ]);
});

test('a release of lerna 1 is no change, though it writes a file of its own', async () => {
  const root = JSON.stringify({ private: true, devDependencies: { lerna: '^1.0.0' } });
  story.at(0).commit('Start', { 'package.json': root, VERSION: '1.0.0', ...PACKAGES });
  const release = story
    .at(10)
    .commit('Ship it', { VERSION: '1.1.0', 'packages/api/package.json': manifest('@acme/api', '1.1.0'), 'CHANGELOG.md': '1.1.0' });
  const change = story
    .at(20)
    .commit('Ship it, and more', { 'packages/api/package.json': manifest('@acme/api', '1.2.0'), 'packages/api/a.js': '1' });
  await collecting.run([story]);
  expect([release, change].map((commit) => eventLines(collecting.events(), commit).length)).toEqual([0, 2]);
});

test('an application with a lerna.json that finds no package is the only package still', async () => {
  story.at(0).commit('Start', { 'package.json': JSON.stringify({ private: true }), 'lerna.json': '{}' });
  const change = story.at(5).commit('Change', { 'a.js': '1' });
  await collecting.run([story], { name: 'acme/web' });
  expect(eventLines(collecting.events(), change)).toEqual(['web merge-wait 5:00']);
});

test('of two packages of pnpm with one name it is that of the one that is published', async () => {
  story.at(0).commit('Start', {
    'package.json': JSON.stringify({ private: true }),
    'pnpm-workspace.yaml': 'packages:\n  - "**"\n',
    'a/fixture/package.json': manifest('@acme/api', '0.0.1', { private: true }),
    'packages/api/package.json': manifest('@acme/api', '1.0.0'),
  });
  story.repo.tag('v1.0.0');
  const fixture = story.at(10).commit('Fixture', { 'a/fixture/a.js': '1' });
  const api = story.at(20).commit('API', { 'packages/api/a.js': '1' });
  await collecting.run([story]);
  expect([fixture, api].map((commit) => eventLines(collecting.events(), commit))).toEqual([[], ['@acme/api merge-wait 20:00']]);
});
