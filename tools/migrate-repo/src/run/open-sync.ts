import { existsSync, readFileSync } from 'node:fs';
import { asUser, type Git } from '@tributary/git/git';
import { searchImportRecords } from '@tributary/git/import-records';
import { ToolError } from '@tributary/model/errors';
import { type CommitId, parseObjectId, parseRefName, type RefName, shortRef } from '@tributary/model/ids';
import { type ImportRecord, isReadableRecord, parseImportRecord } from '@tributary/model/import-record';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import type { RefValue } from '../io/journal.js';
import { readRefs } from '../io/refs.js';
import type { LocalRepository } from '../io/target.js';
import type { OpenSyncStatus } from '../result.js';

/** Refs of the work tree alone: they hold what is needed until the end, and go with it. */
export const WHOLE_TREE = 'refs/worktree/tributary/merged';
export const IMPORTED_TIP = 'refs/worktree/tributary/imported';

/** What the log of the branch says first. */
export const BEGUN = 'migrate-repo sync: begun';

/** A file beside them, with the tags that came. */
export const TAGS = 'TRIBUTARY_TAGS';

/** A branch of a sync that a person resolves conflicts on. */
export interface OpenSync {
  readonly branch: RefName;
  readonly tip: CommitId;
  /** Nothing was committed on it since a sync has begun it. */
  readonly state: 'begun' | 'committed';
  /** `undefined`: none stands on the branch. */
  readonly worktree: SyncWorktree | undefined;
}

/** The work tree that a sync has made. */
export interface SyncWorktree {
  readonly folder: AbsolutePath;
  readonly git: Git;
  /** What its merge commit is to say; `undefined`: it is committed. */
  readonly merging: ImportRecord | undefined;
  /** Refs that came with it and were not there before. */
  readonly tags: readonly RefValue[];
  /** All that was merged, beside the package too; `undefined`: it is not one that a sync has made. */
  readonly wholeTree: CommitId | undefined;
}

/** `undefined`: there is no such branch. Throws `GIT_FAILED`. */
export async function readOpenSync(target: LocalRepository, branch: RefName): Promise<OpenSync | undefined> {
  const tip = (await readRefs(target.git)).get(branch);
  if (tip === undefined) return undefined;
  const log = await target.git.attempt(['reflog', 'show', '-1', '--format=%gs', branch]);
  const state = log.stdout.toString('utf8').trim() === BEGUN ? 'begun' : 'committed';
  return { branch, tip, state, worktree: await findWorktree(target, branch) };
}

/** The syncs whose conflicts wait in a work tree to be resolved, or to be gone on with, in the order of git. Throws `GIT_FAILED`. */
export async function listOpenSyncs(target: LocalRepository): Promise<readonly OpenSyncStatus[]> {
  const found: OpenSyncStatus[] = [];
  for (const { branch } of await listWorktrees(target.userGit)) {
    const open = branch === undefined ? undefined : await readOpenSync(target, branch);
    if (open?.worktree?.wholeTree === undefined) continue;
    const { merging, folder } = open.worktree;
    const [newest] = merging === undefined ? await searchImportRecords(target.git, [open.tip]) : [{ record: merging }];
    if (newest === undefined || !isReadableRecord(newest.record)) continue;
    const state = merging === undefined ? 'committed' : 'conflicts';
    found.push({ name: newest.record.package, branch: shortRef(open.branch), worktree: folder, state });
  }
  return found;
}

interface ListedWorktree {
  readonly path: string;
  /** `undefined`: it stands on a commit. */
  readonly branch: RefName | undefined;
}

async function listWorktrees(userGit: Git): Promise<readonly ListedWorktree[]> {
  const entries = (await userGit.text(['worktree', 'list', '--porcelain', '-z'])).split('\0\0');
  return entries.flatMap((entry) => {
    const read = (key: string): string | undefined =>
      entry
        .split('\0')
        .find((line) => line.startsWith(`${key} `))
        ?.slice(key.length + 1);
    const [path, branch] = [read('worktree'), read('branch')];
    return path === undefined ? [] : [{ path, branch: branch === undefined ? undefined : parseRefName(branch) }];
  });
}

async function findWorktree({ userGit }: LocalRepository, branch: RefName): Promise<SyncWorktree | undefined> {
  const path = (await listWorktrees(userGit)).find((one) => one.branch === branch)?.path;
  if (path === undefined || !existsSync(path)) return undefined;
  const folder = parseAbsolutePath(path);
  const git = asUser(folder);
  const [message, head] = [await fileOf(git, 'MERGE_MSG'), await fileOf(git, 'MERGE_HEAD')];
  const record = existsSync(head) && existsSync(message) ? parseImportRecord(withoutComments(readFileSync(message, 'utf8'))) : undefined;
  const whole = await git.attempt(['rev-parse', '--verify', '--quiet', WHOLE_TREE]);
  return {
    folder,
    git,
    tags: readTags(await fileOf(git, TAGS)),
    merging: record !== undefined && isReadableRecord(record) ? record : undefined,
    wholeTree: whole.exit === 0 ? parseObjectId(whole.stdout.toString('utf8').trim()) : undefined,
  };
}

/** A line for each: the id and the ref. */
function readTags(file: string): readonly RefValue[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.flatMap((line) =>
    line === '' ? [] : [{ value: parseObjectId(line.split(' ')[0] ?? ''), ref: parseRefName(line.slice(line.indexOf(' ') + 1)) }],
  );
}

function withoutComments(message: string): string {
  return message.replace(/^#.*\n?/gm, '');
}

/** Where a file of a work tree's own git folder is. */
export async function fileOf(git: Git, name: string): Promise<string> {
  return git.text(['rev-parse', '--path-format=absolute', '--git-path', name]);
}

/** For a merge that waits to be resolved, or for what a killed run has left of one. `SYNC_UNFINISHED`. */
export function unfinished(name: string, { worktree, branch }: OpenSync): ToolError {
  const option = shortRef(branch) === `sync/${name}` ? '' : ` --branch ${shortRef(branch)}`;
  const abort = `migrate-repo sync ${name} --abort${option}`;
  const isOpen = worktree?.merging !== undefined;
  return new ToolError({
    code: 'SYNC_UNFINISHED',
    message: isOpen
      ? `The merge on ${shortRef(branch)} is not committed. It is in ${worktree.folder}.`
      : `A sync has created ${shortRef(branch)}, but its merge no longer exists.`,
    hint: isOpen
      ? `Resolve it there, "git add" and "git commit" it, then: migrate-repo sync ${name} --continue${option}. To give up: ${abort}`
      : `Clean up, then sync again: ${abort}`,
    data: { branch: shortRef(branch), worktree: worktree?.folder ?? null },
  });
}

/** For a branch that no sync has begun. `SYNC_NOT_OPEN`. */
export function notOpen(name: string, branch: RefName): ToolError {
  return new ToolError({
    code: 'SYNC_NOT_OPEN',
    message: `No sync of ${name} with conflicts is open on ${shortRef(branch)}.`,
    hint: `Start one with "migrate-repo sync ${name}". If it is on another branch, name that with --branch.`,
    data: { name, branch: shortRef(branch) },
  });
}
