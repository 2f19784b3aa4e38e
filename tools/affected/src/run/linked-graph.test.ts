import { expect, test } from '@jest/globals';
import { readLockMembers } from '@tributary/workspaces/lock/members';
import type { MemberGraph } from '@tributary/workspaces/members';
import { parseLock } from '@tributary/workspaces/testing/lock-text';
import type { RootTexts } from '../io/reading.js';
import { findLinkedGraph } from './linked-graph.js';

/** `app` gets `lib` by way of `host`. */
const LOCK = parseLock(`
  root: app workspace:^
  app: host ^1
  lib@workspace:packages/lib ^1 = workspace:packages/lib
  host@^1 = 1.0.0: lib ^1`);

/** Asked for what reaches the member of a name; with whether it is the graph that there was. */
async function linksTo(
  name: string,
  texts: Partial<RootTexts>,
): Promise<readonly [isSame: boolean, links: readonly unknown[] | undefined]> {
  const members = readLockMembers(LOCK);
  if (members.kind !== 'berry') throw new Error('unreadable');
  const situation = { files: [], texts: { 'package.json': '{"name": "root"}', 'yarn.lock': LOCK, ...texts } as RootTexts };
  const found = members.graph.members.filter((member) => member.name === name);
  const graph = await findLinkedGraph(situation, members, found);
  return [graph === members.graph, graph && throughPackages(graph)];
}

function throughPackages(graph: MemberGraph): readonly unknown[] {
  const { members, dependents } = graph;
  expect(graph.edgesTo([...members.keys()])).toEqual(dependents);
  return dependents
    .flat()
    .flatMap(({ from, to, through }) => (through ? [{ from: members[from]?.name, to: members[to]?.name, through }] : []));
}

const LINK = { from: 'app', to: 'lib', through: ['host@npm:1.0.0'] };

test('a package from outside leads from one workspace to another', async () => {
  expect(await linksTo('lib', {})).toEqual([false, [LINK]]);
});

test('the same where settings, a catalog or a manifest with a byte order mark want more to be read', async () => {
  const settings = 'packageExtensions:\n  "other@*":\n    dependencies:\n      more: "^1"\n';
  expect(await linksTo('lib', { '.yarnrc.yml': settings })).toEqual([false, [LINK]]);
  const resolutions = { host: 'catalog:' };
  const catalog = { 'package.json': JSON.stringify({ resolutions }), '.yarnrc.yml': 'catalog:\n  host: ^1\n' };
  expect(await linksTo('lib', catalog)).toEqual([false, [LINK]]);
  expect(await linksTo('lib', { 'package.json': '\uFEFF{}' })).toEqual([false, [LINK]]);
});

test('the graph stays as it is where nothing that was found is led to', async () => {
  expect(await linksTo('app', {})).toEqual([true, []]);
});

test('what is wrong with the root manifest is said', async () => {
  await expect(linksTo('lib', { 'package.json': '[]' })).rejects.toMatchObject({ code: 'MANIFEST_INVALID' });
  await expect(linksTo('lib', { 'package.json': '{"name": "a\\u0007"}' })).rejects.toMatchObject({ code: 'MANIFEST_INVALID' });
});
