import { type LockIndex, ownerOf } from '@tributary/lockfile/lock-index';
import { plainRange } from '@tributary/lockfile/lockfile';
import { pairsOf } from '@tributary/lockfile/record';
import type { LockRecord } from '@tributary/lockfile/scan';
import type { RepoFolder } from '@tributary/model/paths';
import type { Manifest } from '@tributary/workspaces/manifest';
import { installedOf, type WorkspaceLocation } from './declared.js';

/** A workspace that may require a package. */
export interface MayAsk {
  readonly member: WorkspaceLocation;
  readonly manifest: Manifest;
  /** Whether this run imported it. */
  readonly isNew: boolean;
  /** Its folder in the lockfile. */
  readonly lockFolder: RepoFolder;
}

/** The dependent of a package. */
export interface PackageDependent {
  readonly member: WorkspaceLocation;
  /** `itself`: its manifest has this range, or a catalog does. `by the lockfile`: it or one of its dependencies gets the package. */
  readonly asks: 'itself' | 'by the lockfile';
  /** The packages between the workspace and the package, such as `lib@1.0.0`; empty if the workspace itself requires it. */
  readonly through: readonly string[];
}

/** A package as Yarn names it: `npm:^1.0.0` in a request, `npm:1.0.0` in a resolution. */
export interface NamedPackage {
  readonly name: string;
  readonly reference: string;
}

/**
 * Returns the workspace that requires a package: one whose manifest does, else the nearest one in the lockfile. If
 * several are equally near, the first of `workspaces`. `undefined` if none is known.
 */
export function whoAsks(
  wanted: NamedPackage,
  { workspaces, lock }: { readonly workspaces: readonly MayAsk[]; readonly lock: LockIndex | undefined },
): PackageDependent | undefined {
  const range = plainRange(wanted.reference);
  const asking = (is: (declared: string) => boolean): MayAsk | undefined =>
    workspaces.find(({ manifest }) => installedOf({ manifest }).some((declared) => declared.name === wanted.name && is(declared.range)));
  const itself = (who: MayAsk | undefined): PackageDependent | undefined => who && { member: who.member, asks: 'itself', through: [] };
  return (
    itself(asking((declared) => plainRange(declared) === range)) ??
    (lock === undefined ? undefined : nearest(lock, wanted, workspaces)) ??
    // A catalog's range is in the settings, not in an incomplete lockfile.
    itself(asking((declared) => declared.startsWith('catalog:')))
  );
}

function nearest(lock: LockIndex, { name, reference }: NamedPackage, workspaces: readonly MayAsk[]): PackageDependent | undefined {
  const start = lock.records.find(({ resolution }) => resolution === `${name}@${reference}`) ?? find(lock, name, reference);
  if (start === undefined) return undefined;
  const dependents = dependentsIn(lock);
  const seen = new Set([start]);
  for (let paths: readonly RecordPath[] = [{ record: start, through: [] }]; paths.length > 0; ) {
    const above = paths.flatMap(({ record, through }) =>
      (dependents.get(record) ?? []).map((dependent) => ({
        record: dependent,
        through: record === start ? through : [shown(record), ...through],
      })),
    );
    const asker = firstAsker(above, workspaces);
    if (asker !== undefined) return asker;
    paths = above.filter(({ record }) => !seen.has(record) && seen.add(record));
  }
  return undefined;
}

interface RecordPath {
  readonly record: LockRecord;
  readonly through: readonly string[];
}

function firstAsker(paths: readonly RecordPath[], workspaces: readonly MayAsk[]): PackageDependent | undefined {
  for (const { member, lockFolder } of workspaces) {
    const path = paths.find(({ record }) => record.workspace === lockFolder);
    if (path !== undefined) return { member, asks: 'by the lockfile', through: path.through };
  }
  return undefined;
}

function dependentsIn(lock: LockIndex): ReadonlyMap<LockRecord, readonly LockRecord[]> {
  const dependents = new Map<LockRecord, LockRecord[]>();
  for (const record of lock.records) {
    for (const [name, range] of pairsOf(record)) {
      const target = find(lock, name, range);
      if (target !== undefined) dependents.set(target, [...(dependents.get(target) ?? []), record]);
    }
  }
  return dependents;
}

/** Returns the record for a range. Yarn 3 omits `npm:` in an entry's requests. */
function find(lock: LockIndex, name: string, range: string): LockRecord | undefined {
  const number = lock.numbers.get(`${name}@${range}`) ?? lock.numbers.get(`${name}@npm:${range}`);
  return number === undefined ? undefined : ownerOf(lock, number);
}

function shown({ resolution }: LockRecord): string {
  return resolution.replace('@npm:', '@').replace(/::.*$/s, '');
}
