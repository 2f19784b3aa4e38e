import type { RepoPath } from '@tributary/model/paths';
import { hashListing, type Listings } from './listing.js';
import type { Observation, UsedPackage } from './observation.js';
import { type PathUse, type PathUses, writtenAt } from './paths.js';

/** The facts about the machine and the commit. Paths have one character per byte; those below the root may be decoded. */
export interface Surroundings {
  /** The root of the project, without links. */
  readonly root: string;
  /** Folders for temporary files. */
  readonly temporary: readonly string[];
  readonly tracked: readonly RepoPath[];
  readonly listings: Listings;
  readonly submodules: readonly string[];
  /** affected's own folders, without links; files in them are not inputs. */
  readonly own: readonly string[];
  /** Whether an untracked path that existed before makes the observation incomplete: its inputs were not observed. */
  readonly isStrict: boolean;
  /** Returns the end of a path and the links on it, as absolute paths. */
  readonly resolve: (path: string) => { readonly end: string; readonly links: readonly string[] };
  /** Returns the package at a folder of node_modules; `undefined` if there is none. */
  readonly packageAt: (folder: string) => UsedPackage | undefined;
}

type Sorted = Pick<Observation, 'files' | 'found' | 'absent' | 'listed' | 'packages' | 'apart' | 'gaps'>;

const CACHE =
  /(^|\/)(\.cache\/(?!ms-playwright|puppeteer|Cypress|node\/)|node_modules\/\.(cache|vite|vitest|vite-temp)|\.turbo|\.nx\/cache|\.parcel-cache|\.swc|\.rollup\.cache|\.jest-cache)(\/|$)|(^|\/)\.(eslint|stylelint|prettier)cache$|\.tsbuildinfo$/;
/** Folders of node_modules with programs, or with the packages themselves. */
const LINKED: ReadonlySet<string> = new Set(['.bin', '.store', '.pnpm']);
/** The folders that a checkout and an installation create, of git, Yarn and turborepo. Their content is handled separately. */
const PREPARED = /(^|\/)(\.git|\.yarn|\.turbo|node_modules)$|^\.yarn\/install-state\.gz$/;
/** A package in node_modules, or something in it. */
const PACKAGE = /(^|\/)node_modules\/(?:@[^/]+\/[^/]+|[^@/.][^/]*)/;
/** The folder of a package. */
export const PACKAGE_FOLDER = /(^|\/)node_modules\/(?:@[^/]+\/[^/]+|[^@/.][^/]*)$/;
/** A folder whose entries are packages or their programs, also one inside a package. */
const OF_PACKAGES = /(^|\/)node_modules(?:\/(?:@[^/]+|\.bin))?$/;
/** The version of a link in yarn.lock. */
const LOCAL = '0.0.0-use.local';
const ZIP = /(^|\/)\.yarn\/(berry\/)?cache\/[^/]+\.zip$/;
const SYSTEM = /^\/(usr|lib\w*|etc|proc|sys|dev|bin|sbin|run|var|opt|nix|snap)(\/|$)|^\/$/;

/**
 * Tells whether a program is one of `yarn run`, which puts small `node` and `yarn` programs into a temporary folder that start the real
 * ones.
 */
export function isYarnsProgram(path: string): boolean {
  return /\/xfs-[0-9a-f]{8}\/[\w.-]+$/.test(path);
}

/** Sorts the uses of paths into inputs from the commit and the rest. */
export function sortUses(uses: PathUses, surroundings: Surroundings): Sorted {
  const sorter = new Sorter(uses, surroundings);
  for (const [path, use] of uses) sorter.add(path, use);
  return sorter.sorted();
}

class Sorter {
  private readonly lists = {
    files: new Set<string>(),
    found: new Set<string>(),
    absent: new Set<string>(),
    listed: new Set<string>(),
    toolLists: new Set<string>(),
    written: new Set<string>(),
    ignored: new Set<string>(),
    caches: new Set<string>(),
    tools: new Set<string>(),
    outside: new Set<string>(),
  };
  private readonly packages = new Map<string, UsedPackage>();
  private readonly gaps = new Map<string, Observation['gaps'][number]>();
  private readonly tracked: ReadonlySet<string>;
  private readonly uses: PathUses;
  private readonly around: Surroundings;

  constructor(uses: PathUses, around: Surroundings) {
    this.uses = uses;
    this.around = around;
    this.tracked = new Set(around.tracked);
  }

