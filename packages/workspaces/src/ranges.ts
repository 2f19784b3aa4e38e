import type { RepoFolder } from '@tributary/model/paths';
import semver from 'semver';
import type { Workspace } from './discover.js';
import { parentFolder, resolveFolder } from './folders.js';

/** How a dependency leads to a workspace: by a protocol, or `semver` for a plain range that its version satisfies. */
export type LinkKind = 'workspace' | 'semver' | 'portal' | 'link' | 'file' | 'exec' | 'patch' | 'alias' | 'catalog';

/** Catalogs of `.yarnrc.yml`: the range of each package, by catalog name; `''` is the unnamed one. */
export type Catalogs = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Settings of `.yarnrc.yml` that change edges. */
export interface GraphSettings {
  /** `enableTransparentWorkspaces` (default: on). */
  readonly transparentWorkspaces?: 'on' | 'off' | undefined;
  /** Without it, a `catalog:` range means the workspace of that name, if there is one. */
  readonly catalogs?: Catalogs | undefined;
}

/** The workspaces, indexed for looking up ranges. */
export class WorkspaceIndex {
  readonly byName: ReadonlyMap<string, Workspace>;
  readonly byPath: ReadonlyMap<string, Workspace>;
  /** Yarn's `enableTransparentWorkspaces`: whether a plain range may mean a workspace. */
  readonly transparent: boolean;
  /** `undefined`: not read; then a `catalog:` range means the workspace of that name, as in @yarnpkg/core alone. */
  readonly catalogs: Catalogs | undefined;
  private readonly members: ReadonlyMap<Workspace, number>;
  /** A cache: a repository has few distinct ranges and looks up each of them hundreds of times. */
  private readonly ranges = new Map<string, semver.Range | undefined>();
  private readonly satisfied = new Map<string, boolean>();

  constructor(workspaces: readonly Workspace[], settings: GraphSettings = {}) {
    this.byName = new Map(workspaces.map((workspace) => [workspace.name, workspace]));
    this.byPath = new Map(workspaces.map((workspace) => [workspace.path, workspace]));
    this.members = new Map(workspaces.map((workspace, member) => [workspace, member]));
    this.transparent = settings.transparentWorkspaces !== 'off';
    this.catalogs = settings.catalogs;
  }

  /** Returns the index of a workspace. */
  memberOf(workspace: Workspace): number {
    return this.members.get(workspace) ?? -1;
  }

  /** Returns whether Yarn reads a text as a range (see `parseSemverRange`). */
  isRange(text: string): boolean {
    return this.rangeOf(text) !== undefined;
  }

  /** Returns whether a version satisfies a range; false if semver does not know one of them. */
  satisfies(version: string, range: string): boolean {
    return remember(this.satisfied, `${version}\0${range}`, () => isSatisfied(version, this.rangeOf(range)));
  }

  private rangeOf(text: string): semver.Range | undefined {
    return remember(this.ranges, text, () => parseSemverRange(text));
  }
}

function remember<T>(known: Map<string, T>, key: string, read: () => T): T {
  const found = known.get(key);
  if (found !== undefined || known.has(key)) return found as T;
  const value = read();
  known.set(key, value);
  return value;
}

/** A name with the requested range. */
export interface Descriptor {
  readonly name: string;
  readonly range: string;
}

/** The target of a range. `folder` is the file or folder that it names, for kinds that name one. */
export interface Link {
  readonly to: Workspace;
  readonly kind: LinkKind;
  readonly folder: RepoFolder | undefined;
}

/**
 * Returns the workspace to which a dependency of `from` leads; `undefined` if it is outside the project or from a registry. Plain, `npm:`
 * and `workspace:` ranges follow `Project.tryWorkspaceByDescriptor`. In addition, `portal:`, `link:`, `file:` and `exec:` lead to the
 * workspace that owns what they name; aliases and patches lead to their source. Yarn's resolver does this; core alone has no such resolver.
 * `resolutions` are not applied.
 */
