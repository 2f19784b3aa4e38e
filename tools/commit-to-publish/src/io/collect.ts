import { ToolError } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import type { PublishConfig } from '@tributary/model/publish-config';
import type { Progress } from '@tributary/terminal/progress';
import { changesOf } from '../collect/changes.js';
import { type Collection, type RepositorySummary, summarise, type UpgradeSummary } from '../collect/collection.js';
import { consumerOf } from '../collect/consumer.js';
import { type Change, eventsOf } from '../collect/events.js';
import { deployedBy, type LeftAtGitHub } from '../collect/github-publications.js';
import { publishingBy, publishingOn, testsAfterMerge, withJobs } from '../collect/jobs.js';
import type { MainLine } from '../collect/main-line.js';
import type { Publications } from '../collect/publications.js';
import { pullsOnLine } from '../collect/pull-stages.js';
import type { PullTimes } from '../collect/pull-times.js';
import { type Release, releasesOf } from '../collect/releases.js';
import { TAG_PATTERNS } from '../collect/tag-name.js';
import { teamFinder } from '../collect/teams.js';
import { upgradesOf } from '../collect/upgrades.js';
import type { Event, Micros } from '../model/event.js';
import { eventFlaw } from '../model/parse-event.js';
import { readCollected, writeCollected } from './collected.js';
import { type GitHubAsked, sourceFor } from './github-source.js';
import { SegmentWriter } from './journal.js';
import { knownJobs } from './known-jobs.js';
import { knownPublications } from './known-publications.js';
import { knownPulls } from './known-pulls.js';
import { type Clone, openClone } from './open-clone.js';
import { readMainLine } from './read-main-line.js';
import { readPublications } from './read-publications.js';
import type { PullsRead } from './read-pulls.js';
import { readResolutions } from './read-resolutions.js';

