import { code } from '@tributary/terminal/markdown';
import { countOf } from '../describe.js';
import type { Verdict } from '../gate/judge.js';
import type { Plan } from '../plan/plan.js';
import { tasksOf } from '../plan/plans-by-task.js';
import { type FailedPiece, failedPiecesOf } from '../report/failed-pieces.js';
import { type FailuresRoom, failuresIn } from './failures.js';
import { headOf, notesTable, problemsTable, reportPart } from './gate-summary.js';
import { selectedHeadline, selectedTable } from './selected.js';
import { describeTimes, shardTable } from './shard-times.js';

/** GitHub's limit is 65,536 characters, and no comment has more characters than bytes. */
const LARGEST_COMMENT = 60_000;

const FAILURES: FailuresRoom = { bytes: LARGEST_COMMENT / 3, tests: 3, excerpt: { lines: 12, characters: 1000 } };

/** The origin of a comment, as shown in it. */
export interface CommentOrigin {
  /** The URL of the run; `undefined` if unknown. */
  readonly runUrl: string | undefined;
}

/**
 * Renders the comment on a pull request in Markdown: the verdict, the failures, the selection with reasons, and the times. Text from others
 * is always in code, so that GitHub notifies nobody who is mentioned.
 */
export function gateComment(plan: Plan, verdict: Verdict, { runUrl }: CommentOrigin): string {
  const parts = [
    headOf(plan, verdict),
    failuresIn(failedPiecesOf(verdict.receipts.values()).map(withoutOutput), FAILURES),
    problemsTable(verdict, LARGEST_COMMENT / 8),
    reportPart(plan, verdict),
    notesTable(verdict, LARGEST_COMMENT / 8),
    `${selectedHeadline(plan)} ${describeTimes(plan, verdict)}`.trim(),
    folded('What was selected, and why', selectedTable(plan, LARGEST_COMMENT / 4)),
    folded(countOf(plan.shards.length, 'shard'), plan.shards.length === 0 ? '' : shardTable(plan, verdict, LARGEST_COMMENT / 10)),
    originOf(plan, runUrl),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** What a task printed stays in its log and in the summary: everybody who sees the pull request gets the comment, often by mail. */
function withoutOutput(piece: FailedPiece): FailedPiece {
  // A file that fails as a whole has its output in the place of a message.
  const failures = piece.failures.map((one) => (one.test === one.file ? { ...one, message: '' } : one));
  return { ...piece, failures, log: '' };
}

function folded(title: string, inside: string): string {
  return inside === '' ? '' : `<details><summary>${title}</summary>\n\n${inside}\n\n</details>`;
}

function originOf(plan: Plan, runUrl: string | undefined): string {
  const tasks = tasksOf(plan).map(({ task }) => code(task));
  const { head } = plan.affected;
  const commit = head === null ? '' : `, commit ${code(head.slice(0, 12))}`;
  const run = runUrl === undefined ? '' : `, [the run](${runUrl})`;
  return `${tasks.length === 1 ? 'Task' : 'Tasks'} ${tasks.join(', ')}${commit}${run}. affected keeps this comment up to date.`;
}
