import type { CommitId, RefName } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';

/** The state of an import on a ref. */
export type ImportState =
  /** The ref contains it. `by`: the commit that has since moved its folder; `to`: the new folder. */
  | { readonly kind: 'held'; readonly by: CommitId | undefined; readonly to: string | undefined }
  /** The ref contains it, but `by` has since removed its folder. */
  | { readonly kind: 'removed'; readonly by: CommitId }
  /** The ref contains it, but the folder comes from a later import, `by`. */
  | { readonly kind: 'superseded'; readonly by: CommitId }
  /** The ref contains it, but what is in the folder were added by `by`, which is not an import. */
  | { readonly kind: 'replaced'; readonly by: CommitId }
  /** The ref contains it, and a later sync, `by`, continues it. */
  | { readonly kind: 'synced'; readonly by: CommitId }
  /** Only another branch contains it. */
  | { readonly kind: 'waiting' }
  /** The ref has its files from `by`, but not its history. */
  | { readonly kind: LostState; readonly by: CommitId };

/**
 * `squashed`: into one commit. `rebased`: its commits were recreated on top of others. `rewritten`: its merge commit
 * was recreated, with other parents. `copied`: by unknown means.
 */
export type LostState = 'squashed' | 'rebased' | 'rewritten' | 'copied';

/** An import, as one source of information shows it. */
export interface Sighting {
  readonly record: ImportRecord;
  /** The commit with the record. */
  readonly merge: CommitId;
  /** `undefined` if no branch other than the ref has it. */
  readonly branch: RefName | undefined;
}

/** An import that the ref contains, with its original or a rewritten history. */
export interface ContainedSighting extends Sighting {
  readonly joined: CommitId;
  /** The commit on the ref's first-parent line that brought it. */
  readonly landing: CommitId;
}

/** Everything known of the imports into one folder. */
export interface FolderSightings {
  /** The newest first. */
  readonly contained: readonly ContainedSighting[];
  /** Import records that commits of the ref quote. */
  readonly quoted: readonly Sighting[];
  /**
   * Imports on other branches. `lost`: how their files came to the ref without the import; `undefined` if there is no
   * sign that they did.
   */
  readonly elsewhere: readonly (Sighting & { readonly lost: LostState | undefined })[];
  /** `undefined` if the ref does not have the folder, not even at a place to which it was moved. */
  readonly folder: PresentFolder | undefined;
  /** The commit that removed the folder. */
  readonly removedBy: CommitId | undefined;
}

export interface PresentFolder {
  readonly origin: CommitId | undefined;
  readonly movedBy: CommitId | undefined;
  readonly movedTo: string | undefined;
}

/** Returns the state of each import into one folder. An import that is both on the ref and on another branch is listed once. */
export function decideStates(seen: FolderSightings): readonly (Sighting & { readonly state: ImportState })[] {
  const whole = seen.contained.filter(isWhole);
  const explains = whole.find(({ landing }) => landing === seen.folder?.origin);
  const isLost = seen.folder !== undefined && explains === undefined;
  const lost = isLost ? lostOnRef(seen, whole) : lostSyncs(seen, whole);
  const others = seen.elsewhere.filter((one) => !lost.some((other) => isSame(one, other)));
  return [
    ...whole.map((one) => ({ ...one, state: stateOf(one, explains, seen) })),
    ...lost.map((one) => ({ ...one, branch: seen.elsewhere.find((other) => isSame(one, other))?.branch })),
    ...others.map((one) => {
      const origin = isLost && lost.length === 0 ? seen.folder?.origin : undefined;
      return one.lost === undefined || origin === undefined ? { ...one, state: WAITING } : lostAs(one, one.lost, origin);
    }),
  ];
}

const WAITING: ImportState = { kind: 'waiting' };

/** Returns squashed syncs. After a squash, the folder still belongs to the import that the sync continues. */
function lostSyncs(
  { quoted }: FolderSightings,
  whole: readonly ContainedSighting[],
): readonly (Sighting & { readonly state: ImportState })[] {
  const tips = new Set(whole.map(({ record }) => record.importedTip));
  const lost = quoted.filter(
    ({ record }) => record.previousTip !== undefined && tips.has(record.previousTip) && !tips.has(record.importedTip),
  );
  return lost.map((one) => lostAs(one, 'squashed'));
}

/** Returns imports that commits of the ref mention, but whose histories the ref lacks. */
function lostOnRef(
  { contained, quoted }: FolderSightings,
  whole: readonly ContainedSighting[],
): readonly (Sighting & { readonly state: ImportState })[] {
  const again = contained.filter((one) => !isWhole(one) && !whole.some((other) => isSame(one, other)));
  const rest = quoted.filter((one) => ![...whole, ...again].some((other) => isSame(one, other)));
  return [...again.map((one) => lostAs(one, 'rewritten')), ...rest.map((one) => lostAs(one, 'squashed'))];
}

function stateOf(one: ContainedSighting, explains: ContainedSighting | undefined, seen: FolderSightings): ImportState {
  const whole = seen.contained.filter(isWhole);
  const sync = whole.find((other, at) => other !== one && (continues(other, one) || (at < whole.indexOf(one) && isTwin(other, one))));
  return sync === undefined ? stateOfFirst(firstOf(one, whole), explains, seen) : { kind: 'synced', by: sync.merge };
}

function continues({ record }: ContainedSighting, one: ContainedSighting): boolean {
  return record.previousTip === one.record.importedTip;
}

/** Whether two syncs continue the same tip, from the same branch of the source. The newer one contains what the older one brought. */
function isTwin({ record }: ContainedSighting, one: ContainedSighting): boolean {
  return record.previousTip !== undefined && record.previousTip === one.record.previousTip && record.sourceRef === one.record.sourceRef;
}

/** Returns the import that a sync continues, directly or through other syncs. For an import, that is itself. */
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

function stateOfFirst(
  one: ContainedSighting,
  explains: ContainedSighting | undefined,
  { folder, removedBy }: FolderSightings,
): ImportState {
  if (folder === undefined && removedBy !== undefined) return { kind: 'removed', by: removedBy };
  if (folder?.origin === undefined || explains === one) return { kind: 'held', by: folder?.movedBy, to: folder?.movedTo };
  return explains === undefined ? { kind: 'replaced', by: folder.origin } : { kind: 'superseded', by: explains.merge };
}

function lostAs<T extends Sighting>(one: T, kind: LostState, by: CommitId = one.merge): T & { readonly state: ImportState } {
  return { ...one, state: { kind, by } };
}

function isWhole({ joined, record }: ContainedSighting): boolean {
  return joined === record.importedTip;
}

function isSame(one: Sighting, other: Sighting): boolean {
  return one.record.importedTip === other.record.importedTip;
}
