import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import type { Collection } from '../collect/collection.js';
import { BEGIN, CloneStory, Collecting, eventLines } from '../collect/story.fixture.js';
import type { Micros } from '../model/event.js';
import { asEvent } from './as-event.js';
import { compactRecord } from './compact.js';
import { Database } from './database.js';
import { writeEvents } from './journal.js';
import { withEvents } from './record.js';

let database: Database;
beforeAll(async () => {
  database = await Database.open();
});
afterAll(() => database.close());

let story: CloneStory;
let collecting: Collecting;
beforeEach(() => {
  story = new CloneStory();
  collecting = new Collecting();
  story.at(0).version('Start', { name: 'core', version: '1.0.0' });
  story.at(10).repo.tag('v1.0.0');
});
afterEach(() => {
  story.repo.dispose();
  collecting.dispose();
});

/** Returns the events of a change that a report would read. */
async function counted(change: string): Promise<readonly string[]> {
  const events = await withEvents(database, collecting.record, async () => (await database.rows('select * from event')).map(asEvent));
  return eventLines(events, change);
}

async function compact(): Promise<void> {
  await compactRecord(database, collecting.record);
}

const eventsOf = ({ repositories }: Collection): unknown => repositories[0]?.events;

function release(hour: number, version: string): void {
  story.at(hour).version(version, { name: 'core', version });
  story.repo.tag(`v${version}`);
}

const ADDRESS = 'https://host.example/acme/app.git';
const TAGS = { config: { sources: ['tags'] as const } };

test.each(['in the journal', 'compacted'])(
  'a tag that is deleted is no publication any more, and one again when it comes back: %s',
  async (where) => {
    const change = story.at(20).commit('Add', { 'a.js': '1' });
    release(30, '1.1.0');
    await collecting.run([story], TAGS);
    if (where === 'compacted') await compact();
    expect(await counted(change)).toEqual(['core merge-wait 20:00', 'core publish 1.1.0 (latest) 30:00']);
    const at = story.repo.git('rev-parse', 'v1.1.0').trim();
    story.repo.git('tag', '--delete', 'v1.1.0');
    // No tag marks the commit of the version as a release now; its change stays the same.
    expect(eventsOf(await collecting.run([story], TAGS))).toMatchObject({ fresh: 0, retracted: 1 });
    if (where === 'compacted') await compact();
    expect(await counted(change)).toEqual(['core merge-wait 20:00']);
    expect(eventsOf(await collecting.run([story], TAGS))).toMatchObject({ fresh: 0, retracted: 0 });
    story.repo.tag('v1.1.0', { at });
    expect(eventsOf(await collecting.run([story], TAGS))).toMatchObject({ fresh: 1, retracted: 0 });
    if (where === 'compacted') await compact();
    expect(await counted(change)).toEqual(['core merge-wait 20:00', 'core publish 1.1.0 (latest) 30:00']);
    expect(eventsOf(await collecting.run([story], TAGS))).toMatchObject({ fresh: 0, retracted: 0 });
    expect(eventsOf(await collecting.run([story], { ...TAGS, what: 'all' }))).toMatchObject({ retracted: 0 });
    expect(await counted(change)).toEqual(['core merge-wait 20:00', 'core publish 1.1.0 (latest) 30:00']);
  },
);

test('a tag that is moved takes its changes along, and leaves the others', async () => {
  const early = story.at(20).commit('Early', { 'a.js': '1' });
  const late = story.at(25).commit('Late', { 'a.js': '2' });
  story.repo.tag('v1.1.0');
  await collecting.run([story], TAGS);
  expect(await counted(late)).toHaveLength(2);
  story.repo.git('tag', '--force', 'v1.1.0', early);
  const { repositories } = await collecting.run([story], TAGS);
  expect(repositories[0]).toMatchObject({ moved: ['core@1.1.0'], events: { retracted: 1 } });
  expect((await collecting.run([story], TAGS)).repositories[0]?.moved).toEqual([]);
  expect(await counted(early)).toEqual(['core merge-wait 20:00', 'core publish 1.1.0 (latest) 20:00']);
  expect(await counted(late)).toEqual(['core merge-wait 25:00']);
});

test('of a main line that was rewritten the old commits are no changes any more', async () => {
  const before = story.at(20).commit('Before', { 'a.js': '1' });
  const gone = story.at(21).commit('Gone', { 'a.js': '2' });
  await collecting.run([story]);
  story.repo.git('reset', '-q', '--hard', before);
  const fresh = story.at(22).commit('Instead', { 'a.js': '3' });
  expect(eventsOf(await collecting.run([story]))).toMatchObject({ fresh: 1, retracted: 1 });
  expect(await counted(gone)).toEqual([]);
  expect(await counted(before)).toHaveLength(1);
  expect(await counted(fresh)).toHaveLength(1);
});

