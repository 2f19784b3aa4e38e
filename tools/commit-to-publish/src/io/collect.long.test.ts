import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CloneStory, Collecting, eventLines } from '../collect/story.fixture.js';

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

const CORE = { name: 'core', version: '1.0.0' };

/** Commits the first version of `core`, published at 10:01. */
function firstRelease(): string {
  const first = story.at(0).version('Start', CORE);
  story.commit('Before the first', { 'a.js': '0' });
  story.at(10).repo.tag('v1.0.0');
  return first;
}

test('a squash, a merge commit, a rebase, and a commit without a pull request: each from its place on the main line to the tag', async () => {
  const first = firstRelease();
  const squash = story.at(20).commit('Add it (#7)', { 'a.js': '1' });
  story.repo.git('checkout', '-q', '-b', 'side');
  const inside = story.at(21).commit('Inside', { 'b.js': '1' }, { GIT_AUTHOR_NAME: 'renovate[bot]' });
  story.repo.checkout('main');
  const merge = story.at(30).repo.merge('side', 'Merge pull request #8 from acme/side');
  const rebased = [story.at(31).commit('One of two', { 'c.js': '1' }), story.commit('Two of two', { 'c.js': '2' })];
  const direct = story.at(40).commit('Directly', { 'd.js': '1' });
  const release = story.at(50).version('1.1.0', { ...CORE, version: '1.1.0' });
  story.repo.tag('v1.1.0', { message: '1.1.0' });
  const waiting = story.at(60).commit('Not out yet', { 'd.js': '2' });
  const { repositories } = await collecting.run([story]);
  const events = collecting.events();
  const eventsOf = (commit: string): readonly string[] => eventLines(events, commit);
  expect(eventsOf(first)).toEqual(['core merge-wait 0:01', 'core publish unmeasured 1.0.0 (latest) 0:02']);
  expect(eventsOf(squash)).toEqual(['core merge-wait 20:00', 'core publish 1.1.0 (latest) 50:01']);
  expect(eventsOf(merge)).toEqual(['core merge-wait 30:00', 'core publish 1.1.0 (latest) 50:01']);
  expect(rebased.map(eventsOf)).toEqual([
    ['core merge-wait 31:00', 'core publish 1.1.0 (latest) 50:01'],
    ['core merge-wait 31:01', 'core publish 1.1.0 (latest) 50:01'],
  ]);
  expect(eventsOf(direct)).toEqual(['core merge-wait 40:00', 'core publish 1.1.0 (latest) 50:01']);
  expect([inside, release].map(eventsOf)).toEqual([[], []]);
  expect(eventsOf(waiting)).toEqual(['core merge-wait 60:00']);
  expect(events.find(({ change }) => change === merge)?.actor).toBe('bot');
  expect(new Set(events.map(({ actor, source, confidence }) => `${actor} ${source} ${confidence}`))).toEqual(
    new Set(['person git at-least', 'person git derived', 'bot git derived']),
  );
  expect(repositories[0]).toMatchObject({
    changes: { person: 7, bot: 1 },
    pairs: 8,
    published: 5,
    inFirst: 2,
    publications: { latest: 2 },
    events: { fresh: 15, all: 15 },
  });
});

/** How certain the publication of each change is. */
function confidences(commits: readonly string[]): readonly (string | undefined)[] {
  return commits.map((commit) => collecting.events().find(({ change, stage }) => change === commit && stage === 'publish')?.confidence);
}

test('a commit that sets a placeholder, or another version than its tag, is no release commit', async () => {
  story.at(0).version('Start', { ...CORE, version: '0.0.0-placeholder' });
  story.repo.tag('v1.0.0');
  const before = story.at(20).commit('Before', { 'a.js': '1' });
  const placeholder = story.at(30).version('Name the placeholder', { ...CORE, main: 'a.js', version: '0.0.0-development' });
  story.repo.tag('v1.1.0');
  const other = story.at(40).version('Set another version', { ...CORE, version: '3.0.0', main: 'b.js' });
  story.repo.tag('v2.0.0');
  await collecting.run([story], { config: { sources: ['tags'] } });
  expect(confidences([before, placeholder, other])).toEqual(['at-least', 'at-least', 'at-least']);
});

test('a change that sets the version itself was published at an unknown time after it, and not at once', async () => {
  firstRelease();
  const before = story.at(20).commit('Before', { 'a.js': '1' });
  const both = story.at(30).commit('Fix it, and release it', {
    'a.js': '2',
    'package.json': JSON.stringify({ ...CORE, version: '1.1.0' }),
  });
  const tagged = story.at(40).commit('Fix it, and tag it', { 'a.js': '3', 'package.json': JSON.stringify({ ...CORE, version: '1.2.0' }) });
  story.repo.tag('v1.2.0', { message: '1.2.0' });
  await collecting.run([story]);
  expect(confidences([before, both, tagged])).toEqual(['derived', 'at-least', 'derived']);
});

test('no name and no address of a person is in an event', async () => {
  firstRelease();
  await collecting.run([story]);
  expect(JSON.stringify(collecting.lines())).not.toMatch(/Ada|example\.com/);
});

