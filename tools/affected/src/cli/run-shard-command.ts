import { resolve } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { outputFolder } from '@tributary/process/links-on-the-way';
import type { Services } from '@tributary/terminal/main';
import type { Ui } from '@tributary/terminal/ui';
import { countOf } from '../describe.js';
import { readEnvironment } from '../io/environment.js';
import { locate } from '../io/locate.js';
import { readPlan } from '../io/plan-files.js';
import { annotationsOf } from '../report/annotations.js';
import { failedPiecesOf } from '../report/failed-pieces.js';
import { describeRetried } from '../report/retried-tests.js';
import { runShards, type ShardOutcome } from '../run/run-shard.js';

interface RunShardOptions {
  readonly cwd: AbsolutePath;
  readonly plan: string;
  readonly receipts: string;
  /** Every shard of the plan. */
  readonly all?: true;
}

/** Ends with exit code 1 if a piece failed or did not run. */
export async function runShard(
  ids: readonly string[],
  { cwd, plan: file, receipts, all }: RunShardOptions,
  services: Services,
): Promise<void> {
  const { ui } = services;
  const plan = readPlan(resolve(cwd, file));
  const outcomes = await runShards(
    {
      cwd,
      plan,
      shards: all === true ? plan.shards.map(({ id }) => id) : ids,
      receipts: outputFolder(cwd, receipts),
    },
    services,
  );
  const failed = outcomes.flatMap((outcome) => outcome.failed);
  if (failed.length > 0) process.exitCode = 1;
  await annotate(cwd, outcomes, ui);
  for (const piece of outcomes.flatMap(({ receipt }) => receipt.pieces)) {
    const message = describeRetried(piece);
    if (message !== undefined) ui.warning(message);
  }
  if (ui.flags.json) return ui.document({ schemaVersion: 1, receipts: outcomes.map(({ receipt }) => receipt), failed });
  for (const outcome of outcomes) ui.status(describeShard(outcome));
  if (failed.length > 0) ui.page(`Failed, or not run: ${failed.join(', ')}.`);
}

/** Prints failed tests as annotations if the log of the CI job supports them. They are commands of the log, and escaped accordingly. */
async function annotate(cwd: AbsolutePath, outcomes: readonly ShardOutcome[], ui: Ui): Promise<void> {
  const { detectEngine } = await import('../engines/detect.js');
  const log = detectEngine(readEnvironment())?.log;
  if (log === undefined) return;
  const failed = failedPiecesOf(outcomes.map(({ receipt }) => receipt));
  const { project } = await locate(cwd);
  for (const one of annotationsOf(failed, { project, most: log.mostAnnotations })) ui.data(log.annotate(one));
}

function describeShard({ shard, receipt, failed }: ShardOutcome): string {
  const replayed = receipt.pieces.filter(({ state }) => state === 'replayed').length;
  const cached = replayed === 0 ? '' : `, ${replayed} of them from a cache`;
  return `Shard ${shard}: ${countOf(receipt.pieces.length, 'piece')}${cached}${failed.length === 0 ? '' : `; ${failed.length} failed, or did not run`}.`;
}
