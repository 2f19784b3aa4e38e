import type { Git } from '@tributary/git/git';
import { searchImportRecords } from '@tributary/git/import-records';
import type { CommitId, RefName } from '@tributary/model/ids';
import { type ImportRecord, isReadableRecord } from '@tributary/model/import-record';
import type { Stand } from './target.js';

/** An import that a clone knows of. */
export interface FoundImport {
  readonly record: ImportRecord;
  /** The merge commit that carries the record. */
  readonly merge: CommitId;
  /** The second parent of the merge commit: the tip that the record names, unless the history was rewritten after the import. */
  readonly joined: CommitId;
  /** HEAD contains it, even if only because it stands on the branch of the migration. */
  readonly isContained: boolean;
  /** `undefined`: it is merged into HEAD; else the first branch that contains it. */
  readonly branch: RefName | undefined;
}

export interface FoundImports {
  /** Ordered by package, and of one package the newest first; one entry for each merge. */
  readonly imports: readonly FoundImport[];
  /** Records that cannot be read, and why. */
  readonly unreadable: readonly UnreadableImport[];
  /** `shallow`: the clone ends somewhere, so there may be imports that it cannot show. */
  readonly extent: 'whole' | 'shallow';
}

/** A merge commit that claims to be an import, and whose record cannot be read. */
export interface UnreadableImport {
  readonly merge: CommitId;
  readonly problem: string;
  /** The package that the record names. */
  readonly claims: string | undefined;
  readonly isContained: boolean;
}

/** Reads the import records of everything that HEAD and the branches contain, local ones and those of remotes. Throws `GIT_FAILED`. */
export async function findImports(git: Git, stand: Stand): Promise<FoundImports> {
  const onMigration = stand.branch !== undefined && (await isMigrationBranch(git, stand.branch)) ? stand.branch : undefined;
  const inHead = await searchImportRecords(git, [stand.head]);
  const branches = await listBranches(git, []);
  const elsewhere = branches.length === 0 ? [] : await searchImportRecords(git, [...branches, `^${stand.head}`]);
  const found = [
    ...(await mapInTurn(inHead, async (one) => ({ ...one, isContained: true, branch: await onlyHolder(git, one.merge, onMigration) }))),
    ...(await mapInTurn(elsewhere, async (one) => ({ ...one, isContained: false, branch: await firstHolder(git, one.merge) }))),
  ];
  const imports = found.flatMap(({ record, claims: _, ...rest }) => (isReadableRecord(record) ? [{ record, ...rest }] : []));
  const unreadable = found.flatMap(({ record, merge, claims, isContained }) =>
    isReadableRecord(record) ? [] : [{ merge, problem: record.problem, claims, isContained }],
  );
  const extent = (await git.text(['rev-parse', '--is-shallow-repository'])) === 'true' ? 'shallow' : 'whole';
  return { imports: imports.sort((a, b) => compareNames(a.record.package, b.record.package)), unreadable, extent };
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/**
 * By import that HEAD contains, the merge on HEAD's own line (its first parents) that brought it; none for one that lies on that line itself, because the
 * branch was moved forward. Throws `GIT_FAILED`.
 */
export async function findMerges(
  git: Git,
  imports: readonly Pick<FoundImport, 'merge' | 'branch'>[],
  { head }: Pick<Stand, 'head'>,
): Promise<ReadonlyMap<CommitId, CommitId>> {
  const merges = imports.filter(({ branch }) => branch === undefined).map(({ merge }) => merge);
  if (merges.length === 0) return new Map();
  const { exit, stdout } = await git.attempt(['merge-base', '--octopus', ...merges]);
  // Without a common beginning the whole history is read.
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

/** The oldest first. */
function firstParents(head: string, parents: Parents): readonly string[] {
  const line: string[] = [];
  for (let at: string | undefined = head; at !== undefined && parents.has(at); at = parents.get(at)?.[0]) line.push(at);
  return line.reverse();
}

/** What these contain and was not seen before; it is seen then. */
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

/** A branch that we created; its name or its reflog tells. */
async function isMigrationBranch(git: Git, branch: RefName): Promise<boolean> {
  // In another clone there is no such reflog, only the usual name.
  if (/^refs\/(heads|remotes\/[^/]+)\/(migrate|sync)\//.test(branch)) return true;
  const reflog = await git.attempt(['reflog', 'show', '--format=%gs', branch]);
  return reflog.exit === 0 && /^migrate-repo: .*$/.test(reflog.stdout.toString('utf8').trimEnd().split('\n').at(-1) ?? '');
}

/** `branch`, if no other branch contains the commit: to stand on the branch of a migration does not merge it. */
async function onlyHolder(git: Git, merge: CommitId, branch: RefName | undefined): Promise<RefName | undefined> {
  if (branch === undefined) return undefined;
  const holders = await listBranches(git, ['--contains', merge]);
  const [own, ...names] = [branch, ...holders].map((ref) => ref.replace(/^refs\/(heads|remotes\/[^/]+)\//, ''));
  return names.every((name) => name === own) ? branch : undefined;
}

/** A branch of this clone before one of a remote. */
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
