import { afterEach, expect, test } from '@jest/globals';
import { cleanUpIn } from './clean-up.js';
import { Dice } from './dice.js';
import { LooseObjects } from './loose-objects.js';
import { type RandomHistoryPlan, writeRandomHistory } from './random-history.js';
import { TempRepo } from './temp-repo.js';

const cleanUp = cleanUpIn(afterEach);
const write = (plan: RandomHistoryPlan) => writeRandomHistory(cleanUp.add(TempRepo.create({ bare: true })), 'sha1', plan);

test('the same seed gives the same history on every machine', () => {
  const [one, two] = [write({ seed: 7, commits: 40, kind: 'odd' }), write({ seed: 7, commits: 40, kind: 'odd' })];
  expect(one).toEqual(two);
  expect(new Dice(7).below(1_000_000)).toBe(11704);
});

test('a larger number of commits continues the same history', () => {
  const [short, long] = [write({ seed: 3, commits: 30, kind: 'odd' }), write({ seed: 3, commits: 50, kind: 'odd' })];
  expect(long.commits.slice(0, 30)).toEqual(short.commits);
  expect(long.line.slice(0, short.line.length)).toEqual(short.line);
});

test.each(['sha1', 'sha256'] as const)('git finds nothing missing in a well-formed history of format %s', (objectFormat) => {
  const repo = cleanUp.add(TempRepo.create({ bare: true, objectFormat }));
  const { line, tags } = writeRandomHistory(repo, objectFormat, { seed: 5, commits: 60, kind: 'well-formed' });
  repo.git('update-ref', 'refs/heads/main', line.at(-1)?.id ?? '');
  for (const tag of tags) repo.git('update-ref', `refs/tags/${tag.name}`, tag.id);
  repo.git('fsck', '--strict', '--no-dangling');
  expect(repo.git('rev-list', '--first-parent', '--reverse', 'main').split('\n')).toEqual(line.map(({ id }) => id));
});

test('among the histories are merges, octopus merges, several roots, empty trees and folders that were files', () => {
  const commits = [1, 2, 3, 4].flatMap((seed) => write({ seed, commits: 60, kind: 'well-formed' }).commits);
  const count = (holds: (commit: (typeof commits)[number]) => boolean): number => commits.filter(holds).length;
  expect(count(({ parents }) => parents.length === 2)).toBeGreaterThan(20);
  expect(count(({ parents }) => parents.length > 2)).toBeGreaterThan(5);
  expect(count(({ parents }) => parents.length === 0)).toBeGreaterThan(5);
  expect(count(({ files }) => files.size === 0)).toBeGreaterThan(2);
  expect(count(({ files }) => files.has('packages/x'))).toBeGreaterThan(5);
  expect(count(({ files }) => files.has('packages/x/package.json'))).toBeGreaterThan(5);
});

test('what is written without git is what git would write', () => {
  const repo = cleanUp.add(TempRepo.create({ bare: true }));
  const objects = new LooseObjects(repo.path, 'sha1');
  const blob = objects.write('blob', 'hello\n');
  expect(blob).toBe(repo.gitWithInput('hello\n', 'hash-object', '--stdin'));
  const inner = objects.writeTree([{ mode: '100644', name: 'f', id: blob }]);
  const entries = [
    { mode: '100644', name: 'a.b', id: blob },
    { mode: '40000', name: 'a', id: inner },
  ];
  const listing = `040000 tree ${inner}\ta\n100644 blob ${blob}\ta.b\n`;
  expect(objects.writeTree(entries)).toBe(repo.gitWithInput(listing, 'mktree'));
});
