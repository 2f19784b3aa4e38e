// Histories and registries that contradict themselves: what is wrong is named and counted, and in no figure.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { BEGIN, CloneStory, Collecting, eventLines, uploadTime } from '../collect/story.fixture.js';

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

type Summary = Awaited<ReturnType<Collecting['run']>>['repositories'][number] | undefined;

async function collect(registry?: string): Promise<Summary> {
  const { repositories } = await collecting.run([story], {
    config: { channels: ['latest'], ...(registry === undefined ? {} : { registry }) },
  });
  return repositories[0];
}

/** Returns what became of a commit, without its merge. */
function out(commit: string): readonly string[] {
  return eventLines(collecting.events(), commit).filter((line) => !line.includes('merge-wait'));
}

function release(hour: number, version: string): void {
  story.at(hour).version(version, { name: 'core', version });
  story.repo.tag(`v${version}`, { message: version });
}

/** Makes an annotated tag with a time of its own, in hours after the start. */
function tagAt(name: string, hours: number): void {
  const lines = [
    `object ${story.repo.id('HEAD')}`,
    'type commit',
    `tag ${name}`,
    `tagger A <a@host.example> ${BEGIN + hours * 3600} +0000`,
  ];
  story.repo.git('update-ref', `refs/tags/${name}`, story.repo.writeObject('tag', `${lines.join('\n')}\n\n${name}\n`));
}

const CENTURY = 24 * 365 * 100;

test.each([
  ['in the future', CENTURY],
  ['before 2000', -CENTURY / 2 + 24 * 365 * 20],
])('a tag with a time %s has none: the time of its commit is a lower bound, and the version is named', async (_, hours) => {
  release(0, '1.0.0');
  const one = story.at(20).commit('One', { 'a.js': '1' });
  const last = story.at(25).commit('Two', { 'a.js': '2' });
  tagAt('v1.1.0', hours);
  const two = story.at(30).commit('Three', { 'a.js': '3' });
  release(40, '1.2.0');
  const refused = [{ why: 'impossible time of the tag', count: 1, examples: ['core@1.1.0'] }];
  expect(await collect()).toMatchObject({ refused, flawed: 0, lateTags: [] });
  expect([one, last, two].map(out)).toEqual([
    ['core publish 1.1.0 (latest) 25:00'],
    ['core publish 1.1.0 (latest) 25:00'],
    ['core publish 1.2.0 (latest) 40:01'],
  ]);
  const bounds = collecting.events().filter(({ release: version, confidence }) => version === '1.1.0' && confidence === 'at-least');
  expect(bounds.map(({ change }) => change).sort()).toEqual([one, last].sort());
});

test('a version whose commit has a time in the future measures nothing, by itself and by the next one', async () => {
  release(0, '1.0.0');
  const one = story.at(20).commit('One', { 'a.js': '1' });
  const text = `${JSON.stringify({ name: 'core', version: '1.1.0' })}\n`;
  story.at(25).commit('1.1.0', { 'package.json': text }, { GIT_COMMITTER_DATE: `@${BEGIN + CENTURY * 3600} +0000` });
  const two = story.at(30).commit('Two', { 'a.js': '2' });
  expect(await collect()).toMatchObject({ refused: [{ why: 'impossible time', count: 1, examples: ['core@1.1.0'] }] });
  expect([one, two].map(out)).toEqual([[], []]);
  release(40, '1.2.0');
  await collect();
  expect([one, two].map(out)).toEqual([['core publish unmeasured 1.2.0 (latest) 40:01'], ['core publish 1.2.0 (latest) 40:01']]);
});

test('two tags of a version on different commits measure nothing for what is in either, and are named', async () => {
  release(0, '1.0.0');
  const one = story.at(20).commit('One', { 'a.js': '1' });
  story.repo.tag('core@1.1.0', { message: 'early' });
  const two = story.at(22).commit('Two', { 'a.js': '2' });
  story.repo.tag('core@v1.1.0', { message: 'late' });
  const three = story.at(30).commit('Three', { 'a.js': '3' });
  release(40, '1.2.0');
  expect(await collect()).toMatchObject({ refused: [{ why: 'two tags', count: 1, examples: ['core@1.1.0'] }] });
  expect([one, two, three].map(out)).toEqual([
    ['core publish unmeasured 1.1.0 (latest) 20:01'],
    ['core publish unmeasured 1.1.0 (latest) 20:01'],
    ['core publish 1.2.0 (latest) 40:01'],
  ]);
});

