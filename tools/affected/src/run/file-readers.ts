import { type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { roleOf } from '@tributary/references/file-roles';
import { mayEnd } from '@tributary/references/written-path';
import type { FoundReason } from '@tributary/workspaces/affected';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import { foldersAbove } from '@tributary/workspaces/folders';
import { buildRootOnly } from '@tributary/workspaces/root-dependencies';
import { isReadFrom, readersIn } from '../reasons/known-readers.js';
import type { FileReader } from '../reasons/reference-facts.js';
import type { SidesCompared } from './compared.js';
import type { AffectedInputs } from './inputs.js';
import type { ReferenceSide } from './reference-side.js';

/** The references of both commits. */
export interface Sides {
  readonly head: ReferenceSide & { readonly graph: DependencyGraph };
  readonly base: ReferenceSide | undefined;
}

/** `isNamed`: the very file, and not a folder around it. */
export interface FoundReader extends FileReader {
  readonly isNamed: boolean;
}

/** Who reads the files of workspaces that are no sources, at either commit. Members are those of both commits joined. */
export class FileReaders {
  private readonly compared: SidesCompared;
  private readonly sides: Sides;
  private readonly taskKind: AffectedInputs['taskKind'];

  constructor({ taskKind }: Pick<AffectedInputs, 'taskKind'>, compared: SidesCompared, sides: Sides) {
    this.compared = compared;
    this.sides = sides;
    this.taskKind = taskKind;
  }

  /** Returns who may read a file. */
  readersOf(path: string): readonly FoundReader[] {
    const found = new Map<string, FoundReader>();
    for (const at of [path, ...foldersAbove(path)])
      for (const reader of this.readersAt(at))
        if (mayEnd(path, reader.ending)) found.set(`${reader.name} ${reader.place}`, { ...reader, isNamed: at === path });
    return [...found.values()];
  }

  /** Returns who may read a file, or what is below a folder, at either commit. */
  private readersAt(path: string): readonly FileReader[] {
    return [this.sides.head, this.sides.base].flatMap((side) => (side === undefined ? [] : readersIn(side.facts.readers, path)));
  }

  /** Returns the reason for a reader. `isUsed`: whether others, or sources of its workspace, use the test file in which it reads. */
  async reasonOf(
    path: string,
    { name, place, isAlone, isNamed }: FoundReader,
    isUsed: (member: number, file: RepoPath) => Promise<boolean>,
  ): Promise<FoundReason | undefined> {
    const { joined, base } = this.compared;
    const before = base.members.findIndex((one) => one.name === name);
    const head = joined.graph.members.findIndex((one) => one.name === name);
    const member = head === -1 ? (joined.memberOfBase[before] ?? -1) : head;
    if (member === -1) return undefined;
    // No test loads such a tool, so what it reads reaches nobody else.
    const isTool = this.taskKind !== 'lint' && buildRootOnly([])(name);
    const reason = { kind: 'read', file: path, by: isNamed ? place : `${place} perhaps` } as const;
    if (isTool) return { member, reach: 'itself', reason };
    // Others may depend on it through packages, which the graph does not tell.
    if (!isAlone) return { member, reach: 'dependents', reason };
    if (!this.hasDependents(member)) return { member, reach: 'itself', reason };
    const file = place.replace(/:\d+$/, '') as RepoPath;
    if (await isUsed(member, file)) return { member, reach: 'dependents', reason };
    const { path: folder = '' as RepoFolder } = joined.graph.members[member] ?? {};
    return { member, reach: roleOf(relativeTo(folder, file)) === 'tests' ? 'tests' : 'readers', reason };
  }

  /** Tells whether others name a file, or a folder around it. */
  isReadBy(member: number, file: string): boolean {
    const { path: folder = '' } = this.compared.joined.graph.members[member] ?? {};
    return [this.sides.head, this.sides.base].some((side) => side !== undefined && isReadFrom(side.facts.readers, folder, file));
  }

  /** Without a dependent, nothing must be read to know how far a change reaches. */
  hasDependents(member: number): boolean {
    return (this.compared.joined.graph.dependents[member] ?? []).length > 0;
  }

  /** Returns the workspace that owns a file at both commits, other than the root. */
  ownerOf(path: string): number | undefined {
    const { joined, base } = this.compared;
    const member = owningMember(joined.graph, path);
    if (path.startsWith('../') || member === undefined || member === joined.graph.byPath.get('')) return undefined;
    return this.baseOf(member) !== undefined && owningMember(base, path) === this.baseOf(member) ? member : undefined;
  }

  /** Returns the index of a member at the base. */
  baseOf(member: number): number | undefined {
    const { joined, base } = this.compared;
    const before = base.byPath.get(joined.graph.members[member]?.path ?? ('' as never));
    return before !== undefined && joined.memberOfBase[before] === member ? before : undefined;
  }
}

const REACHES: readonly FoundReason['reach'][] = ['itself', 'tests', 'readers', 'dependents'];

/** Returns of each member the first of the reasons that reach furthest. */
export function onePerMember(reasons: readonly FoundReason[]): readonly FoundReason[] {
  const byMember = new Map<number, FoundReason>();
  for (const one of reasons) {
    const known = byMember.get(one.member);
    if (known === undefined || REACHES.indexOf(known.reach) < REACHES.indexOf(one.reach)) byMember.set(one.member, one);
  }
  return [...byMember.values()];
}
