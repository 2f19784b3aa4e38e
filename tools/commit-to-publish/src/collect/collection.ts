import type { Micros } from '../model/event.js';
import type { ChangeApart } from './apart.js';
import type { MergedChange } from './events.js';
import { changesByPackage, changesIn, isBefore } from './events.js';
import type { LeftAtForge } from './forge-publications.js';
import type { MainLine } from './main-line.js';
import type { Publications, Refused } from './publications.js';
import { type ChannelRelease, isMainChannel, type PackageReleases, type PlacedPublication } from './releases.js';
import type { Renamed } from './renamed-in-place.js';
import type { Unclaimed } from './traces.js';
import { groupUnreadable, type UnreadableGroup } from './unreadable.js';

/** What a history says of a repository, and what it left out, with the reason. */
interface HistorySummary {
  /** On the main line, by people and by bots. */
  readonly changes: { readonly person: number; readonly bot: number };
  /** The number of changes that touch no published file of any package. */
  readonly unpublished: number;
  /** Why there is nothing to measure; `null` if there is something. */
  readonly nothing: 'no package.json' | 'no published package' | null;
  /** Names of the packages that are published, sorted. */
  readonly packages: readonly string[];
  /** The number of publications by channel. */
  readonly publications: Readonly<Record<string, number>>;
  /**
   * The number of pairs of change and package that may come out, and how many of these are in a publication after the package's first one,
   * on any channel.
   */
  readonly pairs: number;
  readonly published: number;
  /** The number of pairs in the first publication of their package, or in none that this history knows before it. They measure nothing. */
  readonly inFirst: number;
  /** The number of changes in these pairs. */
  readonly changesInFirst: number;
  readonly refused: readonly RefusedGroup[];
  /** Publications whose time is that of a tag that is more than a day younger than its commit. */
  readonly lateTags: readonly string[];
  /** Tags that match no pattern. */
  readonly unmatchedTags: CountedNames;
  /** Tags whose short name several packages have. */
  readonly ambiguousTags: CountedNames;
  /** Changes that were reverted before a release on a main channel, or before any, with the reverts, by commit. */
  readonly reverted: CountedNames;
  /** Merges that brought back what a release branch had published on a main channel, and others that nothing measures. */
  readonly broughtBack: CountedNames;
  /** Changes whose time is out of order, by commit. */
  readonly mistimed: CountedNames;
  /** Private packages that no tag names. */
  readonly leftOut: readonly string[];
  /** Commits with unreadable manifests or lists of packages: packages keep their previous state. */
  readonly unreadable: readonly UnreadableGroup[];
}

/** What a collection recorded of a repository. */
export interface RepositorySummary extends HistorySummary {
  readonly repo: string;
  readonly head: string;
  /** The changes that remain with `since`; `null` if all count. */
  readonly since: { readonly from: Micros; readonly changes: number } | null;
  /** Tags that name only a version, and are of no package. */
  readonly unclaimedTags: readonly UnclaimedTags[];
  /** Versions that the last collection saw at another time in git, or with other changes, as before a tag moved. */
  readonly moved: readonly string[];
  /** By package: the number of publications from before its import. The first one after them is measured. */
  readonly former: Readonly<Record<string, number>>;
  /** Imported packages with a record, but without such publications. */
  readonly withoutFormer: readonly { readonly package: string; readonly source: string }[];
  /** By package that moved in: the changes that were merged in its source and not released there. The first release here that has them brings them out. */
  readonly unreleased: readonly { readonly package: string; readonly changes: readonly string[] }[];
  /** Packages that moved out and came back from another collected repository, without a record of the way back: the commit that a version came with. */
  readonly returned: readonly { readonly package: string; readonly source: string; readonly commit: string }[];
  /** By package that moved out: the changes that no release brought out, here or where it is now. They measure nothing. */
  readonly departed: readonly DepartedChanges[];
  /** Packages that got another name in the same folder, which no setting joins yet. */
  readonly renamed: readonly Renamed[];
  readonly unreadableImports: readonly { readonly merge: string; readonly problem: string }[];
  /** Releases and deployments at GitHub that are not publications. */
  readonly leftAtGitHub: LeftAtForge;
  /** Packages that the registry does not have. */
  readonly unknown: readonly string[];
  /** Commits with an unreadable lockfile, if several clones are collected together: the previous lockfile stays in effect. */
  readonly unreadableLockfiles: readonly UnreadableGroup[];
  /** The number of changes with a pull request that GitHub knows, and of merged pull requests without a commit at GitHub. */
  readonly pullRequests: { readonly changes: number; readonly withoutCommit: number };
  /** Milliseconds by which GitHub's clock is ahead of the local one, with a precision of a second; `null` if GitHub was not asked. */
  readonly clockSkew: number | null;
  /** The number of invalid events, for example because a clock was wrong. */
  readonly flawed: number;
  /** Whether the clone has any release tags. Without tags, only commits that set a version can stand for publications. */
  readonly hasTags: boolean;
  /** `behind`: the clone lacks the commit that was collected last, so it retracts nothing. */
  readonly clone: 'current' | 'behind';
  /** The number of new events, of all events, and of retracted ones. */
  readonly events: { readonly fresh: number; readonly all: number; readonly retracted: number };
}