test.each([
  ['a clock that is half an hour behind', 19.5],
  ['a release commit of the same second, as a rebase makes', undefined],
])('%s: a publication no later than the change is a lower bound, and no answer of no time', async (_, tagged) => {
  release(0, '1.0.0');
  const same = { GIT_COMMITTER_DATE: `@${BEGIN + 20 * 3600} +0000` };
  const one = story.at(20).commit('One', { 'a.js': '1' }, same);
  const text = `${JSON.stringify({ name: 'core', version: '1.1.0' })}\n`;
  story.commit('1.1.0', { 'package.json': text }, same);
  if (tagged !== undefined) tagAt('v1.1.0', tagged);
  expect(await collect()).toMatchObject({ refused: [] });
  const published = collecting.events().filter(({ change, stage }) => change === one && stage === 'publish');
  expect(published.map(({ confidence }) => confidence)).toEqual(['at-least']);
});

/** Commits at a time of its own, in hours after the start. */
function commitAt(hours: number, subject: string, files: Readonly<Record<string, string>>): string {
  return story.commit(subject, files, { GIT_COMMITTER_DATE: `@${BEGIN + hours * 3600} +0000` });
}

test.each([
  ['older than its parent', 3],
  ['younger than what was merged after it', 39],
])('a commit that is %s by more than clocks differ is named and measures nothing; the others do', async (_, hours) => {
  release(0, '1.0.0');
  const before = story.at(20).commit('Before', { 'a.js': '1' });
  story.at(21).commit('Readme', { 'readme.md': '1' });
  const wrong = commitAt(hours, 'Wrong', { 'a.js': '2' });
  const after = story.at(30).commit('After', { 'a.js': '3' });
  const near = commitAt(29.5, 'Half an hour behind', { 'a.js': '4' });
  story.at(31).commit('Readme', { 'readme.md': '2' });
  release(40, '1.1.0');
  expect(await collect()).toMatchObject({ mistimed: { count: 1, examples: [wrong] }, refused: [], flawed: 0 });
  const out110 = ['core publish 1.1.0 (latest) 40:01'];
  expect([before, after, near].map(out)).toEqual([out110, out110, out110]);
  expect(out(wrong)).toEqual(['core publish unmeasured 1.1.0 (latest) 40:01']);
});

test('a history that was joined with its own times keeps them', async () => {
  story.at(20).commit('Start', { 'package.json': '{"name":"root","private":true,"workspaces":["*"]}' });
  for (const hour of [21, 22, 23, 24]) story.at(hour).commit('Readme', { 'readme.md': String(hour) });
  const version = (text: string): string => `${JSON.stringify({ name: 'old', version: text })}\n`;
  commitAt(1, 'Start old', { 'old/package.json': version('1.0.0') });
  const change = commitAt(2, 'Change old', { 'old/a.js': '1' });
  commitAt(3, '1.1.0', { 'old/package.json': version('1.1.0') });
  const next = commitAt(4, 'Change old again', { 'old/a.js': '2' });
  commitAt(5, '1.2.0', { 'old/package.json': version('1.2.0') });
  story.at(40).commit('Readme', { 'readme.md': '40' });
  expect(await collect()).toMatchObject({ mistimed: { count: 0 }, refused: [] });
  expect([change, next].map(out)).toEqual([['old publish unmeasured 1.1.0 (latest) 3:00'], ['old publish 1.2.0 (latest) 5:00']]);
});

