import type { Git } from '@tributary/git/git';
import type { ObjectFormat } from '@tributary/git/object-id';
import { resolveNames } from '@tributary/git/objects';
import { ToolError } from '@tributary/model/errors';
import type { ObjectId } from '@tributary/model/ids';
import { compareFolderHistory } from './compare-folder.js';
import { type HistoryCounts, sameCounts } from './counts.js';
import { type Flaw, invertHistory } from './invert.js';
import { countHistory, type MovedHistory } from './move.js';
import type { CommitMap, OnCommits } from './rewrite.js';
import { listSourceHistory, readTags } from './source-history.js';

/** What was shown of a moved history, read back from the objects as they were written. */
export interface Proof {
  /** As counted when the history was read back; equal to those of the source. */
  readonly counts: HistoryCounts;
  readonly tags: number;
  /**
   * `inverse`: undoing the move gives the source's last commit, id by id. `compared`: each commit was compared with the one it was made from.
   * `ancestor`: the source's commits are there under their own ids.
   */
  readonly method: 'inverse' | 'compared' | 'ancestor';
}

/** A package with all that was done for it. */
export interface DonePackage {
  readonly moved: MovedHistory;
  readonly proof: Proof;
}

/** Shows that nothing of a history was lost or changed. Throws `PROOF_FAILED` with the first thing that is not as it should be. */
export async function proveMove(git: Git, moved: MovedHistory, proving: Proving): Promise<Proof> {
  const { maps } = moved;
  if (maps === undefined) return proveJoin(git, moved);
  const back = await listSourceHistory(git, moved.tip, commitTargets(moved, maps.toNew));
  const ids = [...back.onBranch, ...back.onTagsOnly];
  await proveTags(git, moved, maps.toNew);
  const { subdirectory } = moved.planned.source.request;
  if (subdirectory === undefined) return proveInverse(git, moved, { ...proving, ids, toNew: maps.toNew });
  const place = { format: proving.format, path: moved.planned.path, subdirectory };
  const counts = expectHolds(moved, await compareFolderHistory(git, place, { ids, madeFrom: maps.madeFrom }));
  return finish(moved, { counts, method: 'compared' });
}

export interface Proving {
  readonly format: ObjectFormat;
  readonly onCommits?: OnCommits;
}

async function proveInverse(
  git: Git,
  moved: MovedHistory,
  proving: Proving & { readonly ids: readonly ObjectId[]; readonly toNew: CommitMap },
): Promise<Proof> {
  const { tip } = moved.planned.source;
  const inverse = expectHolds(moved, await invertHistory(git, { format: proving.format, path: moved.planned.path }, proving));
  if (inverse.originals.get(moved.tip) !== tip)
    throw broken(moved, `undoing the move gives ${inverse.originals.get(moved.tip)} and not ${tip}`);
  for (const { target, newName, name } of moved.sourceTags.filter((tag) => tag.target.type === 'commit')) {
    const image = proving.toNew.get(target.id);
    if (image === undefined || inverse.originals.get(image) !== target.id)
      throw broken(moved, `the tag ${newName} does not lead back to the commit of ${name}`);
  }
  return finish(moved, { counts: inverse.counts, method: 'inverse' });
}

async function proveJoin(git: Git, moved: MovedHistory): Promise<Proof> {
  const { tip } = moved.planned.source;
  const [parent, under, whole] = await resolveNames(git, [`${moved.tip}^1`, `${moved.tip}:${moved.planned.path}`, `${tip}^{tree}`]);
  if (parent?.id !== tip) throw broken(moved, `${tip} is not the parent of the commit that is merged`);
  if (under === undefined || under.id !== whole?.id)
    throw broken(moved, `what stands under ${moved.planned.path} is not what the source holds`);
  const back = await listSourceHistory(git, tip, commitTargets(moved, undefined));
  return finish(moved, { counts: await countHistory(git, [...back.onBranch, ...back.onTagsOnly]), method: 'ancestor' });
}

/** Every tag object read back: the same words under the new name, pointing to what became of its target. */
async function proveTags(git: Git, moved: MovedHistory, toNew: CommitMap): Promise<void> {
  const kept = moved.sourceTags.filter((tag) => !moved.leftOutTags.includes(tag.name));
  const back = await readTags(
    git,
    moved.tags.map((tag) => ({ ...tag, newName: tag.name })),
  );
  for (const [at, tag] of back.entries()) {
    const source = kept[at];
    const expected = source?.target.type === 'commit' ? toNew.get(source.target.id) : source?.target.id;
    const sameWords =
      source?.chain.length === tag.chain.length && source.chain.every((link, depth) => tag.chain[depth]?.rest.equals(link.rest) === true);
    if (source?.newName !== tag.name || tag.target.id !== expected || !sameWords)
      throw broken(moved, `the tag ${tag.name} is not what ${source?.name} was`);
  }
}

function finish(moved: MovedHistory, proof: Omit<Proof, 'tags'>): Proof {
  if (!sameCounts(proof.counts, moved.counts)) {
    throw broken(moved, `the source has ${describe(moved.counts)}, what was written has ${describe(proof.counts)}`);
  }
  const expected = moved.sourceTags.length - moved.leftOutTags.length;
  if (moved.tags.length !== expected) throw broken(moved, `${moved.tags.length} of ${expected} tags were written`);
  return { ...proof, tags: moved.tags.length };
}

function commitTargets(moved: MovedHistory, toNew: CommitMap | undefined): ObjectId[] {
  const targets = moved.sourceTags.filter((tag) => tag.target.type === 'commit').map((tag) => tag.target.id);
  return toNew === undefined ? targets : targets.map((id) => toNew.get(id)).filter((id) => id !== undefined);
}

function describe(counts: HistoryCounts): string {
  return `${counts.commits} commits, ${counts.merges} merges and ${counts.authors} authors`;
}

function expectHolds<T extends object>(moved: MovedHistory, outcome: T | Flaw): T {
  if ('flaw' in outcome) throw broken(moved, outcome.flaw);
  return outcome;
}

function broken(moved: MovedHistory, why: string): ToolError {
  const { name } = moved.planned.source.request;
  return new ToolError({
    code: 'PROOF_FAILED',
    message: `The history of ${name} could not be proven: ${why}. Nothing was handed over.`,
    hint: 'This is a defect of migrate-repo or of the disk; please report it with the address of the repository.',
    data: { name, why },
  });
}
