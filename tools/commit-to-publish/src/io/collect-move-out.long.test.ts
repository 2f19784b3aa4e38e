// A package that moves out of a monorepo again, while its old repository lives on, or for nowhere.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Collection } from '../collect/collection.js';
import { CloneStory, Collecting, eventLines } from '../collect/story.fixture.js';
import { renderCollection } from '../render/collection.js';

let core: CloneStory;
let mono: CloneStory;
let collecting: Collecting;
beforeEach(() => {
  core = new CloneStory();
  mono = new CloneStory();
  core.repo.git('remote', 'add', 'origin', 'https://host.example/acme/core.git');
  mono.repo.git('remote', 'add', 'origin', 'https://host.example/acme/mono.git');
  collecting = new Collecting();
});
afterEach(() => {
  core.repo.dispose();
  mono.repo.dispose();
  collecting.dispose();
});

const IN_MONO = 'packages/core/';

function releaseOf(story: CloneStory, version: string, { hour, folder = '' }: { readonly hour: number; readonly folder?: string }): void {
  story.at(hour).version(`Release ${version}`, { name: 'core', version }, folder);
  story.repo.tag(folder === '' ? `v${version}` : `core@${version}`);
}

/** Two releases in the old repository, a move by hand at hour 20, one release in the monorepo, and a change that it never releases. */
function moveInAndOut(): { readonly moved: string; readonly left: string; readonly out: string } {
  releaseOf(core, '1.0.0', { hour: 1 });
  core.at(9).commit('Change', { 'a.js': '1' });
  releaseOf(core, '1.1.0', { hour: 10 });
  const root = `${JSON.stringify({ name: 'mono', private: true, workspaces: ['packages/*'] })}\n`;
  mono.at(2).commit('Start', { 'package.json': root });
  const moved = mono.at(20).version('Move core in', { name: 'core', version: '1.1.0' }, IN_MONO);
  mono.at(25).commit('Change', { [`${IN_MONO}a.js`]: '2' });
  releaseOf(mono, '1.2.0', { hour: 26, folder: IN_MONO });
  const left = mono.at(28).commit('Left', { [`${IN_MONO}a.js`]: '3' });
  const out = mono.at(30).commit('Move core out', { 'packages/core': null });
  return { moved, left, out };
}

function show(found: Collection): string {
  return renderCollection(found, { width: 400, signs: 'unicode', bold: (text) => text });
}

/** What is recorded of `core` for a change. */
function linesOf(change: string): readonly string[] {
  const ofCore = collecting.events().filter((event) => event.package === 'core' && event.outcome !== 'retracted');
  return eventLines(ofCore, change);
}

test('a version that comes back with a package is no release, and what waited on both sides ends with the next one', async () => {
  const { moved, left, out } = moveInAndOut();
  const meanwhile = core.at(29).commit('The old repository lives on', { 'b.js': '1' });
  const back = core.at(31).commit('Bring core back', { 'a.js': '3', 'package.json': '{"name":"core","version":"1.2.0"}\n' });
  const change = core.at(40).commit('Change', { 'a.js': '4' });
  releaseOf(core, '1.3.0', { hour: 58 });
  const found = await collecting.run([core, mono], { config: { moved: { core: moved.slice(0, 12) } } });
  const { repositories } = found;
  expect(show(found)).toContain(`acme/core: core counts as moved back from acme/mono with commit ${back.slice(0, 12)}, `);
  const out13 = 'core publish 1.3.0 (latest) 58:00';
  expect(linesOf(change)).toEqual(['core merge-wait 40:00', out13]);
  expect(linesOf(meanwhile)).toEqual(['core merge-wait 29:00', out13]);
  expect(linesOf(left)).toEqual(['core merge-wait 28:00', out13]);
  expect([...linesOf(back), ...linesOf(out)]).toEqual([]);
  expect(repositories.map(({ unreleased, departed }) => [unreleased.length, departed.length])).toEqual([
    [1, 0],
    [0, 0],
  ]);
});

test('what a package left behind that went nowhere is named, and neither measured nor waiting', async () => {
  const { moved, left, out } = moveInAndOut();
  const found = await collecting.run([mono], { config: { moved: { core: moved.slice(0, 12) } } });
  expect(linesOf(left)).toEqual(['core merge-wait 28:00', 'core publish unmeasured 30:00']);
  expect(linesOf(out)).toEqual([]);
  expect(show(found)).toContain(
    `1 change of core (${left.slice(0, 12)}) had no release when core left, or became private, with ${out.slice(0, 12)}, so it measures nothing. If another repository has it now, collect that one too.`,
  );
});

test('a package that was taken away and put back is released as if nothing had been', async () => {
  const { left } = moveInAndOut();
  await collecting.run([mono]);
  mono
    .at(32)
    .commit('Revert "Move core out"', { [`${IN_MONO}package.json`]: '{"name":"core","version":"1.2.0"}\n', [`${IN_MONO}a.js`]: '3' });
  releaseOf(mono, '1.3.0', { hour: 40, folder: IN_MONO });
  const { repositories } = await collecting.run([mono]);
  expect(linesOf(left)).toEqual(['core merge-wait 28:00', 'core publish 1.3.0 (latest) 40:00']);
  expect(repositories[0]?.departed).toEqual([]);
});