test('a clone that is older takes nothing back, and says so', async () => {
  story.at(20).commit('One', { 'a.js': '1' });
  const older = TempRepo.cloneOf(story.repo);
  const two = story.at(21).commit('Two', { 'a.js': '2' });
  release(30, '1.1.0');
  const run = (folder: string, what: 'new' | 'all' = 'new'): Promise<Collection> =>
    collecting.run([], { clones: [folder as never], name: 'core', what });
  await run(story.repo.path);
  expect((await run(older.path)).repositories[0]).toMatchObject({ clone: 'behind', events: { fresh: 0, retracted: 0 } });
  expect(await counted(two)).toHaveLength(2);
  expect((await run(story.repo.path)).repositories[0]).toMatchObject({ clone: 'current', events: { fresh: 0, retracted: 0 } });
  // Fetched but not checked out: the clone knows that it is behind.
  older.git('fetch', '-q', '--tags', 'origin');
  older.git('remote', 'remove', 'origin');
  expect((await run(older.path)).repositories[0]).toMatchObject({ clone: 'behind', events: { retracted: 0 } });
  // With `all`, the clone counts as current.
  expect((await run(older.path, 'all')).repositories[0]).toMatchObject({ clone: 'current' });
  expect(await counted(two)).toEqual([]);
  older.dispose();
});

test('another repository of the same name is refused before anything is recorded, and one that was rewritten as a whole is collected in full', async () => {
  const change = story.at(20).commit('Add', { 'a.js': '1' });
  await collecting.run([story], { name: 'app' });
  const other = new CloneStory();
  other.at(5).version('Another beginning', { name: 'other', version: '1.0.0' });
  const instead = other.at(30).commit('Other', { 'a.js': '1' });
  const before = collecting.lines();
  const refused = { code: 'REPOSITORY_MISMATCH', message: expect.stringContaining(other.repo.path) };
  await expect(collecting.run([other], { name: 'app', doing: 'look' })).rejects.toMatchObject(refused);
  await expect(collecting.run([other], { name: 'app' })).rejects.toMatchObject(refused);
  // The same if the clone has the commits of both, as after "git fetch" of the other.
  other.repo.git('fetch', '-q', story.repo.path);
  await expect(collecting.run([other], { name: 'app' })).rejects.toMatchObject(refused);
  expect(collecting.lines()).toEqual(before);
  expect(eventsOf(await collecting.run([story], { name: 'app' }))).toMatchObject({ fresh: 0, retracted: 0 });
  await collecting.run([other], { name: 'app', what: 'all' });
  expect([await counted(change), await counted(instead)]).toEqual([[], ['other merge-wait 30:00']]);
  expect(eventsOf(await collecting.run([other], { name: 'app' }))).toMatchObject({ fresh: 0, retracted: 0 });
  other.repo.dispose();
});

test('a clone that has merged what was collected, and begins elsewhere, is of the same repository', async () => {
  story.at(20).commit('Add', { 'a.js': '1' });
  await collecting.run([story], { name: 'app' });
  story.at(21).commit('Not fetched', { 'a.js': '2' });
  const home = new CloneStory();
  home.at(5).version('Another beginning', { name: 'home', version: '1.0.0' });
  home.repo.git('fetch', '-q', story.repo.path);
  home.at(30).repo.git('merge', '-q', '--allow-unrelated-histories', '-X', 'ours', '-m', 'Move', 'FETCH_HEAD~1');
  await collecting.run([story], { name: 'app' });
  expect((await collecting.run([home], { name: 'app' })).repositories[0]).toMatchObject({ clone: 'current' });
  home.repo.dispose();
});

test('a record that does not say yet where a repository begins learns it', async () => {
  story.at(20).commit('Add', { 'a.js': '1' });
  await collecting.run([story], { name: 'app' });
  const file = join(collecting.record, 'collected', 'app.json');
  const { first, ...earlier } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify(earlier));
  expect(eventsOf(await collecting.run([story], { name: 'app' }))).toMatchObject({ fresh: 0, retracted: 0 });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ first });
});

