import type { CommitId } from '@tributary/model/ids';
import { type ChangeApart, changesApart } from './apart.js';
import { type Departure, departuresOf } from './departures.js';
import type { MergedChange } from './events.js';
import type { Landings } from './landings.js';
import { isThere } from './layout.js';
import type { MainLine } from './main-line.js';
import { landingOf, type PackageImport } from './package-import.js';
import type { Publications } from './publications.js';
import { type PackageReleases, type PlacedPublication, releasesOf } from './releases.js';

/** The data of one repository, before other collected repositories are considered. */
export interface OwnHistory {
  readonly repo: string;
  readonly main: MainLine;
  readonly changes: readonly MergedChange[];
  readonly publications: ReadonlyMap<string, Publications>;
  readonly landings: Landings;
  /** As `backMergesOf` returns them. */
  readonly backMerges: ReadonlyMap<CommitId, number>;
  readonly imports: readonly PackageImport[];
  /** Package, by its current name -> index of the commit that imported it, according to the configuration. */
  readonly moved: ReadonlyMap<string, number>;
}

/** A package that was imported from another collected repository. */
export interface SourceMove {
  readonly package: string;
  /** The index of the source among the collected repositories. */
  readonly from: number;
  /** The index of the last commit of the source's main line that was imported. */
  readonly last: number;
  /** The index of the main-line commit that imported the package. */
  readonly at: number;
  /** Only the opposite move is known, and a version of the source came back with this commit. */
  readonly isReturn?: true;
}

/** The data of a repository, combined with those of the others. */
export interface JoinedHistory {
  readonly moves: readonly SourceMove[];
  /** Without those that only import a package. */
  readonly changes: readonly MergedChange[];
  readonly releases: ReadonlyMap<string, PackageReleases>;
  /** The number of publications from before a move, by package. */
  readonly former: Readonly<Record<string, number>>;
  /** Imports whose packages have no earlier publication, so their first one here measures nothing. */
  readonly withoutFormer: readonly PackageImport[];
  /** By package: the changes of its sources that came along and that no version there has brought out. */
  readonly unreleased: ReadonlyMap<string, readonly UnreleasedChange[]>;
  /** Packages that moved out, and what they left behind. */
  readonly departures: readonly Departure[];
  /** Changes that no release measures. */
  readonly apart: readonly ChangeApart[];
}

/** A change that came along with a move, and comes out with the first release after it. */
interface UnreleasedChange {
  readonly change: MergedChange;
  /** Of the repository it was made in, by its position among those that are collected. */
  readonly from: number;
  /** The commit of the main line that brought it. */
  readonly at: number;
}

/**
 * Joins imported packages to their earlier history, so that the first publication after a move has a predecessor. `counted` as in
 * `releasesOf`.
 */
export function joinHistory(own: OwnHistory, all: readonly OwnHistory[], counted: ReadonlySet<string>): JoinedHistory {
  const moves = all.flatMap((source, from) => (source === own ? [] : movesFrom(source, own).map((move) => ({ ...move, from }))));
  const former = new Map([...own.main.published].map((name) => [name, formerOf(name, { own, all, moves })]));
  const releases = new Map(
    [...own.publications].map(([name, { placed }]) => {
      const before = former.get(name) ?? [];
      const versions = new Set(before.map(({ version }) => version));
      // The commit that imports a version does not publish it again.
      const fresh = placed.filter(({ outlet, version }) => outlet !== 'version' || !versions.has(version));
      return [name, releasesOf(fresh, counted, before)];
    }),
  );
  const found = [...former].filter(([, publications]) => publications.length > 0);
  const changes = withoutImports(own, moves);
  return {
    moves,
    changes,
    releases,
    apart: changesApart({ ...own, changes, releases, counted }),
    departures: departuresOf({ main: own.main, changes, publications: own.publications, releases, former, counted }),
    former: Object.fromEntries(found.map(([name, publications]) => [name, publications.length])),
    unreleased: unreleasedOf(all, moves),
    withoutFormer: own.imports.filter(({ package: name }) => former.get(name)?.length === 0),
  };
}

