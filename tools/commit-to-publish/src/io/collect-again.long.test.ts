import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { CloneStory, Collecting, eventLines } from '../collect/story.fixture.js';
import { Database } from './database.js';
import { readChange } from './read-change.js';
import { withEvents } from './record.js';

let story: CloneStory;
let collecting: Collecting;
beforeEach(() => {
  story = new CloneStory();
  collecting = new Collecting();
  story.repo.git('remote', 'add', 'origin', 'https://github.example/acme/core.git');
  story.at(0).version('Start', { name: 'core', version: '1.0.0' });
  story.at(10).repo.tag('v1.0.0');
});
afterEach(() => {
  story.repo.dispose();
  collecting.dispose();
});

function release(hour: number, version: string): void {
  story.at(hour).version(version, { name: 'core', version });
  story.repo.tag(`v${version}`);
}

test('run again, it records what is new and nothing else', async () => {
  const one = story.at(20).commit('One (#1)', { 'a.js': '1' });
  await collecting.run([story]);
  expect(collecting.lines()).toHaveLength(3);
  expect((await collecting.run([story])).repositories[0]?.events).toEqual({ fresh: 0, all: 3, retracted: 0 });
  expect(collecting.lines()).toHaveLength(3);
  release(30, '1.1.0');
  story.at(31).commit('Two', { 'a.js': '2' });
  expect((await collecting.run([story])).repositories[0]?.events).toEqual({ fresh: 2, all: 5, retracted: 0 });
  expect(eventLines(collecting.events(), one)).toEqual(['core merge-wait 20:00', 'core publish 1.1.0 (latest) 30:00']);
});

test('a release that is found later corrects what was recorded: the events stay as many', async () => {
  const one = story.at(20).commit('One', { 'a.js': '1' });
  const between = story.at(25).commit('Between', { 'a.js': '2' });
  release(40, '1.2.0');
  await collecting.run([story]);
  expect(eventLines(collecting.events(), one)[1]).toBe('core publish 1.2.0 (latest) 40:00');
  story.repo.tag('v1.1.0', { at: between });
  await collecting.run([story]);
  expect(eventLines(collecting.events(), one)).toEqual(['core merge-wait 20:00', 'core publish 1.1.0 (latest) 25:00']);
  expect(eventLines(collecting.events(), between)).toHaveLength(2);
});

test('a dry run records nothing; collected in full everything is written once more and counts once', async () => {
  story.at(20).commit('One', { 'a.js': '1' });
  release(30, '1.1.0');
  expect((await collecting.run([story], { doing: 'look' })).repositories[0]?.events).toEqual({ fresh: 4, all: 4, retracted: 0 });
  expect(collecting.lines()).toEqual([]);
  await collecting.run([story]);
  await collecting.run([story], { what: 'all' });
  expect(collecting.lines()).toHaveLength(8);
  expect(collecting.events()).toHaveLength(4);
});

test('a change is found by its pull request, by its commit, and by the beginning of that', async () => {
  const one = story.at(20).commit('One (#1)', { 'a.js': '1' });
  const eleven = story.at(21).commit('Eleven (#11)', { 'a.js': '11' });
  await collecting.run([story]);
  const database = await Database.open();
  const find = (change: string): Promise<string> =>
    withEvents(database, collecting.record, async () => {
      const lead = { ready: 'merged', until: 'published', channels: new Set(['latest']) } as const;
      return (await readChange(database, { change, repo: undefined, lead })).change;
    });
  try {
    expect(await find('#1')).toBe(one);
    expect(await find('#11')).toBe(eleven);
    expect(await find(one)).toBe(one);
    expect(await find(one.slice(0, 9))).toBe(one);
    await expect(find('#2')).rejects.toMatchObject({ code: 'CHANGE_UNKNOWN' });
    await expect(find('')).rejects.toMatchObject({ code: 'CHANGE_UNKNOWN' });
  } finally {
    await database.close();
  }
});