test('a publication beside the main line counts for what it contains', async () => {
  firstRelease();
  const before = story.at(20).commit('Before the branch', { 'a.js': '1' });
  story.repo.git('checkout', '-q', '-b', 'release');
  story.repo.checkout('main');
  const after = story.at(22).commit('Behind the branch', { 'a.js': '2' });
  story.repo.checkout('release');
  story.at(25).version('1.0.1', { ...CORE, version: '1.0.1' });
  story.repo.tag('v1.0.1');
  story.repo.checkout('main');
  story.at(30).version('1.1.0', { ...CORE, version: '1.1.0' });
  story.repo.tag('v1.1.0');
  await collecting.run([story]);
  expect(eventLines(collecting.events(), before)).toEqual(['core merge-wait 20:00', 'core publish 1.0.1 (latest) 25:00']);
  expect(eventLines(collecting.events(), after)).toEqual(['core merge-wait 22:00', 'core publish 1.1.0 (latest) 30:00']);
});

test('a release branch that was merged back: what came out on it was out then', async () => {
  firstRelease();
  const change = story.at(20).commit('A change', { 'a.js': '1' });
  story.repo.git('checkout', '-q', '-b', 'release');
  story.at(25).version('1.0.1', { ...CORE, version: '1.0.1' });
  story.repo.tag('v1.0.1');
  story.repo.checkout('main');
  story.at(30).repo.merge('release');
  await collecting.run([story]);
  expect(eventLines(collecting.events(), change)).toEqual(['core merge-wait 20:00', 'core publish 1.0.1 (latest) 25:00']);
});

test('without a tag the commit that set the version stands for the publication; with tags alone it does not', async () => {
  firstRelease();
  const change = story.at(20).commit('A change', { 'a.js': '1' });
  const squashed = story
    .at(30)
    .commit('Another one, and the version (#9)', { 'a.js': '2', 'package.json': '{"name":"core","version":"1.1.0"}' });
  const alone = story.at(40).version('chore(release): v1.2.0 (#10)', { ...CORE, version: '1.2.0' });
  await collecting.run([story]);
  expect(eventLines(collecting.events(), change)).toEqual(['core merge-wait 20:00', 'core publish 1.1.0 (latest) 30:00']);
  expect(eventLines(collecting.events(), squashed)).toEqual(['core merge-wait 30:00', 'core publish 1.1.0 (latest) 30:00']);
  expect(eventLines(collecting.events(), alone)).toEqual([]);
  const tagsOnly = new Collecting();
  await tagsOnly.run([story], { config: { sources: ['tags'] } });
  expect(eventLines(tagsOnly.events(), change)).toEqual(['core merge-wait 20:00']);
  tagsOnly.dispose();
});

test('a tag that was made late stands for the time, and is told; what came out in between was first', async () => {
  firstRelease();
  const one = story.at(20).commit('One', { 'a.js': '1' });
  const tagged = story.at(21).version('1.1.0', { ...CORE, version: '1.1.0' });
  const two = story.at(30).commit('Two', { 'a.js': '2' });
  story.at(40).version('1.2.0', { ...CORE, version: '1.2.0' });
  story.repo.tag('v1.2.0', { message: '1.2.0' });
  story.at(100).repo.tag('v1.1.0', { message: '1.1.0', at: tagged });
  const { repositories } = await collecting.run([story]);
  expect(eventLines(collecting.events(), one)).toEqual(['core merge-wait 20:00', 'core publish 1.2.0 (latest) 40:01']);
  expect(eventLines(collecting.events(), two)).toEqual(['core merge-wait 30:00', 'core publish 1.2.0 (latest) 40:01']);
  expect(repositories[0]?.lateTags).toEqual(['core@1.1.0']);
});

test('channels are measured each on its own: a pre-release, then the release', async () => {
  firstRelease();
  const one = story.at(20).commit('One', { 'a.js': '1' });
  story.at(21).version('2.0.0-next.0', { ...CORE, version: '2.0.0-next.0' });
  story.repo.tag('v2.0.0-next.0');
  const two = story.at(30).commit('Two', { 'a.js': '2' });
  story.at(40).version('2.0.0', { ...CORE, version: '2.0.0' });
  story.repo.tag('v2.0.0');
  await collecting.run([story]);
  expect(eventLines(collecting.events(), one)).toEqual([
    'core merge-wait 20:00',
    'core publish 2.0.0-next.0 (next) 21:00',
    'core publish 2.0.0 (latest) 40:00',
  ]);
  expect(eventLines(collecting.events(), two)).toEqual(['core merge-wait 30:00', 'core publish 2.0.0 (latest) 40:00']);
});

test('what a commit did before 2000 or will do in the future is no event, and is told', async () => {
  firstRelease();
  story.commit('From another time', { 'a.js': '1' }, { GIT_COMMITTER_DATE: '@86400 +0000' });
  const { repositories } = await collecting.run([story]);
  expect(repositories[0]).toMatchObject({ flawed: 1, events: { all: 4 } });
});

test('only changes since a date, with all releases before it', async () => {
  firstRelease();
  const one = story.at(20).commit('One', { 'a.js': '1' });
  story.at(21).version('1.1.0', { ...CORE, version: '1.1.0' });
  const two = story.at(30).commit('Two', { 'a.js': '2' });
  story.at(40).version('1.2.0', { ...CORE, version: '1.2.0' });
  await collecting.run([story], { since: ((1_600_000_000 + 25 * 3600) * 1e6) as never });
  expect(eventLines(collecting.events(), one)).toEqual([]);
  expect(eventLines(collecting.events(), two)).toEqual(['core merge-wait 30:00', 'core publish 1.2.0 (latest) 40:00']);
});
