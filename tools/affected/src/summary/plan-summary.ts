import { code, LARGEST_SUMMARY, table } from '@tributary/terminal/markdown';
import { countOf } from '../describe.js';
import { leftOutOf } from '../plan/left-out.js';
import { type Plan, pieceName, type Shard, wallOf } from '../plan/plan.js';
import { selectedHeadline, selectedTable } from './selected.js';
import { span } from './span.js';

/** Renders the plan in Markdown: the time and number of shards, why each workspace runs, and the effect of more shards. */
export function planSummary(plan: Plan): string {
  const { shards, task } = plan;
  if (shards.length === 0) return `## Nothing to test\n\n${headline(plan)}\n${withoutTask(plan)}`;
  return [
    `## ${countOf(shards.length, 'shard')}, about ${span(wallOf(plan))}`,
    headline(plan),
    table(['shard', 'about', 'of it builds', code(task)], shards.map(shardRow), LARGEST_SUMMARY / 4),
    reasonsOf(plan),
    unselectedTable(plan),
    withoutTask(plan),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function headline(plan: Plan): string {
  const { shards, setupSeconds, everythingSeconds } = plan;
  const planned = shards.reduce((sum, { seconds }) => sum + seconds, 0);
  const saved = everythingSeconds === null || plan.guessed > 0 ? 0 : everythingSeconds - planned;
  const saving = saved > 30 ? ` Testing everything would take about ${span(saved)} more machine time.` : '';
  return [`${selectedHeadline(plan)}${saving} Set-up of a machine: ${span(setupSeconds)}.`, ...notesOf(plan)].join(' ');
}

/** Returns sentences on what the figures of a plan leave out. */
export function notesOf({ guessed, machine, unusedShards, shards, unselected }: Plan): readonly string[] {
  const planned = new Set(shards.flatMap(({ pieces }) => pieces.map(({ workspace }) => workspace))).size;
  const few = guessed === planned ? 'No run tells' : `For ${countOf(guessed, 'workspace')}, no run shows`;
  return [
    ...(unselected === undefined ? [] : [describeUnselected(unselected.length, planned)]),
    ...(guessed === 0 ? [] : [`${few} how long the tests take: the times are guesses.`]),
    ...(guessed === planned ? [] : [onMachine(machine)]),
    ...(unusedShards === 0 ? [] : [`With ${unusedShards} more, as requested, it would not end earlier.`]),
  ];
}

function describeUnselected(count: number, planned: number): string {
  return `Report only: all ${countOf(planned, 'workspace')} with the task run. A selection would leave out ${count} of them.`;
}

function onMachine(machine: Plan['machine']): string {
  if (machine === null) return 'No receipt shows what runs at the same time on a machine: times are added up.';
  const { cores, concurrency } = machine;
  return `Times are for ${countOf(cores, 'processor')} and ${countOf(concurrency, 'task')} at once.`;
}

function shardRow({ id, seconds, builds, pieces }: Shard): readonly string[] {
  const shown = pieces.slice(0, 6).map((piece) => code(pieceName(piece)));
  const more = pieces.length > 6 ? ` and ${pieces.length - 6} more` : '';
  return [id, span(seconds), builds === 0 ? '' : span(builds), `${shown.join(', ')}${more}`];
}

/** Returns why each workspace runs; '' if all have the same reason, which the headline shows. */
function reasonsOf(plan: Plan): string {
  const reasons = selectedTable(plan, LARGEST_SUMMARY / 2);
  return reasons === '' ? '' : `<details><summary>Why each workspace runs</summary>\n\n${reasons}\n\n</details>`;
}

function unselectedTable({ unselected = [] }: Plan): string {
  if (unselected.length === 0) return '';
  const rows = unselected.map(({ workspace, reason }) => [code(workspace), code(reason)]);
  return `<details><summary>${countOf(rows.length, 'workspace')} that a selection would leave out</summary>\n\n${table(['workspace', 'why'], rows, LARGEST_SUMMARY / 8)}\n\n</details>`;
}

function withoutTask(plan: Plan): string {
  const { unknown } = plan.atBase;
  const base = unknown === null ? '' : `Unknown which workspaces had the task before: ${code(unknown)}`;
  const rows = leftOutOf(plan).map(({ workspace, reason }) => [code(workspace), code(reason)]);
  if (rows.length === 0) return base;
  const list = `<details><summary>${countOf(rows.length, 'workspace')} left out</summary>\n\n${table(['workspace', 'why not'], rows, LARGEST_SUMMARY / 8)}\n\n</details>`;
  return base === '' ? list : `${base}\n\n${list}`;
}
