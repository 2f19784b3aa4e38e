import { cutMiddle } from '@tributary/terminal/cut';
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
/** The columns of a name. */
const LEAST = 8;

/** Describes a plan for people: a row for each shard, and the pieces of one shard that they asked for. Throws `USAGE` for an unknown one. */
export function describePlan(plan: Plan, { width, shard }: { readonly width: number; readonly shard: string | undefined }): string {
  const { shards } = plan;
  const named = shard === undefined ? [] : ['', ...listPieces(findShard(plan, shard))];
  if (shards.length === 0) return [...whoIsAffected(plan, 'Nothing to run.'), ...describeLeftOut(plan)].join('\n');
  const titles = ['shard', 'about', 'pieces', plan.also === undefined ? 'workspaces' : 'tasks'];
  const facts = shards.map(({ id, seconds, pieces }) => [id, span(seconds), String(pieces.length)]);
  const widths = titles.slice(0, -1).map((title, at) => Math.max(title.length, ...facts.map((row) => row[at]?.length ?? 0)) + 2);
  const widest = Math.min(width, WIDEST);
  const room = widths.reduce((rest, one) => rest - one, widest);
  const rows = shards.map(({ pieces }, at) => [...(facts[at] ?? []), firstOf(pieces, room)]);
  const table = formatTable({ columns: titles.map((title) => ({ title })), rows }, widest);
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

/** Returns the first names that there is room for, and the number of the others. */
function firstOf(pieces: Shard['pieces'], room: number): string {
  const names = pieces.slice(0, SHOWN).map(wholeName);
  for (let count = names.length; ; count--) {
    const others = pieces.length > count ? ` and ${pieces.length - count} more` : '';
    const text = `${names.slice(0, count).join(', ')}${others}`;
    if (text.length <= room) return text;
    if (count <= 1) return `${cutMiddle(names[0] ?? '', Math.max(LEAST, room - others.length))}${others}`;
  }
}

function listPieces({ id, pieces }: Shard): readonly string[] {
  return [`Shard ${id}:`, ...pieces.map((piece) => `  ${pieceName(piece)}, about ${span(piece.seconds)}`)];
}
