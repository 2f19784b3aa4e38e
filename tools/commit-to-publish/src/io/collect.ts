import { ToolError } from '@tributary/model/errors';
import { withApart } from '../collect/apart.js';
import {
  type Collection,
  groupByReason,
  type PackageHolder,
  type RepositorySummary,
  summarise,
  type UpgradeSummary,
} from '../collect/collection.js';
import { consumerOf } from '../collect/consumer.js';
import { departedEvents } from '../collect/departures.js';
import { changesByPackage, type EventScene, eventsOf, type MergedChange, publicationEvents } from '../collect/events.js';
import { isThere } from '../collect/layout.js';
import { joinHistory } from '../collect/lineage.js';
import { onlyOf, type PackageTest, packageTest } from '../collect/only-packages.js';
import { renamedIn } from '../collect/renamed-in-place.js';
import { groupUnreadable, type UnreadableContent } from '../collect/unreadable.js';
import { upgradesOf } from '../collect/upgrades.js';
import type { Event } from '../model/event.js';
import { type CloneState, readCloneState } from './clone-state.js';
import type { CollectWork } from './collect-work.js';
import { type Clone, openClone } from './open-clone.js';
import { type ImportingClone, type KnownNames, namesOf, readClone, readImports } from './read-imports.js';
import { type CollectedRepository, type ReadRepository, readRepository } from './read-repository.js';
import { readResolutions } from './read-resolutions.js';
import { arrivalKey, recordEvents } from './record-events.js';

/**
 * Records what clones, and the registry if one is named, say about changes, their publications and upgrades.
 * A process killed at any moment has recorded a part, and the next one records the rest. Throws the errors of `openClone`, `readRepository`
 * `packageTest` and `readCollected`.
 */
export async function collect(work: CollectWork): Promise<Collection> {
  const { repositories, names } = await readRepositories(work);
  const isAsked = packageTest(work.packages, repositories);
  const events = eventsOfAll(repositories, work);
  const upgrades: UpgradeSummary[] = [];
  const unreadable: (readonly UnreadableContent[])[] = [];
  for (const consumer of repositories) {
    work.progress.phase(`Reading the lockfiles of ${consumer.repo}`);
    const into = await readUpgrades(consumer, repositories, { ...work, ...names });
    upgrades.push(...into.summaries);
    unreadable.push(into.unreadable);
    for (const [at, own] of into.events) events[at]?.push(...own);
  }
  work.progress.phase('Recording events');
  const states: CloneState[] = [];
  for (const repository of repositories) states.push(await readCloneState(work.record, { ...repository, what: work.what }));
  const repos = new Set(repositories.filter((_, at) => states[at] === 'current').map(({ repo }) => repo));
  const summaries: RepositorySummary[] = [];
  for (const [at, repository] of repositories.entries()) {
    const recording = { ...work, repos, all: repositories, isAsked, state: states[at] ?? 'behind' };
    const summary = await record(repository, events[at] ?? [], recording);
    summaries.push({ ...summary, unreadableLockfiles: groupUnreadable(unreadable[at] ?? []) });
  }
  return { repositories: summaries, upgrades: upgrades.filter((one) => isAsked(one.package)) };
}

interface ReadRepositories {
  readonly repositories: readonly CollectedRepository[];
  readonly names: KnownNames;
}

async function readRepositories(work: CollectWork): Promise<ReadRepositories> {
  const clones: Clone[] = [];
  for (const folder of work.clones) clones.push(await openClone(folder, work.signal));
  refuseTwice(clones.map(({ name }) => work.name ?? name));
  const importing: ImportingClone[] = [];
  for (const clone of clones) {
    const read = await readClone(clone);
    const { imports, unreadable } = read.history.mayImport ? await readImports(read) : { imports: [], unreadable: [] };
    importing.push({ ...read, imports, unreadableImports: unreadable });
  }
  const all = importing.flatMap(({ imports }) => imports);
  const names = namesOf(work.config.renamed, all);
  const read: ReadRepository[] = [];
  for (const clone of importing) read.push(await readRepository(clone, { ...work, ...names }));
  const counted = new Set(work.config.channels);
  const joined = read.map((own): CollectedRepository => ({ ...own, ...joinHistory(own, read, counted) }));
  return { repositories: withoutJoined(joined), names };
}

