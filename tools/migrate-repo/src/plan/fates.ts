import type { CommitId, RefName } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';

/** What has become of an import on a ref. */
export type Fate =
  /** The ref contains it. `by`: the commit that moved its folder elsewhere since; `to`: the folder. */
  | { readonly state: 'held'; readonly by: CommitId | undefined; readonly to: string | undefined }
  /** The ref contains it, and `by` has taken its folder away since. */
  | { readonly state: 'removed'; readonly by: CommitId }
  /** The ref contains it, and a later import, `by`, brought what is in the folder now. */
  | { readonly state: 'superseded'; readonly by: CommitId }
  /** The ref contains it, but what is in the folder were added by `by`, which is not an import. */
  | { readonly state: 'replaced'; readonly by: CommitId }
  /** The ref contains it, and `by`, a later sync with the source, continues it. */
  | { readonly state: 'synced'; readonly by: CommitId }
  /** Another branch contains it. */
  | { readonly state: 'waiting' }
  /** The ref has its files, which came with `by`, and not its history. */
  | { readonly state: LostState; readonly by: CommitId };

/**
 * `squashed`: into one commit. `rebased`: each commit was made again, on top of others. `rewritten`: the merge commit was made again, over other commits. `copied`: it is
 * not known how.
 */
export type LostState = 'squashed' | 'rebased' | 'rewritten' | 'copied';

/** An import as one of the ways to learn of it shows it. */
export interface Sighting {
  readonly record: ImportRecord;
  /** The commit that carries the record. */
  readonly merge: CommitId;
  /** `undefined`: no branch but the ref itself has it. */
  readonly branch: RefName | undefined;
}

/** An import that the ref contains, with its history or with one that was made again. */
export interface ContainedSighting extends Sighting {
  readonly joined: CommitId;
  /** The commit of the ref's own line that brought it. */
  readonly landing: CommitId;
}

/** All that is known of the imports into one folder. */
export interface FolderSightings {
  /** The newest first. */
  readonly contained: readonly ContainedSighting[];
  /** Records that commits of the ref quote. */
  readonly quoted: readonly Sighting[];
  /** On other branches. `lost`: how its files came to the ref without it; `undefined`: nothing tells that they did. */
  readonly elsewhere: readonly (Sighting & { readonly lost: LostState | undefined })[];
  /** `undefined`: the ref does not have the folder, nor any to which it was moved. */
  readonly folder: PresentFolder | undefined;
  /** The commit that took the folder away. */
  readonly removedBy: CommitId | undefined;
}

export interface PresentFolder {
  readonly origin: CommitId | undefined;
  readonly movedBy: CommitId | undefined;
  readonly movedTo: string | undefined;
}

/** Decides what has become of the imports into one folder. One that is seen twice, on the ref and on another branch, is one. */
export function decideFates(seen: FolderSightings): readonly (Sighting & { readonly fate: Fate })[] {
  const whole = seen.contained.filter(isWhole);
  const explains = whole.find(({ landing }) => landing === seen.folder?.origin);
  const isLost = seen.folder !== undefined && explains === undefined;
  const lost = isLost ? lostOnRef(seen, whole) : lostSyncs(seen, whole);
  const others = seen.elsewhere.filter((one) => !lost.some((other) => isSame(one, other)));
  return [
    ...whole.map((one) => ({ ...one, fate: fateOf(one, explains, seen) })),
    ...lost.map((one) => ({ ...one, branch: seen.elsewhere.find((other) => isSame(one, other))?.branch })),
    ...others.map((one) => {
      const origin = isLost && lost.length === 0 ? seen.folder?.origin : undefined;
      return one.lost === undefined || origin === undefined ? { ...one, fate: WAITING } : lostAs(one, one.lost, origin);
    }),
  ];
}

const WAITING: Fate = { state: 'waiting' };

/** A sync that was squashed leaves the folder with the import that it continues. */
function lostSyncs({ quoted }: FolderSightings, whole: readonly ContainedSighting[]): readonly (Sighting & { readonly fate: Fate })[] {
  const tips = new Set(whole.map(({ record }) => record.importedTip));
  const lost = quoted.filter(
    ({ record }) => record.previousTip !== undefined && tips.has(record.previousTip) && !tips.has(record.importedTip),
  );
  return lost.map((one) => lostAs(one, 'squashed'));
}

/** Imports that commits of the ref tell of, and whose histories it does not have. */
function lostOnRef(
  { contained, quoted }: FolderSightings,
  whole: readonly ContainedSighting[],
): readonly (Sighting & { readonly fate: Fate })[] {
  const again = contained.filter((one) => !isWhole(one) && !whole.some((other) => isSame(one, other)));
  const rest = quoted.filter((one) => ![...whole, ...again].some((other) => isSame(one, other)));
  return [...again.map((one) => lostAs(one, 'rewritten')), ...rest.map((one) => lostAs(one, 'squashed'))];
}

function fateOf(one: ContainedSighting, explains: ContainedSighting | undefined, seen: FolderSightings): Fate {
  const whole = seen.contained.filter(isWhole);
  const sync = whole.find((other, at) => other !== one && (continues(other, one) || (at < whole.indexOf(one) && isTwin(other, one))));
  return sync === undefined ? fateOfFirst(firstOf(one, whole), explains, seen) : { state: 'synced', by: sync.merge };
}

function continues({ record }: ContainedSighting, one: ContainedSighting): boolean {
  return record.previousTip === one.record.importedTip;
}

/** Both go on from the same tip, on the same branch of the source: the newer one has what the older one brought. */
function isTwin({ record }: ContainedSighting, one: ContainedSighting): boolean {
  return record.previousTip !== undefined && record.previousTip === one.record.previousTip && record.sourceRef === one.record.sourceRef;
}

/** The import that a sync continues, over the syncs between them; itself, if it is none. */
function firstOf(one: ContainedSighting, whole: readonly ContainedSighting[]): ContainedSighting {
  const seen = new Set([one]);
  for (let at = one; ; ) {
    const { previousTip } = at.record;
    const before = previousTip === undefined ? undefined : whole.find(({ record }) => record.importedTip === previousTip);
    if (before === undefined || seen.has(before)) return at;
    seen.add(before);
    at = before;
  }
}

function fateOfFirst(one: ContainedSighting, explains: ContainedSighting | undefined, { folder, removedBy }: FolderSightings): Fate {
  if (folder === undefined && removedBy !== undefined) return { state: 'removed', by: removedBy };
  if (folder?.origin === undefined || explains === one) return { state: 'held', by: folder?.movedBy, to: folder?.movedTo };
  return explains === undefined ? { state: 'replaced', by: folder.origin } : { state: 'superseded', by: explains.merge };
}

function lostAs<T extends Sighting>(one: T, state: LostState, by: CommitId = one.merge): T & { readonly fate: Fate } {
  return { ...one, fate: { state, by } };
}

function isWhole({ joined, record }: ContainedSighting): boolean {
  return joined === record.importedTip;
}

function isSame(one: Sighting, other: Sighting): boolean {
  return one.record.importedTip === other.record.importedTip;
}
