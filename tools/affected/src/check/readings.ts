import { isInside, type RepoFolder, type RepoPath } from '@tributary/model/paths';
import { ownerPlace } from '@tributary/workspaces/dependency-graph';
import { parentFolder, resolveFolder } from '@tributary/workspaces/folders';
import { folderAt, hasOwnManifest, manifestPath, type Project, scriptsAt } from './project.js';
import { landingsOf, type ReadTarget, resolveFiles, targetsAt } from './read-targets.js';
import { detach, detachNames } from './scan-file.js';
import { findScriptCalls, type ScriptCall, type ScriptPlace } from './script-calls.js';
import { type LinkTexts, passLinks } from './symlinks.js';
import { destinationOf, isRelative, namesAll, type ScannedFile, targetNamed } from './undeclared.js';

/** One file that names the next one, or what is read in the end. A symbolic link names it as a whole. */
export interface ReadingStep {
  readonly file: RepoPath;
  /** From 1. */
  readonly line: number | undefined;
  readonly specifier: string;
}

/** Something outside of a workspace that it reads, itself or through files of the root. */
export interface Reading {
  readonly from: number;
  readonly target: ReadTarget;
  /** From a file of the workspace on; the last one names the target. */
  readonly chain: readonly ReadingStep[];
  /** Whether scripts lead there: the last one runs a script of the target. */
  readonly script?: true;
}

/** What a file names, and how it was come by. */
type Named =
  | { readonly kind: 'path'; readonly path: RepoFolder; readonly chain: readonly ReadingStep[] }
  | { readonly kind: 'name'; readonly target: number; readonly chain: readonly ReadingStep[] };

type NamedPath = Extract<Named, { kind: 'path' }>;

/** Outside of all workspaces: paths count as seen from nobody. */
const NOBODY = -1;

/**
 * Collects what workspaces read, while the files of a commit are scanned one after the other, and follows it through the files of the
 * root, which belong to no workspace: what these import is read by whoever reads them. Code of other workspaces is not followed: what it
 * reads is theirs.
 */
export class Readings {
  private readonly project: Project;
  private readonly links: LinkTexts;
  private readonly calls: readonly ScriptCall[];
  /** By manifest and script the line. */
  private readonly scriptLines = new Map<string, ReadonlyMap<string, number>>();
  /** The files of the root by path. */
  private readonly rootFiles = new Map<string, ScannedFile>();
  /** By the place of the reader, each path out of it, with the first place that names it. */
  private readonly paths = new Map<number, Map<string, NamedPath>>();
  /** By the place of the reader, each workspace that it imports by name. */
  private readonly names = new Map<number, Map<number, ReadingStep>>();
  /** Each pair of workspaces of which one names the other, also where that may mean something else. */
  private readonly named = new Set<string>();
  /** By the place of the reader, every path that it was seen to read, itself or through files of the root. */
  private readonly seen = new Map<number, ReadonlySet<string>>();

  constructor(project: Project, links: LinkTexts) {
    this.project = project;
    this.links = links;
    this.calls = findScriptCalls(project);
    for (const [file, text] of links) {
      const from = ownerPlace(project.graph, file) ?? 0;
      const path = resolveFolder(parentFolder(file), text);
      if (path !== undefined)
        this.addPath(from, { kind: 'path', path, chain: [{ file: file as RepoPath, line: undefined, specifier: text }] });
    }
  }

  /** Keeps what a file names; nothing of its text. */
  look(file: ScannedFile): void {
    const from = ownerPlace(this.project.graph, file.path) ?? 0;
    if (file.scripts !== undefined) this.scriptLines.set(file.path, file.scripts);
    if (from === 0) this.rootFiles.set(file.path, detachNames(file));
    // Below another package.json a name may be that of another package. Material of tests, though, may be run by the tests.
    const isDoubtful = hasOwnManifest(this.project, file.path, folderAt(this.project, from));
    for (const name of file.names) {
      // A setting of the root names its members.
      if (from === 0 && ('key' in name || name.form === 'text')) continue;
      const chain = [{ file: file.path, line: name.line, specifier: detach(name.specifier) }];
      const named = this.follow({ from, owner: from }, file.path, { name, chain });
      if (named?.kind === 'path') this.addPath(from, named);
      else if (named !== undefined && isDoubtful) this.named.add(`${from} ${named.target}`);
      else if (named !== undefined) this.addName(from, named);
    }
  }

  /** Whether a workspace names another one, itself or through files of the root; known once `all` was asked. */
  isWorkspaceRead(from: number, target: number): boolean {
    return this.named.has(`${from} ${target}`);
  }

  /** Whether a workspace reads a file or folder, something in it, or a folder above it; known once `all` was asked. */
  isPathRead(from: number, path: string): boolean {
    const listed = (path === '.' ? '' : path) as RepoFolder;
    return [...(this.seen.get(from) ?? [])].some((seen) => isInside(seen as RepoFolder, listed) || isInside(listed, seen as RepoFolder));
  }