test('what the monorepo made of its copy after the package had gone back left without a release', async () => {
  releaseOf(core, '1.0.0', { hour: 1 });
  releaseOf(core, '1.1.0', { hour: 10 });
  mono.at(2).commit('Start', { 'package.json': `${JSON.stringify({ name: 'mono', private: true, workspaces: ['packages/*'] })}\n` });
  const moved = mono.at(20).version('Move core in', { name: 'core', version: '1.1.0' }, IN_MONO);
  releaseOf(mono, '1.2.0', { hour: 26, folder: IN_MONO });
  const before = mono.at(30).commit('Before', { [`${IN_MONO}a.js`]: '2' });
  core.at(31).commit('Bring core back', { 'a.js': '2', 'package.json': '{"name":"core","version":"1.2.0"}\n' });
  const after = mono.at(35).commit('Only here', { [`${IN_MONO}only-here.js`]: '3' });
  core.at(40).commit('Change', { 'a.js': '4' });
  releaseOf(core, '1.3.0', { hour: 58 });
  mono.at(100).commit('Delete the copy', { 'packages/core': null });
  const found = await collecting.run([core, mono], { config: { moved: { core: moved.slice(0, 12) } } });
  expect(linesOf(before)).toEqual(['core merge-wait 30:00', 'core publish 1.3.0 (latest) 58:00']);
  expect(linesOf(after)).toEqual(['core merge-wait 35:00', 'core publish unmeasured 100:00']);
  // It is collected already, and joined: neither is advised.
  expect(show(found)).toMatch(/so it measures nothing\.$/m);
});

test('a package that has the name and reaches the version of one that left is another one, unless a rule says so', async () => {
  mono.at(1).commit('Start', { 'package.json': `${JSON.stringify({ name: 'mono', private: true, workspaces: ['packages/*'] })}\n` });
  releaseOf(mono, '1.0.0', { hour: 2, folder: IN_MONO });
  releaseOf(mono, '1.0.1', { hour: 4, folder: IN_MONO });
  const never = mono.at(6).commit('Never', { [`${IN_MONO}a.js`]: '2' });
  mono.at(8).commit('Not needed', { 'packages/core': null });
  const begin = core.at(10).version('Another core', { name: 'core', version: '1.0.0' });
  core.repo.tag('v1.0.0');
  const own = core.at(12).commit('Change', { 'z.js': 'y' });
  releaseOf(core, '1.0.1', { hour: 14 });
  core.at(16).commit('Change', { 'z.js': 'x' });
  releaseOf(core, '1.0.2', { hour: 18 });
  const found = await collecting.run([core, mono]);
  expect(linesOf(never)).toEqual(['core merge-wait 6:00', 'core publish unmeasured 8:00']);
  expect(linesOf(own)).toEqual(['core merge-wait 12:00', 'core publish 1.0.1 (latest) 14:00']);
  expect(show(found)).toContain('so it measures nothing. acme/core has a package of that name. If it is the same one, name the commit');
  await collecting.run([core, mono], { config: { moved: { core: begin.slice(0, 12) } } });
  expect(linesOf(never)).toEqual(['core merge-wait 6:00', 'core publish 1.0.2 (latest) 18:00']);
});

test('a change of two packages, of which one goes on elsewhere, waits for nothing of the other', async () => {
  const root = `${JSON.stringify({ name: 'mono', private: true, workspaces: ['packages/*'] })}\n`;
  mono.at(1).commit('Start', { 'package.json': root });
  for (const name of ['core', 'util']) {
    mono.at(2).version('Add', { name, version: '1.0.0' }, `packages/${name}/`);
    mono.repo.tag(`${name}@1.0.0`);
  }
  const both = mono.at(5).commit('Both', { [`${IN_MONO}a.js`]: '3', 'packages/util/a.js': '3' });
  mono.at(6).commit('All leaves', { 'packages/core': null, 'packages/util': null });
  const back = core.at(10).commit('core comes from mono', { 'package.json': '{"name":"core","version":"1.0.0"}\n' });
  core.at(12).commit('Change', { 'a.js': '4' });
  releaseOf(core, '1.2.0', { hour: 40 });
  await collecting.run([core, mono], { config: { moved: { core: back.slice(0, 12) } } });
  expect(eventLines(collecting.events(), both)).toEqual([
    'core merge-wait 5:00',
    'util merge-wait 5:00',
    'util publish unmeasured 6:00',
    'core publish 1.2.0 (latest) 40:00',
  ]);
});

test('a change that came out elsewhere stays measured when its repository is collected alone', async () => {
  const { moved, left } = moveInAndOut();
  core.at(31).commit('Bring core back', { 'a.js': '3', 'package.json': '{"name":"core","version":"1.2.0"}\n' });
  releaseOf(core, '1.3.0', { hour: 58 });
  const config = { moved: { core: moved.slice(0, 12) } };
  const lines = ['core merge-wait 28:00', 'core publish 1.3.0 (latest) 58:00'];
  await collecting.run([core, mono], { config });
  expect(linesOf(left)).toEqual(lines);
  const alone = await collecting.run([mono], { config });
  expect(alone.repositories).toMatchObject([{ departed: [], events: { retracted: 0 } }]);
  expect(linesOf(left)).toEqual(lines);
  // Only the next collection of both takes it back.
  core.repo.git('tag', '--delete', 'v1.3.0');
  core.repo.git('reset', '-q', '--hard', 'HEAD~1');
  await collecting.run([core, mono], { config, what: 'all' });
  expect(linesOf(left)).toEqual(['core merge-wait 28:00']);
});
