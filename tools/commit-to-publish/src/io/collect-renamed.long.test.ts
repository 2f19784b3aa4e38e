// A package that got a new name in another repository, and a registry that confirms it, or is wrong.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { PublishConfig } from '@tributary/model/publish-config';
import { type LocalRegistry, startRegistry } from '@tributary/test-repo/local-registry';
import { runCli } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { Collection } from '../collect/collection.js';
import { CloneStory, Collecting, eventLines, uploadTime } from '../collect/story.fixture.js';
import { renderCollection } from '../render/collection.js';

let pad: CloneStory;
let mono: CloneStory;
let collecting: Collecting;
let registry: LocalRegistry;
beforeEach(async () => {
  [pad, mono, collecting, registry] = [new CloneStory(), new CloneStory(), new Collecting(), await startRegistry()];
  pad.repo.git('remote', 'add', 'origin', 'https://host.example/acme/pad.git');
  mono.repo.git('remote', 'add', 'origin', 'https://host.example/acme/mono.git');
});
afterEach(async () => {
  for (const story of [pad, mono]) story.repo.dispose();
  collecting.dispose();
  await registry.close();
});

function publish(name: string, version: string, hour: number, deprecated?: string): void {
  registry.add({ manifest: { name, version, ...(deprecated === undefined ? {} : { deprecated }) }, publishedAt: uploadTime(hour) });
}

/**
 * Releases `pad` 1.0.0 and 1.1.0, and continues its history in the monorepo as `@acme/pad`. Returns the id of the change that 1.2.0
 * contains.
 */
function rename(message: string, others: Readonly<Record<string, string>> = {}): string {
  pad.at(0).version('Start', { name: 'pad', version: '1.0.0' });
  pad.at(0).repo.tag('v1.0.0');
  pad.at(5).commit('Change', { 'a.js': '1' });
  pad.at(10).version('1.1.0', { name: 'pad', version: '1.1.0' });
  pad.at(10).repo.tag('v1.1.0');
  publish('pad', '1.0.0', 0, message);
  publish('pad', '1.1.0', 10, message);
  mono.repo.git('fetch', '-q', pad.repo.path, 'main');
  mono.repo.git('reset', '-q', '--hard', 'FETCH_HEAD');
  const root = `${JSON.stringify({ name: 'root', private: true, workspaces: ['packages/*'] })}\n`;
  mono.at(20).commit('Move', { 'package.json': root, 'packages/pad/package.json': manifest('1.1.0'), ...others });
  const change = mono.at(30).commit('Fix', { 'packages/pad/a.js': '2' });
  mono.at(40).commit('1.2.0', { 'packages/pad/package.json': manifest('1.2.0') });
  mono.at(40).repo.tag('@acme/pad@1.2.0');
  publish('@acme/pad', '1.2.0', 40);
  return change;
}

function manifest(version: string, name = '@acme/pad'): string {
  return `${JSON.stringify({ name, version })}\n`;
}

function collect(renamed: Readonly<Record<string, string>> = {}): Promise<Collection> {
  return collecting.run([pad, mono], { config: { registry: registry.url, renamed } });
}

function pageOf(collection: Collection): string {
  return renderCollection(collection, { bold: (text) => text, width: 400 } as Parameters<typeof renderCollection>[1]);
}

test('a package that its deprecation calls by a new name is one package, and the output says who says so', async () => {
  const change = rename('This package has been renamed to @acme/pad');
  const collection = await collect();
  expect(collection.repositories.map(({ packages }) => packages)).toEqual([['@acme/pad'], ['@acme/pad']]);
  expect(eventLines(collecting.events(), change)).toEqual(
    ['@acme/pad merge-wait 30:00', '@acme/pad publish 1.2.0 (latest) 30:00 to 40:00'].map((line) =>
      expect.stringContaining(line.slice(0, 18)),
    ),
  );
  expect(collecting.events().filter(({ outcome, release }) => outcome === 'success' && release === '1.2.0').length).toBeGreaterThan(0);
  expect(pageOf(collection)).toMatch(
    /pad: the registry says "This package has been renamed to @acme\/pad"\. So it counts as @acme\/pad here\. If that is wrong, write .*"pad": "pad"/,
  );
});

test('what the configuration says counts more: it keeps two packages apart that a registry would join', async () => {
  rename('This package has been renamed to @acme/pad');
  const collection = await collect({ pad: 'pad' });
  expect(collection.repositories.map(({ packages }) => packages)[0]).toEqual(['pad']);
  expect(collection.renames).toEqual([]);
});

test('a registry that lies joins no two packages of which one repository has both, and is named', async () => {
  rename('renamed to @acme/pad', { 'packages/old/package.json': manifest('1.1.0', 'pad') });
  const collection = await collect();
  expect(collection.repositories.map(({ packages }) => packages)[1]).toEqual(['@acme/pad', 'pad']);
  expect(pageOf(collection)).toContain('That joins nothing: one repository has both, or several packages that would become @acme/pad.');
});

test('compare, and a later collect without a registry or of one clone alone, call packages as collect did', async () => {
  rename('renamed to @acme/pad');
  await collect();
  const retracted = async (stories: readonly CloneStory[], config: Partial<PublishConfig>): Promise<readonly number[]> =>
    (await collecting.run(stories, { config })).repositories.map(({ events }) => events.retracted);
  expect(await retracted([pad, mono], {})).toEqual([0, 0]);
  expect(await retracted([pad], { registry: registry.url })).toEqual([0]);
  expect(await retracted([mono], { registry: registry.url })).toEqual([0]);
  const moved = { pad: mono.repo.git('log', '--format=%H', '--grep=Move').slice(0, 12) };
  const compared = await compare({ moved });
  expect(compared.question).toMatchObject({ before: { packages: ['@acme/pad'], repos: ['acme/pad'] }, after: { packages: ['@acme/pad'] } });
  expect(compared.after.n).toBeGreaterThan(0);
});

interface Compared {
  readonly question: Readonly<Record<'before' | 'after', { readonly packages: readonly string[]; readonly repos: readonly string[] }>>;
  readonly after: { readonly n: number };
}

async function compare(publish: Partial<PublishConfig>): Promise<Compared> {
  const folder = new TempFolder();
  folder.write('tributary.json', JSON.stringify({ publish }));
  const args = ['compare', '--migration', 'pad', '--monorepo', mono.repo.path, '--record', collecting.record, '--changes', 'all', '--json'];
  const { code, stdout, stderr } = await runCli('commit-to-publish', [...args, '--channels', 'latest'], { cwd: folder.path });
  folder.dispose();
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Compared;
}
