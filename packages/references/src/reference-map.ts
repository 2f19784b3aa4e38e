import { isInside, type RepoFolder, type RepoPath } from '@tributary/model/paths';
import { resolveFolder } from '@tributary/workspaces/folders';
import { isApart, isOfRelease } from '@tributary/workspaces/script-kinds';
import type { TaskKind } from '@tributary/workspaces/task-kinds';
import { isCodeFile } from './file-kinds.js';
import type { NamedPath, OwnReferences, Place } from './own-references.js';
import type { ManifestFacts } from './reference.js';
import { findScriptCalls, type MemberScript, type ScriptCall } from './script-calls.js';
import { folderOf, landingsOf, memberNamed, ownerOf, type ReadTarget, resolveFiles, type Tree, targetsAt } from './tree.js';

/** What a workspace reads beyond itself, directly or through files outside of all workspaces. */
export interface Reading {
  readonly from: number;
  readonly target: ReadTarget;
  /** Begins with a file of the workspace; the last place names the target. */
  readonly chain: readonly Place[];
  /** `name`: as a package. `script`: scripts lead there. */
  readonly by: 'name' | 'path' | 'script';
  /** The path that leads to the target, if one does. */
  readonly path?: RepoFolder;
  /** The key of the settings file that names it, or the first file on the way. */
  readonly key?: string;
}

/** A file outside of all workspaces, or a workspace, with the place that refers to something. */
export interface Referrer {
  readonly by: { readonly kind: 'workspace'; readonly member: number } | { readonly kind: 'file'; readonly file: RepoPath };
  readonly key: string | undefined;
  readonly place: Place;
}

/** The texts of a commit, collected by owner. */
export interface Collected {
  /** By index; the root's has only what its manifest says. */
  readonly workspaces: ReadonlyMap<number, OwnReferences>;
  /** By path, the files outside of all workspaces. */
  readonly rootFiles: ReadonlyMap<string, OwnReferences>;
}

/** Who refers to what in a commit. */
export interface ReferenceMap {
  readonly tree: Tree;
  readonly collected: Collected;
  /** Once per reader and target, by the shortest chain; ordered by reader. */
  readonly readings: readonly Reading[];
  /** By file or folder, who names it. A folder is read completely. */
  readonly files: ReadonlyMap<string, readonly Referrer[]>;
  /** By folder, the places that may read anything below it. */
  readonly opaque: ReadonlyMap<string, readonly Referrer[]>;
  /** By workspace, the files outside of all workspaces that name it. */
  readonly members: ReadonlyMap<number, readonly Referrer[]>;
}

