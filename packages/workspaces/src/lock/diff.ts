import { type LockIndex, type NoIndex, ownerOf } from '@tributary/lockfile/lock-index';
import type { LockRecord } from '@tributary/lockfile/scan';
import type { AllCode } from '@tributary/model/changeset';
import type { RepoFolder } from '@tributary/model/paths';
import { type EntryChange, firstOf, LockComparison, referencesOf } from './compare.js';
import { buildLockGraph, type LockGraph } from './graph.js';
import { compare } from './links.js';
import { addPeerChanges } from './peers.js';
import type { LockRules, Reference } from './references.js';
import { findUnseen } from './unseen.js';

/** One side of a comparison: a yarn.lock, and the settings that decide which of its entries are used. */
export interface LockSide extends LockRules {
  readonly index: LockIndex | NoIndex;
}

/** One reason why the resolutions of a workspace changed. */
export interface LockChange extends EntryChange {
  /** The direct dependency of the workspace that leads to it. */
  readonly dependency: string;
}

/**
 * `changed`: the workspaces of the head whose resolutions outside the project changed, by folder, in the order of the folders. Each has one
 * change per direct dependency, in the order of their names.
 */
export type LockDiff =
  | { readonly kind: 'compared'; readonly changed: ReadonlyMap<RepoFolder, readonly LockChange[]> }
  | { readonly kind: 'unknown'; readonly code: AllCode; readonly reason: string };

/**
 * Finds the workspaces whose transitive resolutions differ between two lockfiles. Workspaces are compared by folder. The walk ends at other
 * workspaces, because their dependents are in the graph of workspaces. Only the head is walked. On every path of the base, the first step
 * that differs starts from an entry that is the same on both sides. So the head has that entry too. Without effect: order, comments, white
 * space, `__metadata`, and unused entries. Never throws. `graph` is that of the head, if it is already built; `base` should have been
 * indexed with the head as the similar one.
 */
export function diffLocks({ index: before, ...base }: LockSide, { index: after, ...head }: LockSide, graph?: LockGraph): LockDiff {
  if (after.kind !== 'berry') return unknown('the head', after);
  if (before.kind !== 'berry') return unknown('the base', before);
  const comparison = new LockComparison(before, graph ?? buildLockGraph(after, head), { base, head });
  const dirty = comparison.dirtyPackages();
  const unseen = findUnseen(comparison, dirty);
  if (unseen !== undefined) {
    const reason = `yarn.lock: ${unseen.entry} changed, and it is unknown which workspaces use it`;
    return { kind: 'unknown', code: 'LOCKFILE_UNKNOWN', reason };
  }
  return { kind: 'compared', changed: changedWorkspaces(comparison, before, dirty) };
}

function unknown(where: string, index: NoIndex): LockDiff {
  return index.kind === 'classic'
    ? {
        kind: 'unknown',
        code: 'LOCKFILE_CLASSIC',
        reason: `yarn.lock of ${where} is from Yarn 1, which does not list the dependencies of workspaces`,
      }
    : { kind: 'unknown', code: 'LOCKFILE_UNREADABLE', reason: `yarn.lock of ${where} cannot be read: ${index.reason}` };
}