export interface CountedNames {
  readonly count: number;
  /** Some of them. */
  readonly examples: readonly string[];
}

function countNames(names: readonly string[]): CountedNames {
  return { count: names.length, examples: names.slice(0, SHOWN) };
}

export interface RefusedGroup {
  readonly why: Refused['why'];
  readonly count: number;
  /** Some of them. */
  readonly examples: readonly string[];
}

export interface UnclaimedTags {
  readonly why: Unclaimed['why'];
  readonly count: number;
  /** Some of them. */
  readonly examples: readonly string[];
}

/** The number of versions of a package by what the consumer did with them. */
export interface UpgradeSummary {
  readonly package: string;
  readonly consumer: string;
  readonly taken: number;
  readonly skipped: number;
  readonly open: number;
}

export interface Collection {
  readonly repositories: readonly RepositorySummary[];
  readonly upgrades: readonly UpgradeSummary[];
}

export interface DepartedChanges {
  readonly package: string;
  /** The commit that took the package away. */
  readonly commit: string;
  /** The channels on which the changes did not come out, though they did on another; `null`: they came out on none. */
  readonly channels: readonly string[] | null;
  readonly holders: readonly PackageHolder[];
  readonly changes: readonly string[];
}

/** A collected repository that has a package of the same name now. */
export interface PackageHolder {
  readonly repo: string;
  /** Whether a move of the package between both is known. */
  readonly isJoined: boolean;
}

interface RepositoryWork {
  readonly main: MainLine;
  readonly changes: readonly MergedChange[];
  readonly publications: ReadonlyMap<string, Publications>;
  readonly releases: ReadonlyMap<string, PackageReleases>;
  readonly apart: readonly ChangeApart[];
}

const SHOWN = 5;

function namesApart(why: ChangeApart['why'], apart: readonly ChangeApart[]): CountedNames {
  return countNames([...new Set(apart.flatMap((one) => (one.why === why ? [one.change.commit.id] : [])))]);
}

