import compare from 'semver/functions/compare.js';
import type { Event, Micros } from '../model/event.js';
import { type Adoption, adoptionOf, type ResolvedVersion } from './adoptions.js';
import type { Consumer } from './consumer.js';
import { attemptOf, changesIn, type EventScene, eventOf, type MergedChange, type OwnFields } from './events.js';
import type { PullTimes } from './pull-times.js';
import type { ChannelRelease } from './releases.js';

/** The versions to which a consumer's lockfile resolved a package, in the order of the main line. */
interface ConsumerHistory {
  readonly consumer: Consumer;
  readonly package: string;
  readonly resolutions: readonly ResolvedVersion[];
  /** The times when the package was a workspace of the consumer, which cannot take versions published then. */
  readonly asWorkspace: readonly WorkspaceTime[];
}

/** A period in which a package was a workspace, from one commit to another; without `until` it still is. */
export interface WorkspaceTime {
  readonly since: Micros;
  /** The index of the commit of `since` on the main line. */
  readonly position: number;
  readonly until: Micros | undefined;
}

interface ConsumerUpgrades {
  readonly events: readonly Event[];
  /** The number of versions published while the consumer had the package: taken, skipped for a later one, or not reached yet. */
  readonly counts: { readonly taken: number; readonly skipped: number; readonly open: number };
}

/**
 * Returns when the changes of a package reached a consumer: with the first version containing them that it took or passed. `changes`: those
 * of the package.
 */
export function upgradesOf(
  changes: readonly MergedChange[],
  releases: readonly ChannelRelease[],
  { history, scene }: { readonly history: ConsumerHistory; readonly scene: EventScene },
): ConsumerUpgrades {
  const counts = { taken: 0, skipped: 0, open: 0 };
  const first = new Map<MergedChange, Upgrade>();
  for (const { publication, after, upTo } of releases) {
    const { version, at, outlet } = publication;
    // Only versions can be in a lockfile. Who passed a version of a release branch need not have its cherry-picks.
    if (outlet !== 'version' || upTo <= after) continue;
    const adoption = adoptionOf(version, history.resolutions);
    const began = beganBefore(adoption?.position ?? Number.POSITIVE_INFINITY, history);
    if (adoption !== undefined) counts[adoption.kind]++;
    else if (isOpen(publication, began, history)) counts.open++;
    if (adoption === undefined || began === undefined) continue;
    const upgrade = { published: Math.max(at, began.at) as Micros, adoption };
    for (const change of changesIn(changes, { after, upTo }))
      if (adoption.at < (first.get(change)?.adoption.at ?? Number.POSITIVE_INFINITY)) first.set(change, upgrade);
  }
  const fields = new Map<Upgrade, readonly OwnFields[]>();
  for (const upgrade of first.values()) if (!fields.has(upgrade)) fields.set(upgrade, fieldsOf(upgrade, history));
  const events = [...first].flatMap(([change, upgrade]) => (fields.get(upgrade) ?? []).map((own) => eventOf(change, scene, own)));
  return { events, counts };
}

/** Returns the version with which the package last came in before a position. */
function beganBefore(position: number, { resolutions }: ConsumerHistory): ResolvedVersion | undefined {
  return resolutions.findLast(({ how, position: came }) => how === 'came in' && came < position);
}

/** Tells whether the consumer can still take a version: not if it started at or beyond it, nor while the package is its own workspace. */
function isOpen(
  { version, at }: ChannelRelease['publication'],
  began: ResolvedVersion | undefined,
  { resolutions, asWorkspace }: ConsumerHistory,
): boolean {
  if (began === undefined || at < began.at || resolutions.some((known) => compare(known.version, version) >= 0)) return false;
  return !asWorkspace.some(({ since, until }) => until === undefined || (since <= at && at < until));
}

/** The arrival of a version in a consumer. */
interface Upgrade {
  /** The earliest moment when the consumer could have taken it. */
  readonly published: Micros;
  readonly adoption: Adoption;
}

/** Returns the fields that all changes of an upgrade share: the upgrade, and the consumer's releases with it. */
function fieldsOf({ published, adoption }: Upgrade, { consumer, package: name }: ConsumerHistory): readonly OwnFields[] {
  const pull = consumer.pullAt(adoption.position);
  const own = { package: name, consumer: consumer.name };
  const by = { actor: pull?.author ?? consumer.actorAt(adoption.position), ...(pull === undefined ? {} : { url: pull.url }) };
  const stages = pull === undefined ? [mergeOf({ published, adoption })] : stagesOf(pull, published);
  const releases = consumer.releasesWith(name, adoption.position).map(({ publication, outcome }): UpgradeStage => {
    const { begun = publication.at, at, channel, source, confidence, version } = publication;
    const what = { stage: 'publish', attempt: attemptOf(channel), release: version, channel } as const;
    return { ...what, startedAt: earlier(begun, at), endedAt: at, outcome, source, confidence };
  });
  return [...stages, ...releases].map((stage) => ({ ...own, ...by, ...stage }));
}

type UpgradeStage = Omit<OwnFields, 'package' | 'consumer'>;

/** Without a pull request, the commit stands for the upgrade, and its start is unknown. */
function mergeOf({ published, adoption }: Upgrade): UpgradeStage {
  const times = { startedAt: earlier(published, adoption.at), endedAt: adoption.at };
  return { stage: 'upgrade-merge', attempt: 1, ...times, source: 'git', confidence: 'derived' };
}

/** A pull request that was open before the publication was changed for it later, at an unknown time. */
function stagesOf({ openedAt, readyAt, readiness, mergedAt, prTests }: PullTimes, published: Micros): readonly UpgradeStage[] {
  const merged = (mergedAt * 1000) as Micros;
  const out = earlier(published, merged);
  const opened = later((openedAt * 1000) as Micros, out);
  const ready = earlier(later((readyAt * 1000) as Micros, opened), merged);
  const tests = prTests.filter(({ endedAt }) => endedAt * 1000 > opened);
  const isOpenedForIt = openedAt * 1000 >= out;
  return [
    {
      ...({ stage: 'upgrade-open', attempt: 1, startedAt: out, endedAt: opened, source: 'api' } as const),
      confidence: isOpenedForIt ? 'exact' : 'derived',
    },
    ...tests.map(({ attempt, startedAt, endedAt, outcome, confidence }): UpgradeStage => {
      const times = { startedAt: (startedAt * 1000) as Micros, endedAt: (endedAt * 1000) as Micros };
      return { stage: 'upgrade-tests', attempt, ...times, outcome, source: 'api', confidence };
    }),
    { stage: 'upgrade-merge', attempt: 1, startedAt: ready, endedAt: merged, source: 'api', confidence: readiness },
  ];
}

function earlier(a: Micros, b: Micros): Micros {
  return a < b ? a : b;
}

function later(a: Micros, b: Micros): Micros {
  return a > b ? a : b;
}