test.each([
  ['behind', 12],
  ['ahead', 55],
])('a version of which nothing but a commit with a clock %s tells the time is named and measures nothing', async (_, hours) => {
  release(0, '1.0.0');
  const one = story.at(10).commit('One', { 'a.js': '1' });
  for (const hour of [20, 21]) story.at(hour).commit('Readme', { 'readme.md': String(hour) });
  commitAt(hours, '1.1.0', { 'package.json': `${JSON.stringify({ name: 'core', version: '1.1.0' })}\n` });
  story.repo.tag('v1.1.0');
  const two = story.at(30).commit('Two', { 'a.js': '2' });
  story.at(35).commit('Three', { 'a.js': '3' });
  const refused = [{ why: 'impossible time', count: 1, examples: ['core@1.1.0'] }];
  expect(await collect()).toMatchObject({ refused, mistimed: { count: 0 } });
  expect([
    out(one)
      .join('')
      .replace(/\d+:\d+$/, ''),
    out(two),
  ]).toEqual(['core publish unmeasured 1.1.0 (latest) ', []]);
  release(50, '1.2.0');
  await collect();
  expect([one, two].map(out)).toEqual([['core publish unmeasured 1.2.0 (latest) 50:01'], ['core publish 1.2.0 (latest) 50:01']]);
});

/** Answers for the package `ui` with both its versions, and for any other one with a status. */
async function halfRegistry(
  status: number,
  time: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const versions = Object.fromEntries(Object.keys(time).map((version) => [version, { name: 'ui', version }]));
  const server = createServer(({ url }, response) => {
    if (url !== '/ui') response.writeHead(status);
    response.end(url === '/ui' ? JSON.stringify({ name: 'ui', versions, time, 'dist-tags': {} }) : '{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Two packages with a change of both, which come out in the hours 40 and 41. */
function twoPackages(): string {
  story.at(0).commit('Start', { 'package.json': '{"name":"root","private":true,"workspaces":["*"]}' });
  for (const name of ['ui', 'core']) {
    story.at(1).version(`Add ${name}`, { name, version: '1.0.0' }, `${name}/`);
    story.repo.tag(`${name}@1.0.0`, { message: name });
  }
  const both = story.at(20).commit('Both', { 'ui/a.js': '1', 'core/a.js': '1' });
  for (const [at, name] of ['ui', 'core'].entries()) {
    story.at(40 + at).version(`Release ${name}`, { name, version: '1.1.0' }, `${name}/`);
    story.repo.tag(`${name}@1.1.0`, { message: name });
  }
  return both;
}

test('a registry that knows half of the packages: the others are named, and their times are those of git, not exact', async () => {
  const both = twoPackages();
  const registry = await halfRegistry(404, { '1.0.0': uploadTime(2), '1.1.0': uploadTime(42) });
  expect(await collect(registry.url)).toMatchObject({ unknown: ['core'], refused: [] });
  registry.close();
  expect(out(both)).toEqual(['core publish 1.1.0 (latest) 41:01', 'ui publish 1.1.0 (latest) 42:00']);
  const sources = collecting
    .events()
    .flatMap(({ stage, package: name, source, confidence }) => (stage === 'publish' ? [`${name} ${source} ${confidence}`] : []));
  expect(new Set(sources.sort())).toEqual(new Set(['core git derived', 'ui registry exact']));
});

test('a registry that refuses half of the packages is an error, and nothing is recorded', async () => {
  twoPackages();
  const registry = await halfRegistry(403, { '1.0.0': uploadTime(2) });
  await expect(collect(registry.url)).rejects.toMatchObject({ code: 'REGISTRY_REFUSED', data: { package: 'core' } });
  registry.close();
  expect(collecting.lines()).toEqual([]);
});

test('an upload from the future has no time: that of git counts, and the version is named', async () => {
  const both = twoPackages();
  const registry = await halfRegistry(404, { '1.0.0': uploadTime(2), '1.1.0': uploadTime(CENTURY) });
  expect(await collect(registry.url)).toMatchObject({ refused: [{ why: 'no time in the registry', examples: ['ui@1.1.0'] }] });
  registry.close();
  expect(out(both)).toEqual(['ui publish 1.1.0 (latest) 40:01', 'core publish 1.1.0 (latest) 41:01']);
});
