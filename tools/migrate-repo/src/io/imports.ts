import type { Git } from '@tributary/git/git';
import { searchImportRecords } from '@tributary/git/import-records';
import type { CommitId, RefName } from '@tributary/model/ids';
import { type ImportRecord, isReadableRecord } from '@tributary/model/import-record';
import { compareTexts } from '../text.js';
import type { HeadState } from './target.js';

/** An import that a clone knows. */
export interface FoundImport {
  readonly record: ImportRecord;
  /** The merge commit with the import record. */
  readonly merge: CommitId;
  /** The second parent of the merge commit. It is the recorded tip, unless the history was rewritten after the import. */
  readonly joined: CommitId;
  /** Whether HEAD contains it, even if only because the migration's branch is checked out. */
  readonly isContained: boolean;
  /** The first branch that contains it; `undefined` if it is merged into HEAD. */
  readonly branch: RefName | undefined;
}

export interface FoundImports {
  /** Ordered by package, the newest of a package first. One entry for each merge. */
  readonly imports: readonly FoundImport[];
  /** Unreadable records, with the reason. */
  readonly unreadable: readonly UnreadableImport[];
  /** `shallow`: the clone lacks early history, so there may be imports that it cannot show. */
  readonly extent: 'whole' | 'shallow';
}

/** A merge commit with an import record that cannot be read. */
export interface UnreadableImport {
  readonly merge: CommitId;
  readonly problem: string;
  /** The package that the record names. */
  readonly claims: string | undefined;
  readonly isContained: boolean;
}

/** Reads the import records of all commits that HEAD, local branches and remote branches contain. Throws `GIT_FAILED`. */
export async function findImports(git: Git, headState: HeadState): Promise<FoundImports> {
  const onMigration = headState.branch !== undefined && (await isMigrationBranch(git, headState.branch)) ? headState.branch : undefined;
  const inHead = await searchImportRecords(git, [headState.head]);
  const branches = await listBranches(git, []);
  const elsewhere = branches.length === 0 ? [] : await searchImportRecords(git, [...branches, `^${headState.head}`]);
  const found = [
    ...(await mapInTurn(inHead, async (one) => ({ ...one, isContained: true, branch: await onlyHolder(git, one.merge, onMigration) }))),
    ...(await mapInTurn(elsewhere, async (one) => ({ ...one, isContained: false, branch: await firstHolder(git, one.merge) }))),
  ];
  const imports = found.flatMap(({ record, claims: _, ...rest }) => (isReadableRecord(record) ? [{ record, ...rest }] : []));
  const unreadable = found.flatMap(({ record, merge, claims, isContained }) =>
    isReadableRecord(record) ? [] : [{ merge, problem: record.problem, claims, isContained }],
  );
  const extent = (await git.text(['rev-parse', '--is-shallow-repository'])) === 'true' ? 'shallow' : 'whole';
  return { imports: imports.sort((a, b) => compareTexts(a.record.package, b.record.package)), unreadable, extent };
}

/**
 * Returns, for each import that HEAD contains, the merge on HEAD's first-parent line that brought it. An import on that
 * line itself has none, because the branch was fast-forwarded to it. Throws `GIT_FAILED`.
 */
export async function findMerges(
  git: Git,
  imports: readonly Pick<FoundImport, 'merge' | 'branch'>[],
  { head }: Pick<HeadState, 'head'>,
): Promise<ReadonlyMap<CommitId, CommitId>> {
  const merges = imports.filter(({ branch }) => branch === undefined).map(({ merge }) => merge);
  if (merges.length === 0) return new Map();
  const { exit, stdout } = await git.attempt(['merge-base', '--octopus', ...merges]);
  // Without a common ancestor, the whole history is read.
  const since = exit === 0 ? ['--not', `${stdout.toString('utf8').trim()}^@`] : [];
  const listed = (await git.text(['rev-list', '--parents', head, ...since])).split('\n').map((line) => line.split(' '));
  const parents = new Map(listed.map(([commit = '', ...rest]) => [commit, rest]));
  const brought = new Map(merges.map((merge) => [merge as string, undefined as string | undefined]));
  const seen = new Set<string>();
  for (const commit of firstParents(head, parents)) {
    const [, ...sides] = parents.get(commit) ?? [];
    for (const side of behind(sides, parents, seen)) if (brought.has(side)) brought.set(side, commit);
    seen.add(commit);
  }
  return new Map([...brought].flatMap(([merge, by]) => (by === undefined ? [] : [[merge as CommitId, by as CommitId]])));
}

type Parents = ReadonlyMap<string, readonly string[]>;

/** Returns the first-parent line, the oldest first. */
function firstParents(head: string, parents: Parents): readonly string[] {
  const line: string[] = [];
  for (let at: string | undefined = head; at !== undefined && parents.has(at); at = parents.get(at)?.[0]) line.push(at);
  return line.reverse();
}

/** Returns the ancestors of commits that were not seen before, and marks them as seen. */
function behind(commits: readonly string[], parents: Parents, seen: Set<string>): readonly string[] {
  const found: string[] = [];
  for (const open = [...commits]; open.length > 0; ) {
    const commit = open.pop();
    if (commit === undefined || seen.has(commit) || !parents.has(commit)) continue;
    seen.add(commit);
    found.push(commit);
    open.push(...(parents.get(commit) ?? []));
  }
  return found;
}

/** Whether the tool created a branch, according to its name or its reflog. */
async function isMigrationBranch(git: Git, branch: RefName): Promise<boolean> {
  // Another clone lacks this reflog, and has only the usual name.
  if (/^refs\/(heads|remotes\/[^/]+)\/(migrate|sync)\//.test(branch)) return true;
  const reflog = await git.attempt(['reflog', 'show', '--format=%gs', branch]);
  return reflog.exit === 0 && /^migrate-repo: .*$/.test(reflog.stdout.toString('utf8').trimEnd().split('\n').at(-1) ?? '');
}

/** Returns `branch` if no other branch contains the commit: checking out a migration's branch does not merge it. */
async function onlyHolder(git: Git, merge: CommitId, branch: RefName | undefined): Promise<RefName | undefined> {
  if (branch === undefined) return undefined;
  const holders = await listBranches(git, ['--contains', merge]);
  const [own, ...names] = [branch, ...holders].map((ref) => ref.replace(/^refs\/(heads|remotes\/[^/]+)\//, ''));
  return names.every((name) => name === own) ? branch : undefined;
}

/** Returns the first branch that contains a commit, local branches before remote ones. */
async function firstHolder(git: Git, merge: CommitId): Promise<RefName | undefined> {
  return (await listBranches(git, ['--contains', merge]))[0];
}

async function mapInTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

async function listBranches(git: Git, filter: readonly string[]): Promise<RefName[]> {
  const output = await git.text(['for-each-ref', ...filter, '--format=%(refname)', 'refs/heads', 'refs/remotes']);
  return output.split('\n').filter((ref) => ref !== '') as RefName[];
}
