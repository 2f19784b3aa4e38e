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
  /** With a package.json, the root among them. */
  readonly folders: readonly RepoFolder[];
  readonly readManifest: (folder: RepoFolder) => string;
  /** Who lists the packages where `workspaces` of the root does not; `undefined`: nobody. */
  readonly listed: { readonly by: MemberList; readonly patterns: readonly string[] } | undefined;
  /** What the only package is called that has no name. */
  readonly rootName: string;
  readonly nameNow: NameNow;
}

export interface Members {
  readonly layout: Layout;
  /** Whether a folder would hold a package if it had a package.json. */
  readonly covers: (folder: RepoFolder) => boolean;
}

/** The packages that manifests make. Throws as `discoverWorkspaces`. */
export function membersOf({ folders, readManifest, listed, rootName, nameNow }: MemberScene): Members {
  const workspaces = discoverWorkspaces({ folders, readManifest, patterns: listed?.patterns });
  const holders = workspaces.filter(({ manifest }) => manifest.workspaces.length > 0);
  const matchers = holders.map(({ manifest, path }) => buildFolderMatcher(manifest.workspaces, path));
  const covers = (folder: RepoFolder): boolean => matchers.some((matches) => matches(folder));
  // A list that finds nothing is what is left of one.
  const isSingle = holders.length === 0 || (listed !== undefined && workspaces.length === 1);
  const names = new Set<string>(workspaces.map(({ name }) => name));
  // What only leads to its successor beside it is a package of its own.
  const calledNow = (name: string): string => (names.has(nameNow(name)) ? name : nameNow(name));
  const members = workspaces.map(({ name, path, manifest }): PackageAtCommit => {
    // Lerna publishes no root, but people have done it by hand, beside lerna.
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
  return { layout: byFolder(listed === undefined ? members : onePerName(members)), covers };
}

function byFolder(members: readonly PackageAtCommit[]): Layout {
  return new Map(members.map((member) => [member.path, member]));
}

/** Where a name may be there twice, as in fixtures of tests, it is that of the package that is published; of several the first by folder. */
function onePerName(members: readonly PackageAtCommit[]): readonly PackageAtCommit[] {
  const owners = new Map<string, PackageAtCommit>();
  for (const member of members) {
    const owner = owners.get(member.name);
    if (owner === undefined || (owner.isPrivate && !member.isPrivate)) owners.set(member.name, member);
  }
  return members.filter((member) => owners.get(member.name) === member);
}

/** Names of the packages that come out with one. An application is often built from what it names as a dependency of its development. */
export function needsOf({ raw, private: isPrivate }: Pick<Workspace['manifest'], 'raw' | 'private'>): ReadonlySet<string> {
  const fields = RANGES.filter((field) => isPrivate || field !== 'devDependencies');
  return new Set(fields.flatMap((field) => Object.keys(raw[field] ?? {})));
}

/** What npm publishes of a package. A private one may be deployed: what of it goes there nobody knows. */
export function publishesOf({ raw, private: isPrivate }: Pick<Workspace['manifest'], 'raw' | 'private'>): PackageAtCommit['publishes'] {
  return isPrivate ? undefined : saidOfFiles(raw);
}

const RANGES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

/** Whether a manifest differs from an older one in nothing but its version, and ranges that lead to packages of the repository. */
export function sameButVersions(old: Manifest | undefined, fresh: Manifest | undefined, isOwn: (name: string) => boolean): boolean {
  return old !== undefined && fresh !== undefined && withoutVersions(old, isOwn) === withoutVersions(fresh, isOwn);
}

function withoutVersions({ raw }: Manifest, isOwn: (name: string) => boolean): string {
  const kept = RANGES.map((field) => [field, Object.entries(raw[field] ?? {}).filter(([name]) => !isOwn(name))]);
  return JSON.stringify({ ...raw, ...Object.fromEntries(kept), version: '' });
}
