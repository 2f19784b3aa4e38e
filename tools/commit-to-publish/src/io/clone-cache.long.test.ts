import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { PublishConfig } from '@tributary/model/publish-config';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import fc from 'fast-check';
import type { Collection } from '../collect/collection.js';
import { CloneStory, Collecting } from '../collect/story.fixture.js';
import type { Event } from '../model/event.js';

const cleanUp = cleanUpIn(afterEach);

/** A monorepo of two packages that goes on by steps, of which each takes an hour. */
class GrowingStory {
  readonly story = new CloneStory();
  private hour = 0;
  private nth = 0;

  constructor() {
    cleanUp.add(this.story.repo);
    this.next().story.commit('Start', { 'package.json': '{"name": "root", "private": true, "workspaces": ["packages/*"]}' });
    // The entry `index` is this file, and `index.js` another one.
    this.next().story.commit('Entries', { 'packages/a/index': '', 'packages/b/index': '', 'packages/c/index': '' });
    for (const name of ['a', 'b'])
      this.next().story.version(`Add ${name}`, { name, version: '1.0.0', files: ['lib'], main: 'index' }, `packages/${name}/`);
    this.story.repo.tag('a@1.0.0');
  }

  next(): this {
    this.nth++;
    this.story.at(++this.hour);
    return this;
  }

  /** `nth` chooses among packages and commits. */
  take(step: (typeof STEPS)[number], nth: number): void {
    const { story } = this.next();
    const { repo } = story;
    const name = ['a', 'b', 'c'][nth % 3] ?? 'a';
    const folder = `packages/${name}`;
    const version = `1.${this.nth}.0`;
    const commits = repo.git('rev-list', '--first-parent', 'HEAD').split('\n');
    const at = commits[nth % commits.length] ?? 'HEAD';
    if (step === 'change') story.commit(`Change ${name}`, { [`${folder}/index.js`]: version, [`${folder}/readme.md`]: version });
    else if (step === 'release') {
      story.version(`Release ${version}`, { name, version, dependencies: { b: version }, files: ['lib'], main: 'index' }, `${folder}/`);
      repo.tag(nth % 2 === 0 ? `v${version}` : `${name}@${version}`, nth % 5 === 0 ? {} : { message: version });
    } else if (step === 'rename')
      story.version('Rename', { name: `${name}-${nth}`, version: '2.0.0', private: nth % 2 === 0 }, `${folder}/`);
    else if (step === 'break') story.commit('Break', { [nth % 2 === 0 ? 'package.json' : `${folder}/package.json`]: '{' });
    else if (step === 'mend')
      story.commit('Mend', {
        'package.json': '{"name": "root", "private": true, "workspaces": ["packages/*", "more/*"]}',
        'more/d/package.json': `{"name": "d", "version": "${version}"}`,
      });
    else if (step === 'list')
      story.commit('List', { 'lerna.json': nth % 2 === 0 ? '{"packages": ["packages/*"]}' : '{', 'package.json': '{"name": "root"}' });
    else if (step === 'tag an old commit') repo.git('tag', '-f', `${name}@1.0.${nth % 4}`, at);
    else if (step === 'tag again') repo.git('tag', '-f', '-a', '-m', version, `v1.0.${nth % 4}`, at);
    else if (step === 'pick') this.pick(version, repo.id('HEAD'));
    else if (step === 'forget') {
      repo.git('reflog', 'expire', '--expire=now', '--all');
      repo.git('gc', '-q', '--prune=now');
    } else if (step === 'rewind') repo.git('reset', '-q', '--hard', `HEAD~${Math.min(nth % 4, commits.length - 1)}`);
    else if (commits.length > 1) this.pull(nth);
  }

  /** A release beside the main line with what is on it, of which only the tag stays. */
  private pick(version: string, picked: string): void {
    const { repo } = this.story;
    repo.git('checkout', '-q', '-b', version, 'HEAD~1');
    this.story.commit('Pick', { 'packages/a/picked.js': version }, {}, `(cherry picked from commit ${picked})`);
    this.next().story.version(`Release ${version}`, { name: 'a', version, files: ['lib'], main: 'index' }, 'packages/a/');
    repo.tag(`a@${version}`);
    repo.checkout('main');
    repo.git('branch', '-q', '-D', version);
  }

  /** A merge of main into itself, which makes the other parent the first one, or of a branch. */
  private pull(nth: number): void {
    const { story } = this;
    const { repo } = story;
    const branch = `dev${this.nth}`;
    repo.git('checkout', '-q', '-b', branch, 'HEAD~1');
    this.next().story.commit('Work', { [`packages/a/${branch}.js`]: '' });
    if (nth % 2 === 0) repo.merge('main', "Merge branch 'main' of https://github.example/acme/core");
    else {
      repo.checkout('main');
      repo.merge(branch);
    }
    repo.git('checkout', '-q', '-B', 'main');
  }
}