export function summarise({ main, changes, publications, releases, apart }: RepositoryWork): HistorySummary {
  const all = [...publications.values()];
  const changesOf = changesByPackage(changes);
  const byPackage = [...publications].map(([name, { placed }]) => {
    const touching = changesOf.get(name) ?? [];
    const measured = releases.get(name)?.measured ?? [];
    const { out, lost } = outcomesOf(touching, { placed, measured, apart: apart.filter((one) => one.package === name) });
    const first = placed[0]?.anchor ?? -1;
    const gone = new Set(lost.map(({ change }) => change));
    const own = touching.filter((change) => !gone.has(change));
    return { pairs: own, published: [...out], inFirst: own.filter((change) => change.position <= first && !out.has(change)), lost };
  });
  const lost = new Set(byPackage.flatMap((one) => one.lost));
  const told = apart.filter((one) => isMainChannel(one.channel) || lost.has(one));
  const sum = (key: 'pairs' | 'published' | 'inFirst'): number => byPackage.reduce((total, one) => total + one[key].length, 0);
  const bots = changes.filter(({ pull, commit }) => (pull?.author ?? commit.actor) === 'bot').length;
  return {
    changes: { person: changes.length - bots, bot: bots },
    unpublished: changes.filter(({ packages, unpublished }) => packages.every((name) => unpublished.has(name))).length,
    nothing: main.published.size > 0 ? null : main.leftOut.size > 0 ? 'no published package' : 'no package.json',
    packages: [...publications.keys()],
    publications: countBy(all.flatMap(({ placed }) => placed.map(({ channel }) => channel))),
    pairs: sum('pairs'),
    published: sum('published'),
    inFirst: sum('inFirst'),
    changesInFirst: new Set(byPackage.flatMap(({ inFirst }) => inFirst)).size,
    refused: groupRefused([...all.flatMap(({ refused }) => refused), ...earlyOf(changesOf, releases)]),
    lateTags: [...publications].flatMap(([name, { late }]) => late.map((version) => `${name}@${version}`)),
    unmatchedTags: countNames(main.otherTags.unmatched),
    ambiguousTags: countNames(main.otherTags.ambiguous),
    reverted: namesApart('reverted', told),
    broughtBack: namesApart('brought back', told),
    mistimed: countNames(changes.flatMap((change) => (change.isMistimed ? [change.commit.id] : []))),
    leftOut: [...main.leftOut],
    unreadable: groupUnreadable(main.unreadable),
  };
}

interface PackageWork {
  readonly placed: readonly PlacedPublication[];
  readonly measured: readonly ChannelRelease[];
  readonly apart: readonly ChangeApart[];
}

/** Returns which changes of a package a release brought out, and which no release will: they are apart on each main channel, and out on none. */
function outcomesOf(
  changes: readonly MergedChange[],
  { placed, measured, apart }: PackageWork,
): { readonly out: ReadonlySet<MergedChange>; readonly lost: readonly ChangeApart[] } {
  const keyOf = ({ position }: MergedChange, channel: string): string => `${position} ${channel}`;
  const known = new Set(apart.map(({ change, channel }) => keyOf(change, channel)));
  const out = new Set(
    measured.flatMap((release) => changesIn(changes, release).filter((change) => !known.has(keyOf(change, release.publication.channel)))),
  );
  const main = new Set(placed.map(({ channel }) => channel).filter(isMainChannel));
  const isLost = ({ change }: ChangeApart): boolean => !out.has(change) && [...main].every((channel) => known.has(keyOf(change, channel)));
  return { out, lost: apart.filter(isLost) };
}

/** Returns releases that are earlier than a change in them. */
function earlyOf(changesOf: ReturnType<typeof changesByPackage>, releases: RepositoryWork['releases']): readonly Refused[] {
  return [...releases].flatMap(([name, { measured }]) => {
    const own = changesOf.get(name) ?? [];
    const early = measured.filter((release) => changesIn(own, release).some((change) => isBefore(release, change)));
    return early.map(({ publication }) => ({ package: name, version: publication.version, why: 'before a change in it' as const }));
  });
}

function countBy(values: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function groupRefused(refused: readonly Refused[]): readonly RefusedGroup[] {
  return groupByReason(refused.map(({ why, package: name, version }) => ({ why, name: `${name}@${version}` })));
}

export function groupByReason<Why>(
  all: readonly { readonly why: Why; readonly name: string }[],
): readonly (CountedNames & { readonly why: Why })[] {
  const reasons = [...new Set(all.map(({ why }) => why))];
  return reasons.map((why) => ({ why, ...countNames(all.flatMap((one) => (one.why === why ? [one.name] : []))) }));
}
