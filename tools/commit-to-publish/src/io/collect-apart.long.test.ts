// Changes that a release has and does not measure.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Files } from '@tributary/test-repo/temp-repo';
import { CloneStory, Collecting, eventLines } from '../collect/story.fixture.js';

let story: CloneStory;
let collecting: Collecting;
beforeEach(() => {
  story = new CloneStory();
  collecting = new Collecting();
  story.repo.git('remote', 'add', 'origin', 'https://github.example/acme/core.git');
  story.at(0).version('Start', { name: 'core', version: '1.0.0' });
  story.repo.tag('v1.0.0', { message: '1.0.0' });
});
afterEach(() => {
  story.repo.dispose();
  collecting.dispose();
});

function release(hour: number, version: string): void {
  story.at(hour).version(version, { name: 'core', version });
  story.repo.tag(`v${version}`, { message: version });
}

function revert(hour: number, commit: string, files: Files = { 'a.js': null }): string {
  return story.at(hour).commit('Revert "Change"', files, {}, `This reverts commit ${commit}.`);
}

test('a change that was reverted before its release reached nobody; after it, or brought back by a second revert, it did', async () => {
  const gone = story.at(10).commit('Change', { 'a.js': '1' });
  const undoing = revert(11, gone);
  const back = story.at(12).commit('Other', { 'a.js': '2' });
  const undone = revert(13, back);
  const again = revert(14, undone, { 'a.js': '2' });
  release(20, '1.1.0');
  const late = revert(21, back);
  const waiting = story.at(22).commit('Not out', { 'a.js': '3' });
  const never = revert(23, waiting);
  const { repositories } = await collecting.run([story], { config: { channels: ['latest'] } });
  const linesOf = (commit: string): string | undefined => eventLines(collecting.events(), commit)[1];
  expect([gone, undoing].map(linesOf)).toEqual(['core publish unmeasured 11:00', 'core publish unmeasured 11:00']);
  expect([back, undone, again].map(linesOf)).toEqual([
    'core publish 1.1.0 (latest) 20:01',
    'core publish unmeasured 14:00',
    'core publish unmeasured 14:00',
  ]);
  expect([late, waiting, never].map(linesOf)).toEqual([undefined, 'core publish unmeasured 23:00', 'core publish unmeasured 23:00']);
  expect(repositories[0]?.reverted.count).toBe(6);
  release(30, '1.2.0');
  await collecting.run([story], { config: { channels: ['latest'] } });
  expect([late, waiting].map(linesOf)).toEqual(['core publish 1.2.0 (latest) 30:01', 'core publish unmeasured 23:00']);
});

test('nor did it reach those who take previews, on a channel that no setting names', async () => {
  const gone = story.at(10).commit('Change', { 'a.js': '1' });
  const undoing = revert(11, gone);
  release(15, '1.1.0-beta.1');
  const early = story.at(16).commit('Preview', { 'a.js': '2' });
  release(17, '1.1.0-beta.2');
  const late = revert(18, early);
  release(20, '1.1.0');
  const out = story.at(21).commit('Out', { 'a.js': '3' });
  release(22, '1.1.1');
  const after = revert(23, out);
  release(24, '1.2.0-rc.1');
  const { repositories } = await collecting.run([story]);
  const linesOf = (commit: string): readonly string[] => eventLines(collecting.events(), commit).slice(1);
  expect(linesOf(gone)).toEqual(['core publish unmeasured 11:00', 'core publish unmeasured 11:00']);
  expect(linesOf(undoing)).toEqual(['core publish unmeasured 11:00', 'core publish unmeasured 11:00']);
  expect(linesOf(early)).toEqual(['core publish 1.1.0-beta.2 (beta) 17:01', 'core publish unmeasured 18:00']);
  expect(linesOf(late)).toEqual(['core publish unmeasured 18:00']);
  expect(linesOf(after)).toEqual(['core publish 1.2.0-rc.1 (rc) 24:01']);
  expect(repositories[0]).toMatchObject({ reverted: { count: 4 }, pairs: 4, inFirst: 1, published: 3 });
});

test('a revert of a part, and one that brings something new, are changes as any other', async () => {
  const change = (hour: number): string => story.at(hour).commit('Change', { 'a.js': `${hour}`, 'b.js': `${hour}` });
  const first = change(10);
  const part = revert(11, first);
  story.at(12).commit('Away', { 'b.js': null });
  const second = change(13);
  const more = revert(14, second, { 'a.js': null, 'b.js': null, 'c.js': 'new' });
  release(20, '1.1.0');
  await collecting.run([story]);
  for (const commit of [first, part, second, more])
    expect(eventLines(collecting.events(), commit)[1]).toBe('core publish 1.1.0 (latest) 20:01');
});

test('a release branch that is merged back brings nothing new, unless somebody added to it', async () => {
  const { repo } = story;
  repo.git('branch', 'release');
  const feature = story.at(5).commit('Feature', { 'a.js': '1' });
  repo.checkout('release');
  story.at(10).commit('Fix', { 'b.js': '1' });
  release(11, '1.0.1');
  repo.checkout('main');
  const back = story.at(30).repo.merge('release', 'Merge the fix (#9)');
  repo.checkout('release');
  story.at(31).commit('Another fix', { 'b.js': '2' });
  repo.checkout('main');
  const more = story.at(40).repo.merge('release', 'Merge another fix (#10)');
  release(50, '1.1.0');
  const { repositories } = await collecting.run([story]);
  const linesOf = (commit: string): string | undefined => eventLines(collecting.events(), commit).find((line) => line.includes('publish'));
  expect([feature, back, more].map(linesOf)).toEqual([
    'core publish 1.1.0 (latest) 50:01',
    'core publish unmeasured 1.0.1 (latest) 11:01',
    'core publish 1.1.0 (latest) 50:01',
  ]);
  expect(repositories[0]?.broughtBack.count).toBe(1);
});

test('a branch of previews that is merged brings what no release for all had', async () => {
  const { repo } = story;
  repo.git('checkout', '-q', '-b', 'beta');
  story.at(10).commit('Feature', { 'b.js': '1' });
  release(11, '1.1.0-beta.1');
  repo.checkout('main');
  const merged = story.at(30).repo.merge('beta', 'Merge the feature (#9)');
  release(50, '1.1.0');
  const { repositories } = await collecting.run([story]);
  expect(eventLines(collecting.events(), merged)).toContain('core publish 1.1.0 (latest) 50:01');
  expect(repositories[0]).toMatchObject({ broughtBack: { count: 0 }, pairs: 2, inFirst: 1, published: 1 });
});
