import type { RepoFolder } from '@tributary/model/paths';
import type { PublishedFiles } from './entry-files.js';
import type { MainCommit } from './main-commit.js';
import type { PublishedTest } from './published-files.js';

/** A package at a commit. */
export interface PackageAtCommit {
  readonly name: string;
  readonly path: RepoFolder;
  readonly version: string | undefined;
  /** `private` in a monorepo, so nobody publishes it. False for the only package of a repository, which may be an application. */
  readonly isPrivate: boolean;
  /** Names of the packages that are published with it. */
  readonly needs: ReadonlySet<string>;
  /** What its manifest says about published files; `undefined` if it is private, because npm then publishes nothing. */
  readonly publishes: Omit<PublishedFiles, 'npmignore'> | undefined;
}

/** The packages of a repository at a commit, by folder. Empty before the first package.json. */
export type Layout = ReadonlyMap<RepoFolder, PackageAtCommit>;

/** Returns the names of the packages that somebody may publish. `counted`: private ones that count all the same. */
export function publishedIn(layout: Layout, counted: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...layout.values()].flatMap(({ name, isPrivate }) => (isPrivate && !counted.has(name) ? [] : [name])));
}

/** What remains of a commit after the walk, because years of history are in memory. */
export type LineCommit = Pick<MainCommit, 'id' | 'parents' | 'at' | 'actor' | 'subject' | 'manifests' | 'lockfiles'>;

/** The effect of a main-line commit on the packages. */
export interface MainLineStep {
  readonly commit: LineCommit;
  /** Names of the packages with a changed file, in the layout before or after the commit. */
  readonly touched: ReadonlySet<string>;
  /** Those packages of which it changed no published file, for example only tests. */
  readonly unpublished: ReadonlySet<string>;
  /** The changed versions, by package name. */
  readonly bumps: ReadonlyMap<string, string>;
  /** Packages that did not exist before. */
  readonly appeared: ReadonlySet<string>;
  /** The commit changes only versions, and ranges for packages of the repository. */
  readonly isOnlyVersions: boolean;
  readonly layout: Layout;
}

export function isThere(name: string, step: MainLineStep | undefined): boolean {
  return [...(step?.layout.values() ?? [])].some((member) => member.name === name);
}

/** Returns which packages of any of the layouts a commit changed. `testOf` returns which files of a package count as published. */
export function touchedBy(
  { written, removed }: MainCommit,
  layouts: readonly Layout[],
  testOf: (member: PackageAtCommit) => PublishedTest,
): Pick<MainLineStep, 'touched' | 'unpublished'> {
  const touched = new Set<string>();
  const published = new Set<string>();
  for (const layout of new Set(layouts)) {
    const tests = new Map<PackageAtCommit, PublishedTest>();
    for (const path of [...written, ...removed]) {
      const owner = ownerOf(path.slice(0, Math.max(0, path.lastIndexOf('/'))) as RepoFolder, layout);
      if (owner === undefined) continue;
      touched.add(owner.name);
      if (published.has(owner.name)) continue;
      const isPublished = tests.get(owner) ?? testOf(owner);
      tests.set(owner, isPublished);
      if (isPublished(owner.path === '' ? path : path.slice(owner.path.length + 1))) published.add(owner.name);
    }
  }
  return { touched, unpublished: new Set([...touched].filter((name) => !published.has(name))) };
}

/** Returns the package with the deepest folder that contains a folder. */
function ownerOf(folder: RepoFolder, layout: Layout): PackageAtCommit | undefined {
  for (let at = folder; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/'))) as RepoFolder) {
    const member = layout.get(at);
    if (member !== undefined) return member;
  }
  return layout.get('');
}