export function findLink(from: Workspace, descriptor: Descriptor, index: WorkspaceIndex): Link | undefined {
  const range = /^(catalog|patch|npm|portal|link|file|exec):(.*)$/s.exec(descriptor.range);
  // By number: taken apart as a list this takes the engine ten times as long to compile.
  const protocol = range?.[1] ?? '';
  const rest = range?.[2] ?? '';
  if (protocol === 'catalog' && index.catalogs !== undefined) {
    const meant = index.catalogs.get(rest)?.get(descriptor.name);
    // A path in a catalog is relative to the root.
    const reader = index.byPath.get('') ?? from;
    return meant === undefined ? undefined : asKind(findLink(reader, { ...descriptor, range: meant }, index), 'catalog');
  }
  const local = workspaceByDescriptor(descriptor, index);
  if (local !== undefined) return { to: local, kind: plainKind(descriptor.range), folder: undefined };
  switch (protocol) {
    case 'patch':
      return asKind(findNested(from, decodeSource(rest), index), 'patch');
    case 'npm':
      return asKind(findNested(from, rest, index), 'alias');
    case 'portal':
    case 'link':
    case 'file':
    case 'exec':
      return findOwner(from, { kind: protocol, path: rest }, index);
    default:
      // Yarn reads a bare path as `file:`.
      return /^\.{0,2}\//.test(descriptor.range) ? findOwner(from, { kind: 'file', path: descriptor.range }, index) : undefined;
  }
}

/** Returns whether a dependency may lead to a workspace: it has the name of one, or its range has a protocol or a path. */
export function mayLeadToWorkspace({ name, range }: Descriptor, index: Pick<WorkspaceIndex, 'byName'>): boolean {
  return index.byName.has(name) || /[:/]/.test(range);
}

/** Returns the workspace that owns a path: the one with the deepest folder. `undefined` only if the index has no root. */
export function ownerIn(byPath: WorkspaceIndex['byPath'], path: string): Workspace | undefined {
  for (let folder = path; folder !== ''; folder = parentFolder(folder)) {
    const owner = byPath.get(folder);
    if (owner !== undefined) return owner;
  }
  return byPath.get('');
}

/** Returns a text as a version range, if Yarn reads it as one; `undefined` for others, such as a range with a protocol. */
export function parseSemverRange(text: string): semver.Range | undefined {
  if (text.includes(':')) return undefined;
  try {
    return new semver.Range(text);
  } catch {
    return undefined;
  }
}

function isSatisfied(version: string, range: semver.Range | undefined): boolean {
  try {
    return range?.test(new semver.SemVer(version)) === true;
  } catch {
    return false;
  }
}

/** Does what `Project.tryWorkspaceByDescriptor` does. */
function workspaceByDescriptor(descriptor: Descriptor, index: WorkspaceIndex): Workspace | undefined {
  const path = descriptor.range.startsWith('workspace:') ? descriptor.range.slice('workspace:'.length) : undefined;
  if (path !== undefined && !/^[*^~]$/.test(path) && !index.isRange(path)) return index.byPath.get(resolveFolder('', path) ?? '\0');
  const workspace = index.byName.get(descriptor.name);
  return workspace !== undefined && accepts(workspace, descriptor.range, index) ? workspace : undefined;
}

/** Does what `Workspace.accepts` does. */
function accepts(workspace: Workspace, range: string, index: WorkspaceIndex): boolean {
  const rest = range.slice(range.indexOf(':') + 1);
  const isWorkspace = range.startsWith('workspace:');
  if (isWorkspace && (/^[*^~]$/.test(rest) || resolveFolder('', rest) === workspace.path)) return true;
  const { version } = workspace.manifest;
  if (isWorkspace) return index.satisfies(version ?? '0.0.0', rest);
  return index.transparent && version !== undefined && index.satisfies(version, rest);
}

function plainKind(range: string): LinkKind {
  if (range.startsWith('workspace:')) return 'workspace';
  return range.startsWith('catalog:') ? 'catalog' : 'semver';
}

function findNested(from: Workspace, text: string, index: WorkspaceIndex): Link | undefined {
  const [, name, range] = /^((?:@[^/]+?\/)?[^@/]+?)@(.+)$/s.exec(text) ?? [];
  return name === undefined || range === undefined ? undefined : findLink(from, { name, range }, index);
}

/** Returns the source of a patch: `lib@workspace%3A^#./fix.patch` -> `lib@workspace:^`. */
function decodeSource(text: string): string {
  const source = text.replace(/#.*$/s, '');
  try {
    return decodeURIComponent(source);
  } catch {
    return source;
  }
}

function findOwner(from: Workspace, named: { kind: LinkKind; path: string }, index: WorkspaceIndex): Link | undefined {
  const folder = resolveFolder(from.path, named.path.replace(/(#|::).*$/s, ''));
  const to = folder === undefined ? undefined : ownerIn(index.byPath, folder);
  return to === undefined || to === from ? undefined : { to, kind: named.kind, folder };
}

function asKind(link: Link | undefined, kind: LinkKind): Link | undefined {
  return link === undefined ? undefined : { ...link, kind };
}
