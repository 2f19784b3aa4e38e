import { expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import type { Micros } from '../model/event.js';
import type { GitTrace, RegistryTrace } from './publication.js';
import { publicationsOf } from './publications.js';

const at = (hours: number): Micros => (1.6e15 + hours * 3600e6) as Micros;

/** Places the tags 1.0.0 (hour 0) and 1.1.0 (hour 9) beside these uploads of `docs`. */
function placed(uploads: Readonly<Record<string, RegistryTrace>> | undefined, isPartial = false): readonly string[] {
  const tag = (id: string, hour: number): GitTrace => ({ commit: id as CommitId, committed: at(hour), tagged: at(hour), isRelease: true });
  const tags = new Map([['docs', new Map(Object.entries({ '1.0.0': tag('a', 0), '1.1.0': tag('b', 9) }))]]);
  const registry = new Map(
    uploads === undefined ? [] : [['docs', { versions: new Map(Object.entries(uploads)), distTags: new Map(), isPartial }]],
  );
  const publications = publicationsOf('docs', {
    traces: { tags, bumps: new Map(), unclaimed: [] },
    registry,
    anchors: new Map([
      ['a' as CommitId, 0],
      ['b' as CommitId, 1],
    ]),
    landings: new Map(),
    sources: new Set(['tags', 'versions']),
    channels: new Map(),
  });
  return [
    ...publications.placed.map(({ version, source }) => `${version} ${source}`),
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

test('a registry that shows that it has only some versions takes none away', () => {
  expect(placed({ '1.0.0': time(1) }, true)).toEqual(['1.0.0 registry', '1.1.0 git', '1.1.0: partial registry']);
});
