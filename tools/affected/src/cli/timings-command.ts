import { join, resolve } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { outputPath } from '@tributary/process/output-file';
import type { Services } from '@tributary/terminal/main';
import type { Ui } from '@tributary/terminal/ui';
import { countOf } from '../describe.js';
import { locate } from '../io/locate.js';
import { mergeTimings, readPlan, readRuns } from '../io/plan-files.js';
import { describePlace, readReceipts } from '../io/receipts.js';
import { addFileTimes } from '../timings/add-file-times.js';
import { timingsOfReceipts, timingsOfRuns } from '../timings/collect.js';
import { addTimings, type FileTimes } from '../timings/timings.js';
import type { CollectOptions } from './plan-options.js';

export async function runCollect(
  { cwd, into, ...options }: CollectOptions & { readonly cwd: AbsolutePath },
  { ui, clock }: Services,
): Promise<void> {
  const { receipts, plan, turbo, junit } = options;
  checkSources({ cwd, ...options }, ui);
  const task = options.task ?? (plan === undefined ? 'test' : readPlan(resolve(cwd, plan)).task);
  const file = outputPath(cwd, into);
  const now = clock();
  const read = receipts === undefined ? [] : readReceipts(resolve(cwd, receipts));
  for (const one of read) if ('problem' in one) ui.warning(`${one.file} is left out: ${one.problem}.`);
  const more = addTimings(
    timingsOfReceipts(
      read.flatMap((one) => ('receipt' in one ? [one.receipt] : [])),
      { task, now },
    ),
    timingsOfRuns(turbo === undefined ? [] : readRuns(resolve(cwd, turbo)), now),
  );
  const byFile = junit === undefined ? new Map<string, FileTimes>() : await fileTimesIn(junit, cwd, ui);
  const timings = mergeTimings(file, more, (all) => addFileTimes(all, byFile, task));
  const collected = new Set([...more.keys(), ...[...byFile.keys()].map((workspace) => `${workspace}#${task}`)]);
  if (ui.flags.json) return ui.document({ schemaVersion: 1, file: into, collected: [...collected].sort(), tasks: timings.size });
  ui.status(`${countOf(collected.size, 'task')} in this run, ${timings.size} in ${into}.`);
}

/**
 * Checks sources, because a misspelt path must not look like a run without tests. Throws `USAGE` without a source, `FILE_UNUSABLE` for a
 * missing one.
 */
function checkSources(
  { cwd, receipts, turbo, junit, allowMissing = false }: Omit<CollectOptions, 'into'> & { readonly cwd: AbsolutePath },
  ui: Ui,
): void {
  const sources = [receipts, turbo, junit].filter((path) => path !== undefined);
  if (sources.length === 0 && !allowMissing)
    throw new ToolError({
      code: 'USAGE',
      message: 'Nothing to collect: no source is given.',
      hint: 'Use --receipts, --turbo or --junit. To check only the file, use --allow-missing.',
    });
  for (const path of sources.filter((one) => describePlace(resolve(cwd, one)) === 'nothing')) {
    if (!allowMissing)
      throw new ToolError({
        code: 'FILE_UNUSABLE',
        message: `No such file or folder: ${path}.`,
        hint: 'Check the path. If no run has written it yet, add --allow-missing.',
        data: { path },
      });
    ui.warning(`No such file or folder: ${path}.`);
  }
}

/** Returns times of test files by workspace. It searches the files in the working tree, below the project's root. */
async function fileTimesIn(path: string, cwd: AbsolutePath, ui: Ui): Promise<ReadonlyMap<string, FileTimes>> {
  // Parsing XML needs a library that no other command loads.
  const { readJUnit } = await import('../io/junit-files.js');
  const { workTree, project } = await locate(cwd);
  const { workspaces, problems } = readJUnit(resolve(cwd, path), workTree === undefined ? cwd : join(workTree, project));
  for (const problem of problems) ui.warning(problem);
  return workspaces;
}