function changedWorkspaces(
  comparison: LockComparison,
  before: LockIndex,
  dirty: ReadonlyMap<number, EntryChange>,
): ReadonlyMap<RepoFolder, readonly LockChange[]> {
  const old = new Map(workspacesIn(before).map((record) => [record.workspace, record]));
  const { head } = comparison;
  const added = new Map<LockRecord, Reference[]>();
  for (const { reference } of head.indirect) {
    const { parent } = reference;
    const known = added.get(parent);
    if (known !== undefined) known.push(reference);
    else if (parent.workspace !== undefined) added.set(parent, [reference]);
  }
  const changed = new Map<LockRecord, LockChange[]>();
  for (const [entry, record] of head.index.records.entries()) {
    if (record.workspace === undefined) continue;
    const leadsToDirt = head.leadsTo(entry, (number) => dirtyOwner(comparison, number, dirty) !== undefined);
    if (!leadsToDirt && comparison.isUntouched(entry, added.get(record) ?? [])) {
      changed.set(record, []);
      continue;
    }
    const references = new Map([...(added.get(record) ?? []), ...referencesOf(record)].map((reference) => [reference.name, reference]));
    const was = old.get(record.workspace);
    const changes = [...directChanges(comparison, references, was, dirty), ...removals(comparison, references, was)];
    if (comparison.isExtendedAnew(record))
      changes.push({ dependency: record.resolution, entry: record.resolution, from: was?.resolution ?? null, to: record.resolution });
    changed.set(record, changes);
  }
  addPeerChanges(comparison, changed, dirty);
  const entries = [...changed].map(([record, changes]) => [record.workspace ?? '', changes.sort(byDependency)] as const);
  return new Map(entries.filter(([, changes]) => changes.length > 0).sort(([one], [other]) => compare(one, other)));
}

function workspacesIn(index: LockIndex): readonly LockRecord[] {
  return index.records.filter(({ workspace }) => workspace !== undefined);
}

function directChanges(
  comparison: LockComparison,
  references: ReadonlyMap<string, Reference>,
  was: LockRecord | undefined,
  dirty: ReadonlyMap<number, EntryChange>,
): LockChange[] {
  const before = was === undefined ? undefined : new Map(referencesOf(was).map((reference) => [reference.name, reference]));
  // All references have the same parent, which may list thousands.
  let listed: ReadonlySet<string> | undefined;
  const isListed = ({ parent, name }: Reference): boolean => {
    listed ??= new Set(referencesOf(parent).map((one) => one.name));
    return listed.has(name);
  };
  return [...references.values()].flatMap((is) => {
    const found = comparison.head.references.find(is);
    // An entry does not list what an extension adds, so the reference is as old as the workspace.
    const reference = before?.get(is.name) ?? (was !== undefined && !isListed(is) ? is : undefined);
    const change =
      reference === undefined
        ? newDependency(comparison, is, found)
        : (directChange(comparison, { was: reference, is }, found) ?? firstOf(found, (number) => dirtyOwner(comparison, number, dirty)));
    return change === undefined ? [] : [{ dependency: is.name, ...change }];
  });
}

function directChange(
  comparison: LockComparison,
  { was, is }: { readonly was: Reference; readonly is: Reference },
  found: readonly number[],
): EntryChange | undefined {
  const isPlain =
    was.range === is.range && found.length === 1 && comparison.head.references.isPlain(is.name) && !comparison.isRuledAnew(is);
  return isPlain ? firstOf(found, (number) => comparison.changeOf(number)) : comparison.changeOfReference(was, is);
}

function newDependency({ head }: LockComparison, { name, range }: Reference, found: readonly number[]): EntryChange | undefined {
  const to = firstOf(found, (number) => ownerOf(head.index, number));
  return to === undefined ? undefined : { entry: `${name}@${range}`, from: null, to: to.resolution };
}

function dirtyOwner({ head }: LockComparison, number: number, dirty: ReadonlyMap<number, EntryChange>): EntryChange | undefined {
  return dirty.get(head.index.owners[number] ?? -1);
}

/** Returns the dependencies that the workspace dropped. */
function removals(
  comparison: LockComparison,
  references: ReadonlyMap<string, Reference>,
  was: LockRecord | undefined,
): readonly LockChange[] {
  const gone = was === undefined ? [] : referencesOf(was).filter(({ name }) => !references.has(name));
  return gone.flatMap((reference) => {
    // Only now: the first use numbers its descriptors.
    const { base } = comparison;
    const from = firstOf(base.find(reference), (number) => ownerOf(base.index, number));
    const { name, range } = reference;
    return from === undefined ? [] : [{ dependency: name, entry: `${name}@${range}`, from: from.resolution, to: null }];
  });
}

function byDependency(one: LockChange, other: LockChange): number {
  return compare(one.dependency, other.dependency);
}
