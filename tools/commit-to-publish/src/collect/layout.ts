import { isToolError } from '@tributary/model/errors';
import type { CommitId, ObjectId } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { discoverWorkspaces } from '@tributary/workspaces/discover';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import { buildFolderMatcher } from '@tributary/workspaces/patterns';
import type { MainCommit } from './main-commit.js';

/** A package as a commit has it. */
export interface Member {
  readonly name: string;
  readonly path: RepoFolder;
  readonly version: string | undefined;
  /** `private` in a monorepo: nobody publishes it. The only package of a repository may be an application, and is none. */
  readonly isPrivate: boolean;
  /** Names of the packages that come out with it. */
  readonly needs: ReadonlySet<string>;
}

/** The packages of a repository at a commit, by folder. Empty before there was a package.json. */
export type Layout = ReadonlyMap<RepoFolder, Member>;

/** What a commit of the main line means for the packages. */
export interface Step {
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

/** The text of a package.json by the id of its content. */
export type ManifestTexts = (id: ObjectId) => string | undefined;

/** Walks along a main line, commit by commit, and knows at each the packages and their versions. */
export class LayoutWalk {
  /** Commits with manifests that cannot be read: their packages count as they were before, and new ones not yet. */
  readonly unreadable: CommitId[] = [];
  private readonly texts: ManifestTexts;
  private readonly rootName: string;
  private readonly files = new Map<RepoFolder, ObjectId>();
  private readonly parsed = new Map<ObjectId, Manifest | undefined>();
  private layout: Layout = new Map();
  private covers: (folder: RepoFolder) => boolean = () => false;
  private versions = new Map<string, string | undefined>();

  /** `rootName`: what the only package is called that has no name. */
  constructor(texts: ManifestTexts, rootName: string) {
    this.texts = texts;
    this.rootName = rootName;
  }

  next(commit: MainCommit): Step {
    const before = this.layout;
    const changed = [...commit.manifests].map(([folder, id]) => ({ folder, old: this.read(this.files.get(folder)), fresh: this.read(id) }));
    for (const [folder, id] of commit.manifests) {
      if (id === undefined) this.files.delete(folder);
      else this.files.set(folder, id);
    }
    if (changed.some((change) => this.isStructural(change))) this.rediscover(commit);
    else if (changed.some(({ folder }) => before.has(folder))) this.layout = this.withVersions(commit.manifests);
    const { bumps, appeared } = this.takeVersions();
    const names = new Set([...this.layout.values()].map(({ name }) => name));
    const isOnlyVersions = commit.touches === 'version files' && changed.every(({ old, fresh }) => sameButVersions(old, fresh, names));
    return { commit, touched: touchedBy(commit, before, this.layout), bumps, appeared, isOnlyVersions, layout: this.layout };
  }

  private isStructural({ folder, old, fresh }: { folder: RepoFolder; old: Manifest | undefined; fresh: Manifest | undefined }): boolean {
    const isMember = this.layout.has(folder);
    if (folder !== '' && !isMember && !this.covers(folder)) return false;
    if (old === undefined || fresh === undefined || !isMember) return true;
    return old.name !== fresh.name || old.private !== fresh.private || `${old.workspaces}` !== `${fresh.workspaces}`;
  }

  private rediscover(commit: MainCommit): void {
    const folders = [...this.files.keys()];
    try {
      this.layout = this.discover(folders);
    } catch (error) {
      if (!isToolError(error)) throw error;
      const broken = folders.filter((folder) => this.read(this.files.get(folder)) === undefined);
      if (error.code === 'MANIFEST_INVALID' && !broken.includes('')) this.rediscoverWithout(broken, commit);
      else this.unreadable.push(commit.id);
    }
  }

