import { expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import fc from 'fast-check';
import type { Micros } from '../model/event.js';
import { anchorsOf, type PlacedPublication, releasesOf } from './releases.js';

const ANY_PUBLICATIONS: fc.Arbitrary<readonly PlacedPublication[]> = fc
  .array(fc.record({ anchor: fc.nat(20), at: fc.nat(30), channel: fc.constantFrom('latest', 'next', 'beta') }), { maxLength: 12 })
  .map((rows) =>
    rows.map(({ anchor, at, channel }, position) => ({
      package: 'core',
      outlet: 'version' as const,
      version: `1.${position}.0`,
      channel,
      commit: 'c' as CommitId,
      at: at as Micros,
      anchor,
      source: 'git' as const,
      confidence: 'derived' as const,
    })),
  );

const ALL = new Set(['latest', 'next', 'beta']);

/** Finds the publication that first contained a position of the main line, by a search of all publications. */
function firstWith(position: number, channel: string, publications: readonly PlacedPublication[]): PlacedPublication | undefined {
  const sorted = [...publications].sort((a, b) => a.at - b.at || a.anchor - b.anchor || (a.version < b.version ? -1 : 1));
  const [first] = sorted;
  if (first === undefined || position <= first.anchor) return undefined;
  const own = sorted.filter((publication) => publication.channel === channel);
  const isNewChannel = channel !== 'latest' && channel !== first.channel;
  const before = isNewChannel ? sorted.slice(0, sorted.indexOf(own[0] as PlacedPublication)) : [];
  if (before.some(({ anchor }) => anchor >= position)) return undefined;
  return own.find((publication) => publication !== first && publication.anchor >= position);
}

test('each position of the main line is in the first publication on a channel that contains it, and none of those before the first', () => {
  fc.assert(
    fc.property(ANY_PUBLICATIONS, (publications) => {
      const { measured } = releasesOf(publications, ALL);
      for (const channel of ['latest', 'next', 'beta'])
        for (let position = 0; position <= 20; position++) {
          const found = measured.filter(
            ({ publication, after, upTo }) => publication.channel === channel && after < position && position <= upTo,
          );
          expect(found.map(({ publication }) => publication)).toEqual([firstWith(position, channel, publications) ?? []].flat());
        }
    }),
  );
});

test('what no publication on a channel measures, but has, came out with the first of it', () => {
  fc.assert(
    fc.property(ANY_PUBLICATIONS, (publications) => {
      const { measured, first } = releasesOf(publications, ALL);
      for (const channel of ['latest', 'next', 'beta']) {
        const own = publications.filter((publication) => publication.channel === channel);
        const found = first.filter(({ publication }) => publication.channel === channel);
        expect(found.map(({ publication }) => publication.at)).toEqual(own.length === 0 ? [] : [Math.min(...own.map(({ at }) => at))]);
        const parts = [...found, ...measured.filter(({ publication }) => publication.channel === channel)];
        for (let position = 0; position <= Math.max(-1, ...own.map(({ anchor }) => anchor)); position++)
          expect(parts.filter(({ after, upTo }) => after < position && position <= upTo)).toHaveLength(1);
      }
    }),
  );
});

test('the order in which publications are found does not matter', () => {
  fc.assert(
    fc.property(ANY_PUBLICATIONS, (publications) => {
      expect(releasesOf([...publications].reverse(), ALL)).toEqual(releasesOf(publications, ALL));
    }),
  );
});

test('a commit beside the main line reaches as far as the last of its ancestors there', () => {
  const anchors = anchorsOf(
    ['a', 'b', 'c'],
    [
      { id: 'a', parents: [] },
      { id: 'x', parents: ['a'] },
      { id: 'y', parents: ['x', 'b'] },
      { id: 'alone', parents: [] },
      { id: 'grafted', parents: ['alone'] },
    ],
  );
  expect(Object.fromEntries(anchors)).toEqual({ a: 0, b: 1, c: 2, x: 0, y: 1 });
});

test('a channel that no figure is about has no first publication, unless the package begins with it', () => {
  const placed = ['canary', 'latest', 'rc', 'next'].map(
    (channel, at): PlacedPublication => ({
      package: 'core',
      outlet: 'version',
      version: `${at}`,
      channel,
      commit: 'c' as CommitId,
      at: at as Micros,
      anchor: at,
      source: 'git',
      confidence: 'derived',
    }),
  );
  expect(releasesOf(placed, new Set(['next'])).first.map(({ publication }) => publication.channel)).toEqual(['canary', 'latest', 'next']);
});

test('an outlet says nothing of another: the first release at GitHub and the first deployment to an environment measure nothing', () => {
  const out = (outlet: PlacedPublication['outlet'], channel: string, at: number): PlacedPublication => ({
    package: 'core',
    outlet,
    version: `${at}`,
    channel,
    commit: 'c' as CommitId,
    at: at as Micros,
    anchor: at,
    source: 'api',
    confidence: 'exact',
  });
  const { measured, first } = releasesOf(
    [
      ...[1, 5, 9].map((at) => out('version', 'latest', at)),
      ...[7, 9].map((at) => out('release', 'github-release', at)),
      ...[3, 8].map((at) => out('deployment', 'deployment:production', at)),
      out('deployment', 'deployment:staging', 9),
    ],
    new Set(),
  );
  expect(measured.map(({ publication, after, upTo }) => `${publication.channel} ${after}-${upTo}`)).toEqual([
    'latest 1-5',
    'latest 5-9',
    'github-release 7-9',
    'deployment:production 3-8',
  ]);
  expect(first.map(({ publication, upTo }) => `${publication.channel} -${upTo}`)).toEqual([
    'latest -1',
    'github-release -7',
    'deployment:production -3',
    'deployment:staging -9',
  ]);
});
