import { findLanding, searchImportRecords } from '@tributary/git/import-records';
import { isToolError } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';
import { isReadableRecord } from '@tributary/model/import-record';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Micros } from '../model/event.js';
import type { Migration } from '../report/migration.js';
import { openClone } from './open-clone.js';

/** What the import records of a clone say. */
export interface FoundMigrations {
  /** What the monorepo is called in a record that was collected from this clone. */
  readonly repo: string;
  /** What has reached the main line, the oldest first. */
  readonly migrations: readonly Migration[];
  /** Records that cannot be read, and why. */
  readonly unreadable: readonly { readonly merge: CommitId; readonly problem: string }[];
}

/** Throws as `openClone`. */
export async function readMigrations(clone: AbsolutePath, signal: AbortSignal): Promise<FoundMigrations> {
  const { git, head, name } = await openClone(clone, signal);
  const migrations: Migration[] = [];
  const unreadable: FoundMigrations['unreadable'][number][] = [];
  for (const { merge, record } of await searchImportRecords(git, [head])) {
    if (!isReadableRecord(record)) {
      unreadable.push({ merge, problem: record.problem });
      continue;
    }
    const landing = await findLanding(git, merge, head);
    if (landing === undefined) continue;
    const at = (landing.time * 1e6) as Micros;
    migrations.push({ package: record.package, at, merge, landing: landing.commit, source: record.source });
  }
  return { repo: name, migrations: migrations.sort((a, b) => a.at - b.at || (a.package < b.package ? -1 : 1)), unreadable };
}

/** Why a folder shows no migrations, where nobody has named it. */
interface NoMigrations {
  readonly problem: string;
  /** `none`: it is in no repository, and nothing was to be expected there. */
  readonly weight: 'none' | 'warning';
}

/** The same for a folder that may be no clone at all. */
export async function lookForMigrations(folder: AbsolutePath, signal: AbortSignal): Promise<FoundMigrations | NoMigrations> {
  try {
    return await readMigrations(folder, signal);
  } catch (error) {
    if (!isToolError(error) || !error.code.startsWith('TARGET_')) throw error;
    const isNoClone = error.code === 'TARGET_UNBORN' || error.message.includes('not a git repository');
    return { problem: error.message, weight: isNoClone ? 'none' : 'warning' };
  }
}
