import type { Git } from '@tributary/git/git';
import { type GitObject, makeObject, type ObjectFormat } from '@tributary/git/object-id';
import { ObjectWriter } from '@tributary/git/object-writer';
import { resolveNames, streamObjects } from '@tributary/git/objects';
import type { CommitId, ObjectId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import type { Identity } from '../plan/facts.js';
import { moveMessage } from '../plan/messages.js';
import type { PlannedPackage } from '../plan/plan.js';
import type { Strategy } from '../strategy.js';
import { ChangeCounter, type HistoryChanges } from './changes.js';
import { parseCommit } from './commit.js';
import { formatCommitText, type SignCommit } from './commit-text.js';
import { HistoryCounter, type HistoryCounts } from './counts.js';
import { type CommitMap, type Move, type ObjectSink, type OnCommits, type Rewritten, rewriteHistory } from './rewrite.js';
import { listHistory, readTags, type SourceTag } from './source-history.js';
import { wrapTree } from './wrap.js';

/** A history under its new path, in its scratch repository. */
export interface MovedHistory extends Omit<Rewritten, 'map'> {
  readonly planned: PlannedPackage;
  /** Parents before children. Includes commits that only tags reach. */
  readonly sourceCommits: readonly ObjectId[];
  readonly sourceTags: readonly SourceTag[];
  /** The commit to merge. */
  readonly tip: CommitId;
  /** The tree under the path in `tip`. */
  readonly tree: ObjectId;
  /** Maps source commits to new commits; `undefined` if commits keep their ids. */
  readonly map: CommitMap | undefined;
}

export interface MoveOrder {
  readonly planned: PlannedPackage;
  readonly format: ObjectFormat;
  readonly strategy: Strategy;
  readonly identity: Identity;
  /** `undefined`: the tool's own commits are not signed. */
  readonly sign?: SignCommit | undefined;
  readonly onCommits?: OnCommits;
}

/** Moves a fetched history under its path. Throws `GIT_FAILED`, `DISK_FULL`, `SIGNING_FAILED`. */
export async function moveHistory(git: Git, order: MoveOrder): Promise<MovedHistory> {
  const read = await readSource(git, order.planned);
  return order.strategy === 'rewrite' ? rewriteUnderPath(git, order, read) : joinUnderPath(git, order, read);
}

/** Returns what a move would change in messages and signatures, by moving without writing anything. Throws `GIT_FAILED`. */
export async function previewChanges(git: Git, order: Pick<MoveOrder, 'planned' | 'format' | 'strategy'>): Promise<HistoryChanges> {
  if (order.strategy === 'merge') return NOTHING_CHANGED;
  const { sourceCommits: commits, sourceTags: tags } = await readSource(git, order.planned);
  const { changes } = await rewriteHistory(git, moveOf(order), { commits, tags }, NOWHERE);
  return changes;
}

const NOTHING_CHANGED: HistoryChanges = new ChangeCounter().result();

const NOWHERE: ObjectSink = { add: async () => {}, finish: async () => {} };

async function readSource(git: Git, planned: PlannedPackage): Promise<ReadSource> {
  const sourceTags = await readTags(git, planned.tags);
  const tagged = sourceTags.filter((tag) => tag.target.type === 'commit').map((tag) => tag.target.id);
  const sourceCommits = await listHistory(git, [planned.source.tip, ...tagged]);
  return { planned, sourceCommits, sourceTags };
}

function moveOf({ planned, format }: Pick<MoveOrder, 'planned' | 'format'>): Move {
  return { format, path: planned.path, subdirectory: planned.source.request.subdirectory, messages: planned.messages };
}

type ReadSource = Pick<MovedHistory, 'planned' | 'sourceCommits' | 'sourceTags'>;

async function rewriteUnderPath(git: Git, order: MoveOrder, read: ReadSource): Promise<MovedHistory> {
  const rewritten = await rewriteHistory(git, moveOf(order), {
    commits: read.sourceCommits,
    tags: read.sourceTags,
    ...(order.onCommits === undefined ? {} : { onCommits: order.onCommits }),
  });
  const tip = rewritten.map.get(read.planned.source.tip);
  if (tip === undefined) throw new Error('the last commit of a source was not rewritten');
  return {
    ...read,
    tip,
    tree: await treeUnder(git, tip, read.planned.path),
    tags: rewritten.tags,
    leftOutTags: rewritten.leftOutTags,
    counts: rewritten.counts,
    changes: rewritten.changes,
    map: rewritten.map,
  };
}

/** Adds one commit with all files under the path on top of the unchanged history. This is the article's recipe, without a checkout. */
async function joinUnderPath(git: Git, order: MoveOrder, read: ReadSource): Promise<MovedHistory> {
  const tree = await resolveTree(git, `${read.planned.source.tip}^{tree}`);
  const wrapped = wrapTree(order.format, read.planned.path, tree);
  await writeObjects(git, order.format, wrapped.created);
  const text = { tree: wrapped.root, parents: [read.planned.source.tip], message: moveMessage(read.planned.path) };
  const unsigned = () => makeObject(order.format, 'commit', formatCommitText({ ...text, identity: order.identity }));
  const commit = order.sign === undefined ? unsigned() : await order.sign(text);
  await writeObjects(git, order.format, [commit]);
  const tags = read.sourceTags.map((tag) => ({ name: tag.newName, id: tag.id, target: tag.target.type }));
  const counts = await countHistory(git, read.sourceCommits);
  return { ...read, tip: commit.id, tree, tags, leftOutTags: [], counts, changes: NOTHING_CHANGED, map: undefined };
}

async function writeObjects(git: Git, format: ObjectFormat, objects: readonly GitObject[]): Promise<void> {
  const writer = new ObjectWriter(git, format);
  for (const object of objects) await writer.add(object);
  await writer.finish();
}

/** Counts existing commits. Throws `GIT_FAILED`. */
export async function countHistory(git: Git, ids: readonly ObjectId[]): Promise<HistoryCounts> {
  const counter = new HistoryCounter();
  for await (const group of streamObjects(git, ids)) for (const { content } of group) counter.add(parseCommit(content));
  return counter.result();
}

function treeUnder(git: Git, commit: CommitId, path: RepoPath): Promise<ObjectId> {
  return resolveTree(git, `${commit}:${path}`);
}

async function resolveTree(git: Git, name: string): Promise<ObjectId> {
  const [found] = await resolveNames(git, [name]);
  if (found === undefined) throw new Error(`${name} does not exist`);
  return found.id;
}
