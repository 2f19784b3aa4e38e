import type { Git } from '@tributary/git/git';
import { isToolError, ToolError } from '@tributary/model/errors';
import { type ObjectId, parseObjectId, type RefName, tagRef } from '@tributary/model/ids';

/** A ref, and its intended or previous value. */
export interface RefValue {
  readonly ref: RefName;
  readonly value: ObjectId;
}

/**
 * Creates or deletes refs in one transaction: all or none, and none that has changed since. Keeps their order. All
 * commands go to git at once, so a run that is killed while sending them has started nothing. Throws `REFS_NOT_MOVED`.
 */
export async function moveRefs(
  git: Git,
  move: { readonly kind: 'create' | 'delete'; readonly refs: readonly RefValue[]; readonly message?: string },
): Promise<void> {
  if (move.refs.length === 0) return;
  const lines = move.refs.map(({ ref, value }) => `${move.kind} ${ref} ${value}\n`);
  const input = ['start\n', ...lines, 'prepare\n', 'commit\n'].join('');
  try {
    await git.text(['update-ref', '-m', move.message ?? 'migrate-repo', '--stdin'], { input });
  } catch (error) {
    if (!isToolError(error) || error.code !== 'GIT_FAILED') throw error;
    throw notMoved(`${move.kind} ${move.refs.length} refs; none of them was changed`, error);
  }
}

/** Changes a ref, if it still has its expected value. Throws `REFS_NOT_MOVED`. */
export async function updateRef(
  git: Git,
  { ref, from, to }: { readonly ref: RefName; readonly from: ObjectId; readonly to: ObjectId },
  message: string,
): Promise<void> {
  try {
    await git.text(['update-ref', '-m', message, ref, to, from]);
  } catch (error) {
    if (!isToolError(error) || error.code !== 'GIT_FAILED') throw error;
    throw notMoved(`move ${ref}; it was not changed`, error);
  }
}

function notMoved(what: string, error: ToolError): ToolError {
  return new ToolError({
    code: 'REFS_NOT_MOVED',
    message: `git refused to ${what}: ${error.message}`,
    hint: 'Another program may hold a lock, or may have just changed a ref. Run the same command again.',
    cause: error,
  });
}

/** Returns the values of all refs, by full name. */
export async function readRefs(git: Git): Promise<ReadonlyMap<string, ObjectId>> {
  return new Map((await listRefs(git)).map(({ id, name }) => [name, id]));
}

/** Returns the refs under some folders, or all, ordered by full name. */
export async function listRefs(
  git: Git,
  folders: readonly string[] = [],
): Promise<readonly { readonly id: ObjectId; readonly name: string }[]> {
  const output = await git.text(['for-each-ref', '--format=%(objectname) %(refname)', ...folders]);
  const lines = output.split('\n').filter((line) => line !== '');
  return lines.map((line) => ({ id: parseObjectId(line.slice(0, line.indexOf(' '))), name: line.slice(line.indexOf(' ') + 1) }));
}

/** Returns the tags that the repository lacks. An earlier import may have left some of them. */
export async function missingTags(
  git: Git,
  tags: readonly { readonly name: string; readonly id: ObjectId }[],
): Promise<readonly RefValue[]> {
  const known = await readRefs(git);
  return tags.flatMap(({ name, id }) => (known.get(tagRef(name)) === id ? [] : [{ ref: tagRef(name), value: id }]));
}
