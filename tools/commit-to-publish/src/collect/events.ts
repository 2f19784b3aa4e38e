import { hash } from 'node:crypto';
import type { CommitId } from '@tributary/model/ids';
import type { Event, Micros } from '../model/event.js';
import type { Stage } from '../model/stage.js';
import { idOf } from './event-id.js';
import type { LineCommit } from './layout.js';
import { stagesOfPull, testStage } from './pull-stages.js';
import type { PullTimes } from './pull-times.js';
import type { ChannelRelease, PackageReleases } from './releases.js';
import type { TestTimes } from './test-times.js';

/** A change: a commit of the main line that touches packages and does more than set a version. */
export interface MergedChange {
  /** The index of its commit on the main line. */
  readonly position: number;
  readonly commit: LineCommit;
  /** Names of the packages whose releases must contain it. */
  readonly packages: readonly string[];
  /** Those packages of which it changed no published file. */
  readonly unpublished: ReadonlySet<string>;
  /** A web page that shows it. */
  readonly url: string | undefined;
  /** Its time is out of order, and no forge knows another. */
  readonly isMistimed?: true;
  /** The pull request, if a forge knows one. */
  readonly pull?: PullTimes;
  /** For a change without a pull request: its tests on the main line, if a forge knows them. */
  readonly tests?: readonly TestTimes[];
}

/** The facts that all events of a collection share. */
export interface EventScene {
  readonly repo: string;
  readonly teamOf: (packageName: string) => string | undefined;
  readonly recordedAt: Micros;
  /** Which other repository published, where it was another: the package had moved there with its changes. */
  readonly publisher?: string;
}

/**
 * Returns the merges and publications of changes, as git, the registry and a forge know them. `releases`: by package name, as returned by
 * `releasesOf`.
 */
export function eventsOf(
  changes: readonly MergedChange[],
  releases: ReadonlyMap<string, PackageReleases>,
  scene: EventScene,
): readonly Event[] {
  const merges = changes.flatMap((change) => change.packages.flatMap((name) => mergeEvents(change, name, scene)));
  return [...merges, ...publicationEvents(changes, releases, scene)];
}

/** The publications alone. */
export function publicationEvents(
  changes: readonly MergedChange[],
  releases: ReadonlyMap<string, PackageReleases>,
  scene: EventScene,
): readonly Event[] {
  const byPackage = changesByPackage(changes);
  const events: Event[] = [];
  for (const [name, { measured, first }] of releases) {
    const own = byPackage.get(name) ?? [];
    for (const release of first)
      for (const change of changesIn(own, release)) events.push(eventOf(change, scene, unmeasuredFields(release, scene)));
    for (const release of measured) {
      const changed = changesIn(own, release);
      const fields = changed.length === 0 ? [] : publishFields(release, scene);
      for (const change of changed) {
        if (change.isMistimed || isBefore(release, change)) events.push(eventOf(change, scene, unmeasuredFields(release, scene)));
        else for (const one of fields) events.push(eventOf(change, scene, asKnown(one, release, change)));
      }
    }
  }
  return events;
}

/** Returns the changes of each package, in their order. */
export function changesByPackage(changes: readonly MergedChange[]): ReadonlyMap<string, readonly MergedChange[]> {
  const found = new Map<string, MergedChange[]>();
  for (const change of changes)
    for (const name of change.packages) {
      const own = found.get(name);
      if (own === undefined) found.set(name, [change]);
      else own.push(change);
    }
  return found;
}

/** Returns the changes that a release was the first to contain, in the order of the main line. */
export function changesIn(
  changes: readonly MergedChange[],
  { after, upTo, picked, without }: Omit<ChannelRelease, 'publication'>,
): readonly MergedChange[] {
  const inOrder = changes.slice(firstBehind(changes, after), firstBehind(changes, upTo));
  const fresh = without === undefined ? inOrder : inOrder.filter(({ position }) => !without.has(position));
  return picked === undefined ? fresh : [...fresh, ...changes.filter(({ position }) => picked.has(position))];
}

const HOUR = 3600e6;

/**
 * Tells whether a release is earlier than the merge of a change in it by more than clocks may differ. One of the two times is wrong, and
 * the lead time would be zero.
 */
export function isBefore({ publication }: ChannelRelease, { commit }: MergedChange): boolean {
  return commit.at - publication.at > HOUR;
}

