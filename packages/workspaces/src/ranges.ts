import type { RepoFolder } from '@tributary/model/paths';
import semver from 'semver';
import type { Workspace } from './discover.js';
import { parentFolder, resolveFolder } from './folders.js';

/** By what a dependency leads to a workspace: a protocol, or `semver` for a plain range that its version satisfies. */
export type LinkKind = 'workspace' | 'semver' | 'portal' | 'link' | 'file' | 'exec' | 'patch' | 'alias' | 'catalog';

/** Catalogs of `.yarnrc.yml`: by name, `''` for the one without, the range of each package. */
export type Catalogs = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** What `.yarnrc.yml` says that changes edges. */
export interface GraphSettings {
  /** `enableTransparentWorkspaces`, on if not given. */
  readonly transparentWorkspaces?: 'on' | 'off' | undefined;
  /** If not given, a `catalog:` range means the workspace of that name, if there is one. */
  readonly catalogs?: Catalogs | undefined;
}

/** Where ranges are looked up. */
export class WorkspaceIndex {
  readonly byName: ReadonlyMap<string, Workspace>;
  readonly byPath: ReadonlyMap<string, Workspace>;
  /** Yarn's `enableTransparentWorkspaces`: whether a plain range may mean a workspace. */
  readonly transparent: boolean;
  /** `undefined`: not read; a `catalog:` range then means the workspace of that name, as @yarnpkg/core alone has it. */
  readonly catalogs: Catalogs | undefined;
  private readonly places: ReadonlyMap<Workspace, number>;
  /** A repository has few ranges, and asks for each of them hundreds of times. */
  private readonly ranges = new Map<string, semver.Range | undefined>();
  private readonly satisfied = new Map<string, boolean>();

  constructor(workspaces: readonly Workspace[], settings: GraphSettings = {}) {
    this.byName = new Map(workspaces.map((workspace) => [workspace.name, workspace]));
    this.byPath = new Map(workspaces.map((workspace) => [workspace.path, workspace]));
    this.places = new Map(workspaces.map((workspace, place) => [workspace, place]));
    this.transparent = settings.transparentWorkspaces !== 'off';
    this.catalogs = settings.catalogs;
  }

  /** Of one of the workspaces. */
  placeOf(workspace: Workspace): number {
    return this.places.get(workspace) ?? -1;
  }

  /** As `parseSemverRange`. */
  isRange(text: string): boolean {
    return this.rangeOf(text) !== undefined;
  }

  /** Not where one of the two is none that semver knows. */
  satisfies(version: string, range: string): boolean {
    return remember(this.satisfied, `${version} ${range}`, () => isSatisfied(version, this.rangeOf(range)));
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

/** A name with the range that is asked for. */
export interface Descriptor {
  readonly name: string;
  readonly range: string;
}

/** Where a range leads. `folder` is the file or folder it names, for the kinds that name one. */
export interface Link {
  readonly to: Workspace;
  readonly kind: LinkKind;
  readonly folder: RepoFolder | undefined;
}

/**
 * Finds the workspace that a dependency of `from` leads to; `undefined` for one from a registry or from outside of the project.
 * The answer for plain, `npm:` and `workspace:` ranges is that of `Project.tryWorkspaceByDescriptor`. Beyond it: `portal:`, `link:`,
 * `file:` and `exec:` lead to the workspace that owns what they name, aliases and patches to what they stand for (what Yarn's
 * resolver does; core alone has no such resolver). `resolutions` are not applied.
 */
export function findLink(from: Workspace, descriptor: Descriptor, index: WorkspaceIndex): Link | undefined {
  const range = /^(catalog|patch|npm|portal|link|file|exec):(.*)$/s.exec(descriptor.range);
  // By number: taken apart as a list this takes the engine ten times as long to compile.
  const protocol = range?.[1] ?? '';
  const rest = range?.[2] ?? '';
  if (protocol === 'catalog' && index.catalogs !== undefined) {
    const meant = index.catalogs.get(rest)?.get(descriptor.name);
    // A path in a catalog is seen from the root.
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

/** Whether a dependency may lead to a workspace: its name is that of one, or its range has a protocol or a path. */
export function mayLeadToWorkspace({ name, range }: Descriptor, index: Pick<WorkspaceIndex, 'byName'>): boolean {
  return index.byName.has(name) || /[:/]/.test(range);
}

/** The workspace that holds a path: the deepest one. `undefined` only where the index has no root. */
export function ownerIn(byPath: WorkspaceIndex['byPath'], path: string): Workspace | undefined {
  for (let folder = path; folder !== ''; folder = parentFolder(folder)) {
    const owner = byPath.get(folder);
    if (owner !== undefined) return owner;
  }
  return byPath.get('');
}

/** Whether Yarn reads a text as a range of versions; one with a protocol is none. */
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

/** `Project.tryWorkspaceByDescriptor`. */
function workspaceByDescriptor(descriptor: Descriptor, index: WorkspaceIndex): Workspace | undefined {
  const path = descriptor.range.startsWith('workspace:') ? descriptor.range.slice('workspace:'.length) : undefined;
  if (path !== undefined && !/^[*^~]$/.test(path) && !index.isRange(path)) return index.byPath.get(resolveFolder('', path) ?? '\0');
  const workspace = index.byName.get(descriptor.name);
  return workspace !== undefined && accepts(workspace, descriptor.range, index) ? workspace : undefined;
}

/** `Workspace.accepts`. */
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

/** `lib@workspace%3A^#./fix.patch` -> `lib@workspace:^`. */
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
