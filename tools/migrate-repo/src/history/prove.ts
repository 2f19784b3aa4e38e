import type { Git } from '@tributary/git/git';
import type { ObjectFormat } from '@tributary/git/object-id';
import { readObjects, resolveNames } from '@tributary/git/objects';
import { ToolError } from '@tributary/model/errors';
import type { ObjectId } from '@tributary/model/ids';
import type { MessageMapping } from '@tributary/model/message-mapping';
import type { RepoPath } from '@tributary/model/paths';
import { parseCommit } from './commit.js';
import { compareFolderHistory } from './compare-folder.js';
import { type HistoryCounts, sameCounts } from './counts.js';
import { type Flaw, invertHistory } from './invert.js';
import { countHistory, type MovedHistory } from './move.js';
import { undoTagBody } from './move-body.js';
import { moveTag } from './move-tag.js';
import type { CommitMap, OnCommits } from './rewrite.js';
import { listHistory, readTags, type TagLink } from './source-history.js';
import { formatTagObject } from './tag-object.js';
import { wrapTree } from './wrap.js';

/** The proof of a moved history, from its objects as they were written. */
export interface HistoryProof {
  /** Counted while reading the history back; equal to the source's counts. */
  readonly counts: HistoryCounts;
  readonly tags: number;
  /**
   * `inverse`: reversing the move reproduces the id of the source's last commit. `compared`: each commit was compared
   * with its original. `ancestor`: the source's own commits are there.
   */
  readonly method: 'inverse' | 'compared' | 'ancestor';
}

/** A package with its moved history and its proof. */
export interface DonePackage {
  readonly moved: MovedHistory;
  readonly proof: HistoryProof;
}

/** Proves that nothing of a history was lost or changed. Throws `PROOF_FAILED` with the first deviation. */
export async function proveMove(git: Git, moved: MovedHistory, proving: Proving): Promise<HistoryProof> {
  const { map } = moved;
  await proveTree(git, moved);
  if (map === undefined) return proveJoin(git, moved, proving);
  const ids = await listHistory(git, [moved.tip, ...commitTargets(moved, map)]);
  await proveTags(git, moved, map);
  const { subdirectory } = moved.planned.source.request;
  if (subdirectory === undefined) return proveInverse(git, moved, { ...proving, ids, map });
  return proveFolder(git, moved, { format: proving.format, subdirectory, ids, map });
}

export interface Proving {
  readonly format: ObjectFormat;
  readonly onCommits?: OnCommits;
}

async function proveInverse(
  git: Git,
  moved: MovedHistory,
  proving: Proving & { readonly ids: readonly ObjectId[]; readonly map: CommitMap },
): Promise<HistoryProof> {
  const { tip } = moved.planned.source;
  const inverse = expectHolds(
    moved,
    await invertHistory(git, { format: proving.format, path: moved.planned.path, messages: moved.planned.messages }, proving),
  );
  if (inverse.originals.get(moved.tip) !== tip)
    throw broken(moved, `reversing the rewrite gives ${inverse.originals.get(moved.tip)} instead of ${tip}`);
  for (const { target, newName, name } of moved.sourceTags.filter((tag) => tag.target.type === 'commit')) {
    const image = proving.map.get(target.id);
    if (image === undefined || inverse.originals.get(image) !== target.id)
      throw broken(moved, `the tag ${newName} does not point to the rewritten commit of ${name}`);
  }
  return finish(moved, { counts: inverse.counts, method: 'inverse' });
}

async function proveFolder(
  git: Git,
  moved: MovedHistory,
  folder: { readonly format: ObjectFormat; readonly subdirectory: RepoPath; readonly ids: readonly ObjectId[]; readonly map: CommitMap },
): Promise<HistoryProof> {
  const { tip } = moved.planned.source;
  const { path, messages } = moved.planned;
  const place = { format: folder.format, path, subdirectory: folder.subdirectory, messages };
  const sources = await listHistory(git, [tip, ...commitTargets(moved, undefined)]);
  const counts = expectHolds(moved, await compareFolderHistory(git, place, { sources, ids: folder.ids, map: folder.map }));
  if (folder.map.get(tip) !== moved.tip) throw broken(moved, `${moved.tip} is not the rewritten commit of ${tip}`);
  return finish(moved, { counts, method: 'compared' });
}