  /** Everything that is read, once for each reader and target, by the shortest way. */
  all(): readonly Reading[] {
    const readers = [...new Set([...this.paths.keys(), ...this.names.keys(), ...this.calls.map((call) => call.from)])].sort(
      (one, other) => one - other,
    );
    return readers.flatMap((from) => this.readingsOf(from));
  }

  private addPath(from: number, named: NamedPath): void {
    const known = this.paths.get(from) ?? new Map<string, NamedPath>();
    this.paths.set(from, known);
    if (!known.has(named.path)) known.set(named.path, named);
  }

  private addName(from: number, { target, chain: [step] }: Extract<Named, { kind: 'name' }>): void {
    const known = this.names.get(from) ?? new Map<number, ReadingStep>();
    this.names.set(from, known);
    if (step !== undefined && !known.has(target)) known.set(target, step);
  }

  private readingsOf(from: number): readonly Reading[] {
    const found = new Map<string, Reading>();
    const add = (target: ReadTarget, chain: readonly ReadingStep[], by: Pick<Reading, 'script'> = {}): void => {
      const key = target.kind === 'workspace' ? `${target.place}` : `/${target.path}`;
      const isOwn = target.kind === 'workspace' && target.place === from;
      if (!found.has(key) && !isOwn) found.set(key, { from, target, chain, ...by });
      if (target.kind === 'workspace') this.named.add(`${from} ${target.place}`);
    };
    // First: what a manifest says of a name need not hold for the workspace that a script names.
    for (const call of this.calls)
      if (call.from === from)
        add(
          { kind: 'workspace', place: call.target },
          call.chain.map((step) => this.scriptStep(step)),
          { script: true },
        );
    for (const [place, step] of this.names.get(from) ?? []) add({ kind: 'workspace', place }, [step]);
    const queue: NamedPath[] = [...(this.paths.get(from)?.values() ?? [])];
    const queued = new Set<string>(queue.map(({ path }) => path));
    const seen = new Set<string>();
    for (const { path, chain } of queue) {
      seen.add(path);
      for (const landed of this.landings(from, path)) {
        for (const at of [landed, ...resolveFiles(this.project, landed).files]) seen.add(at);
        for (const target of targetsAt(this.project, landed)) add(target, chain);
      }
      for (const next of this.namedBy(from, { path, chain })) {
        if (next.kind === 'name') add({ kind: 'workspace', place: next.target }, next.chain);
        else if (!queued.has(next.path)) {
          queued.add(next.path);
          queue.push(next);
        }
      }
    }
    this.seen.set(from, seen);
    return [...found.values()];
  }

  private scriptStep({ place, script }: ScriptPlace): ReadingStep {
    const file = manifestPath(this.project, place);
    return { file, line: this.scriptLines.get(file)?.get(script), specifier: scriptsAt(this.project, place).get(script) ?? '' };
  }

  /** The links that a path goes through, and where it ends; not what lies in the reader itself. */
  private landings(from: number, path: RepoFolder): readonly RepoFolder[] {
    return landingsOf(this.links, path).filter((landed) => ownerPlace(this.project.graph, landed) !== from);
  }

  /** What the files of the root name that a path leads to. */
  private namedBy(from: number, { path, chain }: Omit<NamedPath, 'kind'>): readonly Named[] {
    const { end } = passLinks(this.links, path);
    if (end === undefined || (ownerPlace(this.project.graph, end) ?? 0) !== 0) return [];
    return resolveFiles(this.project, end).files.flatMap((file) =>
      (this.rootFiles.get(file)?.names ?? []).flatMap((name) => {
        const further = [...chain, { file, line: name.line, specifier: name.specifier }];
        const named = isFollowed(file, name) ? this.follow({ from, owner: NOBODY }, file, { name, chain: further }) : undefined;
        return named === undefined ? [] : [named];
      }),
    );
  }

  /** `owner`: the place of the workspace that the file belongs to. */
  private follow(
    { from, owner }: { readonly from: number; readonly owner: number },
    file: RepoPath,
    { name, chain }: { readonly name: ScannedFile['names'][number]; readonly chain: readonly ReadingStep[] },
  ): Named | undefined {
    if (!isRelative(name)) {
      const target = targetNamed(this.project, name.specifier);
      return target === undefined || target === from ? undefined : { kind: 'name', target, chain };
    }
    const destination = destinationOf(this.project, owner, { file, name });
    switch (destination.kind) {
      case 'package':
        return destination.target === from ? undefined : { kind: 'name', target: destination.target, chain };
      case 'elsewhere':
        return { kind: 'path', path: destination.path, chain };
      case 'several':
        return namesAll(this.project, from, { name, path: destination.path }) ? { kind: 'path', path: destination.path, chain } : undefined;
      default:
        return undefined;
    }
  }
}

/** A setting of the root names its members, and a manifest is data to who reads it; what a tsconfig extends is a part of it. */
function isFollowed(file: RepoPath, name: ScannedFile['names'][number]): boolean {
  if (!('key' in name)) return true;
  if (/(^|\/)[jt]sconfig[^/]*$/.test(file)) return name.form === 'module';
  return !/(^|\/)package\.json$/.test(file);
}