  /** One template with a name that is none must not hide the packages beside it for ever. */
  private rediscoverWithout(broken: readonly RepoFolder[], { id, manifests }: MainCommit): void {
    const before = this.layout;
    try {
      const found = this.discover([...this.files.keys()].filter((folder) => !broken.includes(folder)));
      const kept = broken.flatMap((folder) => before.get(folder) ?? []);
      this.layout = new Map([...found, ...kept.map((member) => [member.path, member] as const)]);
      if (broken.some((folder) => manifests.has(folder) && (before.has(folder) || this.covers(folder)))) this.unreadable.push(id);
    } catch (error) {
      if (!isToolError(error)) throw error;
      this.unreadable.push(id);
    }
  }

  private discover(folders: readonly RepoFolder[]): Layout {
    if (!this.files.has('')) return new Map();
    const readManifest = (folder: RepoFolder): string => this.texts(this.files.get(folder) as ObjectId) ?? '';
    const members = discoverWorkspaces({ folders, readManifest });
    const holders = members.filter(({ manifest }) => manifest.workspaces.length > 0);
    const matchers = holders.map(({ manifest, path }) => buildFolderMatcher(manifest.workspaces, path));
    this.covers = (folder) => matchers.some((matches) => matches(folder));
    const isSingle = holders.length === 0;
    return new Map(
      members.map(({ name, path, manifest }) => [
        path,
        {
          name: isSingle && manifest.name === undefined ? this.rootName : name,
          path,
          version: manifest.version,
          isPrivate: !isSingle && manifest.private,
          needs: needsOf(manifest),
        },
      ]),
    );
  }

  /** Another version, or another dependency, changes nothing else. */
  private withVersions(manifests: MainCommit['manifests']): Layout {
    return new Map(
      [...this.layout].map(([path, member]) => {
        const manifest = manifests.has(path) ? this.read(this.files.get(path)) : undefined;
        return [path, manifest === undefined ? member : { ...member, version: manifest.version, needs: needsOf(manifest) }];
      }),
    );
  }

  private takeVersions(): Pick<Step, 'bumps' | 'appeared'> {
    const bumps = new Map<string, string>();
    const appeared = new Set<string>();
    for (const { name, version } of this.layout.values()) {
      const before = this.versions.get(name);
      if (!this.versions.has(name)) appeared.add(name);
      else if (version !== undefined && version !== before) bumps.set(name, version);
      this.versions.set(name, version);
    }
    return { bumps, appeared };
  }

  private read(id: ObjectId | undefined): Manifest | undefined {
    if (id === undefined) return undefined;
    if (!this.parsed.has(id)) this.parsed.set(id, parseLeniently(this.texts(id)));
    return this.parsed.get(id);
  }
}

function parseLeniently(text: string | undefined): Manifest | undefined {
  if (text === undefined) return undefined;
  try {
    return parseManifest(text, 'package.json');
  } catch (error) {
    if (isToolError(error)) return undefined;
    throw error;
  }
}

/** An application is often built from what it names as a dependency of its development. */
function needsOf({ raw, private: isPrivate }: Manifest): ReadonlySet<string> {
  const fields = RANGES.filter((field) => isPrivate || field !== 'devDependencies');
  return new Set(fields.flatMap((field) => Object.keys(raw[field] ?? {})));
}

const RANGES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

function sameButVersions(old: Manifest | undefined, fresh: Manifest | undefined, names: ReadonlySet<string>): boolean {
  return old !== undefined && fresh !== undefined && withoutVersions(old, names) === withoutVersions(fresh, names);
}

function withoutVersions({ raw }: Manifest, names: ReadonlySet<string>): string {
  const kept = RANGES.map((field) => [field, Object.entries(raw[field] ?? {}).filter(([name]) => !names.has(name))]);
  return JSON.stringify({ ...raw, ...Object.fromEntries(kept), version: '' });
}

function touchedBy({ folders }: MainCommit, ...layouts: readonly Layout[]): ReadonlySet<string> {
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
function ownerOf(folder: RepoFolder, layout: Layout): Member | undefined {
  for (let at = folder; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/'))) as RepoFolder) {
    const member = layout.get(at);
    if (member !== undefined) return member;
  }
  return layout.get('');
}
