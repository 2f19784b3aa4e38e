import { isInside, type RepoFolder, type RepoPath } from '@tributary/model/paths';
import { detach, detachNames } from '@tributary/references/read-references';
import type { FileReferences } from '@tributary/references/reference';
import { owningMember } from '@tributary/workspaces/dependency-graph';
import { parentFolder, resolveFolder } from '@tributary/workspaces/folders';
import type { IndirectReading } from './finding.js';
import { type CheckedProject, folderAt, hasOwnManifest, manifestPath, scriptsAt } from './project.js';
import { landingsOf, type ReadTarget, resolveFiles, targetsAt } from './read-targets.js';
import { findScriptCalls, type MemberScript, type ScriptCall } from './script-calls.js';
import { type LinkTexts, passLinks } from './symlinks.js';
import { destinationOf, isRelative, namesAll, targetNamed } from './undeclared.js';

export type NamingStep = IndirectReading['chain'][number];

/** Something outside a workspace that it reads, directly or through root files. */
export interface WorkspaceReference {
  readonly from: number;
  readonly target: ReadTarget;
  /** Begins with a file of the workspace; the last step names the target. */
  readonly chain: readonly NamingStep[];
  /** Whether scripts lead there; the last one runs a script of the target. */
  readonly script?: true;
}

/** What a file names, with the chain that led to it. */
type Named =
  | { readonly kind: 'path'; readonly path: RepoFolder; readonly chain: readonly NamingStep[] }
  | { readonly kind: 'name'; readonly target: number; readonly chain: readonly NamingStep[] };

type NamedPath = Extract<Named, { kind: 'path' }>;

/** The owner of root files: paths are relative to no workspace. */
const NOBODY = -1;

/**
 * Collects what workspaces read while the files of a commit are scanned one by one. It follows root files, which belong to no workspace:
 * their imports are read by whoever reads them. It does not follow code of other workspaces, because they read what that imports.
 */
export class ReferenceCollector {
  private readonly project: CheckedProject;
  private readonly links: LinkTexts;
  private readonly calls: readonly ScriptCall[];
  /** By manifest and script, the line. */
  private readonly scriptLines = new Map<string, ReadonlyMap<string, number>>();
  /** Root files, by path. */
  private readonly rootFiles = new Map<string, FileReferences>();
  /** By the reader's index, each path out of it, with the first place that names it. */
  private readonly paths = new Map<number, Map<string, NamedPath>>();
  /** By the reader's index, each workspace that it imports by name. */
  private readonly names = new Map<number, Map<number, NamingStep>>();
  /** Pairs of workspaces of which one names the other, even if the name may mean something else. */
  private readonly named = new Set<string>();
  /** By the reader's index, every path that it reads, directly or through root files. */
  private readonly seen = new Map<number, ReadonlySet<string>>();

  constructor(project: CheckedProject, links: LinkTexts) {
    this.project = project;
    this.links = links;
    this.calls = findScriptCalls(project);
    for (const [file, text] of links) {
      const from = owningMember(project.graph, file) ?? 0;
      const path = resolveFolder(parentFolder(file), text);
      if (path !== undefined)
        this.addPath(from, { kind: 'path', path, chain: [{ file: file as RepoPath, line: undefined, specifier: text }] });
    }
  }

  /** Records what a file names, without keeping its text. */
  look(file: FileReferences): void {
    const from = owningMember(this.project.graph, file.path) ?? 0;
    if (file.manifest !== undefined) this.scriptLines.set(file.path, new Map(file.manifest.scripts.map(({ name, line }) => [name, line])));
    if (from === 0) this.rootFiles.set(file.path, detachNames(file));
    // Below another package.json, a name may belong to another package. But test material may be run by the tests.
    const isDoubtful = hasOwnManifest(this.project, file.path, folderAt(this.project, from));
    for (const name of file.names) {
      // A root setting names its members.
      if (from === 0 && ('key' in name || name.form === 'text')) continue;
      const chain = [{ file: file.path, line: name.line, specifier: detach(name.specifier) }];
      const named = this.follow({ from, owner: from }, file.path, { name, chain });
      if (named?.kind === 'path') this.addPath(from, named);
      else if (named !== undefined && isDoubtful) this.named.add(`${from} ${named.target}`);
      else if (named !== undefined) this.addName(from, named);
    }
  }

  /** Tells whether a workspace names another, directly or through root files; valid after `all`. */
  isWorkspaceRead(from: number, target: number): boolean {
    return this.named.has(`${from} ${target}`);
  }

