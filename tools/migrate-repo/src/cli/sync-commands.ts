import type { Services } from '@tributary/terminal/main';
import { writeSyncReport } from '../io/write-report.js';
import { nextAfterSync, renderSync } from '../render-sync.js';
import type { SyncResult } from '../result/result.js';
import { sync } from '../run/sync.js';
import { abortSync } from '../run/sync-abort.js';
import { continueSync } from '../run/sync-continue.js';
import type { SyncRequest } from '../run/sync-request.js';
import { show } from './show.js';

/** Runs `sync` and prints the result. Sets exit code 1 if a person must resolve conflicts. */
export async function runSync(request: SyncRequest, services: Services): Promise<void> {
  if (request.proposal !== undefined) return (await import('./proposal-commands.js')).runSyncAndPropose(request, sync, services);
  tell(await sync(request, services), request, services);
}

/** Continues a sync after its conflicts were resolved. */
export async function runSyncContinue(request: SyncRequest, services: Services): Promise<void> {
  if (request.proposal !== undefined) return (await import('./proposal-commands.js')).runSyncAndPropose(request, continueSync, services);
  tell(await continueSync(request, services), request, services);
}

/** Aborts a sync that has conflicts. */
export async function runSyncAbort(request: SyncRequest, services: Services): Promise<void> {
  const result = await abortSync(request, services);
  show(services.ui, result, ({ branch, tags }) => {
    return `Aborted the sync of ${request.name}: removed the branch ${branch}, ${tags.length} tags and its worktree.`;
  });
}

function tell(result: SyncResult, { report }: SyncRequest, { ui }: Services): void {
  for (const warning of result.warnings) ui.warning(warning);
  show(ui, result, renderSync);
  if (report !== undefined) writeSyncReport(report, result);
  const next = nextAfterSync(result);
  if (next !== undefined && next !== '') ui.hint(next);
  if (result.state === 'conflicts') process.exitCode = 1;
}
