// A package that moves out of a monorepo again, while its old repository lives on, or for nowhere.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
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
  const { repositories } = await collecting.run([core, mono], { config: { moved: { core: moved.slice(0, 12) } } });
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
  expect(renderCollection(found, { width: 400, signs: 'unicode', bold: (text) => text })).toContain(
    `1 change of core (${left.slice(0, 12)}) had no release when it left with ${out.slice(0, 12)}, so they measure nothing.`,
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
