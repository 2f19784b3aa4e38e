import { code, LARGEST_SUMMARY, table } from '@tributary/terminal/markdown';
import { countOf } from '../describe.js';
import { describeProof } from '../gate/commit.js';
import type { Verdict } from '../gate/judge.js';
import { leftOutIn } from '../gate/notes.js';
import { leftOutOf } from '../plan/left-out.js';
import { type Plan, pieceName } from '../plan/plan.js';
import { failedPiecesOf } from '../report/failed-pieces.js';
import { describeRun, reportOfRun } from '../report-only/one-run.js';
import { type FailuresRoom, failuresIn } from './failures.js';
import { describeTimes, shardTable } from './shard-times.js';

const FAILURES: FailuresRoom = { bytes: LARGEST_SUMMARY / 4, tests: 5, excerpt: { lines: 40, characters: 3000 } };

/** Renders in Markdown what really ran: the verdict with a sentence for each problem, the failures, and predicted next to actual times. */
export function gateSummary(plan: Plan, verdict: Verdict): string {
  const { shards } = plan;
  const parts = [
    headOf(plan, verdict),
    failuresIn(failedPiecesOf(verdict.receipts.values()), FAILURES),
    problemsTable(verdict, LARGEST_SUMMARY / 4),
    reportPart(plan, verdict),
    notesTable(verdict, LARGEST_SUMMARY / 8),
    forcedTable(verdict),
    shards.length === 0 ? '' : `${shardTable(plan, verdict, (LARGEST_SUMMARY * 3) / 16)}\n\n${describeTimes(plan, verdict)}`,
    piecesOfShards(plan),
    leftOutTable(plan),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** The verdict as a heading. Failed tests follow it, before the table of all problems. */
export function headOf({ shards, also }: Plan, verdict: Verdict): string {
  const { passed, problems, notes } = verdict;
  if (!passed) return `## Not proven: ${countOf(problems.length, 'problem')}`;
  const pieces = shards.flatMap((shard) => shard.pieces).length;
  const ran = shards.length === 0 ? 'Nothing had to run.' : `${countOf(pieces, 'piece')} in ${countOf(shards.length, 'shard')}.`;
  return `## All planned ${also === undefined ? 'tests' : 'tasks'} ran and passed\n\n${[ran, ...describeProof(verdict), ...leftOutIn(notes).map((what) => `${what}: see the notes.`)].join(' ')}`;
}

/** Renders the problems as a table limited to `bytes`; '' if there are none. */
export function problemsTable({ problems }: Verdict, bytes: number): string {
  const rows = problems.map(({ message }) => [code(message)]);
  return rows.length === 0 ? '' : table(['what is wrong'], rows, bytes);
}

/** Of a plan that only reports: what a selection would have left out. */
export function reportPart(plan: Plan, { receipts }: Verdict): string {
  return describeRun(reportOfRun(plan, receipts)).map(code).join('\n\n');
}

/** Renders notes as a table limited to `bytes`; '' if there are none. */
export function notesTable({ notes }: Verdict, bytes: number): string {
  const rows = notes.map(({ message }) => [code(message)]);
  return rows.length === 0 ? '' : table(['note'], rows, bytes);
}

/** The pieces whose cached result did not count. */
function forcedTable({ receipts }: Verdict): string {
  const pieces = [...receipts.values()].flatMap((receipt) => receipt.pieces);
  const rows = pieces.flatMap((piece) => (piece.forced === undefined ? [] : [[code(pieceName(piece)), code(piece.forced)]]));
  return rows.length === 0 ? '' : table(['ran despite a cached result', 'why'], rows, LARGEST_SUMMARY / 8);
}

/** Of several shards: which one has which pieces. */
function piecesOfShards({ shards }: Plan): string {
  if (shards.length < 2) return '';
  const rows = shards.map(({ id, pieces }) => [id, pieces.map((piece) => code(pieceName(piece))).join(', ')]);
  return `<details><summary>The pieces of each shard</summary>\n\n${table(['shard', 'pieces'], rows, LARGEST_SUMMARY / 16)}\n\n</details>`;
}

function leftOutTable(plan: Plan): string {
  const leftOut = leftOutOf(plan);
  if (leftOut.length === 0) return '';
  const rows = leftOut.map(({ workspace, reason }) => [code(workspace), code(reason)]);
  return `${countOf(rows.length, plan.also === undefined ? 'workspace' : 'task')} left out:\n\n${table(['left out', 'why'], rows, LARGEST_SUMMARY / 8)}`;
}