function firstBehind(changes: readonly MergedChange[], position: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.position ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Without a pull request, the commit stands for the merge, and the time from which it waited is unknown. */
function mergeEvents(change: MergedChange, name: string, scene: EventScene): readonly Event[] {
  const stages =
    change.pull === undefined ? (change.tests ?? []).map((tests) => testStage('post-merge-tests', tests)) : stagesOfPull(change.pull);
  const known = stages.map((stage) => eventOf(change, scene, { package: name, ...stage }));
  if (change.pull !== undefined) return known;
  const { at } = change.commit;
  const merge = eventOf(change, scene, {
    package: name,
    stage: 'merge-wait',
    attempt: 1,
    startedAt: at,
    endedAt: at,
    source: 'git',
    confidence: 'derived',
  });
  return [merge, ...known];
}

/** Returns what the events of all changes in a release share. */
function publishFields({ publication }: ChannelRelease, { publisher }: EventScene): readonly OwnFields[] {
  const { begun = publication.at, at, channel, version, source, confidence, failed = [], package: name } = publication;
  const what = { package: name, stage: 'publish', release: version, channel } as const;
  // Attempts that failed are only told of where the change was made: elsewhere nobody could say later whose they were.
  const attempts = (publisher === undefined ? failed : []).map(({ startedAt, endedAt, outcome }, nth): OwnFields => {
    const times = { startedAt: (startedAt * 1000) as Micros, endedAt: (endedAt * 1000) as Micros };
    return { ...what, ...times, attempt: attemptOf(channel, nth + 1), outcome, source: 'api', confidence: 'exact' };
  });
  return [...attempts, { attempt: attemptOf(channel, 0, publisher), startedAt: begun, endedAt: at, source, confidence, ...what }];
}

/**
 * A publication no later than the change says nothing of how long it took: its time is that of the commit, or clocks differ. The times of
 * attempts that failed come from elsewhere.
 */
function asKnown(fields: OwnFields, { publication }: ChannelRelease, { commit }: MergedChange): OwnFields {
  return fields.outcome === undefined && publication.at <= commit.at ? { ...fields, confidence: 'at-least' } : fields;
}

/** The same for changes whose wait a release ends without a measurement. */
function unmeasuredFields({ publication }: ChannelRelease, { publisher }: EventScene): OwnFields {
  const { at, channel, version: release, source, confidence, package: name } = publication;
  const what = { package: name, stage: 'publish', release, channel, outcome: 'unmeasured' } as const;
  return { attempt: attemptOf(channel, 0, publisher), startedAt: at, endedAt: at, source, confidence, ...what };
}

export type OwnFields = Pick<Event, 'package' | 'attempt' | 'startedAt' | 'endedAt' | 'source' | 'confidence'> &
  Partial<Pick<Event, 'release' | 'channel' | 'consumer' | 'outcome' | 'actor' | 'url'>> & { readonly stage: Stage };

/** The same facts give the same id, whenever they are collected. A copy that gets fields afterwards (`{ ...own, url }`) takes many times as long. */
export function eventOf(change: MergedChange, { repo, teamOf, recordedAt }: Omit<EventScene, 'publisher'>, own: OwnFields): Event {
  const team = teamOf(own.package);
  const url = change.pull?.url ?? change.url;
  const event = {
    id: '',
    schemaVersion: 1 as const,
    change: change.commit.id as CommitId as string,
    repo,
    outcome: 'success' as const,
    actor: change.pull?.author ?? change.commit.actor,
    ...(team === undefined ? {} : { team }),
    ...(url === undefined ? {} : { url }),
    ...(change.unpublished.has(own.package) ? { files: 'unpublished' as const } : {}),
    recordedAt,
    ...own,
  };
  event.id = idOf(event);
  return event;
}

/**
 * A record keeps one event for each attempt at a stage, and a change comes out once on each channel: so each channel has a number of its
 * own, the same for ever. `latest` is the first. `failed`: of those that failed before, which one. `publisher`: as in `EventScene`, for a
 * change comes out once from each repository that has it.
 */
export function attemptOf(channel: string, failed = 0, publisher?: string): number {
  if (channel === 'latest' && failed === 0 && publisher === undefined) return 1;
  const text = [channel, ...(failed === 0 ? [] : [failed]), ...(publisher === undefined ? [] : ['by', publisher])].join('\0');
  return 2 + (Number.parseInt(hash('sha256', text, 'hex').slice(0, 8), 16) % 900_000);
}