/** Returns the events of the changes of each repository, but for those about upgrades. */
function eventsOfAll(repositories: readonly CollectedRepository[], work: CollectWork): readonly Event[][] {
  const events = repositories.map((repository) => [
    ...withApart(eventsOf(repository.changes, repository.releases, sceneOf(repository, work)), repository.apart, sceneOf(repository, work)),
    ...departed(repository, sceneOf(repository, work)),
  ]);
  for (const repository of repositories)
    for (const [from, own] of releasedAfterMove(repository, repositories, work)) events[from]?.push(...own);
  return events;
}

function sceneOf({ repo, teamOf }: CollectedRepository, { now }: CollectWork): EventScene {
  return { repo, teamOf, recordedAt: now };
}

/** What a package left behind is not lost where another repository that is collected goes on with it. */
function withoutJoined(repositories: readonly CollectedRepository[]): readonly CollectedRepository[] {
  const keyOf = (name: string, { commit }: MergedChange): string => `${commit.id} ${name}`;
  const joined = new Set(
    repositories.flatMap(({ unreleased }) => [...unreleased].flatMap(([name, left]) => left.map(({ change }) => keyOf(name, change)))),
  );
  return repositories.map(({ departures, ...repository }) => {
    const lost = departures.map((departure) => ({
      ...departure,
      changes: departure.changes.filter((change) => !joined.has(keyOf(departure.package, change))),
    }));
    return { ...repository, departures: lost.filter(({ changes }) => changes.length > 0) };
  });
}

function departed({ main, departures }: CollectedRepository, scene: EventScene): readonly Event[] {
  return departures.flatMap((departure) => {
    const leftAt = main.steps[departure.at]?.commit.at;
    return leftAt === undefined ? [] : departedEvents(departure, leftAt, scene);
  });
}

/** The other repositories that have a package of a name now. */
function holdersOf(name: string, from: CollectedRepository, all: readonly CollectedRepository[]): readonly PackageHolder[] {
  const holders = all.filter((other) => other !== from && isThere(name, other.main.steps.at(-1)));
  return holders.map(({ repo, moves }) => ({
    repo,
    isJoined: [...moves.filter((move) => all[move.from] === from), ...from.moves.filter((move) => all[move.from]?.repo === repo)].some(
      (move) => move.package === name,
    ),
  }));
}

/** The publications here of changes that came along unreleased, by the place of the repository in which they were made. */
function releasedAfterMove(
  { repo, unreleased, releases }: CollectedRepository,
  all: readonly CollectedRepository[],
  work: CollectWork,
): readonly (readonly [from: number, events: readonly Event[]])[] {
  return [...unreleased].flatMap(([name, left]) =>
    all.map((source, from) => {
      const own = left.filter((one) => one.from === from).map(({ change, at }) => ({ ...change, position: at, packages: [name] }));
      const changes = own.sort((a, b) => a.position - b.position);
      const ofPackage = new Map([...releases].filter(([packageName]) => packageName === name));
      return [from, publicationEvents(changes, ofPackage, { ...sceneOf(source, work), publisher: repo })] as const;
    }),
  );
}

interface ReadUpgrades {
  readonly summaries: readonly UpgradeSummary[];
  /** By the index of the package's repository. */
  readonly events: ReadonlyMap<number, readonly Event[]>;
  /** Commits with an unreadable lockfile of the consumer. */
  readonly unreadable: readonly UnreadableContent[];
}

