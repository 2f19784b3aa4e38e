import { isToolError } from '@tributary/model/errors';
import type { Services } from '@tributary/terminal/main';
import type { Mutant } from '../audit/mutant.js';
import { roundsOf } from '../audit/rounds.js';
import type { AuditCopy } from '../io/audit-copy.js';
import type { Observation } from '../observe/observation.js';
import type { Plan } from '../plan/plan.js';
import { inOneLine } from '../plan/shape.js';
import type { AuditedMutant } from '../result.js';
import { planChange, workspacesIn } from './plan-change.js';
import { nameForTurbo } from './planned-workspace.js';

/** A copy in which the tests of `stable` pass. */
export interface Judging {
  readonly copy: AuditCopy;
  readonly start: string;
  readonly observations: readonly Observation[] | undefined;
  readonly everything: Plan;
  /** Ordered. */
  readonly stable: readonly string[];
  readonly timeoutMs: number;
  /** The workspace that a file belongs to. */
  readonly ownerOf: (file: string) => string | undefined;
}

export interface NumberedMutant extends Mutant {
  readonly number: number;
}

/** `selected` is `undefined` if a plan of the change cannot be made. */
interface Selected extends NumberedMutant {
  readonly selected: ReadonlySet<string> | undefined;
}

/**
 * Finds out for each mutant which workspaces would be selected, and whether a test fails: first of all others, then of these. Throws as `planChange` and `runTurbo`.
 */
export async function judgeMutants(
  mutants: readonly NumberedMutant[],
  judging: Judging,
  services: Services,
): Promise<readonly AuditedMutant[]> {
  const changes: Selected[] = [];
  for (const mutant of mutants) changes.push({ ...mutant, selected: await selectedFor(mutant, judging, services) });
  const missed = await missesOf(changes, judging);
  const judged: AuditedMutant[] = [];
  for (const change of changes) judged.push(await judge(change, missed.get(change.number) ?? [], judging));
  return judged;
}

async function selectedFor(mutant: Mutant, { copy, everything, ...judging }: Judging, services: Services): Promise<Selected['selected']> {
  return withChanges([mutant], copy, async (head) => {
    const { start: base, observations } = judging;
    const plan = await planChange({ cwd: copy.folder, base, head, task: everything.task, observations }, services);
    return new Set(judging.stable.filter((name) => workspacesIn(plan).has(name)));
  });
}

/**
 * Which workspaces fail twice though a mutant does not select them, by its number. The tests of one run once with all changes that leave it
 * out: if they pass, none of these makes them fail alone, unless another one hides it.
 */
async function missesOf(changes: readonly Selected[], judging: Judging): Promise<ReadonlyMap<number, readonly string[]>> {
  const missed = new Map<number, string[]>();
  for (const name of judging.stable) {
    const others = changes.filter(({ selected }) => selected !== undefined && !selected.has(name));
    for (const round of roundsOf(others)) {
      if ((await fails(name, round, judging)) === false) continue;
      for (const change of round)
        if ((await fails(name, [change], judging)) === true) missed.set(change.number, [...(missed.get(change.number) ?? []), name]);
    }
  }
  return missed;
}

/** Whether it fails twice: a test that fails by chance is no miss. One that does not end is. `undefined` if nothing could run. */
async function fails(name: string, changes: readonly Mutant[], judging: Judging): Promise<boolean | undefined> {
  return withChanges(changes, judging.copy, async () => {
    for (let run = 0; run < 2; run += 1) if ((await failuresIn(judging, [name])).length === 0) return false;
    return true;
  });
}

async function judge(change: Selected, missed: readonly string[], judging: Judging): Promise<AuditedMutant> {
  const { number, kind, file, line, before, after, selected } = change;
  const described = { number, kind, file, line, before: shortLine(before), after: shortLine(after), selected: selected?.size ?? 0, missed };
  if (missed.length > 0) return { ...described, outcome: 'killed', failed: missed };
  if (selected === undefined) return { ...described, outcome: 'stopped', failed: [] };
  if (selected.size === judging.stable.length) return { ...described, outcome: 'all', failed: [] };
  const failed = await withChanges([change], judging.copy, () => firstFailures([...selected], file, judging));
  if (failed === undefined || failed === 'too late') return { ...described, outcome: 'stopped', failed: [] };
  return { ...described, outcome: failed.length > 0 ? 'killed' : 'survived', failed };
}

/** How many workspaces run before it is known whether one of them failed. */
const AT_ONCE = 5;

/** Those that fail twice, of the owner of the file or else of the first few: one is enough. */
async function firstFailures(selected: readonly string[], file: string, judging: Judging): Promise<readonly string[] | 'too late'> {
  const owner = judging.ownerOf(file);
  const parts = [selected.filter((name) => name === owner)];
  const others = selected.filter((name) => name !== owner);
  for (let at = 0; at < others.length; at += AT_ONCE) parts.push(others.slice(at, at + AT_ONCE));
  for (const names of parts) {
    const first = await failuresIn(judging, names);
    if (first === 'too late') return first;
    const again = await failuresIn(judging, first);
    if (again !== 'too late' && again.length > 0) return again;
  }
  return [];
}

/** Makes changes, and takes them back. `undefined`: with them nothing can be planned, or turborepo does not begin: red without a test. */
async function withChanges<Result>(
  changes: readonly Mutant[],
  copy: AuditCopy,
  ask: (head: string) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await ask(await copy.apply(changes));
  } catch (error) {
    if (!isToolError(error) || error.code === 'INTERRUPTED') throw error;
    return undefined;
  } finally {
    await copy.restore();
  }
}

/** Those of some workspaces whose task failed, or did not begin because a task before it failed. Throws as `runTurbo`. */
export async function failuresIn(
  { copy, everything, timeoutMs }: Pick<Judging, 'copy' | 'everything' | 'timeoutMs'>,
  names: readonly string[],
): Promise<readonly string[] | 'too late'> {
  if (names.length === 0) return [];
  const asked = names.map((name) => nameForTurbo(name, everything));
  const tasks = await copy.run(everything.task, asked, timeoutMs);
  if (tasks === 'too late') return tasks;
  const passed = new Set(tasks.flatMap(({ workspace, task, exit }) => (task === everything.task && exit === 0 ? [workspace] : [])));
  return names.filter((_, at) => !passed.has(asked[at] ?? ''));
}

function shortLine(text: string): string {
  return inOneLine(text.trim()).slice(0, 200);
}
