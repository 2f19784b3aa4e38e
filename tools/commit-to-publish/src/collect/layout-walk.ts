import { isToolError, type ToolError } from '@tributary/model/errors';
import type { CommitId, ObjectId } from '@tributary/model/ids';
import type { RepoFolder } from '@tributary/model/paths';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import { lernaOnePatterns, MEMBER_LISTS, type MemberList, parseMemberList } from '@tributary/workspaces/member-lists';
import { type Layout, type MainLineStep, type PackageAtCommit, touchedBy } from './layout.js';
import type { MainCommit } from './main-commit.js';
import { type Covering, coveredBy, type MemberScene, membersOf, needsOf, publishesOf, sameButVersions } from './members.js';
import { type PublishedTest, publishedTest } from './published-files.js';
import type { NameNow } from './renames.js';
import type { UnreadableContent } from './unreadable.js';

/** Returns the text of a package.json, or of a list of packages, by the id of its content. */
export type ManifestTexts = (id: ObjectId) => string | undefined;

/** A walk over the first commits of a main line, from which another one goes on. */
export interface Walked {
  readonly steps: readonly MainLineStep[];
  /** Unreadable manifests and lists of packages. Known packages keep their previous state; new ones are missing. */
  readonly unreadable: readonly UnreadableContent[];
  readonly lists: ReadonlyMap<MemberList, readonly string[] | undefined>;
  readonly covering: readonly Covering[];
  /** The last version of each package. */
  readonly versions: ReadonlyMap<string, string | undefined>;
}

/** Walks a main line commit by commit, and tracks the packages and their versions. */
export class LayoutWalk {
  private readonly unreadable: UnreadableContent[] = [];
  private readonly steps: MainLineStep[] = [];
  private readonly texts: ManifestTexts;
  private readonly rootName: string;
  private readonly nameNow: NameNow;
  private readonly files = new Map<RepoFolder, ObjectId>();
  /** All files of the commit. */
  private readonly there = new Set<string>();
  private readonly npmignores = new Map<RepoFolder, ObjectId>();
  private readonly parsed = new Map<ObjectId, Manifest | undefined>();
  private readonly lists = new Map<MemberList, readonly string[] | undefined>();
  private layout: Layout = new Map();
  private covering: readonly Covering[] = [];
  private covers = coveredBy([]);
  private readonly versions = new Map<string, string | undefined>();

  /** `rootName`: the name of the only package if its manifest has none. */
  constructor(texts: ManifestTexts, rootName: string, nameNow: NameNow) {
    this.texts = texts;
    this.rootName = rootName;
    this.nameNow = nameNow;
  }

  /** Goes on from the last commit of another walk. `whole`: that commit, with all its files as written. */
  resume({ steps, unreadable, lists, covering, versions }: Walked, whole: MainCommit): void {
    for (const step of steps) this.steps.push(step);
    this.unreadable.push(...unreadable);
    for (const [list, patterns] of lists) this.lists.set(list, patterns);
    for (const [name, version] of versions) this.versions.set(name, version);
    this.layout = steps.at(-1)?.layout ?? this.layout;
    this.cover(covering);
    this.takeFiles(whole);
    this.takeManifests(whole);
  }

  get walked(): Walked {
    const { steps, unreadable, lists, covering, versions } = this;
    return { steps, unreadable, lists, covering, versions };
  }

  next(commit: MainCommit): void {
    const before = this.layout;
    this.takeFiles(commit);
    const isListedAnew = this.takeLists(commit);
    const changed = [...commit.manifests].map(([folder, id]) => ({ folder, old: this.read(this.files.get(folder)), fresh: this.read(id) }));
    this.takeManifests(commit);
    if (isListedAnew || changed.some((change) => this.isStructural(change))) this.rediscover(commit);
    else if (changed.some(({ folder }) => before.has(folder))) this.layout = this.withVersions(commit.manifests);
    const { bumps, appeared } = this.takeVersions();
    const names = new Set([...this.layout.values()].map(({ name }) => name));
    const isOnlyVersions =
      commit.touches === 'version files' &&
      changed.every(({ old, fresh }) => sameButVersions(old, fresh, (name) => names.has(this.nameNow(name))));
    const touches = touchedBy(commit, [before, this.layout], (member) => this.publishedTestOf(member));
    const { id, parents, at, actor, subject, manifests, lockfiles } = commit;
    const kept = { id, parents, at, actor, subject, manifests, lockfiles };
    this.steps.push({ commit: kept, ...touches, bumps, appeared, isOnlyVersions, layout: this.layout });
  }

  private takeManifests({ manifests }: MainCommit): void {
    for (const [folder, id] of manifests) {
      if (id === undefined) this.files.delete(folder);
      else this.files.set(folder, id);
    }
  }

  private cover(covering: readonly Covering[]): void {
    this.covering = covering;
    this.covers = coveredBy(covering);
  }

  private takeFiles({ written, removed, npmignores }: MainCommit): void {
    for (const path of written) this.there.add(path);
    for (const path of removed) this.there.delete(path);
    for (const [folder, id] of npmignores) {
      if (id === undefined) this.npmignores.delete(folder);
      else this.npmignores.set(folder, id);
    }
  }

