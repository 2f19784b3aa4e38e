import type { ChangedFile } from '@tributary/model/changeset';
import { ToolError } from '@tributary/model/errors';
import { type CommitId, parseObjectId } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import type { Git } from './git.js';
import { parseRawDiff, type RawChange } from './parse.js';

declare const revision: unique symbol;

/** Text that git can resolve to a commit: a branch, a tag, an id, `HEAD^1`. It is not an option or a range. */
export type Revision = string & { readonly [revision]: true };

/** Parses a revision. Throws `USAGE` for text that git could read as an option, a range, a path of a commit or several revisions. */
export function parseRevision(text: string): Revision {
  if (text !== '' && !text.startsWith('-') && !/\.\.|[\0-\x20\x7f:?*[\\]|\^[!@-]/.test(text)) return text as Revision;
  throw new ToolError({ code: 'USAGE', message: `"${text}" cannot name a commit.`, hint: 'Give a branch, a tag or the id of a commit.' });
}

export const HEAD = 'HEAD' as Revision;

/** Two commits and their merge bases. */
export interface Comparison {
  readonly base: CommitId;
  readonly head: CommitId;
  /** Empty for unrelated histories, also if a shallow clone hides the merge base. Several after criss-cross merges. */
  readonly mergeBases: readonly CommitId[];
}

/** Compares two commits; `undefined` if this clone lacks one of them. Other failures of git throw `GIT_FAILED`. */
export async function compareCommits(git: Git, base: Revision, head: Revision): Promise<Comparison | undefined> {
  const answer = await git.attempt(['rev-parse', `${base}^{commit}...${head}^{commit}`, '--']);
  if (answer.exit !== 0) return undefined;
  // git prints the right side of a range first.
  const [headId = '', baseId = '', ...mergeBases] = answer.stdout.toString('latin1').trimEnd().split('\n');
  return {
    base: parseObjectId(baseId),
    head: parseObjectId(headId),
    mergeBases: mergeBases.filter((line) => line.startsWith('^')).map((line) => parseObjectId(line.slice(1))),
  };
}

const RAW = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--no-relative', '--ignore-submodules=none'];

/**
 * Returns the difference between two commits. It compares trees, ignores the working tree and reads no file. A moved file counts as two
 * changes, so that its old folder is affected too. Throws `GIT_FAILED`.
 */
export async function readDifference(git: Git, from: CommitId, to: CommitId): Promise<readonly RawChange[]> {
  return parseRawDiff((await git.bytes([...RAW, from, to])).toString('utf8'));
}

/** Returns the difference between two revisions; `undefined` if one of them does not exist. */
export async function readDifferenceOf(git: Git, base: Revision, head: Revision): Promise<readonly RawChange[] | undefined> {
  const answer = await git.attempt([...RAW, `${base}^{commit}`, `${head}^{commit}`, '--']);
  return answer.exit === 0 ? parseRawDiff(answer.stdout.toString('utf8')) : undefined;
}

/**
 * Returns the difference from the merge base of two revisions to `head`; `undefined` if there is not exactly one merge base or a revision
 * does not exist.
 */
export async function readDifferenceFromMergeBase(git: Git, base: Revision, head: Revision): Promise<readonly RawChange[] | undefined> {
  const answer = await git.attempt([...RAW, '--merge-base', `${base}^{commit}`, `${head}^{commit}`, '--']);
  return answer.exit === 0 ? parseRawDiff(answer.stdout.toString('utf8')) : undefined;
}

/** Returns a raw change of git as a changed file. */
export function changedFile({ oldMode, newMode, oldId, newId, path }: RawChange): ChangedFile {
  const status = newMode === ABSENT ? 'deleted' : oldMode === ABSENT ? 'added' : 'modified';
  const changed = { path: path as RepoPath, status, kind: kindOf(newMode === ABSENT ? oldMode : newMode) } as const;
  return oldId === newId ? { ...changed, content: 'same' } : changed;
}

const ABSENT = '000000';

function kindOf(mode: string): ChangedFile['kind'] {
  if (mode === '160000') return 'submodule';
  return mode === '120000' ? 'symlink' : 'file';
}
