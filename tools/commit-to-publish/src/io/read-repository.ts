import type { CommitId } from '@tributary/model/ids';
import { changesOf } from '../collect/changes.js';
import { deployedBy, type LeftAtForge } from '../collect/forge-publications.js';
import { publishingBy, publishingOn, testsAfterMerge, withJobs } from '../collect/jobs.js';
import type { JoinedHistory, OwnHistory } from '../collect/lineage.js';
import type { MainLine } from '../collect/main-line.js';
import type { Publications } from '../collect/publications.js';
import { pullsOnLine } from '../collect/pull-stages.js';
import type { PullTimes } from '../collect/pull-times.js';
import { TAG_PATTERNS } from '../collect/tag-name.js';
import type { GitTraces } from '../collect/traces.js';
import { refuseOther } from './clone-state.js';
import type { CollectWork } from './collect-work.js';
import { readCollected } from './collected.js';
import { readKeptChannels, writeKeptChannels } from './kept-channels.js';
import { knownJobs } from './known-jobs.js';
import { knownPublications } from './known-publications.js';
import { knownPulls } from './known-pulls.js';
import type { Clone } from './open-clone.js';
import { openForge } from './open-forge.js';
import type { ImportingClone, KnownNames } from './read-imports.js';
import { readMainLine } from './read-main-line.js';
import { readPublications } from './read-publications.js';
import type { PullsRead } from './read-pulls.js';
import { readPushedLine } from './read-pushed-line.js';
import { readTeams } from './read-teams.js';

/** The data of a repository, joined with those of the repositories collected with it. */
export interface CollectedRepository extends ReadRepository, JoinedHistory {}

/** The data of a repository, from its clone and the other sources. */
export interface ReadRepository extends OwnHistory {
  readonly clone: Clone;
  readonly pulls: PullsRead;
  /** By commit of the main line. */
  readonly pullOf: ReadonlyMap<CommitId, PullTimes>;
  readonly unclaimed: GitTraces['unclaimed'];
  readonly unknown: readonly string[];
  readonly leftAtGitHub: LeftAtForge;
  readonly unreadableImports: readonly { readonly merge: CommitId; readonly problem: string }[];
  /** As in `PushedLine`. */
  readonly swapped: readonly CommitId[];
  /** Whether the clone has any release tags. */
  readonly hasTags: boolean;
  /** Returns the team of a package. */
  readonly teamOf: (packageName: string) => string | undefined;
}

/** Reads a repository. Throws the errors of `refuseOther`, `readPublications`, `knownPulls`, `knownPublications`, `knownJobs`. */
export async function readRepository(clone: ImportingClone, work: CollectWork & KnownNames): Promise<ReadRepository> {
  const { name, config, signal, progress } = work;
  const repo = name ?? clone.name;
  const forge = work.forge === undefined ? undefined : await openForge(work.forge, clone, work);
  await refuseOther(work.record, { repo, clone, what: work.what });
  const { unreadableImports } = clone;
  const { nameNow, formerNames } = work;
  const imports = clone.imports.map((one) => ({ ...one, package: nameNow(one.package) }));
  const patterns = config.tags.length === 0 ? TAG_PATTERNS : config.tags;
  const tagPatterns = [...new Set([...patterns, ...imports.flatMap((one) => one.tagPatterns)])];
  const onCommits = (count: number): void => progress.step('', count);
  const brings = deployedBy(config.deployments);
  const isDeployed = (packageName: string): boolean =>
    Object.keys(config.deployments).some((environment) => brings(environment, packageName));
  const asked = { ...work, name: repo, git: clone.git, branch: work.forge?.branch };
  const pulls = await knownPulls({ ...asked, forge });
  const before = work.what === 'all' ? undefined : readCollected(work.record, repo);
  const tips = [...(before === undefined ? [] : [before.head]), ...pulls.byCommit.keys()];
  const line = readPushedLine(clone, { tips, swapped: before?.swapped ?? [] });
  progress.phase(`Reading the history of ${repo}`);
  const main = await readMainLine(clone, {
    line,
    repo,
    bots: config.bots,
    tagPatterns,
    nameNow,
    formerNames,
    isDeployed,
    onCommits,
  });
  if (config.registry !== undefined) progress.phase(`Asking the registry for the packages of ${repo}`, main.published.size);
  const onAnswer = (packageName: string): void => progress.step(packageName);
  const question = config.registry === undefined ? undefined : { registry: config.registry, signal, onAnswer };
  const atForge = await knownPublications({ ...asked, forge });
  const choices = {
    sources: new Set(config.sources),
    question,
    atForge,
    brings,
    channels: readKeptChannels(work.record, repo, work.what),
    formerNames: formerNames.map((former) => [former, nameNow(former)] as const),
    imports,
    now: work.now,
    joined: imports.length > 0 || work.clones.length > 1 ? ('all' as const) : ('where needed' as const),
  };
  const { byPackage, landings, backMerges, channels, ...said } = await readPublications(clone, main, choices);
  if (work.doing === 'record') {
    clone.history.keep();
    clone.cache.save();
  }
  if (config.registry !== undefined && work.doing === 'record') writeKeptChannels(work.record, repo, channels);
  const ofJobs = work.jobs === 'ask' ? forge : undefined;
  const published = [...(ofJobs === undefined ? [] : byPackage.values())]
    .flatMap(({ placed }) => placed.filter(({ outlet }) => outlet === 'version'))
    .sort((a, b) => b.at - a.at);
  const jobs = await knownJobs({ ...asked, forge: ofJobs, published });
  const isPublishing = publishingBy(config.jobs);
  const publishing = publishingOn(jobs, isPublishing);
  const parentOf = (commit: CommitId): CommitId | undefined => main.steps[main.positions.get(commit) ?? -1]?.commit.parents[0];
  const withTimes = ({ placed, ...rest }: Publications): Publications => ({
    ...rest,
    placed: placed
      .map((publication) => withJobs(publication, { publishing, before: parentOf(publication.commit) }))
      .sort((a, b) => a.at - b.at),
  });
  const publications =
    publishing.size === 0 ? byPackage : new Map([...byPackage].map(([packageName, known]) => [packageName, withTimes(known)]));
  const pullOf = pullsOnLine([...main.positions.keys()], pulls.byCommit);
  const changes = changesOf(main, { webUrl: clone.webUrl, pullOf, tests: testsAfterMerge(jobs, isPublishing) });
  const teamOf = await readTeams(clone, main, config.teams);
  return {
    clone,
    repo,
    main,
    changes,
    publications,
    landings,
    backMerges,
    imports,
    moved: movedTo(main, work),
    unreadableImports,
    pulls,
    pullOf,
    ...said,
    hasTags: main.tags.length > 0,
    swapped: line.swapped,
    teamOf,
  };
}

/** Returns the configured moves into this repository. A commit outside this main line belongs to another repository. */
function movedTo({ positions }: MainLine, { config, nameNow }: CollectWork & KnownNames): OwnHistory['moved'] {
  const found = Object.entries(config.moved).flatMap(([name, id]): [string, number][] => {
    const at = [...positions].find(([commit]) => commit.startsWith(id))?.[1];
    return at === undefined ? [] : [[nameNow(name), at]];
  });
  return new Map(found);
}
