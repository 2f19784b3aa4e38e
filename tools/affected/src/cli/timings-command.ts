import { resolve } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { outputPath } from '@tributary/process/output-file';
import type { Services } from '@tributary/terminal/main';
import type { Ui } from '@tributary/terminal/ui';
import { countOf } from '../describe.js';
import { mergeTimings, readPlan } from '../io/plan-files.js';
import { describePlace, readReceipts } from '../io/receipts.js';
import { timingsOfReceipts } from '../timings/collect.js';
import type { CollectOptions } from './plan-options.js';

type CollectRequest = CollectOptions & { readonly cwd: AbsolutePath };

export function runCollect(request: CollectRequest, { ui, clock }: Services): void {
  const { cwd, into, receipts, plan } = request;
  checkReceipts(request, ui);
  const task = request.task ?? (plan === undefined ? 'test' : readPlan(resolve(cwd, plan)).task);
  const file = outputPath(cwd, into);
  const read = receipts === undefined ? [] : readReceipts(resolve(cwd, receipts));
  for (const one of read) if ('problem' in one) ui.warning(`${one.file} is left out: ${one.problem}.`);
  const valid = read.flatMap((one) => ('receipt' in one ? [one.receipt] : []));
  const more = timingsOfReceipts(valid, { task, now: clock() });
  const timings = mergeTimings(file, more);
  if (ui.flags.json) return ui.document({ schemaVersion: 1, file: into, collected: [...more.keys()].sort(), tasks: timings.size });
  ui.status(`${countOf(more.size, 'task')} in this run, ${timings.size} in ${into}.`);
}

/** A misspelt path must not look like a run without tests. Throws `USAGE` without a folder, `FILE_UNUSABLE` for a missing one. */
function checkReceipts({ cwd, receipts, allowMissing = false }: CollectRequest, ui: Ui): void {
  if (receipts === undefined) {
    if (allowMissing) return;
    throw new ToolError({
      code: 'USAGE',
      message: 'Nothing to collect: no receipts are given.',
      hint: 'Name their folder with --receipts. To check only the file, use --allow-missing.',
    });
  }
  if (describePlace(resolve(cwd, receipts)) !== 'nothing') return;
  if (allowMissing) return ui.warning(`No such file or folder: ${receipts}.`);
  throw new ToolError({
    code: 'FILE_UNUSABLE',
    message: `No such file or folder: ${receipts}.`,
    hint: 'Check the path. If no run has written it yet, add --allow-missing.',
    data: { path: receipts },
  });
}
