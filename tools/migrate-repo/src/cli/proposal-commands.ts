import { type ErrorCode, isToolError, type ToolError } from '@tributary/model/errors';
import type { Services } from '@tributary/terminal/main';
import { describeLeftOut } from '../describe/describe.js';
import { writeReport, writeSyncReport } from '../io/write-report.js';
import type { LeftOutPackage } from '../plan/facts.js';
import { nextAfterProposal, renderProposed } from '../render-proposed.js';
import { nextAfterSync, renderSync } from '../render-sync.js';
import { formatReport } from '../report/markdown.js';
import type { ProposedRunResult } from '../result/proposed-result.js';
import type { MigrateResult, SyncResult } from '../result/result.js';
import { findMigrated, findSynced } from '../run/find-proposed.js';
import type { MigrateRequest } from '../run/migrate-request.js';
import { prepareProposal, type ReadyProposal } from '../run/prepare-proposal.js';
import { type ProposedBranch, propose } from '../run/propose.js';
import { continueSync } from '../run/sync-continue.js';
import type { SyncRequest } from '../run/sync-request.js';
import { isUnfinished } from '../unfinished.js';
import { migrateAndTest, pageOfMigration } from './migrate-and-test.js';
import { pageOf } from './show.js';

/**
 * Runs `migrate` and opens a pull request for its branch. If an earlier run has left a branch, it is proposed
 * unchanged. Sets exit code 1 as `runMigrate` does, and if the pull request failed.
 */
export async function runMigrateAndPropose(request: MigrateRequest, services: Services): Promise<void> {
  const ready = await prepared(request, services);
  const found = await findMigrated(ready, request);
  if (found !== undefined) return finish({ ready, branch: found }, services);
  const migration = await migrateOrFind(ready, request, services);
  if ('waiting' in migration) return finish({ ready, branch: migration.waiting, leftOut: migration.leftOut }, services);
  if (!services.ui.flags.json) services.ui.page(pageOfMigration(migration, pageOf(services.ui)));
  if (request.report !== undefined) writeReport(request.report, migration);
  if (isUnfinished(migration)) process.exitCode = 1;
  await finish({ ready, branch: branchOfMigration(migration), migration }, services);
}

/** Where none of the rest can be migrated, that is told, and the branch of a run before is proposed all the same. */
async function migrateOrFind(ready: ReadyProposal, request: MigrateRequest, services: Services): Promise<MigrateResult | Waiting> {
  try {
    return await migrateAndTest(request, services);
  } catch (error) {
    if (!isToolError(error) || !OF_THE_REST.has(error.code)) throw error;
    const waiting = await findMigrated(ready, request, 'some');
    if (waiting === undefined) throw error;
    const { message, hint, leftOut } = restLeftOut(error, waiting.branch);
    services.ui.error(message, { code: error.code, hint });
    process.exitCode = 1;
    return { waiting, leftOut };
  }
}

interface Waiting {
  /** The branch of an earlier run. */
  readonly waiting: ProposedBranch;
  readonly leftOut: MigrateResult['leftOut'];
}

/** With `--branch`, the branch of the run before is in the way of the rest. */
const OF_THE_REST: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['PACKAGES_LEFT_OUT', 'TARGET_BRANCH_TAKEN']);

/** Runs a sync, and proposes its branch where there is one. Exit code 1 for conflicts, and where the pull request failed. */
export async function runSyncAndPropose(
  request: SyncRequest,
  run: (request: SyncRequest, services: Services) => Promise<SyncResult>,
  services: Services,
): Promise<void> {
  const { ui } = services;
  const ready = await prepared(request, services);
  // `--continue` must align what a person has merged. An existing branch does not show whether that has happened.
  const found = run === continueSync ? undefined : await findSynced(ready, request);
  if (found !== undefined) return finish({ ready, branch: found }, services);
  const sync = await run(request, services);
  for (const warning of sync.warnings) ui.warning(warning);
  if (!ui.flags.json) ui.page(renderSync(sync, pageOf(ui)));
  if (request.report !== undefined) writeSyncReport(request.report, sync);
  const isBranch = sync.state === 'synced' || (sync.state === 'planned' && sync.conflicts.length === 0 && sync.branch !== null);
  await finish({ ready, branch: isBranch ? branchOfSync(sync) : undefined, sync }, services);
  const next = isBranch ? undefined : nextAfterSync(sync);
  if (next !== undefined && next !== '') ui.hint(next);
  if (sync.state === 'conflicts') process.exitCode = 1;
}