const STEPS = [
  ...(['change', 'release', 'add', 'rename', 'break', 'mend', 'list', 'tag an old commit', 'tag again', 'rewind', 'pull'] as const),
  ...(['pick', 'forget'] as const),
];

const SETTINGS: readonly Partial<PublishConfig>[] = [
  {},
  { tags: ['{name}@{version}'], bots: ['Ada*'] },
  { renamed: { a: 'd' }, sources: ['tags'], channels: ['latest', 'next'] },
];

const fileOf = ({ repo }: CloneStory): string => join(repo.path, '.git/tributary/collect.json');

/** Collects with what was kept, and into another record without it, each time. */
class Twins {
  private readonly kept = cleanUp.add(new Collecting());
  private readonly plain = cleanUp.add(new Collecting());

  async expectSame({ story }: GrowingStory, config: Partial<PublishConfig> = {}): Promise<void> {
    const file = fileOf(story);
    const withKept = await this.kept.run([story], { config });
    const text = readFileSync(file);
    rmSync(file);
    const without = await this.plain.run([story], { config });
    writeFileSync(file, text);
    expect([withKept, eventsIn(this.kept)]).toEqual([without, eventsIn(this.plain)]);
  }
}

function eventsIn(collecting: Collecting): readonly Event[] {
  return [...collecting.events()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

test('whatever happens between two collections, what was kept of a clone changes no answer', async () => {
  const many = fc.array(fc.tuple(fc.constantFrom(...STEPS), fc.nat(40)), { minLength: 12, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(many, fc.integer({ min: 2, max: 6 }), async (steps, between) => {
      const [growing, twins] = [new GrowingStory(), new Twins()];
      await twins.expectSame(growing);
      for (const [at, [step, nth]] of steps.entries()) {
        growing.take(step, nth);
        if (at % between === 0) await twins.expectSame(growing, SETTINGS[nth % 5]);
      }
      await twins.expectSame(growing);
    }),
    { numRuns: 4, seed: 44, endOnFailure: true },
  );
});

/** Returns a history of which something was kept, then went on. */
async function grown(): Promise<GrowingStory> {
  const growing = new GrowingStory();
  for (const [nth, step] of (['change', 'release', 'pull', 'tag again'] as const).entries()) growing.take(step, nth);
  await cleanUp.add(new Collecting()).run([growing.story]);
  growing.take('change', 0);
  growing.take('release', 3);
  return growing;
}

function withoutCounts({ repositories, upgrades }: Collection): unknown {
  return { upgrades, repositories: repositories.map(({ events: _, ...repository }) => repository) };
}

test.each<readonly [what: string, damage: (text: string, other: string) => string]>([
  ['cut off', (text) => text.slice(0, -100)],
  ['changed', (text) => text.replace('"person"', '"bot"')],
  ['empty', () => ''],
  ['that of another repository', (_, other) => other],
])('what was kept of a clone and is %s costs time, and never an answer', async (_, damage) => {
  const other = new GrowingStory();
  other.take('release', 1);
  await cleanUp.add(new Collecting()).run([other.story]);
  const { story } = await grown();
  const file = fileOf(story);
  const text = readFileSync(file, 'utf8');
  expect(damage(text, readFileSync(fileOf(other.story), 'utf8'))).not.toBe(text);
  writeFileSync(file, damage(text, readFileSync(fileOf(other.story), 'utf8')));
  const damaged = cleanUp.add(new Collecting());
  const found = await damaged.run([story]);
  rmSync(file);
  const plain = cleanUp.add(new Collecting());
  expect(withoutCounts(await plain.run([story]))).toEqual(withoutCounts(found));
  expect(eventsIn(damaged)).toEqual(eventsIn(plain));
});

test('a second collection reads only the new commits of the main line', async () => {
  const { story } = await grown();
  const read: number[] = [];
  const progress = { phase: () => undefined, step: (_: string, count = 1) => read.push(count), end: () => undefined };
  await cleanUp.add(new Collecting()).run([story], { progress: progress as never });
  expect(read.reduce((sum, count) => sum + count, 0)).toBe(2);
});

test('a look writes nothing into the clone', async () => {
  const { story } = new GrowingStory();
  await cleanUp.add(new Collecting()).run([story], { doing: 'look' });
  expect(existsSync(fileOf(story))).toBe(false);
});
