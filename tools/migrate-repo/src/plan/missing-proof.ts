import { ToolError } from '@tributary/model/errors';
import { type RefName, shortRef } from '@tributary/model/ids';
import type { ImportRecord } from '@tributary/model/import-record';
import { shellWord } from '@tributary/model/shell-word';
import type { ImportState, LostState } from './import-states.js';

/** An import that cannot be proven on a ref, with its state there. */
export interface UnprovenImport {
  readonly record: ImportRecord;
  readonly branch: RefName | undefined;
  readonly state: UnprovenState;
  /** The folders of all imports that were lost in the same way, including this one. They are repaired together. */
  readonly together: readonly string[];
}

export type UnprovenState = Exclude<ImportState, { readonly kind: 'held' | 'superseded' | 'synced' }>;

/** A ref, with the user's name for it. */
export interface NamedRef {
  readonly name: string;
  readonly head: string;
}

const LOST: { readonly [State in LostState]: (commit: string) => string } = {
  squashed: (commit) => `it was squashed into ${commit}`,
  rebased: (commit) => `it was rebased, from ${commit} on`,
  rewritten: (commit) => `it was rewritten: ${commit} merges other commits than the imported ones`,
  copied: (commit) => `its files were added by ${commit}`,
};

/** Returns a clause about how an import was lost. */
export function tellLost(state: LostState, commit: string): string {
  return LOST[state](commit.slice(0, 10));
}

/** Returns `PROOF_MISSING` for an import whose history the ref lacks, or whose files have another origin. */
export function missingProof(unproven: UnprovenImport, ref: NamedRef): ToolError {
  const { record, state, branch } = unproven;
  const { message, hint } = sayMissing(unproven, ref);
  const data = { name: record.package, path: record.path, ref: ref.name, commit: ref.head, state: state.kind };
  const by = 'by' in state ? state.by : null;
  return new ToolError({
    code: 'PROOF_MISSING',
    message,
    hint,
    data: { ...data, by, branch: branch === undefined ? null : shortRef(branch) },
  });
}

/**
 * Returns `PROOF_MISSING` for an import whose folder a merge dropped, although nobody removed it. `joined`: the merged
 * branch was to bring the folder.
 */
export function droppedImport(
  { package: name, path }: ImportRecord,
  { by, folder }: { readonly by: string; readonly folder: { readonly of: 'line'; readonly path: string } | { readonly of: 'joined' } },
  ref: NamedRef,
): ToolError {
  const merge = by.slice(0, 10);
  const on = describeRef(ref);
  const words: Words =
    folder.of === 'line'
      ? {
          message: `${on} contains the import of ${name}, but the merge ${merge} lost ${folder.path}, which none of its parents had removed.`,
          hint: `To restore it, run "git checkout ${merge}^1 -- ${shellWord(folder.path)}", and commit that. To remove it, use a separate commit.`,
        }
      : {
          message: `${on} contains the import of ${name}, but not its files: the merge ${merge} left out ${path} ("git merge --strategy ours" does that).`,
          hint: `If ${merge} is not pushed yet, undo it ("git reset --keep ${merge}^1") and merge the branch again. Otherwise run the migration again, and merge that.`,
        };
  return new ToolError({
    code: 'PROOF_MISSING',
    ...words,
    data: { name, path, ref: ref.name, commit: ref.head, state: 'removed', by, branch: null },
  });
}

/** Returns `PROOF_MISSING` for a sync whose files a merge dropped. `merge` is the sync's commit. */
export function droppedSync(
  { package: name, path }: ImportRecord,
  { by, files, merge }: { readonly by: string; readonly files: readonly string[]; readonly merge: string },
  ref: NamedRef,
): ToolError {
  const [at, sync] = [by.slice(0, 10), merge.slice(0, 10)];
  return new ToolError({
    code: 'PROOF_MISSING',
    message: `${describeRef(ref)} contains the sync ${sync} of ${name}, but not its changes, such as ${files[0]}: the merge ${at} left them out ("git merge --strategy ours" does that).`,
    hint: `If ${at} is not pushed yet, undo it ("git reset --keep ${at}^1") and merge the branch again. Otherwise run "git cherry-pick -m 1 ${sync}", remove unwanted changes in a separate commit, then check whether you need later commits of its branch.`,
    data: { name, path, ref: ref.name, commit: ref.head, state: 'left out', by, branch: null },
  });
}

interface Words {
  readonly message: string;
  readonly hint: string;
}

function sayMissing(unproven: UnprovenImport, ref: NamedRef): Words {
  const { record, state } = unproven;
  const name = record.package;
  const on = describeRef(ref);
  switch (state.kind) {
    case 'waiting':
      return sayWaiting(unproven, on);
    case 'removed':
      return {
        message: `${on} contains the import of ${name}, but ${state.by.slice(0, 10)} removed ${record.path}.`,
        hint: `To restore it, revert that commit, or run the migration again. "git show ${state.by.slice(0, 10)}" shows why it was removed.`,
      };
    case 'replaced':
      return {
        message: `${on} contains an import of ${name}, but the files in ${record.path} were added by ${state.by.slice(0, 10)}, which is not an import.`,
        hint: `"git log" stops at that commit. Remove ${record.path} in a separate commit, then run the migration again and merge it with a merge commit.`,
      };
    case 'squashed':
    case 'rebased':
    case 'rewritten':
    case 'copied':
      return sayLost(unproven, state, on);
  }
}

function sayWaiting({ record, branch }: UnprovenImport, on: string): Words {
  const where = branch === undefined ? 'another branch' : shortRef(branch);
  const kind = branch?.startsWith('refs/remotes/') === true ? `${where}, a remote branch` : where;
  return {
    message: `${on} does not contain the import of ${record.package}: it is only on ${kind}.`,
    hint: `Merge it with a merge commit, or verify that branch: migrate-repo verify ${record.package} --ref ${shellWord(where)}`,
  };
}

function sayLost(
  { record, branch, together }: UnprovenImport,
  state: { readonly kind: LostState; readonly by: string },
  on: string,
): Words {
  return {
    message: `${on} has the files of ${record.package} without their history: ${tellLost(state.kind, state.by)}.`,
    hint:
      record.previousTip === undefined
        ? howToRepair(together, state.kind, branch === undefined ? undefined : shortRef(branch))
        : syncAgain(record),
  };
}

/** Returns the hint to repeat a sync. Its files are here already, so they merge without a conflict. */
function syncAgain(record: ImportRecord): string {
  return `Its changes are here without its commits. Run "migrate-repo sync ${record.package}" again, and merge that with a merge commit.`;
}

function howToRepair(paths: readonly string[], state: LostState, branch: string | undefined): string {
  const again = `remove ${listOf(paths)} in a separate commit ("git rm -r ${paths.map(shellWord).join(' ')}"), then`;
  if (branch === undefined)
    return `No branch of this clone has the history. Fetch the one that was merged, if it still exists. Otherwise ${again} run the migration again, and merge it with a merge commit.`;
  // Its branch stands on the commits from before they were rewritten, and would bring them back.
  if (state === 'rewritten')
    return `${branch} still has the history, on the old commits. To get it on the new ones, ${again} run the migration again.`;
  return `${branch} still has the history. To get it here, ${again} merge that branch with a merge commit: git merge --no-ff ${shellWord(branch)}`;
}

function listOf(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ');
}

function describeRef({ name, head }: NamedRef): string {
  return head.startsWith(name) ? head.slice(0, 10) : `${name} (${head.slice(0, 10)})`;
}
