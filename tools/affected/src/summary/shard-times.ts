import { table } from '@tributary/terminal/markdown';
import { countOf } from '../describe.js';
import type { Verdict } from '../gate/judge.js';
import type { Plan } from '../plan/plan.js';
import { sumsOf } from '../plan/plans-by-task.js';
import type { Receipt } from '../receipt/receipt.js';
import { span } from './span.js';

/** Renders predicted next to actual times of each shard, as a table limited to `bytes`. */
export function shardTable({ shards }: Plan, { receipts }: Verdict, bytes: number): string {
  const rows = shards.map(({ id, seconds }) => {
    const receipt = receipts.get(id);
    const took = receipt === undefined ? ['no receipt', ''] : [span(realised(receipt)), replayedOf(receipt)];
    return [id, span(seconds), ...took];
  });
  return table(['shard', 'predicted', 'took', 'from a cache'], rows, bytes);
}

/** Describes in sentences how even the shards were, and what the run saved; '' if none of that was measured. */
export function describeTimes(plan: Plan, { passed, receipts }: Verdict): string {
  const { everythingSeconds } = sumsOf(plan);
  const real = [...receipts.values()].map(realised);
  const total = real.reduce((sum, one) => sum + one, 0);
  const mean = total / Math.max(1, real.length);
  const slowest = real.reduce((most, one) => Math.max(most, one), 0);
  const balance = real.length > 1 && mean > 0 ? `The slowest took ${(slowest / mean).toFixed(2)} times the mean.` : '';
  // If something did not run, or nothing did, the saving is unknown.
  const less = passed && total > 0 && everythingSeconds !== null ? everythingSeconds - total : 0;
  const saved =
    less > 30 ? `About ${span(less)} of machine time saved against ${plan.also === undefined ? 'testing' : 'running'} everything.` : '';
  return `${balance} ${saved}`.trim();
}

/** Returns the seconds from the first task's start to the last one's end. */
export function realised({ pieces, builds }: Receipt): number {
  const executed = [...pieces.filter(({ state }) => state === 'executed'), ...builds];
  if (executed.length === 0) return 0;
  const end = executed.reduce((last, { endedAt }) => Math.max(last, endedAt), 0);
  return (end - executed.reduce((first, { startedAt }) => Math.min(first, startedAt), end)) / 1000;
}

function replayedOf({ pieces }: Receipt): string {
  const count = pieces.filter(({ state }) => state === 'replayed').length;
  return count === 0 ? '' : countOf(count, 'piece');
}
