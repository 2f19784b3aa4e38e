import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { CommitId, RefName } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { hasCode } from '@tributary/process/system-error';
import { orDiskFull } from './full-disk.js';
import type { RefValue } from './journal.js';
import { journaled } from './recovery.js';
import { moveRefs, updateRef } from './refs.js';
import type { StagingArea } from './staging-area.js';
import type { LocalRepository } from './target.js';

/** What a run hands over to the repository once it is proven. */
export interface HandOver {
  readonly scratches: readonly AbsolutePath[];
  /** The branch is last: it shows that everything else is there. */
  readonly refs: readonly RefValue[];
  /** A branch to fast-forward. */
  readonly update?: { readonly ref: RefName; readonly from: CommitId; readonly to: CommitId } | undefined;
  readonly message: string;
}

/**
 * Renames the packs into place, then creates all refs in one transaction. If it fails in between, the packs are removed
 * again. Throws `REFS_NOT_MOVED`, `DISK_FULL`.
 */
export async function handOver(repository: LocalRepository, stagingArea: StagingArea, what: HandOver): Promise<void> {
  const packs = listNewPacks(repository, what.scratches);
  const journal = { kind: 'create', refs: what.refs, packs: packs.map(({ name }) => name) } as const;
  await journaled({ repository, runFolder: stagingArea.folder }, journal, async () => {
    for (const pack of packs) movePack(repository, pack);
    await createRefs(repository, what);
  });
}

async function createRefs({ userGit, gitDir }: LocalRepository, { refs, update, message }: HandOver): Promise<void> {
  try {
    await moveRefs(userGit, { kind: 'create', refs, message });
    if (update !== undefined) await updateRef(userGit, update, message);
  } catch (error) {
    throw orDiskFull(error, gitDir, refs.length);
  }
}

interface Pack {
  readonly from: string;
  readonly name: string;
}

// git considers a pack complete once its index exists, so the index is last.
const ENDINGS = ['pack', 'rev', 'idx'] as const;

/**
 * Returns the packs to move. A pack is named after its content, so one that exists already, from a discarded import, is
 * not moved again.
 */
function listNewPacks(repository: LocalRepository, scratches: readonly AbsolutePath[]): Pack[] {
  const known = new Set<string>();
  return scratches.flatMap((scratch) => {
    const from = join(scratch, 'objects', 'pack');
    const names = readdirSync(from)
      .filter((file) => file.endsWith('.idx'))
      .map((file) => file.slice(0, -'.idx'.length));
    return names
      .filter((name) => !known.has(name) && !existsSync(join(packFolder(repository), `${name}.idx`)))
      .map((name) => {
        known.add(name);
        return { from, name };
      });
  });
}

function movePack(repository: LocalRepository, { from, name }: Pack): void {
  mkdirSync(packFolder(repository), { recursive: true });
  for (const ending of ENDINGS) {
    const file = join(from, `${name}.${ending}`);
    if (existsSync(file)) moveFile(file, join(packFolder(repository), `${name}.${ending}`));
  }
}

/** Moves a file. The objects folder may be a link to another disk, to which a file cannot be renamed. */
function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error;
    // If a crash leaves a file with this name, git's housekeeping removes it.
    const draft = join(dirname(to), `tmp_pack_${basename(to)}`);
    try {
      copyFileSync(from, draft);
      renameSync(draft, to);
    } finally {
      rmSync(draft, { force: true });
    }
  }
}

function packFolder(repository: LocalRepository): string {
  return join(repository.gitDir, 'objects', 'pack');
}