async function readUpgrades(
  consumer: CollectedRepository,
  all: readonly CollectedRepository[],
  work: CollectWork & KnownNames,
): Promise<ReadUpgrades> {
  const providers = [...all.entries()].filter(([, repository]) => repository !== consumer);
  const wanted = new Set(providers.flatMap(([, { main }]) => [...main.published]));
  const { byPackage: resolutions, unreadable } = await readResolutions(consumer.clone.git, consumer.main, { wanted, ...work });
  const taker = consumerOf(consumer);
  const summaries: UpgradeSummary[] = [];
  const events = new Map<number, readonly Event[]>();
  for (const [at, provider] of providers) {
    const { main, changes, releases } = provider;
    const found: Event[] = [];
    const changesOf = changesByPackage(changes);
    for (const name of main.published) {
      const own = resolutions.get(name);
      if (own === undefined) continue;
      const history = { consumer: taker, package: name, resolutions: own.versions, asWorkspace: own.asWorkspace };
      const upgrades = upgradesOf(changesOf.get(name) ?? [], releases.get(name)?.measured ?? [], {
        history,
        scene: sceneOf(provider, work),
      });
      found.push(...upgrades.events);
      const open = isThere(name, main.steps.at(-1)) ? upgrades.counts.open : 0; // nobody waits for a package that is gone
      summaries.push({ package: name, consumer: consumer.repo, ...upgrades.counts, open });
    }
    events.set(at, found);
  }
  return { summaries, events, unreadable };
}

async function record(
  repository: CollectedRepository,
  events: readonly Event[],
  work: CollectWork & {
    readonly repos: ReadonlySet<string>;
    readonly all: readonly CollectedRepository[];
    readonly isAsked: PackageTest;
    readonly state: CloneState;
  },
): Promise<Omit<RepositorySummary, 'unreadableLockfiles'>> {
  const told = onlyOf(repository, work.isAsked);
  const { repo, clone, main, changes, pulls, unclaimed, unknown, leftAtGitHub, hasTags } = told;
  const since = work.since;
  const merged = new Map(repository.changes.map(({ commit }) => [commit.id as string, commit.at]));
  const isWanted = (event: Event): boolean =>
    work.isAsked(event.package) && (since === undefined || (merged.get(event.change) ?? 0) >= since);
  const asked = new Set<Event['source']>([
    ...(work.forge === undefined ? [] : ['api' as const]),
    ...(work.config.registry === undefined ? [] : ['registry' as const]),
  ]);
  const { flawed, moved, arrivedElsewhere, ...counts } = await recordEvents(events, {
    ...work,
    repo,
    clone,
    first: main.steps[0]?.commit.id,
    swapped: repository.swapped,
    hasTags,
    asked,
    isWanted,
  });
  return {
    repo,
    head: clone.head,
    ...summarise(told),
    since: since === undefined ? null : { from: since, changes: changes.filter(({ commit }) => commit.at >= since).length },
    unclaimedTags: groupByReason(unclaimed),
    former: told.former,
    withoutFormer: told.withoutFormer.map(({ package: name, source }) => ({ package: name, source })),
    unreleased: [...told.unreleased].map(([name, left]) => ({ package: name, changes: left.map(({ change }) => change.commit.id) })),
    returned: told.moves
      .filter(({ isReturn }) => isReturn)
      .map(({ package: name, from, at }) => ({
        package: name,
        source: work.all[from]?.repo ?? '',
        commit: main.steps[at]?.commit.id ?? '',
      })),
    departed: told.departures.flatMap(({ package: name, at, channels, released, changes: left }) => {
      const lost = left.filter(
        ({ commit }) => !channels.every((channel) => arrivedElsewhere.has(arrivalKey({ change: commit.id, package: name, channel }))),
      );
      return lost.length === 0
        ? []
        : [
            {
              package: name,
              commit: main.steps[at]?.commit.id ?? '',
              channels: released === 'never' ? null : channels,
              holders: holdersOf(name, repository, work.all),
              changes: lost.map(({ commit }) => commit.id),
            },
          ];
    }),
    renamed: renamedIn(main).filter((one) => work.isAsked(one.former) || work.isAsked(one.name)),
    unreadableImports: repository.unreadableImports,
    unknown,
    leftAtGitHub,
    pullRequests: { changes: changes.filter(({ pull }) => pull !== undefined).length, withoutCommit: pulls.withoutCommit },
    clockSkew: pulls.clockSkew ?? null,
    flawed,
    moved,
    hasTags,
    clone: work.state,
    events: counts,
  };
}

function refuseTwice(names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new ToolError({
      code: 'USAGE',
      message: `Two clones have the name ${twice}.`,
      hint: 'List each repository once. Collect two of the same name separately, each with --name.',
    });
}