async function proveJoin(git: Git, moved: MovedHistory, proving: Proving): Promise<HistoryProof> {
  const { tip } = moved.planned.source;
  const [source] = await resolveNames(git, [`${tip}^{tree}`]);
  const [join] = await readObjects(git, [moved.tip]);
  const parts = join === undefined ? undefined : parseCommit(join.content);
  if (parts?.parents.length !== 1 || parts.parents[0] !== tip) throw broken(moved, `${tip} is not the parent of the commit that is merged`);
  if (source === undefined || parts.tree !== wrapTree(proving.format, moved.planned.path, source.id).root)
    throw broken(moved, `the merged commit does not have exactly the files of the source under ${moved.planned.path}, and nowhere else`);
  for (const [at, tag] of moved.tags.entries()) {
    const before = moved.sourceTags[at];
    if (tag.id !== before?.id || tag.name !== before.newName)
      throw broken(moved, `the tag ${tag.name} differs from ${before?.name} of the source`);
  }
  const counts = await countHistory(git, await listHistory(git, [tip, ...commitTargets(moved, undefined)]));
  return finish(moved, { counts, method: 'ancestor' });
}

/** Proves that the tree to merge is the one in the last commit. */
async function proveTree(git: Git, moved: MovedHistory): Promise<void> {
  const { path } = moved.planned;
  const [under] = await resolveNames(git, [`${moved.tip}:${path}`]);
  if (under?.id !== moved.tree) throw broken(moved, `the last commit ${moved.tip} does not have the tree ${moved.tree} under ${path}`);
}

/** Proves each tag by reading it back: the same text under the new name, pointing to its target's image. */
async function proveTags(git: Git, moved: MovedHistory, map: CommitMap): Promise<void> {
  const kept = moved.sourceTags.filter((tag) => tag.target.type !== 'commit' || map.has(tag.target.id));
  const back = await readTags(
    git,
    moved.tags.map((tag) => ({ ...tag, newName: tag.name })),
  );
  for (const [at, tag] of back.entries()) {
    const source = kept[at];
    const expected = source?.target.type === 'commit' ? map.get(source.target.id) : source?.target.id;
    if (source?.newName !== tag.name || tag.target.id !== expected || !sameWords(source.chain, tag.chain, moved.planned.messages))
      throw broken(moved, `the tag ${tag.name} differs from ${source?.name} of the source`);
  }
  if (back.length !== kept.length) throw broken(moved, `only ${back.length} of ${kept.length} tags were written`);
}

function finish(moved: MovedHistory, proof: Omit<HistoryProof, 'tags'>): HistoryProof {
  if (!sameCounts(proof.counts, moved.counts)) {
    throw broken(moved, `the source has ${describe(moved.counts)}, but ${describe(proof.counts)} were written`);
  }
  const expected = moved.sourceTags.length - moved.leftOutTags.length;
  if (moved.tags.length !== expected) throw broken(moved, `only ${moved.tags.length} of ${expected} tags were written`);
  return { ...proof, tags: moved.tags.length };
}

/** Whether tag objects are the moved originals under their new names, and the inverse gives the originals. */
function sameWords(before: readonly TagLink[], after: readonly TagLink[], messages: MessageMapping): boolean {
  const same = (one: TagLink, other: TagLink | undefined): boolean =>
    other !== undefined &&
    formatTagObject(other).equals(moveTag(one, other.object, messages).content) &&
    (other.rest.equals(one.rest) || undoTagBody(other.rest).equals(one.rest));
  return before.length === after.length && before.every((link, depth) => same(link, after[depth]));
}

function commitTargets(moved: MovedHistory, map: CommitMap | undefined): ObjectId[] {
  const targets = moved.sourceTags.filter((tag) => tag.target.type === 'commit').map((tag) => tag.target.id);
  return map === undefined ? targets : targets.map((id) => map.get(id)).filter((id) => id !== undefined);
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
    message: `The history of ${name} could not be verified: ${why}. The monorepo was not changed.`,
    hint: 'This is a bug in migrate-repo or a disk fault; please report it with the address of the repository.',
    data: { name, why },
  });
}
