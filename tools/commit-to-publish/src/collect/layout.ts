import type { RepoFolder } from '@tributary/model/paths';
import type { MainCommit } from './main-commit.js';

/** A package as a commit has it. */
export interface PackageAtCommit {
  readonly name: string;
  readonly path: RepoFolder;
  readonly version: string | undefined;
  /** `private` in a monorepo: nobody publishes it. The only package of a repository may be an application, and is none. */
  readonly isPrivate: boolean;
  /** Names of the packages that come out with it. */
  readonly needs: ReadonlySet<string>;
}

/** The packages of a repository at a commit, by folder. Empty before there was a package.json. */
export type Layout = ReadonlyMap<RepoFolder, PackageAtCommit>;

/** What a commit of the main line means for the packages. */
export interface MainLineStep {
  readonly commit: MainCommit;
  /** Names of the packages with a file that it changed, before it or after it. */
  readonly touched: ReadonlySet<string>;
  /** The versions it changed, by name of the package. */
  readonly bumps: ReadonlyMap<string, string>;
  /** Packages that were not there before. */
  readonly appeared: ReadonlySet<string>;
  /** Nothing but versions changed, and ranges that lead to packages of the repository. */
  readonly isOnlyVersions: boolean;
  readonly layout: Layout;
}

/** Names of the packages with a file that a commit changed, in any of the layouts. */
export function touchedBy({ folders }: MainCommit, ...layouts: readonly Layout[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const layout of new Set(layouts)) {
    for (const folder of folders) {
      const owner = ownerOf(folder, layout);
      if (owner !== undefined) names.add(owner.name);
    }
  }
  return names;
}

/** The deepest package that a folder is in. */
function ownerOf(folder: RepoFolder, layout: Layout): PackageAtCommit | undefined {
  for (let at = folder; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/'))) as RepoFolder) {
    const member = layout.get(at);
    if (member !== undefined) return member;
  }
  return layout.get('');
}
