import type { RepoFolder } from '@tributary/model/paths';
import type { PublishedFiles } from './entry-files.js';
import type { MainCommit } from './main-commit.js';
import type { PublishedTest } from './published-files.js';

/** A package as a commit has it. */
export interface PackageAtCommit {
  readonly name: string;
  readonly path: RepoFolder;
  readonly version: string | undefined;
  /** `private` in a monorepo: nobody publishes it. The only package of a repository may be an application, and is none. */
  readonly isPrivate: boolean;
  /** Names of the packages that come out with it. */
  readonly needs: ReadonlySet<string>;
  /** What its manifest says about the files that it publishes; `undefined`: npm publishes nothing of it, as it is private. */
  readonly publishes: Omit<PublishedFiles, 'npmignore'> | undefined;
}

/** The packages of a repository at a commit, by folder. Empty before there was a package.json. */
export type Layout = ReadonlyMap<RepoFolder, PackageAtCommit>;

/** What a commit of the main line means for the packages. */
export interface MainLineStep {
  readonly commit: MainCommit;
  /** Names of the packages with a file that it changed, before it or after it. */
  readonly touched: ReadonlySet<string>;
  /** Those of them of which it changed no file that is published, such as tests alone. */
  readonly unpublished: ReadonlySet<string>;
  /** The versions it changed, by name of the package. */
  readonly bumps: ReadonlyMap<string, string>;
  /** Packages that were not there before. */
  readonly appeared: ReadonlySet<string>;
  /** Nothing but versions changed, and ranges that lead to packages of the repository. */
  readonly isOnlyVersions: boolean;
  readonly layout: Layout;
}

/** What a commit changed of the packages of any of the layouts. `testOf`: which files of a package count as published. */
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

/** The deepest package that a folder is in. */
function ownerOf(folder: RepoFolder, layout: Layout): PackageAtCommit | undefined {
  for (let at = folder; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/'))) as RepoFolder) {
    const member = layout.get(at);
    if (member !== undefined) return member;
  }
  return layout.get('');
}