function prepared(
  { into, proposal, extent }: Pick<MigrateRequest, 'into' | 'proposal' | 'extent'>,
  services: Services,
): Promise<ReadyProposal> {
  return prepareProposal({ into, extent, remote: proposal?.remote ?? 'origin', base: proposal?.base }, services);
}

interface Finishing {
  readonly ready: ReadyProposal;
  readonly branch: ProposedBranch | undefined;
  readonly migration?: MigrateResult;
  readonly sync?: SyncResult;
  /** What could not be migrated beside the branch of an earlier run. */
  readonly leftOut?: MigrateResult['leftOut'];
}

async function finish({ ready, branch, migration, sync, leftOut = [] }: Finishing, services: Services): Promise<void> {
  const { ui } = services;
  const pullRequest = branch === undefined ? null : await propose(ready, branch, services);
  const result: ProposedRunResult = { schemaVersion: 1, migration: migration ?? null, sync: sync ?? null, leftOut, pullRequest };
  if (ui.flags.json) ui.document(result);
  if (pullRequest === null || branch === undefined) return;
  if (!ui.flags.json) ui.page(renderProposed(pullRequest, ready.request.extent, pageOf(ui)));
  const { failure } = pullRequest;
  if (failure !== null) {
    ui.error(failure.message, { code: failure.code, hint: failure.hint ?? undefined });
    if (ready.request.extent === 'all')
      ui.hint(`The branch ${pullRequest.branch} is complete and was kept. Continue with: ${commandFor(branch, ready)}`);
    process.exitCode = 1;
  } else if (ready.request.extent === 'all') ui.hint(nextAfterProposal(pullRequest));
  else ui.hint('Nothing was written. Without --dry-run, these calls are made.');
}

/**
 * Returns the command that repeats the proposal. One of several packages is enough to find the branch. `--all` would
 * first retry packages that failed.
 */
function commandFor({ kind, packages, branch }: ProposedBranch, { request: { remote, base } }: ReadyProposal): string {
  const name = packages[0]?.name ?? '<package>';
  const [verb, usual] = kind === 'sync' ? ['sync ', `sync/${name}`] : ['', 'migrate/'];
  const where = `${remote === 'origin' ? '' : ` --remote ${remote}`}${base === undefined ? '' : ` --base ${base}`}`;
  return `migrate-repo ${verb}${name} --pull-request${branch.startsWith(usual) ? '' : ` --branch ${branch}`}${where}`;
}

function branchOfMigration(result: MigrateResult): ProposedBranch {
  const { branch, packages, state } = result;
  return {
    kind: 'migration',
    branch,
    exists: state === 'planned' ? 'none' : 'yes',
    packages: packages.map(({ name, path, source, sourceCommit }) => ({ name, path, source, commit: sourceCommit })),
    tags: packages.map(({ tags, leftOutTags }) => tags.filter(({ from }) => !leftOutTags.includes(from)).map(({ to }) => to)),
    report: formatReport(result),
  };
}

function branchOfSync({ branch, name, path, source, to, tags, state }: SyncResult): ProposedBranch {
  return {
    kind: 'sync',
    branch: branch ?? '',
    exists: state === 'planned' ? 'none' : 'yes',
    packages: [{ name, path, source, commit: to }],
    tags: [tags],
    report: undefined,
  };
}

/** What a run could not migrate that proposes the branch of an earlier run. */
interface RestLeftOut {
  readonly message: string;
  readonly hint: string | undefined;
  /** Packages that no run has migrated. */
  readonly leftOut: MigrateResult['leftOut'];
}

/**
 * Returns what a failed migration leaves out. `branch`: the branch of the earlier run, which is proposed. If that branch
 * is in the way, the hint does not suggest to undo it.
 */
export function restLeftOut({ code, message, hint, data }: ToolError, branch: string): RestLeftOut {
  if (code === 'PACKAGES_LEFT_OUT') {
    const all = data['leftOut'] as readonly LeftOutPackage[];
    return { message, hint, leftOut: all.filter(({ error }) => error.code !== 'ALREADY_MIGRATED').map(describeLeftOut) };
  }
  const names = data['packages'] as readonly string[];
  const rest = {
    message: `${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} not migrated. ${message}`,
    hint:
      data['existing'] === `refs/heads/${branch}`
        ? `Name another branch with --branch. Or merge ${branch}, delete it, and run the command again.`
        : hint,
  };
  return { ...rest, leftOut: names.map((name) => ({ name, code, message, hint: rest.hint ?? null })) };
}
