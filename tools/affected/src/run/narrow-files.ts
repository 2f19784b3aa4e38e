import { readNamedBlobs } from '@tributary/git/objects';
import type { ChangedFile } from '@tributary/model/changeset';
import { type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { roleOf } from '@tributary/references/file-roles';
import { findInnerReferences, type InnerReferences } from '@tributary/references/inner-references';
import { placeText } from '@tributary/references/users';
import type { FileRow, FoundReason } from '@tributary/workspaces/affected';
import { type DependencyEdge, type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import { readJson } from '@tributary/workspaces/json';
import { isForTestsAlone } from '@tributary/workspaces/root-dependencies';
import { areTestsApart } from '@tributary/workspaces/task-kinds';
import { objectName } from '../io/reading.js';
import { readWorkspaceCode } from '../io/workspace-code.js';
import { isTestDependency, readManifestRows } from '../reach/manifest-rows.js';
import type { SidesCompared } from './compared.js';
import { FileReaders, onePerMember, type Sides } from './file-readers.js';
import type { AffectedInputs } from './inputs.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * Finds the changed files that no dependent of their workspace can see, by what they are: tests, documentation, versions, and development
 * dependencies for tests alone. Whoever refers to such a file is selected, too; if the sources of the workspace itself do, its dependents
 * are. Returns the comparison with them. Throws `GIT_FAILED`.
 */
export async function narrowFiles(inputs: AffectedInputs, compared: SidesCompared, sides: Sides): Promise<SidesCompared> {
  // Of a build or an unknown task, it is unknown what it makes of such files.
  if (!areTestsApart(inputs.taskKind)) return compared;
  const narrowing = new Narrowing(inputs, compared, sides);
  const roles = new Map<string, FileRow>();
  const readBy = new Map<string, string>();
  const found: FoundReason[] = [];
  for (const file of inputs.files) {
    const narrowed = await narrowing.narrow(file);
    if (narrowed === undefined) continue;
    if (narrowed.row !== undefined) roles.set(file.path, narrowed.row);
    if (narrowed.by !== undefined) readBy.set(file.path, narrowed.by);
    found.push(...narrowed.readers);
  }
  const others = await Promise.all(compared.found.map((one) => narrowing.narrowLocked(one)));
  return { ...compared, roles, readBy, found: [...others, ...found] };
}

/** The row of a file that no source reads, or the place in a source that does. */
interface Judged {
  readonly row?: FileRow;
  readonly by?: string;
}

class Narrowing {
  private readonly inputs: AffectedInputs;
  private readonly compared: SidesCompared;
  private readonly sides: Sides;
  private readonly readers: FileReaders;
  private readonly inner = new Map<number, Promise<readonly InnerReferences[]>>();
  private readonly manifests = new Map<number, Promise<readonly (Json | undefined)[]>>();

  constructor(inputs: AffectedInputs, compared: SidesCompared, sides: Sides) {
    this.inputs = inputs;
    this.compared = compared;
    this.sides = sides;
    this.readers = new FileReaders(inputs, compared, sides);
  }

  /** Returns who refers to a file that is no source, and the row if nobody else sees it; `undefined` for a source. */
  async narrow({ path, kind }: ChangedFile): Promise<(Judged & { readonly readers: readonly FoundReason[] }) | undefined> {
    if (kind !== 'file' || !this.isNoSource(path)) return undefined;
    const readers = this.readers.readersOf(path);
    const member = this.readers.ownerOf(path);
    const own = this.compared.joined.graph.members[member ?? -1]?.name ?? '';
    const isSeen = readers.some(({ name, isAlone }) => name === '*' || (name === own && !isAlone));
    const others = await Promise.all(
      readers
        .filter(({ name }) => name !== own)
        .map((reader) => this.readers.reasonOf(path, reader, (reading, file) => this.isUsed(reading, file))),
    );
    const judged = member === undefined || isSeen || !this.readers.hasDependents(member) ? {} : await this.judge(member, path);
    return { ...judged, readers: onePerMember(others.flatMap((one) => one ?? [])) };
  }

  /** Tells whether a file is, at either commit, one of a workspace that is no source of it. */
  private isNoSource(path: string): boolean {
    const { joined, base } = this.compared;
    return [joined.graph, base].some((graph) => {
      const { path: folder = '' as RepoFolder } = graph.members[owningMember(graph, path) ?? -1] ?? {};
      return folder !== '' && !path.startsWith('../') && roleOf(relativeTo(folder, path)) !== 'source';
    });
  }

  private async judge(member: number, path: RepoPath): Promise<Judged> {
    const row = await this.rowOf(member, path);
    if (row === undefined || this.inputs.config.reach[row] !== 'itself') return {};
    const [place] = (await this.innerOf(member)).flatMap(({ userOf }) => userOf(path) ?? []);
    return place === undefined ? { row } : { by: placeText(place) };
  }

  /** A dependency for tests alone reaches no dependents when its version changes. */
  async narrowLocked(found: FoundReason): Promise<FoundReason> {
    const { reason, member, reach } = found;
    if (reason.kind !== 'lockfile' || reach !== 'dependents' || this.inputs.config.reach.testDependencies !== 'itself') return found;
    if (!isForTestsAlone(reason.dependency) || this.readers.baseOf(member) === undefined || !this.readers.hasDependents(member))
      return found;
    const manifests = await this.manifestsOf(member);
    const isTests = manifests.every((manifest) => manifest !== undefined && isTestDependency(manifest, reason.dependency));
    return isTests && !(await this.isImported(member, [reason.dependency])) ? { ...found, reach: 'readers' } : found;
  }

  private async rowOf(member: number, path: string): Promise<FileRow | undefined> {
    const role = roleOf(relativeTo(this.compared.joined.graph.members[member]?.path ?? ('' as never), path));
    if (role === 'source') return undefined;
    if (role !== 'manifest') return role;
    const [before, after] = await this.manifestsOf(member);
    if (before === undefined || after === undefined) return undefined;
    const rows = readManifestRows(before, after, (name) => this.leadsTo(member, name));
    if (rows === undefined || (await this.isImported(member, rows.testDependencies))) return undefined;
    const { testDependencies, versions } = this.inputs.config.reach;
    if (rows.versions && (versions === 'dependents' || !this.hasSameDependents(member))) return undefined;
    if (rows.testDependencies.length === 0) return 'versions';
    return testDependencies === 'dependents' ? undefined : 'testDependencies';
  }

  private async isImported(member: number, names: readonly string[]): Promise<boolean> {
    if (names.length === 0) return false;
    return (await this.innerOf(member)).some(({ packages }) => names.some((name) => packages.has(name)));
  }

  /** Tells whether a dependency leads to the same workspace at both commits. */
  private leadsTo(member: number, name: string): boolean {
    const isTarget = ({ members }: DependencyGraph, { to }: DependencyEdge): boolean => members[to]?.name === name;
    const { graph } = this.sides.head;
    const { base } = this.compared;
    return (
      graph.edges.some((edge) => edge.from === member && isTarget(graph, edge)) &&
      base.edges.some((edge) => edge.from === this.readers.baseOf(member) && isTarget(base, edge))
    );
  }

  /** Tells whether ranges lead to a workspace from the same others as before, whatever its version is now. */
  private hasSameDependents(member: number): boolean {
    const { joined, base } = this.compared;
    const head = new Set(this.sides.head.graph.edges.filter(({ to }) => to === member).map(({ from }) => from));
    const before = new Set(base.edges.filter(({ to }) => to === this.readers.baseOf(member)).map(({ from }) => joined.memberOfBase[from]));
    return head.size === before.size && [...head].every((from) => before.has(from));
  }

  /** Tells whether others, or sources of its workspace, use a test file. */
  private async isUsed(member: number, file: RepoPath): Promise<boolean> {
    const { path: folder = '' as RepoFolder } = this.compared.joined.graph.members[member] ?? {};
    if (this.readers.ownerOf(file) !== member || roleOf(relativeTo(folder, file)) !== 'tests') return false;
    return this.readers.isReadBy(member, file) || (await this.innerOf(member)).some(({ userOf }) => userOf(file) !== undefined);
  }

  private innerOf(member: number): Promise<readonly InnerReferences[]> {
    const known = this.inner.get(member) ?? this.readInner(member);
    this.inner.set(member, known);
    return known;
  }

  private async readInner(member: number): Promise<readonly InnerReferences[]> {
    const { git, repository, headTree, mergeBase, files } = this.inputs;
    const { joined, base } = this.compared;
    const head = { git, project: repository.project, commit: headTree, graph: joined.graph };
    const before = this.readers.baseOf(member);
    const hasChanged = files.some(({ path }) => this.readers.ownerOf(path) === member);
    const codes = [await readWorkspaceCode(head, member)];
    if (hasChanged && mergeBase !== null && before !== undefined)
      codes.push(await readWorkspaceCode({ ...head, commit: mergeBase, graph: base }, before));
    return codes.map((code) => findInnerReferences({ ...code, isUsedByOthers: (file) => this.readers.isReadBy(member, file) }));
  }

  private manifestsOf(member: number): Promise<readonly (Json | undefined)[]> {
    const known = this.manifests.get(member) ?? this.readManifests(member);
    this.manifests.set(member, known);
    return known;
  }

  private async readManifests(member: number): Promise<readonly (Json | undefined)[]> {
    const { git, repository, headTree, mergeBase } = this.inputs;
    const path = `${this.compared.joined.graph.members[member]?.path ?? ''}/package.json`;
    const names = [mergeBase ?? '', headTree].map((commit) => objectName(commit, repository.project, path));
    const texts = mergeBase === null ? [] : await readNamedBlobs(git, names);
    return [0, 1].map((at) => {
      const reading = readJson(texts[at]?.toString('utf8') ?? '');
      return 'value' in reading && isPlainObject(reading.value) ? reading.value : undefined;
    });
  }
}
