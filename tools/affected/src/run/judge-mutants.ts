import type { Services } from '@tributary/terminal/main';
import type { Mutant } from '../audit/mutant.js';
import { withoutUnproven } from '../audit/proven-failures.js';
import type { AuditCopy } from '../io/audit-copy.js';
import type { Observation } from '../observe/observation.js';
import type { Plan } from '../plan/plan.js';
import { inOneLine } from '../plan/shape.js';
import type { AuditedMutant } from '../result.js';
import { planChange, workspacesIn } from './plan-change.js';
import { nameForTurbo } from './planned-workspace.js';
import { withChanges } from './with-changes.js';

/** A copy in which the tests of `stable` pass. */
export interface Judging {
  readonly copy: AuditCopy;
  readonly start: string;
  readonly observations: readonly Observation[] | undefined;
  readonly everything: Plan;
  /** Ordered. */
  readonly stable: readonly string[];
  /** How long the tests of each took without a change, in milliseconds. */
  readonly usualMs: ReadonlyMap<string, number>;
  /** The workspace that a file belongs to. */
  readonly ownerOf: (file: string) => string | undefined;
}

export interface NumberedMutant extends Mutant {
  readonly number: number;
}

/** Of the workspaces that are judged. */
interface Selection {
  readonly selected: ReadonlySet<string>;
  /** Those that observations leave out. Ordered. */
  readonly spared: readonly string[];
}

/** `selected` is `undefined` if a plan of the change cannot be made. */
interface Selected extends NumberedMutant, Pick<Selection, 'spared'> {
  readonly selected: Selection['selected'] | undefined;
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
  for (const mutant of mutants) changes.push({ ...mutant, ...((await selectionFor(mutant, judging, services)) ?? UNKNOWN) });
  const misses = await missesOf(changes, judging);
  const judged: AuditedMutant[] = [];
  for (const change of changes) {
    const one = await judge(change, misses, judging);
    services.ui.verbose(
      `Mutant ${one.number}, ${one.file}: ${one.outcome}, ${one.selected} selected, ${one.spared.length} spared, ${one.missed.length} missed.`,
    );
    judged.push(one);
  }
  const failed = judging.stable.filter((name) => judged.some((one) => one.failed.includes(name)));
  return withoutUnproven(judged, await failingNow(failed, judging));
}

/** Those that fail without a change: something else has broken them since the first run. */
async function failingNow(names: readonly string[], judging: Judging): Promise<readonly string[]> {
  const failed = await failuresIn(judging, names);
  return failed === 'too late' ? names : failed;
}

const UNKNOWN = { selected: undefined, spared: [] };

async function selectionFor(mutant: Mutant, { copy, everything, ...judging }: Judging, services: Services): Promise<Selection | undefined> {
  return withChanges([mutant], copy, async (head) => {
    const { start: base, observations } = judging;
    const plan = await planChange({ cwd: copy.folder, base, head, task: everything.task, observations }, services);
    const selected = workspacesIn(plan);
    const spared = new Set<string>(plan.affected.spared?.map(({ name }) => name));
    return {
      selected: new Set(judging.stable.filter((name) => selected.has(name))),
      spared: judging.stable.filter((name) => spared.has(name) && !selected.has(name)),
    };
  });
}

/** Of the workspaces that mutants do not select, by the numbers of the mutants. */
interface Misses {
  /** Fail twice with it, and pass without it. */
  readonly missed: ReadonlyMap<number, readonly string[]>;
  /** It is not known whether another one fails because of it. */
  readonly unclear: ReadonlySet<number>;
}

/**
 * The tests of a workspace run once with all changes that leave it out: if they pass, none of these makes them fail alone, unless another one
 * hides it. If they fail, the same is done with each half, down to a single change.
 */
