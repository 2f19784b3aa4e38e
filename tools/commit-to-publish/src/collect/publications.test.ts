import { expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import type { Micros } from '../model/event.js';
import type { GitTrace, RegistryTrace } from './publication.js';
import { publicationsOf, type RegistryFacts } from './publications.js';

const at = (hours: number): Micros => (1.6e15 + hours * 3600e6) as Micros;

/** Places the tags 1.0.0 (hour 0) and 1.1.0 (hour 9) beside these uploads of `docs`. */
function placed(uploads: Readonly<Record<string, RegistryTrace>> | undefined, lacks?: RegistryFacts['lacks']): readonly string[] {
  const tag = (id: string, hour: number): GitTrace => ({ commit: id as CommitId, committed: at(hour), tagged: at(hour), isRelease: true });
  const tags = new Map([['docs', new Map(Object.entries({ '1.0.0': tag('a', 0), '1.1.0': tag('b', 9) }))]]);
  const registry = new Map(
    uploads === undefined ? [] : [['docs', { versions: new Map(Object.entries(uploads)), distTags: new Map(), lacks }]],
  );
  const publications = publicationsOf('docs', {
    traces: { tags, bumps: new Map(), unclaimed: [] },
    registry,
    anchors: new Map([
      ['a' as CommitId, 0],
      ['b' as CommitId, 1],
    ]),
    mistimed: new Set(),
    landings: new Map(),
    picks: new Map(),
    now: at(1000),
    sources: new Set(['tags', 'versions']),
    channels: new Map(),
  });
  return [
    ...publications.placed.map(({ version, source, confidence }) => `${version} ${source}${confidence === 'at-least' ? ' at least' : ''}`),
    ...publications.refused.map(({ version, why }) => `${version}: ${why}`),
  ];
}

const time = (hours: number): RegistryTrace => ({ at: at(hours), commit: undefined });

test.each([
  ['nothing', undefined, ['1.0.0 git', '1.1.0 git']],
  ['one of both versions', { '1.0.0': time(1) }, ['1.0.0 registry', '1.1.0: not in the registry']],
  [
    'an upload of a commit of the clone',
    { '1.1.1': { at: at(20), commit: { id: 'b' as CommitId, at: at(9) } } },
    ['1.1.1 registry', '1.0.0: not in the registry', '1.1.0: not in the registry'],
  ],
  [
    "somebody else's versions",
    { '3.0.0': time(9) },
    ['1.0.0 git', '1.1.0 git', '1.0.0: another package', '1.1.0: another package', '3.0.0: no commit'],
  ],
  [
    "somebody else's version of the same number",
    { '1.0.0': time(-9000) },
    ['1.0.0 git', '1.1.0 git', '1.0.0: registry time is implausible', '1.1.0: another package'],
  ],
] as const)('a registry with %s', (_, uploads, expected) => {
  expect(placed(uploads)).toEqual(expected);
});

test.each(['latest', 'first'] as const)('a registry that lacks its own %s version takes none away, but may not have had it', (lacks) => {
  expect(placed({ '1.0.0': time(1) }, lacks)).toEqual(['1.0.0 registry', '1.1.0 git at least', `1.1.0: registry lacks its ${lacks}`]);
});
