import { expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import SemVer from 'semver/classes/semver.js';
import type { Micros } from '../model/event.js';
import { channelOf, type GitTrace, higherRelease, placePublication } from './publication.js';

const HOUR = 3600e6;
const at = (hours: number): Micros => (1.6e15 + hours * HOUR) as Micros;
const trace = (id: string, committed: number, tagged?: number): GitTrace => ({
  commit: id as CommitId,
  committed: at(committed),
  tagged: tagged === undefined ? undefined : at(tagged),
  isRelease: id !== 't',
});
const upload = (hours: number | undefined, commit?: readonly [string, number]): Parameters<typeof placePublication>[0]['registry'] => ({
  at: hours === undefined ? undefined : at(hours),
  commit: commit === undefined ? undefined : { id: commit[0] as CommitId, at: at(commit[1]) },
});

test.each([
  ['a tag, when it was made', { tag: trace('t', 0, 5) }, 't 5 git derived'],
  ['a light tag, by its commit or later', { tag: trace('t', 3) }, 't 3 git at-least'],
  ['a light tag on a release commit, by it', { tag: trace('r', 3) }, 'r 3 git derived'],
  ['the registry, where the tag is light', { tag: trace('t', 0), registry: upload(29) }, 't 29 registry exact, later'],
  [
    'the commit of a light tag, where the registry is before it',
    { tag: trace('t', 90), registry: upload(2) },
    't 90 git at-least, implausible',
  ],
  ['the commit that set the version', { bump: trace('b', 2) }, 'b 2 git derived'],
  ['a tag before that commit', { tag: trace('t', 3), bump: trace('b', 2) }, 't 3 git at-least'],
  ['the registry within a day of the tag', { tag: trace('t', 0, 5), registry: upload(29) }, 't 29 registry exact'],
  ['the tag, where the registry is off by more', { tag: trace('t', 0, 5), registry: upload(29.1) }, 't 5 git derived, implausible'],
  ['the registry by the commit of a late tag', { tag: trace('t', 0, 500), registry: upload(2) }, 't 2 registry exact'],
  ['the commit that the registry names', { tag: trace('t', 0, 5), registry: upload(6, ['g', 1]) }, 'g 6 registry exact'],
  [
    'that commit too where the time does not count',
    { tag: trace('t', 0, 5), registry: upload(900, ['g', 1]) },
    'g 5 git derived, implausible',
  ],
  ['the registry alone, with a commit', { registry: upload(6, ['g', 1]) }, 'g 6 registry exact'],
  [
    'the tag, where the registry has no time',
    { tag: trace('t', 0, 5), registry: upload(undefined) },
    't 5 git derived, no time in the registry',
  ],
  ['nothing that has a commit', { registry: upload(6) }, 'no commit'],
  ['nothing that has a time', { registry: upload(undefined, ['g', 1]) }, 'no time'],
  ['the registry long after the commit that it names', { registry: upload(900, ['g', 1]) }, 'g 900 registry exact, later'],
  ['no plausible time', { registry: upload(1, ['g', 900]) }, 'registry time is implausible'],
] as const)('a publication is placed by %s', (_, traces, expected) => {
  const placed = placePublication({ tag: undefined, bump: undefined, registry: undefined, ...traces });
  const described =
    typeof placed === 'string'
      ? placed
      : `${placed.commit} ${(placed.at - at(0)) / HOUR} ${placed.source} ${placed.confidence}${placed.refused === undefined ? '' : `, ${placed.refused.replace('registry time is ', '')}`}`;
  expect(described).toBe(expected);
});

test.each([
  ['1.2.0', {}, [], 'latest'],
  ['2.0.0-next.1', {}, [], 'next'],
  ['2.0.0-beta30', {}, [], 'beta'],
  ['2.0.0-rc-2', {}, [], 'rc'],
  ['2.0.0-a1b2c3', {}, [], 'a1b2c3'],
  ['2.0.0-0', {}, [], 'prerelease'],
  ['2.0.0-rc.1', { next: '2.0.0-rc.1' }, [], 'next'],
  ['2.0.0-rc.1', { latest: '2.0.0-rc.1', next: '2.0.0-rc.1' }, [], 'latest'],
  ['1.9.5', { v1: '1.9.5', latest: '2.0.0' }, ['2.0.0'], 'v1'],
  ['1.9.5', { v1: '1.9.5', latest: '2.0.0' }, ['1.9.4', '2.0.0-rc.1'], 'latest'],
  ['1.9.4', { latest: '2.0.0' }, ['2.0.0'], 'latest'],
] as const)('%s with the dist-tags %j, behind %j, was on %s', (version, tags, earlier, expected) => {
  const highest = earlier.map((one) => new SemVer(one)).reduce(higherRelease, undefined);
  expect(channelOf(new SemVer(version), { tags: new Map(Object.entries(tags)), known: new Map(), highest })).toBe(expected);
});

test.each([
  ['2.0.0-rc.1', { next: '2.0.0-rc.2' }, 'next', 'next'],
  ['2.0.0-rc.1', { beta: '2.0.0-rc.1' }, 'next', 'next'],
  ['2.0.0-rc.1', { latest: '2.0.0-rc.1' }, 'next', 'latest'],
  ['1.9.5', { v1: '1.9.6' }, 'v1', 'v1'],
] as const)('%s with the dist-tags %j, and %s before, was on %s', (version, tags, before, expected) => {
  const known = new Map([[version as string, before as string]]);
  expect(channelOf(new SemVer(version), { tags: new Map(Object.entries(tags)), known, highest: new SemVer('2.0.0-0') })).toBe(expected);
});