async function missesOf(changes: readonly Selected[], judging: Judging): Promise<Misses> {
  const missed = new Map<number, string[]>();
  const unclear = new Set<number>();
  for (const name of judging.stable) {
    const others = changes.filter(({ selected }) => selected !== undefined && !selected.has(name));
    let isBroken = false;
    for (const open = [others]; open.length > 0; ) {
      const part = open.pop() ?? [];
      const [change] = part;
      if (change === undefined) continue;
      const failed: boolean | undefined = isBroken ? undefined : await fails(name, part, judging);
      if (failed === false) continue;
      if (part.length > 1) {
        const half = Math.ceil(part.length / 2);
        open.push(part.slice(half), part.slice(0, half));
        continue;
      }
      isBroken ||= failed === true && (await failingNow([name], judging)).length > 0;
      if (failed === undefined || isBroken) unclear.add(change.number);
      else missed.set(change.number, [...(missed.get(change.number) ?? []), name]);
    }
  }
  return { missed, unclear };
}

/**
 * Whether a single change makes it fail twice: a test that fails by chance is no miss. One that does not end is. Of several changes, one
 * failure is enough to look closer. `undefined` if nothing could run.
 */
async function fails(name: string, changes: readonly Mutant[], judging: Judging): Promise<boolean | undefined> {
  return withChanges(changes, judging.copy, async () => {
    for (let run = 0; run < (changes.length > 1 ? 1 : 2); run += 1) if ((await failuresIn(judging, [name])).length === 0) return false;
    return true;
  });
}

async function judge(change: Selected, misses: Misses, judging: Judging): Promise<AuditedMutant> {
  const { number, kind, file, line, before, after, selected, spared } = change;
  const missed = misses.missed.get(number) ?? [];
  const described = {
    number,
    kind,
    file,
    line,
    before: shortLine(before),
    after: shortLine(after),
    selected: selected?.size ?? 0,
    spared,
    missed,
  };
  if (missed.length > 0) return { ...described, outcome: 'killed', failed: missed };
  if (selected === undefined || misses.unclear.has(number)) return { ...described, outcome: 'unclear', failed: [] };
  if (selected.size === judging.stable.length) return { ...described, outcome: 'all', failed: [] };
  const failed = await withChanges([change], judging.copy, () => firstFailures([...selected], file, judging));
  if (failed === undefined) return { ...described, outcome: 'unclear', failed: [] };
  if (failed === 'too late') return { ...described, outcome: 'stopped', failed: [] };
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

/** Those of some workspaces whose task failed, or did not begin because a task before it failed. Throws as `runTurbo`. */
async function failuresIn({ copy, everything, usualMs }: Judging, names: readonly string[]): Promise<readonly string[] | 'too late'> {
  if (names.length === 0) return [];
  const usual = names.reduce((sum, name) => sum + (usualMs.get(name) ?? 0), 0);
  const ran = await runIn({ copy, everything }, names, HANGS_MS + HANGS_TIMES * usual);
  return ran === 'too late' ? ran : names.filter((name) => !ran.has(name));
}

/** A run that takes longer than this, and so many times as long as without a change, hangs. */
const HANGS_MS = 60_000;
const HANGS_TIMES = 5;

/** How long the tests of each workspace took that passed, in milliseconds. Throws as `runTurbo`. */
export async function runIn(
  { copy, everything }: Pick<Judging, 'copy' | 'everything'>,
  names: readonly string[],
  timeoutMs: number,
): Promise<ReadonlyMap<string, number> | 'too late'> {
  const byAsked = new Map(names.map((name) => [nameForTurbo(name, everything), name]));
  const tasks = await copy.run(everything.task, [...byAsked.keys()], timeoutMs);
  if (tasks === 'too late') return tasks;
  const passed = tasks.filter(({ task, exit }) => task === everything.task && exit === 0);
  return new Map(
    passed.flatMap(({ workspace, startedAt, endedAt }) => {
      const name = byAsked.get(workspace);
      return name === undefined ? [] : [[name, endedAt - startedAt]];
    }),
  );
}

function shortLine(text: string): string {
  return inOneLine(text.trim()).slice(0, 200);
}