/** Resolves what was collected, for tasks of a kind. Never throws. */
export function buildReferenceMap(tree: Tree, all: Collected, kind: TaskKind = 'test'): ReferenceMap {
  const workspaces = new Map([...all.workspaces].map(([member, own]) => [member, forTasks(own, kind)]));
  const collected: Collected = { ...all, workspaces };
  const files = new Map<string, Referrer[]>();
  const opaque = new Map<string, Referrer[]>();
  const members = new Map<number, Referrer[]>();
  const addPaths = (by: Referrer['by'], from: number, paths: readonly NamedPath[]): void => {
    for (const named of paths) {
      const referrer = { by, key: named.key, place: named.place };
      for (const member of readersOf(tree, from, named)) {
        const path = destinationOf(tree, member, named);
        if (path === undefined) continue;
        const reader = member === from ? referrer : { ...referrer, by: { kind: 'workspace', member } as const };
        if (isOpaque(tree, member, { named, path })) push(opaque, path, reader);
        else for (const at of landedAt(tree, path)) push(files, at, reader);
        const owner = ownerOf(tree, path);
        if (by.kind === 'file' && owner !== tree.root) push(members, owner, reader);
      }
    }
  };
  for (const [member, own] of collected.workspaces) addPaths({ kind: 'workspace', member }, member, own.paths);
  for (const [file, own] of collected.rootFiles) {
    addPaths({ kind: 'file', file: file as RepoPath }, NOBODY, own.paths);
    for (const { name, key, place } of own.packages) {
      const member = memberNamed(tree, name);
      if (member !== undefined) push(members, member, { by: { kind: 'file', file: file as RepoPath }, key, place });
    }
  }
  const manifest = collected.workspaces.get(tree.root)?.manifest;
  for (const { name, text, line } of manifest?.scripts ?? [])
    for (const member of namedIn(text, collected, tree)) {
      const place = { file: 'package.json' as RepoPath, line, specifier: text };
      push(members, member, { by: { kind: 'file', file: place.file }, key: `scripts.${name}`, place });
    }
  for (const [link, text] of tree.links) {
    const owner = ownerOf(tree, link);
    const place = { file: link as RepoPath, specifier: text };
    const by = owner === tree.root ? ({ kind: 'file', file: link as RepoPath } as const) : ({ kind: 'workspace', member: owner } as const);
    for (const at of landingsOf(tree, link as string as RepoFolder).slice(1)) push(files, at, { by, key: undefined, place });
  }
  return { tree, collected, readings: new ReadingSearch(tree, collected).all(), files, opaque, members };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

/** The owner of root files: paths are relative to no workspace. */
const NOBODY = -1;

function readersOf({ graph, root, byName }: Tree, from: number, { reader }: NamedPath): readonly number[] {
  if (reader === undefined) return [from];
  if (reader === '*') return [...graph.members.keys()].filter((member) => member !== root);
  const member = byName.get(reader);
  return member === undefined ? [] : [member];
}

/** Returns where a path leads for a workspace; `undefined` if that is inside of it, or nowhere. */
function destinationOf(tree: Tree, from: number, { paths, fromReader, form, kind, key }: NamedPath): RepoFolder | undefined {
  const isOwn = (path: RepoFolder): boolean => from !== NOBODY && ownerOf(tree, path) === from && !tree.above.has(path);
  const all = fromReader === undefined ? paths : [resolveFolder(folderOf(tree, from), fromReader) ?? ('' as RepoFolder)];
  const found = all.find((path) => tree.graph.byPath.has(path) || resolveFiles(tree, path).files.length > 0);
  if (found !== undefined && isOwn(found)) return undefined;
  const path = found ?? (form === 'text' ? undefined : all.find((one) => !isOwn(one)));
  // A folder above the own one tells nothing, unless a pattern follows. With patterns, settings of the root name the members.
  const tellsNothing = kind === 'path' || (from === NOBODY && key !== undefined);
  return path === undefined || (tellsNothing && isAbove(tree, from, path)) ? undefined : path;
}

function isAbove(tree: Tree, from: number, path: RepoFolder): boolean {
  return tree.above.has(path) && (from === NOBODY || isInside(folderOf(tree, from), path));
}

/** A place is opaque if what it reads is not known to be in one folder: that of a workspace, or one without workspaces. */
function isOpaque(tree: Tree, from: number, { named, path }: { readonly named: NamedPath; readonly path: RepoFolder }): boolean {
  return named.kind === 'opaque' && isAbove(tree, from, path);
}

function landedAt(tree: Tree, path: RepoFolder): readonly string[] {
  return [...new Set(landingsOf(tree, path).flatMap((landed) => [landed, ...resolvedAt(tree, landed)]))];
}

function resolvedAt(tree: Tree, path: RepoFolder): readonly string[] {
  const resolved = resolveFiles(tree, path);
  return resolved.kind === 'files' ? resolved.files : [];
}

/** What a file names, with the chain that led to it. */
type Step =
  | { readonly kind: 'path'; readonly path: RepoFolder; readonly chain: readonly Place[]; readonly key?: string; readonly isData?: boolean }
  | { readonly kind: 'name'; readonly member: number; readonly chain: readonly Place[] };

/**
 * Finds what workspaces read. It follows files outside of all workspaces, and what a tsconfig extends, because whoever reads them reads
 * that too. It does not follow code of other workspaces: their edges do.
 */
class ReadingSearch {
  private readonly tree: Tree;
  private readonly collected: Collected;
  private readonly links = new Map<number, Step[]>();
  private readonly extended = new Map<string, Step[]>();
  private readonly onBehalf = new Map<number, NamedPath[]>();
  private readonly steps = new Map<string, readonly Step[]>();

  constructor(tree: Tree, collected: Collected) {
    this.tree = tree;
    this.collected = collected;
    for (const [file, text] of tree.links) {
      const owner = ownerOf(tree, file);
      const chain = [{ file: file as RepoPath, specifier: text }];
      for (const path of landingsOf(tree, file as string as RepoFolder).slice(1)) push(this.links, owner, { kind: 'path', path, chain });
    }
    for (const own of [...collected.workspaces.values(), ...collected.rootFiles.values()])
      for (const { file, path, place } of own.extended) push(this.extended, file, { kind: 'path', path, chain: [place] });
    for (const { paths } of collected.rootFiles.values())
      for (const named of paths)
        if (named.reader !== undefined) for (const member of readersOf(tree, NOBODY, named)) push(this.onBehalf, member, named);
  }

  all(): readonly Reading[] {
    const { tree, collected } = this;
    const scripts = tree.graph.members.map((_, member) => collected.workspaces.get(member)?.manifest?.scripts ?? []);
    const calls = new Map<number, Reading[]>();
    for (const { from, target, chain } of [...findScriptCalls(tree, scripts), ...this.binaryCalls(scripts)]) {
      const places = chain.map((step) => placeOfScript(tree, scripts, step));
      push(calls, from, { from, target: { kind: 'workspace', member: target }, chain: places, by: 'script' });
    }
    return [...tree.graph.members.keys()].flatMap((from) => this.readingsOf(from, calls.get(from) ?? []));
  }

  /** Finds the scripts that call a command of another workspace, which the root's dependencies may provide. */
  private binaryCalls(scripts: readonly ManifestFacts['scripts'][]): readonly ScriptCall[] {
    const owners = binaryOwners(this.collected);
    if (owners.size === 0) return [];
    return scripts.flatMap((own, from) =>
      own.flatMap(({ name, text }) =>
        wordsOf(text).flatMap((word) => {
          const target = owners.get(word);
          return target === undefined || target === from ? [] : [{ from, target, chain: [{ member: from, script: name }] }];
        }),
      ),
    );
  }

  /** Scripts first: a manifest may resolve a name elsewhere, but not the workspace that a script names. */
  private readingsOf(from: number, calls: readonly Reading[]): readonly Reading[] {
    const found = new Map<string, Reading>();
    const add = (target: ReadTarget, chain: readonly Place[], rest: Pick<Reading, 'by' | 'path' | 'key'>): void => {
      const key = target.kind === 'workspace' ? `${target.member}` : `/${target.path}`;
      const isOwn = target.kind === 'workspace' && target.member === from;
      if (!found.has(key) && !isOwn) found.set(key, { from, target, chain, ...rest });
    };
    for (const { target, chain } of calls) add(target, chain, { by: 'script' });
    const queue = [...this.ownSteps(from)];
    const queued = new Set<string>();
    for (const step of queue) {
      if (step.kind === 'name') {
        add({ kind: 'workspace', member: step.member }, step.chain, { by: 'name' });
        continue;
      }
      if (queued.has(step.path)) continue;
      queued.add(step.path);
      for (const landed of landingsOf(this.tree, step.path)) {
        if (ownerOf(this.tree, landed) === from && from !== this.tree.root) continue;
        const rest = { by: 'path', path: landed, ...(step.key === undefined ? {} : { key: step.key }) } as const;
        for (const target of targetsAt(this.tree, landed)) add(target, step.chain, rest);
        const further = this.stepsAt({ path: landed, isData: step.isData === true });
        queue.push(
          ...further.map((next) => ({
            ...next,
            ...(step.key === undefined ? {} : { key: step.key }),
            chain: [...step.chain, ...next.chain],
          })),
        );
      }
    }
    return [...found.values()];
  }

  private ownSteps(from: number): readonly Step[] {
    const { tree, collected } = this;
    const own = collected.workspaces.get(from);
    const links = this.links.get(from) ?? [];
    // The root's own files are its tests and scripts; a setting of the root names its members.
    if (from === tree.root)
      return [...links, ...[...collected.rootFiles.values()].flatMap((file) => this.stepsOf(from, withoutSettings(file)))];
    return [...(own === undefined ? [] : this.stepsOf(from, own)), ...links, ...this.pathSteps(from, this.onBehalf.get(from) ?? [])];
  }

  private stepsOf(from: number, { packages, paths }: Pick<OwnReferences, 'packages' | 'paths'>): readonly Step[] {
    const names = packages.flatMap(({ name, place }): readonly Step[] => {
      const member = memberNamed(this.tree, name);
      return member === undefined || member === from ? [] : [{ kind: 'name', member, chain: [place] }];
    });
    return [
      ...names,
      ...this.pathSteps(
        from,
        paths.filter(({ reader }) => reader === undefined),
      ),
    ];
  }

  private pathSteps(from: number, paths: readonly NamedPath[]): readonly Step[] {
    return paths.flatMap((named): readonly Step[] => {
      const path = destinationOf(this.tree, from, named);
      if (path === undefined || isOpaque(this.tree, from, { named, path })) return [];
      // What turborepo hashes is data: who loads it names it, too.
      return [
        {
          kind: 'path',
          path,
          chain: [named.place],
          isData: /(^|\/)turbo\.jsonc?$/.test(named.place.file),
          ...(named.key === undefined ? {} : { key: named.key }),
        },
      ];
    });
  }

  /** Returns what root files, and tsconfig files of other workspaces, name at a path; of data, only code leads further. */
  private stepsAt({ path, isData }: { readonly path: RepoFolder; readonly isData: boolean }): readonly Step[] {
    if (ownerOf(this.tree, path) !== this.tree.root) return resolvedAt(this.tree, path).flatMap((file) => this.extended.get(file) ?? []);
    const { files } = resolveFiles(this.tree, path);
    return files.filter((file) => !isData || isCodeFile(file)).flatMap((file) => this.stepsOfRootFile(file));
  }

  private stepsOfRootFile(file: string): readonly Step[] {
    const own = this.collected.rootFiles.get(file);
    const known = this.steps.get(file) ?? (own === undefined ? [] : this.stepsOf(NOBODY, followed(file, own)));
    this.steps.set(file, known);
    return known;
  }
}

function withoutSettings(own: OwnReferences): OwnReferences {
  return {
    ...own,
    packages: own.packages.filter(({ key }) => key === undefined),
    paths: own.paths.filter(({ key, form }) => key === undefined && form !== 'text'),
  };
}

/**
 * Returns what a reader of a root file reads through it. A root setting names its members, and a manifest is data for its readers, but the
 * base of a tsconfig is part of it.
 */
function followed(file: string, own: OwnReferences): OwnReferences {
  if (/(^|\/)package\.json$/.test(file)) return { ...own, packages: [], paths: [] };
  if (!/(^|\/)[jt]sconfig[^/]*$/.test(file)) return own;
  const isExtended = ({ key }: { readonly key?: string }): boolean => /^extends(\.\d+)?$/.test(key ?? '');
  return { ...own, packages: own.packages.filter(isExtended), paths: own.paths.filter(isExtended) };
}

/** Leaves out what scripts name that take no part in tasks of a kind, such as `lint:files` and `changelog:update` in tests. */
function forTasks(own: OwnReferences, kind: TaskKind): OwnReferences {
  const apart = apartScripts(own.manifest?.scripts ?? [], kind);
  if (apart.size === 0) return own;
  return { ...own, paths: own.paths.filter(({ key }) => key === undefined || !apart.has(key)) };
}

/** Returns the keys of the scripts that take no part in tasks of a kind, judged by their names and by who calls them. */
function apartScripts(scripts: ManifestFacts['scripts'], kind: TaskKind): ReadonlySet<string> {
  const isOutside = (name: string): boolean => isApart(name, kind) || isOfRelease(name);
  const apart = scripts.filter(({ name }) => isOutside(name));
  if (apart.length === 0) return new Set();
  const others = scripts.filter(({ name }) => !isOutside(name)).map(({ text }) => text);
  const isCalled = (name: string): boolean => others.some((text) => text.includes(name.replace(/:.*$/s, '')));
  return new Set(apart.filter(({ name }) => !isCalled(name)).map(({ name }) => `scripts.${name}`));
}

/** By command, the workspace that provides it. */
function binaryOwners({ workspaces }: Collected): ReadonlyMap<string, number> {
  const owners = new Map<string, number>();
  for (const [member, { manifest }] of workspaces) for (const name of manifest?.binaries ?? []) owners.set(name, member);
  return owners;
}

/** Returns the workspaces whose name or command is a word of a script. */
function namedIn(script: string, collected: Collected, tree: Tree): ReadonlySet<number> {
  const owners = binaryOwners(collected);
  return new Set(wordsOf(script).flatMap((word) => owners.get(word) ?? tree.byName.get(word) ?? []));
}

function wordsOf(script: string): readonly string[] {
  return script.split(/[\s'"`|&;()=]+/).map((word) => word.replace(/^.*\/node_modules\/\.bin\//, ''));
}

function placeOfScript(tree: Tree, scripts: readonly ManifestFacts['scripts'][], { member, script }: MemberScript): Place {
  const folder = folderOf(tree, member);
  const known = scripts[member]?.find(({ name }) => name === script);
  return {
    file: (folder === '' ? 'package.json' : `${folder}/package.json`) as RepoPath,
    line: known?.line ?? 1,
    specifier: known?.text ?? '',
  };
}
