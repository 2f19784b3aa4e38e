import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type LocalRegistry, startRegistry } from '@tributary/test-repo/local-registry';
import { CloneStory, Collecting, eventLines, uploadTime } from '../collect/story.fixture.js';
import { renderCollection } from '../render/collection.js';

let story: CloneStory;
let collecting: Collecting;
let registry: LocalRegistry;
beforeEach(async () => {
  story = new CloneStory();
  collecting = new Collecting();
  registry = await startRegistry();
});
afterEach(async () => {
  story.repo.dispose();
  collecting.dispose();
  await registry.close();
});

const CORE = { name: '@acme/core' };

/** Publishes a version at an hour, with `gitHead` as its commit if given. */
function publish(version: string, hour: number, more: { readonly gitHead?: string; readonly distTag?: string } = {}): void {
  const { gitHead, distTag } = more;
  registry.add({
    manifest: { ...CORE, version, ...(gitHead === undefined ? {} : { gitHead }) },
    publishedAt: uploadTime(hour),
    ...(distTag === undefined ? {} : { distTag }),
  });
}

async function collect(): Promise<Awaited<ReturnType<Collecting['run']>>['repositories'][number] | undefined> {
  const { repositories } = await collecting.run([story], { config: { registry: registry.url } });
  return repositories[0];
}