  private publishedTestOf({ path: folder, publishes }: PackageAtCommit): PublishedTest {
    const said = publishes ?? { files: undefined, entries: [] };
    const ignoring = publishes === undefined ? undefined : this.npmignores.get(folder);
    const npmignore = ignoring === undefined ? undefined : this.texts(ignoring);
    return publishedTest({ ...said, npmignore }, (path) => this.there.has(folder === '' ? path : `${folder}/${path}`));
  }

  /** Tells whether the lists of packages changed in content. Some also contain the version, so every release rewrites them. */
  private takeLists({ id: commit, memberLists }: MainCommit): boolean {
    const before = JSON.stringify([...this.lists]);
    for (const [list, id] of memberLists) {
      if (id === undefined) this.lists.delete(list);
      else
        this.orUnreadable(commit, () => {
          this.lists.set(list, parseMemberList(list, this.texts(id) ?? ''));
        });
    }
    return memberLists.size > 0 && JSON.stringify([...this.lists]) !== before;
  }

  private isStructural({ folder, old, fresh }: { folder: RepoFolder; old: Manifest | undefined; fresh: Manifest | undefined }): boolean {
    const isMember = this.layout.has(folder);
    if (folder !== '' && !isMember && !this.covers(folder)) return false;
    if (old === undefined || fresh === undefined || !isMember) return true;
    const patterns = [old, fresh].map((manifest) => `${manifest.workspaces} ${folder === '' ? lernaOnePatterns(manifest) : ''}`);
    return old.name !== fresh.name || old.private !== fresh.private || patterns[0] !== patterns[1];
  }

  private rediscover(commit: MainCommit): void {
    const folders = [...this.files.keys()];
    const broken = folders.filter((folder) => this.read(this.files.get(folder)) === undefined);
    const isRootBroken = broken.includes('' as RepoFolder);
    this.orUnreadable(commit.id, () => {
      const found = this.discover(isRootBroken ? folders : folders.filter((folder) => !broken.includes(folder)));
      const kept = broken.flatMap((folder) => (this.covers(folder) ? (this.layout.get(folder) ?? []) : []));
      const hadOrHas = (folder: RepoFolder): boolean => this.layout.has(folder) || this.covers(folder);
      const fresh = broken.filter((folder) => commit.manifests.has(folder) && hadOrHas(folder));
      // Otherwise a single template with an invalid name would hide the other packages.
      this.layout = kept.length === 0 ? found : new Map([...found, ...kept.map((member) => [member.path, member] as const)]);
      for (const folder of fresh) this.orUnreadable(commit.id, () => parseManifest(this.textIn(folder), `${folder}/package.json`));
    });
  }

  private orUnreadable(commit: CommitId, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!isToolError(error)) throw error;
      this.unreadable.push({ commit, ...whyOf(error) });
    }
  }

  private discover(folders: readonly RepoFolder[]): Layout {
    if (!this.files.has('' as RepoFolder)) return new Map();
    const readManifest = (folder: RepoFolder): string => this.textIn(folder);
    const { layout, covering } = membersOf({
      folders,
      readManifest,
      listed: this.listed(),
      rootName: this.rootName,
      nameNow: this.nameNow,
    });
    this.cover(covering);
    return layout;
  }

  private listed(): MemberScene['listed'] {
    const root = this.read(this.files.get('' as RepoFolder));
    if (root !== undefined && root.workspaces.length > 0) return undefined;
    for (const by of MEMBER_LISTS) {
      const patterns = this.lists.get(by);
      if (patterns !== undefined) return { by, patterns };
    }
    const patterns = root === undefined ? undefined : lernaOnePatterns(root);
    return patterns === undefined ? undefined : { by: 'lerna.json', patterns };
  }

  /** A new version or dependency changes nothing else in the layout. */
  private withVersions(manifests: MainCommit['manifests']): Layout {
    return new Map(
      [...this.layout].map(([path, member]) => {
        const manifest = manifests.has(path) ? this.read(this.files.get(path)) : undefined;
        return [
          path,
          manifest === undefined
            ? member
            : {
                ...member,
                version: manifest.version,
                needs: new Set([...needsOf(manifest)].map(this.nameNow)),
                publishes: publishesOf(manifest),
              },
        ];
      }),
    );
  }

  private takeVersions(): Pick<MainLineStep, 'bumps' | 'appeared'> {
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

  private textIn(folder: RepoFolder): string {
    const id = this.files.get(folder);
    return id === undefined ? '' : (this.texts(id) ?? '');
  }

  private read(id: ObjectId | undefined): Manifest | undefined {
    if (id === undefined) return undefined;
    if (!this.parsed.has(id)) this.parsed.set(id, parseLeniently(this.texts(id)));
    return this.parsed.get(id);
  }
}

function whyOf({ code, message }: ToolError): Omit<UnreadableContent, 'commit'> {
  return { code, reason: message };
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