  /** Tells whether a workspace reads a file or folder, something in it, or a folder above it; valid after `all`. */
  isPathRead(from: number, path: string): boolean {
    const listed = (path === '.' ? '' : path) as RepoFolder;
    return [...(this.seen.get(from) ?? [])].some((seen) => isInside(seen as RepoFolder, listed) || isInside(listed, seen as RepoFolder));
  }

  /** Returns everything that is read, once per reader and target, by the shortest chain. */
  all(): readonly WorkspaceReference[] {
    const readers = [...new Set([...this.paths.keys(), ...this.names.keys(), ...this.calls.map((call) => call.from)])].sort(
      (one, other) => one - other,
    );
    return readers.flatMap((from) => this.referencesOf(from));
  }

  private addPath(from: number, named: NamedPath): void {
    const known = this.paths.get(from) ?? new Map<string, NamedPath>();
    this.paths.set(from, known);
    if (!known.has(named.path)) known.set(named.path, named);
  }

  private addName(from: number, { target, chain: [step] }: Extract<Named, { kind: 'name' }>): void {
    const known = this.names.get(from) ?? new Map<number, NamingStep>();
    this.names.set(from, known);
    if (step !== undefined && !known.has(target)) known.set(target, step);
  }

  private referencesOf(from: number): readonly WorkspaceReference[] {
    const found = new Map<string, WorkspaceReference>();
    const add = (target: ReadTarget, chain: readonly NamingStep[], by: Pick<WorkspaceReference, 'script'> = {}): void => {
      const key = target.kind === 'workspace' ? `${target.member}` : `/${target.path}`;
      const isOwn = target.kind === 'workspace' && target.member === from;
      if (!found.has(key) && !isOwn) found.set(key, { from, target, chain, ...by });
      if (target.kind === 'workspace') this.named.add(`${from} ${target.member}`);
    };
    // Scripts first: a manifest may resolve a name elsewhere, but not the workspace that a script names.
    for (const call of this.calls)
      if (call.from === from)
        add(
          { kind: 'workspace', member: call.target },
          call.chain.map((step) => this.scriptStep(step)),
          { script: true },
        );
    for (const [member, step] of this.names.get(from) ?? []) add({ kind: 'workspace', member }, [step]);
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
        if (next.kind === 'name') add({ kind: 'workspace', member: next.target }, next.chain);
        else if (!queued.has(next.path)) {
          queued.add(next.path);
          queue.push(next);
        }
      }
    }
    this.seen.set(from, seen);
    return [...found.values()];
  }

  private scriptStep({ member, script }: MemberScript): NamingStep {
    const file = manifestPath(this.project, member);
    return { file, line: this.scriptLines.get(file)?.get(script), specifier: scriptsAt(this.project, member).get(script) ?? '' };
  }

  /** Returns the links on a path and its final target, without those in the reader itself. */
  private landings(from: number, path: RepoFolder): readonly RepoFolder[] {
    return landingsOf(this.links, path).filter((landed) => owningMember(this.project.graph, landed) !== from);
  }

  /** Returns what root files at the end of a path name. */
  private namedBy(from: number, { path, chain }: Omit<NamedPath, 'kind'>): readonly Named[] {
    const { end } = passLinks(this.links, path);
    if (end === undefined || (owningMember(this.project.graph, end) ?? 0) !== 0) return [];
    return resolveFiles(this.project, end).files.flatMap((file) =>
      (this.rootFiles.get(file)?.names ?? []).flatMap((name) => {
        const further = [...chain, { file, line: name.line, specifier: name.specifier }];
        const named = isFollowed(file, name) ? this.follow({ from, owner: NOBODY }, file, { name, chain: further }) : undefined;
        return named === undefined ? [] : [named];
      }),
    );
  }

  /** `owner`: the index of the file's workspace. */
  private follow(
    { from, owner }: { readonly from: number; readonly owner: number },
    file: RepoPath,
    { name, chain }: { readonly name: FileReferences['names'][number]; readonly chain: readonly NamingStep[] },
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

/**
 * Tells whether to follow a name. A root setting names its members, and a manifest is data for its readers, but the base of a tsconfig is
 * part of it.
 */
function isFollowed(file: RepoPath, name: FileReferences['names'][number]): boolean {
  if (!('key' in name)) return true;
  if (/(^|\/)[jt]sconfig[^/]*$/.test(file)) return name.form === 'module';
  return !/(^|\/)package\.json$/.test(file);
}
