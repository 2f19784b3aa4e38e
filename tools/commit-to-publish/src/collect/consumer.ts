import type { CommitId } from '@tributary/model/ids';
import type { Event } from '../model/event.js';
import type { Layout } from './layout.js';
import type { MainLine } from './main-line.js';
import type { PullTimes } from './pull-times.js';
import type { PackageReleases, PlacedPublication, Release } from './releases.js';
import { usersOf } from './users.js';

/** A repository as one that takes packages of others. Places are those of its main line. */
export interface Consumer {
  /** What it is called in the record. */
  readonly name: string;
  /** The pull request that a commit came with, where a forge knows one. */
  readonly pullAt: (place: number) => PullTimes | undefined;
  readonly actorAt: (place: number) => Event['actor'];
  /** The publications, the first on each channel, that brought out what a commit did to a package from elsewhere; those of one place are named with their package, if there are several. */
  readonly releasesWith: (packageName: string, place: number) => readonly ConsumerRelease[];
}

interface ConsumerRelease {
  readonly publication: PlacedPublication;
  /** As an event has it. */
  readonly outcome: 'success' | 'unmeasured';
}

interface ConsumerParts {
  readonly repo: string;
  readonly main: MainLine;
  readonly releases: ReadonlyMap<string, PackageReleases>;
  readonly pullOf: ReadonlyMap<CommitId, PullTimes>;
}

export function consumerOf({ repo, main, releases, pullOf }: ConsumerParts): Consumer {
  const commitAt = (place: number): MainLine['steps'][number]['commit'] | undefined => main.steps[place]?.commit;
  return {
    name: repo,
    pullAt: (place) => pullOf.get(commitAt(place)?.id as CommitId),
    actorAt: (place) => commitAt(place)?.actor ?? 'person',
    releasesWith: (packageName, place) => {
      const layout: Layout = main.steps[place]?.layout ?? new Map();
      // As it was then: what moved in later gives no other name to what came out before.
      const isOne = [...layout.values()].filter(({ name }) => releases.has(name)).length < 2;
      const users = [...usersOf(packageName, layout)];
      const ofUsers = (kind: keyof PackageReleases): readonly Release[] => users.flatMap((user) => releases.get(user)?.[kind] ?? []);
      const measured = firstWith(place, ofUsers('measured'));
      const unmeasured = firstWith(place, ofUsers('first')).filter(({ channel }) => !measured.some((one) => one.channel === channel));
      const named = (one: PlacedPublication): PlacedPublication => (isOne ? one : { ...one, version: `${one.package}@${one.version}` });
      return [
        ...measured.map((one) => ({ publication: named(one), outcome: 'success' as const })),
        ...unmeasured.map((one) => ({ publication: named(one), outcome: 'unmeasured' as const })),
      ];
    },
  };
}

/** Of the publications with what was done at a place the first on each channel. */
function firstWith(place: number, releases: readonly Release[]): readonly PlacedPublication[] {
  const first = new Map<string, PlacedPublication>();
  for (const { publication, after, upTo } of releases) {
    const known = first.get(publication.channel);
    if (after < place && place <= upTo && (known === undefined || publication.at < known.at)) first.set(publication.channel, publication);
  }
  return [...first.values()];
}
