import { describe, expect, test } from '@jest/globals';
import type { CommitId, RefName } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import { type ContainedSighting, decideStates, type FolderSightings, type LostState, type Sighting } from './import-states.js';

const commit = (name: string): CommitId => name as CommitId;
const recordOf = (tip: string): ImportRecord => ({ importedTip: commit(tip) }) as ImportRecord;

function contained(merge: string, tip: string, change: { readonly joined?: string; readonly landing?: string } = {}): ContainedSighting {
  const { joined = tip, landing = merge } = change;
  return { record: recordOf(tip), merge: commit(merge), branch: undefined, joined: commit(joined), landing: commit(landing) };
}

/** Returns a sync that continues the import whose tip is `previous`. */
const sync = (merge: string, tip: string, previous: string): ContainedSighting => {
  const one = contained(merge, tip);
  return { ...one, record: { ...one.record, previousTip: commit(previous) } };
};

const quoted = (by: string, tip: string): Sighting => ({ record: recordOf(tip), merge: commit(by), branch: undefined });

function elsewhere(merge: string, tip: string, lost: LostState | undefined = 'copied'): FolderSightings['elsewhere'][number] {
  return { record: recordOf(tip), merge: commit(merge), branch: 'refs/heads/left' as RefName, lost };
}

const at = (origin: string): FolderSightings['folder'] => ({ origin: commit(origin), movedBy: undefined, movedTo: undefined });
const NOTHING: FolderSightings = { contained: [], quoted: [], elsewhere: [], folder: undefined, removedBy: undefined };

/** Returns states as `m: held`, `q: squashed by q, on left`. */
function tell(seen: Partial<FolderSightings>): readonly string[] {
  return decideStates({ ...NOTHING, ...seen }).map(({ merge, state, branch }) => {
    const by = 'by' in state && state.by !== undefined ? ` by ${state.by}` : '';
    return `${merge}: ${state.kind}${by}${branch === undefined ? '' : ', on left'}`;
  });
}

describe('what has become of an import', () => {
  test.each<[string, Partial<FolderSightings>, readonly string[]]>([
    ['merged', { contained: [contained('m', 't')], folder: at('m') }, ['m: held']],
    ['merged with others', { contained: [contained('m', 't', { landing: 'big' })], folder: at('big') }, ['m: held']],
    [
      'and its branch is left',
      { contained: [contained('m', 't')], elsewhere: [elsewhere('n', 't')], folder: at('m') },
      ['m: held', 'n: waiting, on left'],
    ],
    [
      'and its folder moved',
      { contained: [contained('m', 't')], folder: { origin: commit('m'), movedBy: commit('x'), movedTo: 'libs/a' } },
      ['m: held by x'],
    ],
    ['and reverted', { contained: [contained('m', 't')], removedBy: commit('r') }, ['m: removed by r']],
    ['and imported again', { contained: [contained('n', 't'), contained('m', 't')], folder: at('n') }, ['n: held', 'm: superseded by n']],
    ['and made anew', { contained: [contained('m', 't')], folder: at('x') }, ['m: replaced by x']],
    [
      'and a second import squashed',
      { contained: [contained('m', 't')], quoted: [quoted('q', 'u')], folder: at('q') },
      ['m: replaced by q', 'q: squashed by q'],
    ],
    [
      'and one squashed without a word',
      { contained: [contained('m', 't')], elsewhere: [elsewhere('n', 'u', 'squashed')], folder: at('q') },
      ['m: replaced by q', 'n: squashed by q, on left'],
    ],
    ['and synced', { contained: [sync('s', 'u', 't'), contained('m', 't')], folder: at('m') }, ['s: held', 'm: synced by s']],
    [
      'and synced twice',
      { contained: [sync('z', 'v', 'u'), sync('s', 'u', 't'), contained('m', 't')], folder: at('m') },
      ['z: held', 's: synced by z', 'm: synced by s'],
    ],
    [
      'and synced by two branches, each from the import',
      { contained: [sync('z', 'v', 't'), sync('s', 'u', 't'), contained('m', 't')], folder: at('m') },
      ['z: held', 's: synced by z', 'm: synced by z'],
    ],
    [
      'and synced, and reverted',
      { contained: [sync('s', 'u', 't'), contained('m', 't')], removedBy: commit('r') },
      ['s: removed by r', 'm: synced by s'],
    ],
    [
      'and synced, and the sync squashed',
      { contained: [contained('m', 't')], quoted: [sync('q', 'u', 't')], folder: at('m') },
      ['m: held', 'q: squashed by q'],
    ],
    [
      'and synced on a branch',
      {
        contained: [contained('m', 't')],
        elsewhere: [{ ...sync('s', 'u', 't'), branch: 'refs/heads/left' as RefName, lost: 'copied' }],
        folder: at('m'),
      },
      ['m: held', 's: waiting, on left'],
    ],
    ['and quoted', { contained: [contained('m', 't')], quoted: [quoted('q', 't')], folder: at('m') }, ['m: held']],
    ['squashed', { quoted: [quoted('q', 't')], folder: at('q') }, ['q: squashed by q']],
    [
      'squashed, and its branch is left',
      { quoted: [quoted('q', 't')], elsewhere: [elsewhere('n', 't')], folder: at('q') },
      ['q: squashed by q, on left'],
    ],
    ['squashed, and taken away', { quoted: [quoted('q', 't')], removedBy: commit('r') }, []],
    ['squashed, taken away and merged', { contained: [contained('m', 't')], quoted: [quoted('q', 't')], folder: at('m') }, ['m: held']],
    [
      'squashed, and its branch merged on top',
      { contained: [contained('m', 't')], quoted: [quoted('q', 't')], folder: at('q') },
      ['m: replaced by q'],
    ],
    ['rewritten', { contained: [contained('m', 't', { joined: 'u' })], folder: at('m') }, ['m: rewritten by m']],
    [
      'rewritten, and its branch is left',
      { contained: [contained('m', 't', { joined: 'u' })], elsewhere: [elsewhere('n', 't')], folder: at('m') },
      ['m: rewritten by m, on left'],
    ],
    ['on a branch', { elsewhere: [elsewhere('n', 't')] }, ['n: waiting, on left']],
    ['on a branch, and its files are here', { elsewhere: [elsewhere('n', 't', 'rebased')], folder: at('x') }, ['n: rebased by x, on left']],
    [
      'on a branch, and other files are here',
      { elsewhere: [{ ...elsewhere('n', 't'), lost: undefined }], folder: at('x') },
      ['n: waiting, on left'],
    ],
    ['a merge that does not hold the files', { contained: [contained('m', 't')] }, ['m: held']],
  ])('%s', (_title, seen, expected) => {
    expect(tell(seen)).toEqual(expected);
  });
});