test('a shallow clone, a folder without a repository, and a repository without a commit are refused', async () => {
  story.at(20).commit('One', { 'a.js': '1' });
  const [shallow, empty] = [TempRepo.cloneOf(story.repo, '--depth=1'), TempRepo.create()];
  const collect = (folder: string): Promise<unknown> => collecting.run([], { clones: [folder as never] });
  await expect(collect(shallow.path)).rejects.toMatchObject({ code: 'TARGET_SHALLOW' });
  await expect(collect(empty.path)).rejects.toMatchObject({ code: 'TARGET_UNBORN' });
  await expect(collect(`${empty.path}/nowhere`)).rejects.toMatchObject({ code: 'TARGET_NOT_FOUND' });
  shallow.dispose();
  empty.dispose();
});

/** A way to bring work to a main line that went on meanwhile, with the subject of its last merge; `undefined`: the pull was a fast-forward. */
const PULLS = {
  'git pull': "Merge branch 'main' of https://github.example/acme/core",
  'git pull, twice': "Merge branch 'main' of https://github.example/acme/core",
  'git pull in a fork': "Merge branch 'main' of git@github.example:acme/core into work",
  'git merge origin/main': "Merge remote-tracking branch 'origin/main'",
  // Only the last collection tells.
  'with a subject of its own': 'Sync',
  'git pull, fast-forward': undefined,
  'pull request': 'Merge pull request #1 from acme/dev',
};

test('40 developers who pull before each push change no figure, and retract nothing', async () => {
  const { repo } = story;
  const straight = new CloneStory();
  straight.repo.git('remote', 'add', 'origin', 'https://github.example/acme/straight.git');
  straight.at(0).version('Start', { name: 'core', version: '1.0.0' });
  straight.at(10).repo.tag('v1.0.0');
  const own: string[] = [];
  const retracted: (number | undefined)[] = [];
  const ways = Object.keys(PULLS) as (keyof typeof PULLS)[];
  for (let nth = 1; nth <= 40; nth++) {
    const way = ways[nth % ways.length] ?? 'git pull';
    const [base, hour] = [repo.id('HEAD'), 20 * nth];
    for (const one of [story, straight]) {
      const id = one.at(hour).commit('Change', { 'a.js': `${nth}` });
      if (one === story) own.push(id);
      one.at(hour + 2).version('Release', { name: 'core', version: `1.${nth}.0` });
      one.repo.tag(`v1.${nth}.0`);
    }
    if (way === 'with a subject of its own') retracted.push((await collecting.run([story])).repositories[0]?.events.retracted);
    const tip = repo.id('HEAD');
    straight.at(hour + 5).commit('Work', { 'b.js': `${nth}` });
    const subject = PULLS[way];
    repo.git('checkout', '-q', '-b', `dev${nth}`, subject === undefined ? tip : base);
    if (subject !== undefined) story.at(hour + 3).commit('Work', { 'b.js': `${nth}` });
    if (way === 'git pull, twice') {
      repo.merge(`${tip}~1`, subject);
      story.at(hour + 4).commit('More work', { 'b.js': `${nth} more` });
    }
    story.at(hour + 5);
    if (subject === undefined) story.commit('Work', { 'b.js': `${nth}` });
    else if (way === 'pull request') {
      repo.git('checkout', '-q', 'main');
      repo.merge(`dev${nth}`, subject);
    } else repo.merge(tip, subject);
    repo.git('checkout', '-q', '-B', 'main');
  }
  for (const _ of ['first', 'again']) retracted.push((await collecting.run([story])).repositories[0]?.events.retracted);
  expect(retracted).toEqual(retracted.map(() => 0));
  expect(own.map((id) => eventLines(collecting.events(), id).length)).toEqual(own.map(() => 2));
  await collecting.run([straight]);
  const of = (name: string): readonly string[] => {
    const events = collecting.events().filter(({ repo: from }) => from.endsWith(name));
    return [...new Set(events.map(({ change }) => change))].map((id) => eventLines(events, id).join('; ')).sort();
  };
  expect(of('core')).toHaveLength(81);
  expect(of('core')).toEqual(of('straight'));
  straight.repo.dispose();
});
