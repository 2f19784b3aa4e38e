// Changes of a package that left: they wait for nothing, on no channel.
import { expect, test } from '@jest/globals';
import type { CommitId } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import type { Micros } from '../model/event.js';
import { type Departure, departuresOf } from './departures.js';
import type { MergedChange } from './events.js';
import type { Layout, MainLineStep } from './layout.js';
import { type PlacedPublication, releasesOf } from './releases.js';

function changeAt(position: number): MergedChange {
  const commit = { id: `c${position}` as CommitId, at: (position * 1e6) as Micros } as MergedChange['commit'];
  return { position, commit, packages: ['core'], unpublished: new Set(), url: undefined };
}

function publicationAt(anchor: number, version: string, channel: string): PlacedPublication {
  const commit = `c${anchor}` as CommitId;
  return {
    package: 'core',
    outlet: 'version',
    version,
    channel,
    commit,
    at: (anchor * 1e6) as Micros,
    anchor,
    source: 'git',
    confidence: 'derived',
  };
}

interface Story {
  readonly placed?: readonly PlacedPublication[];
  readonly former?: readonly PlacedPublication[];
  readonly counted?: readonly string[];
}

interface Left extends Omit<Departure, 'changes' | 'package'> {
  /** Their places. */
  readonly changes: readonly number[];
}

/** Departures of a package with changes at 1, 2, 3 and 4 that leaves at 5. */
function leave({ placed = [], former = [], counted = [] }: Story): readonly Left[] {
  const there: Layout = new Map([['core' as RepoFolder, { name: 'core' } as never]]);
  const gone: Layout = new Map();
  const steps = [0, 1, 2, 3, 4, 5].map((position) => ({ layout: position < 5 ? there : gone }) as MainLineStep);
  const figures = new Set(counted);
  const found = departuresOf({
    main: { steps, countedPrivate: new Set() },
    changes: [1, 2, 3, 4].map(changeAt),
    publications: new Map([['core', { placed }]]),
    releases: new Map([['core', releasesOf(placed, figures, former)]]),
    former: new Map([['core', former]]),
    counted: figures,
  });
  return found.map(({ at, channels, released, changes: left }) => ({
    at,
    channels,
    released,
    changes: left.map(({ position }) => position),
  }));
}

test('what never came out here waits on none of the channels of before the move', () => {
  const former = [publicationAt(0, '1.0.0', 'latest')];
  expect(leave({ former })).toEqual([{ at: 5, channels: ['latest'], released: 'never', changes: [1, 2, 3, 4] }]);
  expect(leave({ former, counted: ['next'] })).toMatchObject([{ channels: ['latest', 'next'] }]);
  expect(leave({})).toMatchObject([{ channels: ['latest'], released: 'never' }]);
});

test('what came out as a beta alone waits no more on the main channel, nor on one that is counted', () => {
  const placed = [publicationAt(1, '1.0.0', 'latest'), publicationAt(2, '1.1.0-beta.0', 'beta'), publicationAt(3, '1.1.0-beta.1', 'beta')];
  const beta = { at: 5, channels: ['latest'], released: 'in part', changes: [2, 3] };
  const never = { at: 5, channels: ['beta', 'latest'], released: 'never', changes: [4] };
  expect(leave({ placed })).toEqual([beta, never]);
  // Change 1 came out as `latest`: nobody counts `beta`, unless a rule says so.
  expect(leave({ placed: [...placed, publicationAt(4, '1.1.0', 'latest')] })).toEqual([]);
  expect(leave({ placed: [...placed, publicationAt(4, '1.1.0', 'latest')], counted: ['beta'] })).toEqual([
    { at: 5, channels: ['beta'], released: 'in part', changes: [4] },
  ]);
});