/** Collects from a registry that answers everything in one way. */
async function collectFrom(answer: object): Promise<Awaited<ReturnType<Collecting['run']>>['repositories'][number] | undefined> {
  const server = createServer((_, response) => response.end(JSON.stringify(answer))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { repositories } = await collecting.run([story], { config: { registry: `http://127.0.0.1:${port}` } });
  server.closeAllConnections();
  server.close();
  return repositories[0];
}

/** Tells of version 1.0.0 at hour 10, a change at hour 20, and the commit of 1.1.0 at hour 30. */
function twoVersions(): { readonly change: string; readonly bump: string } {
  story.at(0).version('Start', { ...CORE, version: '1.0.0' });
  story.at(10).repo.tag('v1.0.0');
  publish('1.0.0', 10);
  const change = story.at(20).commit('A change', { 'a.js': '1' });
  const bump = story.at(30).version('1.1.0', { ...CORE, version: '1.1.0' });
  return { change, bump };
}

test('a time that git bears out counts, and is exact', async () => {
  const { change } = twoVersions();
  story.repo.tag('v1.1.0');
  publish('1.1.0', 31);
  await collect();
  expect(eventLines(collecting.events(), change)).toEqual(['@acme/core merge-wait 20:00', '@acme/core publish 1.1.0 (latest) 31:00']);
  expect(collecting.events().find(({ stage }) => stage === 'publish')).toMatchObject({ source: 'registry', confidence: 'exact' });
  expect(registry.requests).toEqual(['GET /@acme%2fcore']);
});

test('a time of a mirror does not count, and is told', async () => {
  const { change } = twoVersions();
  story.repo.tag('v1.1.0', { message: '1.1.0' });
  publish('1.1.0', 3000);
  expect((await collect())?.refused).toEqual([{ why: 'registry time is implausible', count: 1, examples: ['@acme/core@1.1.0'] }]);
  expect(eventLines(collecting.events(), change)[1]).toBe('@acme/core publish 1.1.0 (latest) 30:01');
});

test('a time before the merge of a change in the version measures nothing of it, and is told', async () => {
  const { change } = twoVersions();
  story.repo.tag('v1.1.0');
  publish('1.1.0', 12);
  expect((await collect())?.refused).toEqual([{ why: 'before a change in it', count: 1, examples: ['@acme/core@1.1.0'] }]);
  expect(eventLines(collecting.events(), change)).toContain('@acme/core publish unmeasured 1.1.0 (latest) 12:00');
});

test('a package whose owner took all versions back was published at the times that the registry keeps', async () => {
  const { change } = twoVersions();
  const unpublished = { time: uploadTime(40), versions: ['1.0.0', '1.1.0'] };
  const answer = { name: '@acme/core', time: { '1.0.0': uploadTime(10), '1.1.0': uploadTime(31), unpublished } };
  expect(await collectFrom(answer)).toMatchObject({ unknown: [], refused: [] });
  expect(eventLines(collecting.events(), change)[1]).toBe('@acme/core publish 1.1.0 (latest) 31:00');
});

test.each([
  ['lacks its latest', { time: {}, tag: '1.1.0', older: {} }],
  ['lacks its first', { time: { created: uploadTime(-900) }, tag: '1.0.0', older: {} }],
  ['lacks its first', { time: { created: uploadTime(-900) }, tag: '1.0.0', older: { '0.9.0': { ...CORE, version: '0.9.0' } } }],
] as const)('a registry that %s version takes no other away, and git has a lower bound', async (why, { time, tag, older }) => {
  const { change } = twoVersions();
  const versions = { ...older, '1.0.0': { ...CORE, version: '1.0.0' } };
  const answer = { name: '@acme/core', 'dist-tags': { latest: tag }, versions, time: { ...time, '1.0.0': uploadTime(10) } };
  expect((await collectFrom(answer))?.refused).toContainEqual({ why: `registry ${why}`, count: 1, examples: ['@acme/core@1.1.0'] });
  expect(eventLines(collecting.events(), change)[1]).toBe('@acme/core publish 1.1.0 (latest) 30:00');
  expect(collecting.events().find(({ release }) => release === '1.1.0')).toMatchObject({ confidence: 'at-least' });
});

test('a dist-tag of a version that is gone is no sign that the registry lacks others', async () => {
  twoVersions();
  const versions = { '1.0.0': { ...CORE, version: '1.0.0' } };
  const answer = { 'dist-tags': { latest: '1.0.0', beta: '0.9.0-1' }, versions, time: { '1.0.0': uploadTime(10) } };
  expect((await collectFrom(answer))?.refused).toEqual([{ why: 'not in the registry', count: 1, examples: ['@acme/core@1.1.0'] }]);
});

test('the package of somebody else under the same name takes no publication away', async () => {
  const { change } = twoVersions();
  registry.add({ manifest: { ...CORE, version: '1.0.0' }, publishedAt: uploadTime(-9000) });
  const { repositories } = await collecting.run([story], { config: { registry: registry.url } });
  expect(eventLines(collecting.events(), change)[1]).toBe('@acme/core publish 1.1.0 (latest) 30:00');
  expect(repositories[0]?.refused).toContainEqual({ why: 'another package', count: 1, examples: ['@acme/core@1.1.0'] });
});

test('a tag that was made days later does not make the time of the registry implausible', async () => {
  const { change, bump } = twoVersions();
  story.at(200).repo.tag('v1.1.0', { message: '1.1.0', at: bump });
  publish('1.1.0', 31);
  expect(await collect()).toMatchObject({ refused: [], lateTags: [] });
  expect(eventLines(collecting.events(), change)[1]).toBe('@acme/core publish 1.1.0 (latest) 31:00');
});

test('the commit that the registry names counts more than the tag, if it is one of the clone', async () => {
  const { change, bump } = twoVersions();
  const late = story.at(32).commit('Behind the version', { 'a.js': '2' });
  story.repo.tag('v1.1.0');
  publish('1.1.0', 33, { gitHead: bump });
  story.at(40).version('1.2.0', { ...CORE, version: '1.2.0' });
  publish('1.2.0', 41, { gitHead: `${'0123456789'.repeat(3)}012345678l` });
  await collect();
  expect(eventLines(collecting.events(), change)[1]).toBe('@acme/core publish 1.1.0 (latest) 33:00');
  expect(eventLines(collecting.events(), late)[1]).toBe('@acme/core publish 1.2.0 (latest) 41:00');
});

test('a version without tag and commit counts by the commit that the registry names, and not without one', async () => {
  const { change } = twoVersions();
  const canary = story.at(33).commit('Another', { 'a.js': '2' });
  publish('1.1.0', 30);
  publish('1.1.1-canary.3', 34, { gitHead: canary, distTag: 'canary' });
  publish('1.1.1-canary.4', 35, { gitHead: 'f'.repeat(40), distTag: 'canary' });
  const summary = await collect();
  expect(eventLines(collecting.events(), canary)).toEqual([
    '@acme/core merge-wait 33:00',
    '@acme/core publish 1.1.1-canary.3 (canary) 34:00',
  ]);
  expect(eventLines(collecting.events(), change)).toHaveLength(2);
  expect(summary?.refused).toEqual([{ why: 'no commit', count: 1, examples: ['@acme/core@1.1.1-canary.4'] }]);
});

test('a version that was written down and never published is none', async () => {
  const { change } = twoVersions();
  story.at(40).version('1.2.0', { ...CORE, version: '1.2.0' });
  publish('1.2.0', 41);
  expect((await collect())?.refused).toEqual([{ why: 'not in the registry', count: 1, examples: ['@acme/core@1.1.0'] }]);
  expect(eventLines(collecting.events(), change)[1]).toBe('@acme/core publish 1.2.0 (latest) 41:00');
});

test('a tag that the registry does not have published nothing, and a light tag has the time of the registry', async () => {
  const { change } = twoVersions();
  story.repo.tag('v1.1.0');
  const next = story.at(40).commit('Another', { 'a.js': '2' });
  story.repo.tag('v1.1.1', { message: '1.1.1' });
  publish('1.1.1', 41);
  const last = story.at(50).commit('The last', { 'a.js': '3' });
  story.repo.tag('v1.1.2');
  publish('1.1.2', 98);
  expect((await collect())?.refused).toEqual([
    { why: 'not in the registry', count: 1, examples: ['@acme/core@1.1.0'] },
    { why: 'registry time is later', count: 1, examples: ['@acme/core@1.1.2'] },
  ]);
  const published = [change, next, last].map((id) => eventLines(collecting.events(), id)[1]);
  expect(published).toEqual([
    '@acme/core publish 1.1.1 (latest) 41:00',
    '@acme/core publish 1.1.1 (latest) 41:00',
    '@acme/core publish 1.1.2 (latest) 98:00',
  ]);
});

test('a dist-tag is the channel of a pre-release', async () => {
  const { change } = twoVersions();
  publish('1.1.0', 30);
  const next = story.at(40).version('2.0.0-rc.1', { ...CORE, version: '2.0.0-rc.1', type: 'module' });
  publish('2.0.0-rc.1', 41, { distTag: 'next' });
  await collect();
  expect(eventLines(collecting.events(), change)[1]).toBe('@acme/core publish 1.1.0 (latest) 30:00');
  expect(eventLines(collecting.events(), next)).toEqual([]);
  const summary = await collect();
  expect(summary?.publications).toEqual({ latest: 2, next: 1 });
});

test('a dist-tag that moves on takes no publication along, also when the registry is not asked', async () => {
  twoVersions();
  publish('1.1.0', 30);
  const versions = [1, 2].map((nth) => ({ ...CORE, version: `2.0.0-rc.${nth}` }));
  const changes = versions.map((manifest, nth) => {
    const change = story.at(40 + 10 * nth).commit('Add', { 'a.js': `rc ${nth}` });
    story.at(45 + 10 * nth).version(manifest.version, manifest);
    return change;
  });
  const [first = '', second = ''] = changes;
  publish('2.0.0-rc.1', 46, { distTag: 'next' });
  await collect();
  publish('2.0.0-rc.2', 56, { distTag: 'next' });
  expect((await collect())?.events).toMatchObject({ retracted: 0 });
  const out = (change: string): readonly string[] => eventLines(collecting.events(), change).filter((way) => way.includes('publish'));
  expect(out(first)).toEqual(['@acme/core publish 2.0.0-rc.1 (next) 46:00']);
  expect(out(second)).toEqual(['@acme/core publish 2.0.0-rc.2 (next) 56:00']);
  await collecting.run([story]);
  for (const change of changes) expect(out(change)).toEqual([expect.stringContaining('(next)')]);
});

test('a package that the registry does not have is known from git', async () => {
  story.at(0).version('Start', { name: 'elsewhere', version: '1.0.0' });
  expect(await collect()).toMatchObject({ unknown: ['elsewhere'], refused: [] });
});

test('a registry that cannot be reached is no empty registry', async () => {
  twoVersions();
  await registry.close();
  await expect(collect()).rejects.toMatchObject({ code: 'REGISTRY_UNREACHABLE' });
  expect(collecting.lines()).toEqual([]);
});

test('a clone without tags is told, and one with tags is not', async () => {
  const page = async (): Promise<string> =>
    renderCollection(await collecting.run([story]), { width: 400, signs: 'unicode', bold: (text) => text });
  story.at(0).version('Start', { ...CORE, version: '1.0.0' });
  expect(await page()).toContain('this clone has no tags, so only commits that set a version count as publications.');
  story.repo.tag('v1.0.0');
  expect(await page()).not.toContain('no tags');
});
