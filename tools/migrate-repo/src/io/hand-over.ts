import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { CommitId, RefName } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { hasCode } from '@tributary/process/system-error';
import { orDiskFull } from './full-disk.js';
import { moveRefs, type RefValue, readRefs, updateRef } from './refs.js';
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
 * Renames the packs into place, then creates all refs in one transaction of git. If that fails, refs and packs are
 * removed again. A run that is killed in between leaves packs without a ref, which git's housekeeping removes. Throws
 * `REFS_NOT_MOVED`, `DISK_FULL`.
 */
export async function handOver(repository: LocalRepository, { scratches, refs, update, message }: HandOver): Promise<void> {
  const packs = listNewPacks(repository, scratches);
  try {
    for (const pack of packs) movePack(repository, pack);
    await moveRefs(repository.userGit, { kind: 'create', refs, message });
    if (update !== undefined) await updateRef(repository.userGit, update, message);
  } catch (thrown) {
    const error = orDiskFull(thrown, repository.gitDir, refs.length);
    await takeBack(repository, refs, packs).catch((failure: unknown) => {
      throw notTakenBack(error, failure);
    });
    throw error;
  }
}

/** Removes refs and packs of a failed hand-over. It is unknown whether git had finished when it was stopped. */
async function takeBack({ gitDir, userGit }: LocalRepository, refs: readonly RefValue[], packs: readonly Pack[]): Promise<void> {
  const present = await readRefs(userGit);
  await moveRefs(userGit, { kind: 'delete', refs: refs.filter(({ ref, value }) => present.get(ref) === value) });
  const folder = packFolder({ gitDir });
  const left = packs.filter(({ name }) => existsSync(join(folder, `${name}.pack`)));
  if (left.length === 0) return;
  // Somebody may have fetched the same objects since.
  const kept = await userGit.bytes(['rev-list', '--objects', '--no-object-names', '--all', '--reflog', '--indexed-objects']);
  const reachable = new Set(kept.toString('latin1').split('\n'));
  for (const { name } of left) {
    const index = join(folder, `${name}.idx`);
    const listed = existsSync(index) ? await userGit.text(['verify-pack', '--verbose', '--', index]) : '';
    if (listed.split('\n').some((line) => reachable.has(line.slice(0, line.indexOf(' '))))) continue;
    for (const ending of ENDINGS.toReversed()) rmSync(join(folder, `${name}.${ending}`), { force: true });
  }
}

function notTakenBack(error: unknown, failure: unknown): ToolError {
  const [message, why] = [error, failure].map((one) => (one instanceof Error ? one.message : String(one)));
  return new ToolError({
    code: 'REFS_NOT_MOVED',
    message: `${message} Undoing the earlier changes also failed: ${why}`,
    hint: '"migrate-repo status" shows the state. Objects without a ref do no harm: git removes them.',
    cause: error,
  });
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

function packFolder({ gitDir }: Pick<LocalRepository, 'gitDir'>): string {
  return join(gitDir, 'objects', 'pack');
}
