import type { Git } from '@tributary/git/git';
import { findLanding, searchImportRecords } from '@tributary/git/import-records';
import { resolveNames } from '@tributary/git/objects';
import { isToolError, ToolError } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';
import { isReadableRecord } from '@tributary/model/import-record';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Micros } from '../model/event.js';
import type { Migration } from '../report/migration.js';
import { openClone } from './open-clone.js';

/** The migrations in the import records of a clone; without syncs. */
export interface FoundMigrations {
  /** The name of the monorepo in a record that was collected from this clone. */
  readonly repo: string;
  /** Migrations that reached the main line, oldest first. */
  readonly migrations: readonly Migration[];
  /** Configured moves whose commit is not on the main line, as of a package that moved out into another repository. */
  readonly notHere: readonly ConfiguredMove[];
  /** Unreadable records, with the reason. */
  readonly unreadable: readonly { readonly merge: CommitId; readonly problem: string }[];
}

interface ConfiguredMove {
  readonly package: string;
  readonly commit: string;
}

/** The search for migrations. */
export interface MigrationSearch {
  readonly signal: AbortSignal;
  /** Package -> the commit that imported it, as configured. */
  readonly moved: Readonly<Record<string, string>>;
}

/** Reads the migrations of a clone. Throws the errors of `openClone`. */
export async function readMigrations(clone: AbsolutePath, { signal, moved }: MigrationSearch): Promise<FoundMigrations> {
  const { git, head, name } = await openClone(clone, signal);
  const migrations: Migration[] = [];
  const notHere: ConfiguredMove[] = [];
  for (const [packageName, commit] of Object.entries(moved)) {
    const move = await readMoved(git, head, { package: packageName, commit });
    if (move === undefined) notHere.push({ package: packageName, commit });
    else migrations.push(move);
  }
  const unreadable: FoundMigrations['unreadable'][number][] = [];
  for (const { merge, record } of await searchImportRecords(git, [head])) {
    if (!isReadableRecord(record)) {
      unreadable.push({ merge, problem: record.problem });
      continue;
    }
    // A sync brings later commits of a package that has moved in before.
    if (record.previousTip !== undefined) continue;
    const landing = await findLanding(git, merge, head);
    if (landing === undefined) continue;
    const at = (landing.time * 1e6) as Micros;
    migrations.push({ package: record.package, at, merge, landing: landing.commit, source: record.source });
  }
  return { repo: name, migrations: migrations.sort((a, b) => a.at - b.at || (a.package < b.package ? -1 : 1)), notHere, unreadable };
}

/** Returns a configured move, whose source is unknown; `undefined` if the main line does not contain its commit. */
async function readMoved(git: Git, head: CommitId, { package: name, commit }: ConfiguredMove): Promise<Migration | undefined> {
  const [found] = await resolveNames(git, [`${commit}^{commit}`]);
  const id = found?.id as CommitId | undefined;
  const landing = id === undefined ? undefined : await findLanding(git, id, head);
  if (id === undefined || landing === undefined) return undefined;
  return { package: name, at: (landing.time * 1e6) as Micros, merge: id, landing: landing.commit, source: undefined };
}

/** The error for a question about such a move. */
export function isNotHere({ package: name, commit }: ConfiguredMove): ToolError {
  return new ToolError({
    code: 'IMPORT_NOT_FOUND',
    message: `The main line of the monorepo does not contain ${commit}, the commit of ${name} in "publish.moved".`,
    hint: 'Write the commit that imported the package into tributary.json, or give a different clone with --monorepo.',
    data: { name, commit },
  });
}

/** Why a default folder has no migrations. */
interface NoMigrations {
  readonly problem: string;
  /** `none`: the folder is in no repository, so nobody expects migrations. */
  readonly weight: 'none' | 'warning';
}

/** Returns the same for a folder that may not be a clone. */
export async function lookForMigrations(folder: AbsolutePath, search: MigrationSearch): Promise<FoundMigrations | NoMigrations> {
  try {
    return await readMigrations(folder, search);
  } catch (error) {
    if (!isToolError(error) || !error.code.startsWith('TARGET_')) throw error;
    const isNoClone = error.code === 'TARGET_UNBORN' || error.message.includes('not a git repository');
    return { problem: error.message, weight: isNoClone ? 'none' : 'warning' };
  }
}