  add(path: string, use: Readonly<PathUse>): void {
    if (this.around.own.some((folder) => isBelow(path, folder)) || isSystem(path, this.around)) return;
    const { end, links } = this.around.resolve(path);
    const written = Math.min(writtenAt(this.uses, path), writtenAt(this.uses, end));
    const first = firstUse(use);
    for (const link of links) this.addLink(link, end, first);
    const below = isBelow(end, this.around.root) ? this.decode(end.slice(this.around.root.length + 1)) : undefined;
    if (below === undefined) this.addOutside(end, use, written);
    else if (this.tracked.has(below) || this.around.listings.has(below)) this.addTracked(below, use, written);
    else this.addUntracked(below, use, written);
  }

  sorted(): Sorted {
    const { files, found, absent, listed, toolLists, tools, ...apart } = this.lists;
    const { listings } = this.around;
    const inOrder = (list: Iterable<string>): readonly string[] => [...list].sort();
    return {
      files: inOrder(files),
      found: inOrder([...found].filter((path) => !files.has(path))),
      absent: inOrder([...absent].filter((path) => !files.has(path) && !found.has(path))),
      listed: inOrder(listed).map((path) => ({ path: path || '.', hash: hashListing(listings.get(path) ?? new Map()) })),
      packages: [...this.packages].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, found]) => found),
      apart: {
        written: inOrder(apart.written),
        ignored: inOrder(apart.ignored),
        caches: inOrder(apart.caches),
        tools: inOrder([...tools].filter((path) => !files.has(path))),
        toolLists: inOrder([...toolLists].filter((path) => !listed.has(path)).map((path) => path || '.')),
        outside: inOrder(apart.outside),
      },
      gaps: [...this.gaps.values()],
    };
  }

  /** Counts a link as an input, because its text decides what is read behind it. */
  private addLink(link: string, end: string, moment: number): void {
    if (!isBelow(link, this.around.root) || moment >= writtenAt(this.uses, link)) return;
    const below = this.decode(link.slice(this.around.root.length + 1));
    if (this.tracked.has(below)) this.lists.files.add(below);
    // Yarn links workspaces, and folders that `link:` and `portal:` name, also those in a package. Its linker `pnpm` links all packages.
    const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^@./][^/]*)$/.exec(below) ?? [];
    if (name !== undefined && !end.includes('/node_modules/.store/')) this.packages.set(`${name}@${LOCAL}`, { name, version: LOCAL });
  }

  private addTracked(path: string, use: Readonly<PathUse>, written: number): void {
    const { files, found, tools } = this.lists;
    const isFolder = this.around.listings.has(path);
    if (use.moved && isFolder && Math.min(use.read, use.readByTool, use.listed, use.listedByTool) < written)
      for (const file of this.around.tracked) if (path === '' || file.startsWith(`${path}/`)) files.add(file);
    this.addListed(path, use, written);
    if (use.found < written || (isFolder && Math.min(use.read, use.foundByTool) < written)) found.add(path || '.');
    if (use.absent < written) this.lists.absent.add(path);
    if (isFolder) return;
    if (use.read < written) files.add(path);
    else if (Math.min(use.readByTool, use.foundByTool) < written) tools.add(path);
    this.addWritten(path, use, written);
  }

  private addUntracked(path: string, use: Readonly<PathUse>, written: number): void {
    const read = Math.min(use.read, use.found);
    const submodule = this.around.submodules.find((folder) => isBelow(path, folder));
    if (submodule !== undefined) return this.addGap('submodule', submodule);
    if (ZIP.test(path) && read < written) this.addGap('zip-packages', path);
    this.addListed(path, use, written);
    if (CACHE.test(path)) return this.addCache(path, use, written);
    if (/(^|\/)node_modules\//.test(path)) return this.addInstalled(path, use, written);
    if (use.absent < written) this.lists.absent.add(path);
    if (use.read < written) this.lists.ignored.add(path);
    if (this.around.isStrict && !PREPARED.test(path) && Math.min(read, use.listed) < written && read < use.absent)
      this.addGap('left-over', path);
    this.addWritten(path, use, written);
  }

  /** Reports a warm cache, whose content comes from earlier reads. A path that did not exist at first is the command's own. */
  private addCache(path: string, use: Readonly<PathUse>, written: number): void {
    if (use.read < written && use.read < use.absent) {
      this.lists.caches.add(path);
      this.addGap('warm-cache', path);
    }
    this.addWritten(path, use, written);
  }

  private addOutside(path: string, use: Readonly<PathUse>, written: number): void {
    if (use.read >= written || use.absent < use.read) return;
    if (CACHE.test(path)) this.addGap('warm-cache', this.decode(path));
    else if (!this.isTemporary(path)) {
      if (ZIP.test(path)) this.addGap('zip-packages', this.decode(path));
      if (!SYSTEM.test(path)) this.lists.outside.add(this.decode(path));
    } else if (!isYarnsProgram(path)) this.addGap('warm-cache', this.decode(path));
  }

  /**
   * Counts a listed folder. A folder in a package belongs to the package; that of the package itself may get a folder `node_modules`. The
   * folders of `OF_PACKAGES` tell which packages exist.
   */
  private addListed(path: string, use: Readonly<PathUse>, written: number): void {
    if (PACKAGE.test(path) && !OF_PACKAGES.test(path) && !PACKAGE_FOLDER.test(path)) return;
    if (use.listed < written) this.lists.listed.add(path);
    else if (use.listedByTool < written) this.lists.toolLists.add(path);
  }

  private addInstalled(path: string, use: Readonly<PathUse>, written: number): void {
    const [, hidden] = /(?:^|\/)node_modules\/(\.[^/]+)/.exec(path) ?? [];
    // What an installation makes besides packages, or all packages of a scope: compilers look for one only if that folder is there.
    if ((hidden !== undefined || /\/@[^/]+$/.test(path)) && use.absent < written) this.lists.absent.add(path);
    // Node asks for it on the way to each package of the scope.
    if (/\/@[^/]+$/.test(path) && use.found < written) this.lists.found.add(path);
    // Files that an installation generated there, such as a database client, belong to no package.
    if (hidden !== undefined && !LINKED.has(hidden) && use.read < written) this.lists.ignored.add(path);
    if (Math.min(use.read, use.readByTool, use.found, use.foundByTool, use.absent, use.listed) < written) this.addPackages(path);
  }

  /** Counts all packages on a path: the outer one decides whether there is an inner one. */
  private addPackages(path: string): void {
    // Yarn's linker `pnpm` keeps the files in its own store.
    const [, store, stored] = /^(.*(?:^|\/)node_modules\/\.store\/([^/]+)\/package)(?=\/|$)/.exec(path) ?? [];
    if (store !== undefined && stored !== undefined) return this.addPackage(store, stored);
    for (const { 0: found, 1: name = '', index } of path.matchAll(/(?:^|(?<=\/))node_modules\/((?:@[^/]+\/)?[^/]+)/g))
      if (!name.startsWith('.') && !/^@[^/]+$/.test(name)) this.addPackage(path.slice(0, index + found.length), name);
  }

  private addPackage(folder: string, name: string): void {
    const entry = this.around.packageAt(folder) ?? { name, version: null };
    this.packages.set(`${entry.name}@${entry.version}`, entry);
    // An alias or a fork has another name inside, which may be that of a locked package. Nothing is installed as this version.
    if (entry.name !== name) this.packages.set(`${name}@null`, { name, version: null });
  }

  private addWritten(path: string, use: Readonly<PathUse>, written: number): void {
    if (use.read !== Infinity && use.read >= written && !use.moved) this.lists.written.add(path);
  }

  private isTemporary(path: string): boolean {
    return this.around.temporary.some((folder) => isBelow(path, folder));
  }

  private decode(bytes: string): string {
    const text = Buffer.from(bytes, 'latin1').toString('utf8');
    if (text.includes('\ufffd')) this.addGap('not-utf8', text);
    return text;
  }

  private addGap(gap: Observation['gaps'][number]['gap'], detail: string): void {
    if (!this.gaps.has(gap)) this.gaps.set(gap, { gap, detail });
  }
}

/** Returns the first moment at which something depended on the content of the path. */
export function firstUse(use: Readonly<PathUse>): number {
  return Math.min(use.read, use.readByTool, use.found, use.foundByTool, use.absent, use.listed, use.listedByTool);
}

/** Tells whether a path is in a system folder, which no commit changes. */
export function isSystem(path: string, { root, temporary }: Pick<Surroundings, 'root' | 'temporary'>): boolean {
  return SYSTEM.test(path) && !isBelow(path, root) && !temporary.some((folder) => isBelow(path, folder));
}

export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
