import { code, LARGEST_SUMMARY, table } from '@tributary/terminal/markdown';
import { countOf } from '../describe.js';
import { leftOutOf } from '../plan/left-out.js';
import { type Plan, pieceName, type Shard, wallOf, wholeName } from '../plan/plan.js';
import { sumsOf, tasksOf, unselectedOf } from '../plan/plans-by-task.js';
import { selectedHeadline, selectedTable } from './selected.js';
import { span } from './span.js';

/** Renders the plan in Markdown: the time and number of shards, why each workspace runs, and the effect of more shards. */
export function planSummary(plan: Plan): string {
  const { shards } = plan;
  if (shards.length === 0) return `## Nothing to ${plan.also === undefined ? 'test' : 'run'}\n\n${headline(plan)}\n${withoutTask(plan)}`;
  return [
    `## ${countOf(shards.length, 'shard')}, about ${span(wallOf(plan))}`,
    headline(plan),
    table(
      [
        'shard',
        'about',
        'of it builds',
        tasksOf(plan)
          .map(({ task }) => code(task))
          .join(', '),
      ],
      shards.map(shardRow),
      LARGEST_SUMMARY / 4,
    ),
    reasonsOf(plan),
    unselectedTable(plan),
    withoutTask(plan),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function headline(plan: Plan): string {
  const { shards, setupSeconds } = plan;
  const { guessed, everythingSeconds } = sumsOf(plan);
  const planned = shards.reduce((sum, { seconds }) => sum + seconds, 0);
  const saved = everythingSeconds === null || guessed > 0 ? 0 : everythingSeconds - planned;
  const saving =
    saved > 30 ? ` ${plan.also === undefined ? 'Testing' : 'Running'} everything would take about ${span(saved)} more machine time.` : '';
  return [`${selectedHeadline(plan)}${saving} Set-up of a machine: ${span(setupSeconds)}.`, ...notesOf(plan)].join(' ');
}

/** Returns sentences on what the figures of a plan leave out. */
export function notesOf(plan: Plan): readonly string[] {
  const { machine, unusedShards, shards, unselected, also } = plan;
  const { guessed } = sumsOf(plan);
  const planned = new Set(shards.flatMap(({ pieces }) => pieces.map(wholeName))).size;
  const few = guessed === planned ? 'No run tells' : `For ${countOf(guessed, also === undefined ? 'workspace' : 'task')}, no run shows`;
  const what = also === undefined ? 'the tests' : 'tasks';
  return [
    ...(unselected === undefined ? [] : [describeUnselected(unselectedOf(plan).length, { planned, isOne: also === undefined })]),
    ...(guessed === 0 ? [] : [`${few} how long ${what} take: the times are guesses.`]),
    ...(guessed === planned ? [] : [onMachine(machine)]),
    ...(unusedShards === 0 ? [] : [`With ${unusedShards} more, as requested, it would not end earlier.`]),
  ];
}

function describeUnselected(count: number, { planned, isOne }: { readonly planned: number; readonly isOne: boolean }): string {
  const all = isOne ? `${countOf(planned, 'workspace')} with the task` : countOf(planned, 'task');
  return `Report only: all ${all} run. A selection would leave out ${count} of them.`;
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

function unselectedTable(plan: Plan): string {
  const unselected = unselectedOf(plan);
  if (unselected.length === 0) return '';
  const rows = unselected.map(({ workspace, reason }) => [code(workspace), code(reason)]);
  return `<details><summary>${countOf(rows.length, plan.also === undefined ? 'workspace' : 'task')} that a selection would leave out</summary>\n\n${table(['workspace', 'why'], rows, LARGEST_SUMMARY / 8)}\n\n</details>`;
}

function withoutTask(plan: Plan): string {
  const unknown = new Set(tasksOf(plan).flatMap(({ atBase }) => atBase.unknown ?? []));
  const base = [...unknown].map((why) => `Unknown which workspaces had the task before: ${code(why)}`).join('\n\n');
  const rows = leftOutOf(plan).map(({ workspace, reason }) => [code(workspace), code(reason)]);
  if (rows.length === 0) return base;
  const list = `<details><summary>${countOf(rows.length, plan.also === undefined ? 'workspace' : 'task')} left out</summary>\n\n${table(['workspace', 'why not'], rows, LARGEST_SUMMARY / 8)}\n\n</details>`;
  return base === '' ? list : `${base}\n\n${list}`;
}
