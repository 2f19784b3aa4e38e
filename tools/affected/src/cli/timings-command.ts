import { join, resolve } from 'node:path';
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
  { cwd, into, receipts, plan, turbo, junit, ...options }: CollectOptions & { readonly cwd: AbsolutePath },
  { ui, clock }: Services,
): Promise<void> {
  const task = options.task ?? (plan === undefined ? 'test' : readPlan(resolve(cwd, plan)).task);
  const file = outputPath(cwd, into);
  const now = clock();
  const read = receipts === undefined ? [] : readReceipts(resolve(cwd, receipts));
  if (receipts !== undefined && describePlace(resolve(cwd, receipts)) === 'nothing') ui.warning(`There is no folder ${receipts}.`);
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
  ui.status(`${countOf(collected.size, 'task')} in this run, ${timings.size} in ${into}.`);
}

/** By workspace. Test files are looked for in the work tree, below the root of the project. */
async function fileTimesIn(path: string, cwd: AbsolutePath, ui: Ui): Promise<ReadonlyMap<string, FileTimes>> {
  // Reading XML takes a library that nobody else needs.
  const { readJUnit } = await import('../io/junit-files.js');
  const { workTree, project } = locate(cwd);
  if (describePlace(resolve(cwd, path)) === 'nothing') ui.warning(`There is nothing at ${path}.`);
  const { workspaces, problems } = readJUnit(resolve(cwd, path), workTree === undefined ? cwd : join(workTree, project));
  for (const problem of problems) ui.warning(problem);
  return workspaces;
}
