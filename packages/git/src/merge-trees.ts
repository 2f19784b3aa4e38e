import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ObjectId, parseObjectId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { type GitSettings, plumbing } from './git.js';
import { type GitObject, makeObject, type ObjectFormat } from './object-id.js';
import { ObjectWriter } from './object-writer.js';
import { splitNul } from './parse.js';

/** The trees of a three-way merge. */
export interface MergeTrees {
  readonly base: ObjectId;
  readonly ours: MergeSide;
  readonly theirs: MergeSide;
}

export interface MergeSide {
  readonly tree: ObjectId;
  /** The name of this side in conflict markers: one word that is valid as a branch name. */
  readonly label: string;
}

/** One of up to three versions of a file with a conflict: 1 is the base, 2 ours, 3 theirs. */
export interface ConflictStage {
  readonly mode: string;
  readonly id: ObjectId;
  readonly stage: '1' | '2' | '3';
  /** From the root, bytes as Latin-1 text (see `TreeEntry`). */
  readonly path: string;
}

/** A merged tree. Files with conflicts contain both versions, between conflict markers. */
export interface MergedTree {
  readonly tree: ObjectId;
  readonly outcome: 'clean' | 'conflicts';
  /** In git's order. */
  readonly stages: readonly ConflictStage[];
}

/**
 * Merges trees like `git merge`, with the given base. git before 2.40 finds the base only from commits, so three commits are created for
 * it. New objects are then in packs of the scratch repository `gitDir`; `settings.alternates` contain the trees. Settings of the user,
 * merge drivers and file attributes have no effect. Throws `GIT_FAILED`, `DISK_FULL`.
 */
export async function mergeTrees(
  gitDir: AbsolutePath,
  { base, ours, theirs }: MergeTrees,
  { format, ...settings }: GitSettings & { readonly format: ObjectFormat },
): Promise<MergedTree> {
  const git = plumbing(gitDir, settings);
  // git 2.39 merges a missing tree as an empty one.
  for (const tree of [base, ours.tree, theirs.tree]) await git.bytes(['cat-file', 'tree', tree]);
  const from = commitOf(format, base, []);
  const [one, other] = [commitOf(format, ours.tree, [from.id]), commitOf(format, theirs.tree, [from.id], 'theirs')];
  const writer = new ObjectWriter(git, format);
  for (const object of [from, one, other]) await writer.add(object);
  await writer.finish();
  const refs = [`update refs/heads/${ours.label} ${one.id}\n`, `update refs/heads/${theirs.label} ${other.id}\n`];
  await git.text(['update-ref', '--stdin'], { input: refs.join('') });
  const command = ['merge-tree', '--write-tree', '-z', '--no-messages', ours.label, theirs.label];
  const answer = await git.attempt(command);
  // Any exit code above 1 is a failure, not a conflict. This call throws it with git's own message.
  const output = answer.exit === 0 || answer.exit === 1 ? answer.stdout : await git.bytes(command);
  const [tree = '', ...stages] = splitNul(output.toString('latin1'));
  await packLoose(gitDir, settings);
  const outcome = answer.exit === 0 ? 'clean' : 'conflicts';
  return { tree: parseObjectId(tree), outcome, stages: stages.filter((line) => line !== '').map(parseStage) };
}

/** Returns a commit of a tree. `theirs` has a different message, because the same tree on both sides must be two commits. */
function commitOf(format: ObjectFormat, tree: ObjectId, parents: readonly ObjectId[], message = 'merge'): GitObject {
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), 'author x <x> 0 +0000', 'committer x <x> 0 +0000'];
  return makeObject(format, 'commit', Buffer.from(`${lines.join('\n')}\n\n${message}\n`));
}

function parseStage(line: string): ConflictStage {
  const [, mode = '', id = '', stage = '', path = ''] = /^(\d+) ([0-9a-f]+) ([123])\t([\s\S]*)$/.exec(line) ?? [];
  return { mode, id: parseObjectId(id), stage: stage as ConflictStage['stage'], path };
}

/** Packs the loose objects that git wrote, because only packs can be handed over. */
async function packLoose(gitDir: AbsolutePath, settings: GitSettings): Promise<void> {
  const objects = join(gitDir, 'objects');
  const folders = readdirSync(objects).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const ids = folders.flatMap((folder) => readdirSync(join(objects, folder)).map((rest) => `${folder}${rest}\n`));
  if (ids.length === 0) return;
  await plumbing(gitDir, settings).bytes(['pack-objects', '--quiet', join(objects, 'pack', 'pack')], { input: ids.join('') });
}
