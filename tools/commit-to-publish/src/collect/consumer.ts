import type { CommitId } from '@tributary/model/ids';
import type { Event } from '../model/event.js';
import type { Layout } from './layout.js';
import type { MainLine } from './main-line.js';
import type { PullTimes } from './pull-times.js';
import type { ChannelRelease, PackageReleases, PlacedPublication } from './releases.js';

/** A repository in its role as a consumer of packages. Places are indexes of its main line. */
export interface Consumer {
  /** The name of the repository in the record. */
  readonly name: string;
  /** Returns the pull request of a commit, if a forge knows it. */
  readonly pullAt: (position: number) => PullTimes | undefined;
  readonly actorAt: (position: number) => Event['actor'];
  /**
   * Returns the first publication on each channel that contains the commit and a package that uses `packageName`. If the commit has several
   * packages, the version includes the package name.
   */
  readonly releasesWith: (packageName: string, position: number) => readonly ConsumerRelease[];
}

interface ConsumerRelease {
  readonly publication: PlacedPublication;
  /** The outcome for an event. */
  readonly outcome: 'success' | 'unmeasured';
}

interface ConsumerParts {
  readonly repo: string;
  readonly main: MainLine;
  readonly releases: ReadonlyMap<string, PackageReleases>;
  readonly pullOf: ReadonlyMap<CommitId, PullTimes>;
}

export function consumerOf({ repo, main, releases, pullOf }: ConsumerParts): Consumer {
  const commitAt = (position: number): MainLine['steps'][number]['commit'] | undefined => main.steps[position]?.commit;
  return {
    name: repo,
    pullAt: (position) => pullOf.get(commitAt(position)?.id as CommitId),
    actorAt: (position) => commitAt(position)?.actor ?? 'person',
    releasesWith: (packageName, position) => {
      const layout: Layout = main.steps[position]?.layout ?? new Map();
      // The layout at that commit, so that a later import does not rename earlier publications.
      const isOne = [...layout.values()].filter(({ name }) => releases.has(name)).length < 2;
      const users = [...usersOf(packageName, layout)];
      const ofUsers = (kind: keyof PackageReleases): readonly ChannelRelease[] => users.flatMap((user) => releases.get(user)?.[kind] ?? []);
      const measured = firstWith(position, ofUsers('measured'));
      const unmeasured = firstWith(position, ofUsers('first')).filter(({ channel }) => !measured.some((one) => one.channel === channel));
      const named = (one: PlacedPublication): PlacedPublication => (isOne ? one : { ...one, version: `${one.package}@${one.version}` });
      return [
        ...measured.map((one) => ({ publication: named(one), outcome: 'success' as const })),
        ...unmeasured.map((one) => ({ publication: named(one), outcome: 'unmeasured' as const })),
      ];
    },
  };
}

/** Returns the first publication on each channel that contains the commit at a position. */
function firstWith(position: number, releases: readonly ChannelRelease[]): readonly PlacedPublication[] {
  const first = new Map<string, PlacedPublication>();
  for (const { publication, after, upTo } of releases) {
    const known = first.get(publication.channel);
    if (after < position && position <= upTo && (known === undefined || publication.at < known.at))
      first.set(publication.channel, publication);
  }
  return [...first.values()];
}

/**
 * Returns the packages of a repository that contain a package from elsewhere: those that name it, and those that need one of these. All, if
 * none names it, because it came with another package.
 */
export function usersOf(name: string, layout: Layout): ReadonlySet<string> {
  const members = [...layout.values()];
  const users = new Set<string>();
  for (let before = -1; before < users.size; ) {
    before = users.size;
    for (const member of members) if ([name, ...users].some((needed) => member.needs.has(needed))) users.add(member.name);
  }
  return users.size === 0 ? new Set(members.map((member) => member.name)) : users;
}
