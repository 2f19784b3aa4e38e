import { code, LARGEST_SUMMARY, table } from '@tributary/terminal/markdown';
import { countOf } from '../describe.js';
import type { Verdict } from '../gate/judge.js';
import { leftOutOf } from '../plan/left-out.js';
import type { Plan } from '../plan/plan.js';
import type { Receipt } from '../receipt/receipt.js';
import { span } from './span.js';

/** What really ran, in Markdown: the verdict with a sentence for each problem, and predicted beside realised time. */
export function gateSummary(plan: Plan, verdict: Verdict): string {
  const { shards } = plan;
  const pieces = shards.flatMap((shard) => shard.pieces).length;
  const head = verdict.passed
    ? `## All that was planned ran and passed\n\n${shards.length === 0 ? 'There was nothing to run.' : `${countOf(pieces, 'piece')} in ${countOf(shards.length, 'shard')}.`}`
    : `## Not proven: ${countOf(verdict.problems.length, 'problem')}\n\n${table(
        ['what is wrong'],
        verdict.problems.map(({ message }) => [code(message)]),
        LARGEST_SUMMARY / 2,
      )}`;
  const parts = [head, notesOf(verdict), shards.length === 0 ? '' : times(plan, verdict), leftOutTable(plan)];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function notesOf({ notes }: Verdict): string {
  const rows = notes.map(({ message }) => [code(message)]);
  return rows.length === 0 ? '' : table(['note'], rows, LARGEST_SUMMARY / 8);
}

function leftOutTable(plan: Plan): string {
  const leftOut = leftOutOf(plan);
  if (leftOut.length === 0) return '';
  const rows = leftOut.map(({ workspace, reason }) => [code(workspace), code(reason)]);
  return `${countOf(rows.length, 'workspace')} left out:\n\n${table(['left out', 'why'], rows, LARGEST_SUMMARY / 8)}`;
}

function times({ shards, everythingSeconds }: Plan, { passed, receipts }: Verdict): string {
  const rows = shards.map(({ id, seconds }) => {
    const receipt = receipts.get(id);
    return [
      id,
      span(seconds),
      receipt === undefined ? 'no receipt' : span(realised(receipt)),
      receipt === undefined ? '' : replayedOf(receipt),
    ];
  });
  const real = [...receipts.values()].map(realised);
  const total = real.reduce((sum, one) => sum + one, 0);
  const mean = total / Math.max(1, real.length);
  const balance = real.length > 1 && mean > 0 ? ` The slowest took ${(Math.max(...real) / mean).toFixed(2)} times the mean.` : '';
  // Where something did not run, nothing was saved.
  const less = passed && everythingSeconds !== null ? everythingSeconds - total : 0;
  const saved = less > 30 ? ` About ${span(less)} of machine time saved against testing everything.` : '';
  return `${table(['shard', 'predicted', 'took', 'from a cache'], rows, LARGEST_SUMMARY / 4)}\n\n${`${balance}${saved}`.trim()}`;
}

/** From the first task to the end of the last one, in seconds. */
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