/**
 * Returns unreleased changes. A package that moved more than once has changes of each source. Each counts once, and not at all if a later
 * source released it.
 */
function unreleasedOf(all: readonly OwnHistory[], moves: readonly SourceMove[]): JoinedHistory['unreleased'] {
  const found = new Map<string, Map<string, UnreleasedChange>>();
  for (const { package: name, from, last, at } of moves) {
    const source = all[from];
    const released = lastReleaseOf(name, source, last);
    const left = (source?.changes ?? []).filter(
      ({ position, packages }) => position > released && position <= last && packages.includes(name),
    );
    const others = moves.filter((move) => move.package === name && move.from !== from);
    const isOut = ({ commit }: MergedChange): boolean =>
      others.some(
        (move) => (all[move.from]?.landings.get(commit.id) ?? Number.POSITIVE_INFINITY) <= lastReleaseOf(name, all[move.from], move.last),
      );
    const known = found.get(name) ?? new Map<string, UnreleasedChange>();
    for (const change of left) if (!isOut(change)) known.set(change.commit.id, { change, from, at });
    found.set(name, known);
  }
  return new Map([...found].flatMap(([name, changes]) => (changes.size === 0 ? [] : [[name, [...changes.values()]]])));
}

/** Returns the index of the last version of a package that a source released before the move; -1 if there is none. */
function lastReleaseOf(name: string, source: OwnHistory | undefined, last: number): number {
  const versions = (source?.publications.get(name)?.placed ?? []).filter(({ outlet, anchor }) => outlet === 'version' && anchor <= last);
  return Math.max(-1, ...versions.map(({ anchor }) => anchor));
}

type Move = Omit<SourceMove, 'from'>;

/** By what is known of the moves; where nothing is, by a version that came back. */
function movesFrom(source: OwnHistory, own: OwnHistory): readonly Move[] {
  const known = knownMoves(source, own);
  return [...known, ...returns(source, own).filter(({ package: name }) => !known.some((move) => move.package === name))];
}

/** By the import records; where there is none, by commits that both have, or by what the configuration says. */
function knownMoves(source: OwnHistory, { main, landings, imports, moved }: OwnHistory): readonly Move[] {
  const recorded = imports.flatMap((one) => {
    const { package: name, sourceCommit } = one;
    const [last, at] = [source.main.positions.get(sourceCommit), landingOf(one, main, landings)];
    return last === undefined || at === undefined || !source.main.published.has(name) ? [] : [{ package: name, last, at }];
  });
  const shared = source.main.steps.findLastIndex(({ commit }) => landings.has(commit.id));
  const at = landings.get(source.main.steps[shared]?.commit.id ?? '');
  if (at === undefined) return [...recorded, ...configured(source, main, moved)];
  const known = new Set(recorded.map((move) => move.package));
  const names = [...source.main.published].filter((name) => !known.has(name) && main.steps[at]?.touched.has(name) === true);
  return [...recorded, ...names.map((name) => ({ package: name, last: shared, at }))];
}

/** Assumes that the import contains every commit of the source that is not younger than it. */
function configured(source: OwnHistory, main: MainLine, moved: OwnHistory['moved']): readonly Move[] {
  return [...moved].flatMap(([name, at]) => {
    const time = main.steps[at]?.commit.at ?? 0;
    const last = source.main.steps.findLastIndex(({ commit }) => commit.at <= time);
    return last < 0 || !source.main.published.has(name) ? [] : [{ package: name, last, at }];
  });
}

/**
 * Finds packages that had moved from here into the source, left it, and go on here with a version that the source had published. A name and
 * a version alone prove nothing: another package may have both. What the source had until that commit came along.
 */
