import type { RepoFolder } from '@tributary/model/paths';
import { discoverWorkspaces, type Workspace } from '@tributary/workspaces/discover';
import type { Manifest } from '@tributary/workspaces/manifest';
import type { MemberList } from '@tributary/workspaces/member-lists';
import { buildFolderMatcher } from '@tributary/workspaces/patterns';
import { saidOfFiles } from './entry-files.js';
import type { Layout, PackageAtCommit } from './layout.js';
import type { NameNow } from './renames.js';

/** The manifests of a repository at a commit. */
export interface MemberScene {
  /** The folders with a package.json, including the root. */
  readonly folders: readonly RepoFolder[];
  readonly readManifest: (folder: RepoFolder) => string;
  /** The file that lists the packages if `workspaces` of the root does not; `undefined` if none does. */
  readonly listed: { readonly by: MemberList; readonly patterns: readonly string[] } | undefined;
  /** The name of the only package if its manifest has none. */
  readonly rootName: string;
  readonly nameNow: NameNow;
}

export interface Members {
  readonly layout: Layout;
  /** Where folders with a package.json would be packages: patterns, relative to a folder. */
  readonly covering: readonly Covering[];
}

export interface Covering {
  readonly patterns: readonly string[];
  readonly folder: RepoFolder;
}

/** Returns a function that tells whether a folder with a package.json would be a package. */
export function coveredBy(covering: readonly Covering[]): (folder: RepoFolder) => boolean {
  const matchers = covering.map(({ patterns, folder }) => buildFolderMatcher(patterns, folder));
  return (folder) => matchers.some((matches) => matches(folder));
}

/** Returns the packages of a repository. Throws the errors of `discoverWorkspaces`. */
export function membersOf({ folders, readManifest, listed, rootName, nameNow }: MemberScene): Members {
  const workspaces = discoverWorkspaces({ folders, readManifest, patterns: listed?.patterns });
  const holders = workspaces.filter(({ manifest }) => manifest.workspaces.length > 0);
  const covering = holders.map(({ manifest, path }) => ({ patterns: manifest.workspaces, folder: path }));
  // A list that matches nothing is a leftover.
  const isSingle = holders.length === 0 || (listed !== undefined && workspaces.length === 1);
  const names = new Set<string>(workspaces.map(({ name }) => name));
  // A package whose new name exists next to it only redirects to its successor, so it is a separate package.
  const calledNow = (name: string): string => (names.has(nameNow(name)) ? name : nameNow(name));
  const members = workspaces.map(({ name, path, manifest }): PackageAtCommit => {
    // Lerna does not publish a root, but people have published one by hand.
    const isLernaRoot = path === '' && listed?.by === 'lerna.json' && (manifest.name === undefined || manifest.version === undefined);
    return {
      name: calledNow(isSingle && manifest.name === undefined ? rootName : name),
      path,
      version: manifest.version,
      isPrivate: !isSingle && (manifest.private || isLernaRoot),
      needs: new Set([...needsOf(manifest)].map(nameNow)),
      publishes: publishesOf(manifest),
    };
  });
  return { layout: byFolder(listed === undefined ? members : onePerName(members)), covering };
}

function byFolder(members: readonly PackageAtCommit[]): Layout {
  return new Map(members.map((member) => [member.path, member]));
}

/** If two packages have the same name, as in test fixtures, keeps the published one; otherwise the first by folder. */
function onePerName(members: readonly PackageAtCommit[]): readonly PackageAtCommit[] {
  const owners = new Map<string, PackageAtCommit>();
  for (const member of members) {
    const owner = owners.get(member.name);
    if (owner === undefined || (owner.isPrivate && !member.isPrivate)) owners.set(member.name, member);
  }
  return members.filter((member) => owners.get(member.name) === member);
}

/**
 * Returns the names of the packages that are published with one. Private packages include dev dependencies, because an application is often
 * built from them.
 */
export function needsOf({ raw, private: isPrivate }: Pick<Workspace['manifest'], 'raw' | 'private'>): ReadonlySet<string> {
  const fields = RANGES.filter((field) => isPrivate || field !== 'devDependencies');
  return new Set(fields.flatMap((field) => Object.keys(raw[field] ?? {})));
}

/** Returns what npm publishes of a package; `undefined` if it is private. A private package may be deployed, but with unknown files. */
export function publishesOf({ raw, private: isPrivate }: Pick<Workspace['manifest'], 'raw' | 'private'>): PackageAtCommit['publishes'] {
  return isPrivate ? undefined : saidOfFiles(raw);
}

const RANGES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

/** Tells whether two manifests differ only in the version, and in ranges for packages of the repository. */
export function sameButVersions(old: Manifest | undefined, fresh: Manifest | undefined, isOwn: (name: string) => boolean): boolean {
  return old !== undefined && fresh !== undefined && withoutVersions(old, isOwn) === withoutVersions(fresh, isOwn);
}

function withoutVersions({ raw }: Manifest, isOwn: (name: string) => boolean): string {
  const needed = RANGES.map((field) => Object.entries(raw[field] ?? {}).map(([name, range]) => [name, isOwn(name) ? '' : range]));
  const apart = Object.fromEntries(['version', ...RANGES].map((field) => [field, undefined]));
  return JSON.stringify([{ ...raw, ...apart }, needed]);
}
