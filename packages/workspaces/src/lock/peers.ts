import { nameOf } from '@tributary/lockfile/descriptors';
import { ownerOf } from '@tributary/lockfile/lock-index';
import { descriptorsOf, pairsOf, peersOf } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import { type EntryChange, firstOf, type LockComparison, referencesOf } from './compare.js';
import type { LockGraph } from './graph.js';

/** A change, with the direct dependency of a workspace that leads to it. */
type OwnChange = EntryChange & { readonly dependency: string };

/**
 * Adds the changes of workspaces' peer dependencies. The dependents of a workspace provide its peers, or the root, whose packages every
 * workspace can find. A change for a provider is a change for the workspace, also through further peers. A peer without a provider counts
 * by its name, because something may still install it.
 */
export function addPeerChanges(
  comparison: LockComparison,
  changed: ReadonlyMap<LockRecord, OwnChange[]>,
  dirty: ReadonlyMap<number, EntryChange>,
): void {
  const { records } = comparison.head.index;
  const dirtyNames = new Set(
    [...dirty.keys()]
      .flatMap((entry) => records[entry] ?? [])
      .flatMap(descriptorsOf)
      .map(nameOf),
  );
  const mayChange = (name: string): boolean => dirtyNames.has(name) || comparison.mayHaveChanged(name);
  const own = changedNamesIn(changed);
  const peers = providedPeers(comparison, [...changed.keys()], (name) => own.has(name) || mayChange(name));
  for (const { record, name, providers } of peers) {
    if (!mayChange(name)) continue;
    const change = changeByName(comparison, name, dirty);
    if (change === undefined || providers.some((provider) => asksFor(provider, name))) continue;
    changed.get(record)?.push({ dependency: name, ...change });
  }
  // Only changes that exist can be passed on.
  const changedNames = changedNamesIn(changed);
  const handedOn = peers.filter(({ name }) => changedNames.has(name));
  for (let grew = true; grew; ) {
    grew = false;
    for (const { record, name, providers } of handedOn) {
      const changes = changed.get(record);
      if (changes === undefined || changes.some(({ dependency }) => dependency === name)) continue;
      const change = providers.flatMap((provider) => changed.get(provider) ?? []).find(({ dependency }) => dependency === name);
      if (change === undefined) continue;
      changes.push(change);
      grew = true;
    }
  }
}

function changedNamesIn(changed: ReadonlyMap<LockRecord, readonly OwnChange[]>): ReadonlySet<string> {
  return new Set([...changed.values()].flat().map(({ dependency }) => dependency));
}

/** A peer of a workspace, and the workspaces that may provide it. */
interface ProvidedPeer {
  readonly record: LockRecord;
  readonly name: string;
  readonly providers: readonly LockRecord[];
}

/** Returns the requested peers of workspaces that are not also their own dependencies. The providers of others are not needed. */
function providedPeers(
  { head }: LockComparison,
  workspaces: readonly LockRecord[],
  isAsked: (name: string) => boolean,
): readonly ProvidedPeer[] {
  const asking = workspaces.flatMap((record) => {
    const names = peersOf(record).flatMap(([name]) => (isAsked(name) ? [name] : []));
    return names.length === 0 ? [] : [{ record, names }];
  });
  if (asking.length === 0) return [];
  const entries = new Map(head.index.records.map((record, entry) => [record, entry]));
  const roots = workspaces.filter(({ workspace }) => workspace === '');
  return asking.flatMap(({ record, names }) => {
    const own = new Set(referencesOf(record).map(({ name }) => name));
    const providers = [...dependentsOf(head, entries.get(record) ?? -1), ...roots];
    return names.flatMap((name) => (own.has(name) ? [] : [{ record, name, providers }]));
  });
}

function asksFor(record: LockRecord, name: string): boolean {
  return [...pairsOf(record), ...peersOf(record)].some(([asked]) => asked === name);
}

/** Returns the workspaces that depend on the entry at an index. */
function dependentsOf(graph: LockGraph, entry: number): readonly LockRecord[] {
  const dependents = [...graph.dependentsOf(entry)].flatMap((dependent) => graph.index.records[dependent] ?? []);
  return dependents.filter(({ workspace }) => workspace !== undefined);
}

/** Returns a change of any package of a name, including a removed one. Changes of a workspace of that name are not in the lockfile. */
function changeByName(comparison: LockComparison, name: string, dirty: ReadonlyMap<number, EntryChange>): EntryChange | undefined {
  const { references, index } = comparison.head;
  const packages = references.findByName(name).filter((number) => ownerOf(index, number)?.workspace === undefined);
  const change = firstOf(packages, (number) => comparison.changeOf(number) ?? dirty.get(index.owners[number] ?? -1));
  return change ?? (comparison.before.isTouched(name) ? goneByName(comparison, name) : undefined);
}

function goneByName({ base, head }: LockComparison, name: string): EntryChange | undefined {
  const records = base.findByName(name).flatMap((number) => {
    const record = ownerOf(base.index, number);
    return record === undefined || record.workspace !== undefined ? [] : [{ entry: base.index.descriptors[number] ?? '', record }];
  });
  const stays = new Set(head.references.findByName(name).map((number) => ownerOf(head.index, number)?.resolution));
  const gone = records.find(({ record }) => !stays.has(record.resolution));
  return gone === undefined ? undefined : { entry: gone.entry, from: gone.record.resolution, to: null };
}