export interface CollectWork {
  readonly clones: readonly AbsolutePath[];
  /** What the repository is called in the record; for a single clone. */
  readonly name: string | undefined;
  readonly record: AbsolutePath;
  readonly config: PublishConfig;
  /** Where pull requests and the like are; `undefined`: nobody is asked. */
  readonly github: GitHubAsked | undefined;
  /** `ask`: GitHub for the jobs of workflows too, a request for each run. */
  readonly jobs: 'ask' | 'as known';
  /** Only changes from then on. */
  readonly since: Micros | undefined;
  /** `all`: also what was recorded before. */
  readonly what: 'new' | 'all';
  readonly doing: 'record' | 'look';
  readonly now: Micros;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/**
 * Records what clones, and the registry where one is named, say about changes and their publications, and how their packages came into each other. Killed at any moment it has recorded a part, and the
 * next time the rest. Throws as `openClone`, `readPublications`, `knownPulls` and `readCollected`.
 */
export async function collect(work: CollectWork): Promise<Collection> {
  const repositories: Repository[] = [];
  for (const folder of work.clones) repositories.push(await readRepository(folder, work));
  refuseTwice(repositories);
  const upgrades: UpgradeSummary[] = [];
  const summaries: RepositorySummary[] = [];
  const byRepository = repositories.map((repository) => ownEvents(repository, work));
  const unreadable: number[] = [];
  for (const consumer of repositories) {
    work.progress.phase(`Reading the lockfiles of ${consumer.repo}`);
    const into = await readUpgrades(consumer, repositories, work);
    upgrades.push(...into.summaries);
    unreadable.push(into.unreadable);
    for (const [at, events] of into.events) byRepository[at]?.push(...events);
  }
  work.progress.phase('Recording events');
  for (const [at, repository] of repositories.entries())
    summaries.push({ ...recordEvents(repository, byRepository[at] ?? [], work), unreadableLockfiles: unreadable[at] ?? 0 });
  return { repositories: summaries, upgrades };
}

interface Repository {
  readonly clone: Clone;
  readonly repo: string;
  readonly main: MainLine;
  readonly changes: readonly Change[];
  readonly publications: ReadonlyMap<string, Publications>;
  readonly releases: ReadonlyMap<string, readonly Release[]>;
  readonly pulls: PullsRead;
  /** By commit of the main line. */
  readonly pullOf: ReadonlyMap<CommitId, PullTimes>;
  readonly unclaimed: readonly string[];
  readonly unknown: readonly string[];
  readonly leftAtGitHub: LeftAtGitHub;
}

async function readRepository(folder: AbsolutePath, work: CollectWork): Promise<Repository> {
  const { name, config, signal, progress } = work;
  const clone = await openClone(folder, signal);
  const repo = name ?? clone.name;
  const github = work.github === undefined ? undefined : sourceFor(work.github, clone);
  progress.phase(`Reading the history of ${repo}`);
  const tagPatterns = config.tags.length === 0 ? TAG_PATTERNS : config.tags;
  const onCommits = (count: number): void => progress.step('', count);
  const brings = deployedBy(config.deployments);
  const isDeployed = (packageName: string): boolean =>
    Object.keys(config.deployments).some((environment) => brings(environment, packageName));
  const main = await readMainLine(clone, { bots: config.bots, tagPatterns, isDeployed, onCommits });
  if (config.registry !== undefined) progress.phase(`Asking the registry for the packages of ${repo}`, main.published.size);
  const onAnswer = (packageName: string): void => progress.step(packageName);
  const question = config.registry === undefined ? undefined : { registry: config.registry, signal, onAnswer };
  const pulls = await knownPulls({ ...work, github, name: repo, git: clone.git });
  const atGitHub = await knownPublications({ ...work, github, name: repo });
  const choices = { sources: new Set(config.sources), question, github: atGitHub, brings };
  const { byPackage, unclaimed, unknown, leftAtGitHub } = await readPublications(clone, main, choices);
  const published = [...byPackage.values()]
    .flatMap(({ placed }) => placed.filter(({ outlet }) => outlet === 'version'))
    .sort((a, b) => b.at - a.at);
  const jobs = await knownJobs({ ...work, github: work.jobs === 'ask' ? github : undefined, name: repo, git: clone.git, published });
  const isPublishing = publishingBy(config.jobs);
  const publishing = publishingOn(jobs, isPublishing);
  const withTimes = ({ placed, ...rest }: Publications): Publications => ({
    ...rest,
    placed: placed.map((publication) => withJobs(publication, publishing)).sort((a, b) => a.at - b.at),
  });
  const publications = new Map([...byPackage].map(([packageName, known]) => [packageName, withTimes(known)]));
  const releases = new Map([...publications].map(([packageName, { placed }]) => [packageName, releasesOf(placed)]));
  const pullOf = pullsOnLine([...main.places.keys()], pulls.byCommit);
  const changes = changesOf(main, { webUrl: clone.webUrl, pullOf, tests: testsAfterMerge(jobs, isPublishing) });
  return { clone, repo, main, changes, publications, releases, pulls, pullOf, unclaimed, unknown, leftAtGitHub };
}

function ownEvents({ repo, changes, releases }: Repository, work: CollectWork): Event[] {
  return [...eventsOf(changes, releases, sceneOf(repo, work))];
}

function sceneOf(repo: string, { config, now }: CollectWork): Parameters<typeof eventsOf>[2] {
  return { repo, teamOf: teamFinder(new Map(Object.entries(config.teams))), recordedAt: now };
}

interface ReadUpgrades {
  readonly summaries: readonly UpgradeSummary[];
  /** By the place of the repository that the package is of. */
  readonly events: ReadonlyMap<number, readonly Event[]>;
  /** How many contents of the lockfile of the consumer are none. */
  readonly unreadable: number;
}

async function readUpgrades(consumer: Repository, all: readonly Repository[], work: CollectWork): Promise<ReadUpgrades> {
  const providers = [...all.entries()].filter(([, repository]) => repository !== consumer);
  const wanted = new Set(providers.flatMap(([, { main }]) => [...main.published]).filter((name) => !consumer.main.published.has(name)));
  const { byPackage: resolutions, unreadable } = await readResolutions(consumer.clone.git, consumer.main, wanted);
  const taker = consumerOf(consumer);
  const summaries: UpgradeSummary[] = [];
  const events = new Map<number, readonly Event[]>();
  for (const [at, { repo, main, changes, releases }] of providers) {
    const found: Event[] = [];
    for (const name of main.published) {
      const own = resolutions.get(name);
      if (own === undefined || !wanted.has(name)) continue;
      const history = { consumer: taker, package: name, resolutions: own };
      const ofPackage = changes.filter(({ packages }) => packages.includes(name));
      const upgrades = upgradesOf(ofPackage, releases.get(name) ?? [], { history, scene: sceneOf(repo, work) });
      found.push(...upgrades.events);
      summaries.push({ package: name, consumer: consumer.repo, ...upgrades.counts });
    }
    events.set(at, found);
  }
  return { summaries, events, unreadable };
}

/** How many events are on the disk before it is written down that they are. */
const BATCH = 20_000;

function recordEvents(repository: Repository, all: readonly Event[], work: CollectWork): Omit<RepositorySummary, 'unreadableLockfiles'> {
  const { repo, clone, changes, pulls, unclaimed, unknown, leftAtGitHub } = repository;
  const since = work.since;
  const places = new Map(changes.map(({ commit }) => [commit.id as string, commit.at]));
  const wanted = since === undefined ? all : all.filter(({ change }) => (places.get(change) ?? 0) >= since);
  const sound = wanted.filter((event) => eventFlaw(event, work.now) === undefined);
  const known = work.what === 'all' ? new Set<string>() : new Set(readCollected(work.record, repo));
  const fresh = sound.filter(({ id }) => !known.has(shortId(id)));
  if (work.doing === 'record' && fresh.length > 0) write(fresh, known, { ...work, repo, head: clone.head });
  return {
    ...{ repo, head: clone.head, ...summarise(repository), unclaimedTags: unclaimed, unknown, leftAtGitHub },
    pullRequests: { changes: changes.filter(({ pull }) => pull !== undefined).length, withoutCommit: pulls.withoutCommit },
    clockSkew: pulls.clockSkew ?? null,
    ...{ flawed: wanted.length - sound.length, events: { fresh: fresh.length, all: sound.length } },
  };
}

function write(
  fresh: readonly Event[],
  known: Set<string>,
  { record, repo, head, signal }: CollectWork & { readonly repo: string; readonly head: Clone['head'] },
): void {
  const writer = new SegmentWriter(record);
  try {
    for (let at = 0; at < fresh.length; at += BATCH) {
      signal.throwIfAborted();
      const batch = fresh.slice(at, at + BATCH);
      writer.append(batch);
      for (const { id } of batch) known.add(shortId(id));
      writeCollected(record, repo, { schemaVersion: 1, head, events: [...known] });
    }
  } finally {
    writer.close();
  }
}

function shortId(id: string): string {
  return id.slice('collected-'.length, 'collected-'.length + SHORT);
}

/** 66 bits: of a million events two are the same once in a hundred million. */
const SHORT = 11;

function refuseTwice(repositories: readonly Repository[]): void {
  const names = repositories.map(({ repo }) => repo);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new ToolError({
      code: 'USAGE',
      message: `Two clones are called ${twice}.`,
      hint: 'Name each repository once; two that are called the same are collected one by one, each with --name.',
    });
}
