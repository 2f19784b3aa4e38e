import { type Command, peakOf, runCommand } from './affected-process.js';
import type { Row } from './affected-rows.js';
import { measureInTurn, ratioTo } from './measure.js';

/** The figures of a command after its runs. */
export interface Result {
  readonly name: string;
  /** In milliseconds. */
  readonly median: number;
  /** Medians over the rounds of its time divided by that of `node -e 0`, and of our own command, in the same round. */
  readonly overNode: number;
  readonly overOurs: number;
  readonly peakMb: number | undefined;
  /** The number of workspaces in its answer. */
  readonly found: number | undefined;
}

export interface LeftOut {
  readonly name: string;
  readonly why: string;
}

/** Rows that are measured in turn: `node -e 0`, our own command, then the commands to compare. */
export interface Group {
  readonly floor: Row;
  readonly ours: Row;
  /** A failing one is reported and left out. A failure of the two above fails the bench. */
  readonly others: readonly Row[];
  readonly rounds: number;
}

type Environment = Parameters<typeof runCommand>[1];

/** Tries each row once, measures those that answer, then their memory. The first two results are those of `floor` and `ours`. */
export async function measureGroup(group: Group, env: Environment): Promise<{ results: readonly Result[]; leftOut: readonly LeftOut[] }> {
  const tried: { row: Row; found: number | undefined }[] = [];
  for (const row of [group.floor, group.ours]) tried.push({ row, found: await tryOnce(row, env) });
  const leftOut: LeftOut[] = [];
  for (const row of group.others) {
    try {
      tried.push({ row, found: await tryOnce(row, env) });
    } catch (error) {
      leftOut.push({ name: row.name, why: error instanceof Error ? error.message : String(error) });
    }
  }
  return { results: await measureRows(tried, { rounds: group.rounds, env }), leftOut };
}

/** A peer that takes longer than this at first is not measured. */
const PATIENCE_MS = 60_000;

async function tryOnce(row: Row, env: Environment): Promise<number | undefined> {
  row.prepare?.();
  const stdout = await runCommand({ ...row.command, timeoutMs: PATIENCE_MS }, env);
  const found = row.found?.(stdout);
  // An empty answer costs less than a correct one, so it must not pass for a fast one.
  if (found === 0) throw new Error('it answered, but with no workspace');
  return found;
}

async function measureRows(
  tried: readonly { readonly row: Row; readonly found: number | undefined }[],
  how: { readonly rounds: number; readonly env: Environment },
): Promise<Result[]> {
  const contestants = tried.map(({ row: { name, command, prepare } }) => ({
    name,
    run: () => runQuietly(command, how.env),
    ...(prepare === undefined ? {} : { prepare }),
  }));
  const measured = await measureInTurn(contestants, how.rounds);
  const ours = measured[1]?.times ?? [];
  const results: Result[] = [];
  for (const [at, { row, found }] of tried.entries()) {
    const { times = [], median = Number.NaN, ratio = Number.NaN } = measured[at] ?? {};
    const peakMb = await peakOf(row.command, how.env, row.prepare);
    results.push({ name: row.name, median, overNode: ratio, overOurs: ratioTo(ours, times), peakMb, found });
  }
  return results;
}

async function runQuietly(command: Command, env: Environment): Promise<void> {
  await runCommand(command, env);
}