test('a clone without tags says nothing of publications', async () => {
  const change = story.at(20).commit('Add', { 'a.js': '1' });
  release(30, '1.1.0');
  await collecting.run([story], TAGS);
  const bare = TempRepo.cloneOf(story.repo, '--no-tags');
  await collecting.run([], { ...TAGS, clones: [bare.path], name: story.repo.path.slice(story.repo.path.lastIndexOf('/') + 1) });
  expect(await counted(change)).toHaveLength(2);
  bare.dispose();
});

test('what a job has seen itself stays, whatever becomes of the tag', async () => {
  const change = story.at(20).commit('Add', { 'a.js': '1' });
  release(30, '1.1.0');
  await collecting.run([story], TAGS);
  const seen = collecting.events().find(({ stage, change: of }) => stage === 'publish' && of === change);
  writeEvents(collecting.record, [{ ...(seen as NonNullable<typeof seen>), id: 'from-ci', confidence: 'exact', source: 'ci' }]);
  story.repo.git('tag', '--delete', 'v1.1.0');
  expect(eventsOf(await collecting.run([story], TAGS))).toMatchObject({ retracted: 0 });
  expect(await counted(change)).toHaveLength(2);
});

test('what another repository took is not taken back when that is not collected', async () => {
  const app = new CloneStory();
  const lock = (version: string): Record<string, string> => ({
    'yarn.lock': `# yarn lockfile v1\n\n\ncore@^1.0.0:\n  version "${version}"\n`,
  });
  app.repo.git('remote', 'add', 'origin', ADDRESS);
  app.at(12).commit('Start', { 'package.json': '{"name":"app","private":true}', ...lock('1.0.0') });
  const change = story.at(20).commit('Add', { 'a.js': '1' });
  release(30, '1.1.0');
  app.at(40).commit('Upgrade', lock('1.1.0'));
  await collecting.run([story, app], TAGS);
  expect(await counted(change)).toHaveLength(3);
  expect(eventsOf(await collecting.run([story], TAGS))).toMatchObject({ fresh: 0, retracted: 0 });
  expect(await counted(change)).toHaveLength(3);
  expect(eventsOf(await collecting.run([story, app], TAGS))).toMatchObject({ fresh: 0, retracted: 0 });
  // An older clone of the consumer does not retract later upgrades.
  const older = TempRepo.cloneOf(app.repo);
  older.git('symbolic-ref', '--delete', 'refs/remotes/origin/HEAD');
  older.git('remote', 'set-url', 'origin', ADDRESS);
  older.git('reset', '-q', '--hard', 'HEAD^');
  const { repositories } = await collecting.run([], { ...TAGS, clones: [story.repo.path, older.path] });
  expect(repositories).toMatchObject([{ events: { retracted: 0 } }, { repo: 'acme/app', clone: 'behind' }]);
  older.dispose();
  app.repo.git('reset', '-q', '--hard', 'HEAD^');
  app.commit('Something else', { 'b.js': '1' });
  expect(eventsOf(await collecting.run([story, app], TAGS))).toMatchObject({ retracted: 1 });
  expect(await counted(change)).toHaveLength(2);
  app.repo.dispose();
});

test('what is no event by a clock that is wrong is not taken back', async () => {
  const change = story.at(20).commit('Add', { 'a.js': '1' });
  await collecting.run([story], TAGS);
  const { repositories } = await collecting.run([story], { ...TAGS, now: ((BEGIN + 5 * 3600) * 1e6) as Micros });
  expect(repositories[0]).toMatchObject({ flawed: 1, events: { fresh: 0, retracted: 0 } });
  expect(await counted(change)).toHaveLength(1);
});

test('killed before it was written down what was taken back, the next run knows it from the record', async () => {
  const change = story.at(20).commit('Add', { 'a.js': '1' });
  release(30, '1.1.0');
  await collecting.run([story], TAGS);
  const file = join(
    collecting.record,
    'collected',
    `${encodeURIComponent(story.repo.path.slice(story.repo.path.lastIndexOf('/') + 1))}.json`,
  );
  copyFileSync(file, `${file}.before`);
  const at = story.repo.git('rev-parse', 'v1.1.0').trim();
  story.repo.git('tag', '--delete', 'v1.1.0');
  await collecting.run([story], TAGS);
  copyFileSync(`${file}.before`, file);
  rmSync(`${file}.before`);
  expect(eventsOf(await collecting.run([story], TAGS))).toMatchObject({ retracted: 0 });
  story.repo.tag('v1.1.0', { at });
  await collecting.run([story], TAGS);
  expect(await counted(change)).toHaveLength(2);
});
