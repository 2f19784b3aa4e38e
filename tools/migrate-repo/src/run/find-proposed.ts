import { searchImportRecords } from '@tributary/git/import-records';
import { branchRef, type ObjectId, type RefName, shortRef, type WorkspaceName } from '@tributary/model/ids';
import { type ImportRecord, isReadableRecord } from '@tributary/model/import-record';
import { type FoundImport, findImports } from '../io/imports.js';
import { readRecordedTags } from '../io/recorded-tags.js';
import { type LocalRepository, readHeadState, readTarget } from '../io/target.js';
import { readSettings } from './gather.js';
import type { MigrateRequest } from './migrate-request.js';
import { nameAll } from './name-all.js';
import { readOpenSync } from './open-sync.js';
import type { ReadyProposal } from './prepare-proposal.js';
import type { ProposedBranch } from './propose.js';
import { syncBranchFor } from './sync.js';
import { readChain } from './sync-chain.js';
import type { SyncRequest } from './sync-request.js';

/**
 * The branch on which a run before has brought all these packages, or some of them, as far as the base does not have them; `undefined`: there is not exactly one. Throws `GIT_FAILED`.
 */
export async function findMigrated(
  ready: ReadyProposal,
  request: MigrateRequest,
  extent: Wanted['extent'] = 'all',
): Promise<ProposedBranch | undefined> {
  const target = await readTarget(ready.repository);
  const { packages } = nameAll(request, (await readSettings(request, target)).config);
  return findBranch(ready, { packages, extent, kind: 'migration', branch: request.branch });
}

/** Returns the branch of a sync of this package that the base lacks. Throws as `readChain`. */
export async function findSynced(ready: ReadyProposal, request: SyncRequest): Promise<ProposedBranch | undefined> {
  const branch = syncBranchFor(request, await readChain(ready.repository, request.name));
  // A sync with conflicts is not finished, even if they are resolved.
  const open = await readOpenSync(ready.repository, branchRef(branch));
  if (open?.state === 'begun' || open?.worktree?.wholeTree !== undefined) return undefined;
  return findBranch(ready, { packages: [request.name], extent: 'some', kind: 'sync', branch });
}

interface Wanted {
  readonly packages: readonly WorkspaceName[];
  /** `all`: one that no run has brought is migrated first. */
  readonly extent: 'all' | 'some';
  readonly kind: ProposedBranch['kind'];
  /** `undefined`: any name that the tool gives. */
  readonly branch: string | undefined;
}

async function findBranch(
  { repository, baseTip }: ReadyProposal,
  { packages, extent, kind, branch }: Wanted,
): Promise<ProposedBranch | undefined> {
  const { git } = repository;
  const isHere = (await git.attempt(['cat-file', '-e', `${baseTip}^{commit}`])).exit === 0;
  const head = isHere ? baseTip : (await readHeadState(repository.userGit)).head;
  const { imports } = await findImports(git, { head, branch: undefined });
  const waiting = imports.filter((one) => !one.isContained && isOf(one, packages) && kindOf(one.record) === kind);
  const known = new Set<string>(imports.filter((one) => one.isContained || waiting.includes(one)).map(({ record }) => record.package));
  if (extent === 'all' && !packages.every((name) => known.has(name))) return undefined;
  const branches = new Set<string | undefined>();
  for (const one of waiting) branches.add(await branchOf(repository, one, branch));
  const [only, ...others] = branches;
  return only === undefined || others.length > 0 ? undefined : readBrought(repository, { branch: only, kind, head });
}

function isOf({ record }: FoundImport, packages: readonly string[]): boolean {
  return packages.includes(record.package);
}

/** Returns what a branch adds to `head`, from its import records, which are in every clone. */
async function readBrought(
  { git }: LocalRepository,
  { branch, kind, head }: Pick<ProposedBranch, 'branch' | 'kind'> & { readonly head: ObjectId },
): Promise<ProposedBranch> {
  const found = await searchImportRecords(git, [`refs/heads/${branch}`, `^${head}`]);
  const records = found.flatMap(({ record }) => (isReadableRecord(record) && kindOf(record) === kind ? [record] : [])).reverse();
  const tags: string[][] = [];
  for (const record of records) tags.push((await readRecordedTags(git, { record })).came.map(({ name }) => name));
  const packages = records.map((one) => ({ name: one.package, path: one.path, source: one.source, commit: one.sourceCommit }));
  return { kind, branch, packages, tags, report: undefined, exists: 'yes' };
}

/**
 * Returns the branch that contains an import. If there are several, it is the one with the fewest commits, because the
 * others were built on it.
 */
async function branchOf({ git }: LocalRepository, { merge }: FoundImport, asked: string | undefined): Promise<string | undefined> {
  const refs = (await git.text(['for-each-ref', '--contains', merge, '--format=%(refname)', 'refs/heads'])).split('\n');
  const names = refs.filter((ref) => ref !== '').map((ref) => shortRef(ref as RefName));
  if (asked !== undefined) return names.find((name) => name === asked);
  const counted: { readonly name: string; readonly commits: number }[] = [];
  for (const name of names.filter((one) => one.startsWith('migrate/')))
    counted.push({ name, commits: Number(await git.text(['rev-list', '--count', `${merge}..refs/heads/${name}`])) });
  return counted.sort((a, b) => a.commits - b.commits)[0]?.name;
}

function kindOf({ previousTip }: ImportRecord): ProposedBranch['kind'] {
  return previousTip === undefined ? 'migration' : 'sync';
}
