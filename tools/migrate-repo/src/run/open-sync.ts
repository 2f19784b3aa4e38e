import { existsSync, readFileSync } from 'node:fs';
import { asUser, type Git } from '@tributary/git/git';
import { searchImportRecords } from '@tributary/git/import-records';
import { ToolError } from '@tributary/model/errors';
import { type CommitId, parseObjectId, parseRefName, type RefName, shortRef } from '@tributary/model/ids';
import { type ImportRecord, isReadableRecord, parseImportRecord } from '@tributary/model/import-record';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { type RefValue, readRefs } from '../io/refs.js';
import type { LocalRepository } from '../io/target.js';
import type { OpenSyncStatus } from '../result/import-result.js';

/** Refs of the sync's work tree, removed with it. They keep objects alive until the sync ends. */
export const WHOLE_TREE = 'refs/worktree/tributary/merged';
export const IMPORTED_TIP = 'refs/worktree/tributary/imported';

/** The first entry in the branch's reflog. */
export const BEGUN = 'migrate-repo sync: begun';

/** A file in the work tree's git folder, with the imported tags. */
export const TAGS = 'TRIBUTARY_TAGS';

/** A sync's branch on which a person resolves conflicts. */
export interface OpenSync {
  readonly branch: RefName;
  readonly tip: CommitId;
  /** `begun`: nothing was committed on it since the sync created it. */
  readonly state: 'begun' | 'committed';
  /** `undefined` if no work tree has the branch checked out. */
  readonly worktree: SyncWorktree | undefined;
}

/** The work tree of a sync. */
export interface SyncWorktree {
  readonly folder: AbsolutePath;
  readonly git: Git;
  /** The record for its merge commit; `undefined` if it is already committed. */
  readonly merging: ImportRecord | undefined;
  /** Refs that the sync created. */
  readonly tags: readonly RefValue[];
  /** The commit with the whole merge, including files outside the package; `undefined` if no sync made this work tree. */
  readonly wholeTree: CommitId | undefined;
}

/** Returns the open sync on a branch; `undefined` if there is no such branch. Throws `GIT_FAILED`. */
export async function readOpenSync(target: LocalRepository, branch: RefName): Promise<OpenSync | undefined> {
  const tip = (await readRefs(target.git)).get(branch);
  if (tip === undefined) return undefined;
  const log = await target.git.attempt(['reflog', 'show', '-1', '--format=%gs', branch]);
  const state = log.stdout.toString('utf8').trim() === BEGUN ? 'begun' : 'committed';
  return { branch, tip, state, worktree: await findWorktree(target, branch) };
}

/** Lists the syncs in a work tree that need conflicts resolved or `--continue`, in git's order. Throws `GIT_FAILED`. */
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
  /** `undefined` if HEAD is detached. */
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

/** Reads a file with one ref per line: the id, then the name. */
function readTags(file: string): readonly RefValue[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.flatMap((line) =>
    line === '' ? [] : [{ value: parseObjectId(line.split(' ')[0] ?? ''), ref: parseRefName(line.slice(line.indexOf(' ') + 1)) }],
  );
}

function withoutComments(message: string): string {
  return message.replace(/^#.*\n?/gm, '');
}

/** Returns the path of a file in a work tree's own git folder. */
export async function fileOf(git: Git, name: string): Promise<string> {
  return git.text(['rev-parse', '--path-format=absolute', '--git-path', name]);
}

/** Returns `SYNC_UNFINISHED`, for a merge with unresolved conflicts or the remains of a killed run. */
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

/** Returns `SYNC_NOT_OPEN`, for a branch without an open sync. */
export function notOpen(name: string, branch: RefName): ToolError {
  return new ToolError({
    code: 'SYNC_NOT_OPEN',
    message: `No sync of ${name} with conflicts is open on ${shortRef(branch)}.`,
    hint: `Start one with "migrate-repo sync ${name}". If it is on another branch, name that with --branch.`,
    data: { name, branch: shortRef(branch) },
  });
}
