import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { BEGIN, CloneStory, Collecting } from '../collect/story.fixture.js';
import { quote } from '../engine/sql.js';
import type { Micros } from '../model/event.js';
import { compactRecord } from './compact.js';
import { Database } from './database.js';
import { writeEvents } from './journal.js';
import { countOnly } from './open-events.js';
import { withEvents } from './record.js';

const cleanUp = cleanUpIn(afterEach);

const SOURCES = { name: 'core', main: 'lib/index.js', files: ['lib'] };

async function changesIn({ record }: Collecting, counted: 'published' | 'all'): Promise<readonly string[]> {
  const database = await Database.open();
  const rows = await withEvents(database, record, async () => {
    await countOnly(database, counted);
    return database.rows(`select distinct change from event where stage in (${quote('merge-wait')}, ${quote('publish')})`);
  });
  await database.close();
  return rows.map(({ change }) => String(change));
}

test('a change of tests alone is told apart by what the package publishes at that commit, before and after compaction', async () => {
  const [story, collecting] = [new CloneStory(), cleanUp.add(new Collecting())];
  cleanUp.add(story.repo);
  story.at(0).commit('Start', { 'package.json': `${JSON.stringify({ ...SOURCES, version: '1.0.0' })}\n`, 'lib/index.js': '1' });
  story.at(1).repo.tag('v1.0.0');
  const source = story.at(2).commit('Source', { 'lib/index.js': '2', 'test/a.js': '1' });
  const aside = story.at(3).commit('Aside', { 'test/a.js': '2', 'bench/run.js': '1', 'lib.md': '1' });
  const shipped = story.at(4).commit('Ship tests', {
    'package.json': `${JSON.stringify({ ...SOURCES, version: '1.0.0', files: ['lib', 'test'] })}\n`,
  });
  const test = story.at(5).commit('Test', { 'test/a.js': '3' });
  const gone = story.at(6).commit('Take away', { 'bench/run.js': null });
  story.at(7).version('v1.1.0', { ...SOURCES, version: '1.1.0', files: ['lib', 'test'] });
  story.repo.tag('v1.1.0');
  const { repositories } = await collecting.run([story]);
  expect(repositories[0]).toMatchObject({ changes: { person: 6 }, unpublished: 2 });
  const all = await changesIn(collecting, 'all');
  expect(new Set(all)).toEqual(new Set([expect.any(String), source, aside, shipped, test, gone]));
  const left = all.filter((change) => ![aside, gone].includes(change));
  expect(new Set(await changesIn(collecting, 'published'))).toEqual(new Set(left));
  const database = await Database.open();
  await compactRecord(database, collecting.record);
  await database.close();
  expect(new Set(await changesIn(collecting, 'published'))).toEqual(new Set(left));
  // A CI job that reports a publication does not know the published files.
  const known = { schemaVersion: 1, id: 'ci', change: aside, repo: repositories[0]?.repo ?? '', package: 'core' } as const;
  const job = { stage: 'publish', attempt: 99, outcome: 'success', actor: 'person', source: 'ci', confidence: 'exact' } as const;
  const at = ((BEGIN + 8 * 3600) * 1e6) as Micros;
  writeEvents(collecting.record, [{ ...known, ...job, startedAt: at, endedAt: at, recordedAt: at }]);
  expect(await changesIn(collecting, 'published')).not.toContain(aside);
});
