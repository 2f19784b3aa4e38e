import { formatTable } from '@tributary/terminal/table';
import { countOf } from '../describe.js';
import { findShard, type Plan, pieceName, type Shard, type TaskPlan, wallOf, wholeName } from '../plan/plan.js';
import { tasksOf } from '../plan/plans-by-task.js';
import { notesOf } from '../summary/plan-summary.js';
import { span } from '../summary/span.js';
import { describeAll } from '../way-out.js';
import { describeLeftOut } from './plan-output.js';

/** In columns: a longer line is not read, however wide the terminal is. */
const WIDEST = 100;
const SHOWN = 3;

/** Describes a plan for people: a row for each shard, and the pieces of one shard that they asked for. Throws `USAGE` for an unknown one. */
export function describePlan(plan: Plan, { width, shard }: { readonly width: number; readonly shard: string | undefined }): string {
  const { shards } = plan;
  const named = shard === undefined ? [] : ['', ...listPieces(findShard(plan, shard))];
  if (shards.length === 0) return [...whoIsAffected(plan, 'Nothing to run.'), ...describeLeftOut(plan)].join('\n');
  const rows = shards.map(({ id, seconds, pieces }) => [id, span(seconds), String(pieces.length), firstOf(pieces)]);
  const columns = [
    { title: 'shard' },
    { title: 'about' },
    { title: 'pieces' },
    { title: plan.also === undefined ? 'workspaces' : 'tasks', shrink: 'end' as const },
  ];
  const table = formatTable({ columns, rows }, Math.min(width, WIDEST));
  const size = `${countOf(shards.length, 'shard')}, about ${span(wallOf(plan))} with set-up.`;
  return [...whoIsAffected(plan, size), ...notesOf(plan), ...describeLeftOut(plan), '', table, ...named].join('\n');
}

/** In one line with the size of the plan or, for several tasks or with a reason for all workspaces, before it. */
function whoIsAffected(plan: Plan, size: string): readonly string[] {
  if (plan.also === undefined) return plan.affected.all === null ? [`${whoIsAffectedBy(plan)} ${size}`] : [whoIsAffectedBy(plan), size];
  return [...tasksOf(plan).map((one) => `${one.task}: ${whoIsAffectedBy(one)}`), size];
}

function whoIsAffectedBy({ affected: { all, workspaces, workspaceCount } }: TaskPlan): string {
  if (all === null) return `${workspaces.length} of ${countOf(workspaceCount, 'workspace')} affected.`;
  return `All ${countOf(workspaceCount, 'workspace')} affected. ${describeAll(all)}`;
}

function firstOf(pieces: Shard['pieces']): string {
  const shown = pieces.slice(0, SHOWN).map(wholeName);
  return `${shown.join(', ')}${pieces.length > SHOWN ? ` and ${pieces.length - SHOWN} more` : ''}`;
}

function listPieces({ id, pieces }: Shard): readonly string[] {
  return [`Shard ${id}:`, ...pieces.map((piece) => `  ${pieceName(piece)}, about ${span(piece.seconds)}`)];
}