function returns(source: OwnHistory, own: OwnHistory): readonly Move[] {
  const { steps, published } = source.main;
  const gone = [...published].filter((name) => !isThere(name, steps.at(-1)));
  return gone.flatMap((name) => {
    const out = Math.min(...knownMoves(own, source).flatMap((move) => (move.package === name ? [move.last] : [])));
    const placed = source.publications.get(name)?.placed ?? [];
    const versions = new Map(placed.flatMap(({ outlet, version, at }) => (outlet === 'version' ? [[version, at]] : [])));
    const at = own.main.steps.findIndex(({ bumps, commit }, position) => {
      const version = bumps.get(name) ?? '';
      return position > out && (versions.get(version) ?? commit.at) < commit.at && !isTagged(name, version, own.main);
    });
    const until = own.main.steps[at]?.commit.at;
    if (until === undefined) return [];
    const last = steps.findLastIndex((step) => step.commit.at <= until && isThere(name, step));
    return last === -1 ? [] : [{ package: name, last, at, isReturn: true as const }];
  });
}

function isTagged(name: string, version: string, { tags }: MainLine): boolean {
  return tags.some((tag) => tag.version === version && (tag.package ?? name) === name);
}

interface FormerScene {
  readonly own: OwnHistory;
  readonly all: readonly OwnHistory[];
  readonly moves: readonly SourceMove[];
}

/**
 * Returns the publications of a package from before a move, each version once: those in its own tags and the registry, and those of the
 * source repository.
 */
function formerOf(name: string, { own, all, moves }: FormerScene): readonly PlacedPublication[] {
  const elsewhere = moves
    .filter((move) => move.package === name)
    .flatMap(({ from, last, at }) => {
      const placed = all[from]?.publications.get(name)?.placed ?? [];
      const along = placed.filter(({ outlet, anchor }) => outlet === 'version' && anchor <= last);
      return along.map((one) => ({ ...one, anchor: (own.landings.get(one.commit) ?? at) - 1 }));
    });
  const known = own.publications.get(name);
  const byVersion = new Map([...elsewhere, ...(known?.former ?? [])].map((one) => [one.version, one]));
  const cameIn = arrivalOf(name, own.main, [...byVersion.values()]);
  return [...byVersion.values()].map((one) => ({ ...one, anchor: cameIn.get(one.anchor) ?? one.anchor }));
}

/**
 * Returns, by anchor, the anchor of the commit that imported the package. A publication in a later pull was not built from the changes made
 * here in the meantime.
 */
function arrivalOf(name: string, { steps }: MainLine, publications: readonly PlacedPublication[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  let cameIn = -1;
  for (const anchor of [...new Set(publications.map((one) => one.anchor))].sort((a, b) => a - b)) {
    // What was here before the first of them goes on: it waits for the next release here.
    if (!isThere(name, steps[anchor])) cameIn = anchor;
    found.set(anchor, cameIn);
  }
  return found;
}

/** Removes the commits that import a package from its changes: its changes are those of the source repository. */
function withoutImports(
  { main, changes, landings, imports, publications }: OwnHistory,
  moves: readonly SourceMove[],
): readonly MergedChange[] {
  const brought = new Map<number, Set<string>>();
  const note = (position: number | undefined, name: string): void => {
    if (position !== undefined) brought.set(position, (brought.get(position) ?? new Set()).add(name));
  };
  for (const one of imports) note(landingOf(one, main, landings), one.package);
  for (const { at, package: name } of moves) note(at, name);
  for (const [name, { former }] of publications) for (const { anchor } of former) note(anchor + 1, name);
  return changes.flatMap((change) => {
    const gone = brought.get(change.position);
    const packages = gone === undefined ? change.packages : change.packages.filter((name) => !gone.has(name));
    if (packages.length === 0) return [];
    return [packages.length === change.packages.length ? change : { ...change, packages }];
  });
}
