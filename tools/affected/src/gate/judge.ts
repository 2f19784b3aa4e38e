import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type LostTask, type Piece, type Plan, pieceName, type Shard } from '../plan/plan.js';
import { flawsOf, type PlanOfTask, plansByTask } from '../plan/plans-by-task.js';
import { nodeOf } from '../plan/runtime.js';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';
import { describeFlaws, discarding } from '../scripts/script-flaw.js';
import { type Note, notesOn } from './notes.js';
import { byTests, describeTestsAtBase, fewerTests, filesInNoPart } from './test-counts.js';

/** A file in the folder of receipts. */
export type FoundReceipt = { readonly file: string; readonly receipt: Receipt } | { readonly file: string; readonly problem: string };

/** A problem, as a sentence, with the shard that it is about. */
export interface GateProblem {
  readonly kind:
    | 'empty'
    | 'commit'
    | 'unreadable'
    | 'foreign'
    | 'stale'
    | 'duplicate'
    | 'missing'
    | 'failed'
    | 'replayed'
    | 'report'
    | 'parts'
    | 'unplanned'
    | 'dropped'
    | 'script'
    | 'plan';
  readonly shard: string | null;
  readonly message: string;
}

/** Whether everything that was planned ran and passed. */
export interface Verdict {
  readonly passed: boolean;
  /** Ordered by shard; empty exactly if it passed. */
  readonly problems: readonly GateProblem[];
  /** The receipt of each shard that counts, by shard. */
  readonly receipts: ReadonlyMap<string, Receipt>;
  readonly notes: readonly Note[];
  /** The commit that the gate is for; missing: not known. */
  readonly commit?: string;
}

/** Numbers from 1. */
export interface Attempts {
  /** In which the plan was made. Receipts of earlier ones count for nothing. */
  readonly ofPlan: number;
  /** The newest, as the engine counts the whole run: nothing can have run in a later one. Missing: the engine does not tell. */
  readonly ofRun?: number | undefined;
}

/**
 * Compares the union of the receipts with the plan. It passes only if each planned piece ran exactly once, in its shard, for this plan and
 * commit, and succeeded; anything unknown counts against it. Pure.
 */
export function judge(plan: Plan, found: readonly FoundReceipt[], attempts: Attempts): Verdict {
  const problems: GateProblem[] = [...planProblems(plan)];
  const taken = new Map<string, readonly Receipt[]>();
  const seen = new Set<string>();
  const stale = new Map<string, number>();
  for (const one of withoutCopies(found)) {
    if ('problem' in one) problems.push({ kind: 'unreadable', shard: null, message: `${one.file} is not a receipt: ${one.problem}.` });
    else problems.push(...takeIn(plan, one, { attempts, taken, seen, stale }));
  }
  const receipts = new Map<string, Receipt>();
  for (const shard of plan.shards) {
    const receipt = countedOf(shard, taken.get(shard.id) ?? [], attempts);
    if (receipt !== undefined) receipts.set(shard.id, receipt);
    problems.push(
      ...(receipt === undefined ? [missingProblem(shard, attempts.ofPlan, stale.get(shard.id))] : shardProblems(shard, receipt)),
    );
  }
  const counted = [...receipts.values()];
  problems.push(...oddProblems(counted), ...partProblems(counted), ...vanishedProblems(plan, counted));
  const all = found.flatMap((one) => ('receipt' in one ? [one.receipt] : []));
  const notes = notesOn(plan, { all, counted });
  return { passed: problems.length === 0, problems: sorted(problems), receipts, notes };
}

/** The same receipt in several files is one receipt: engines keep a folder, or download an artifact twice. */
function withoutCopies(found: readonly FoundReceipt[]): readonly FoundReceipt[] {
  const first = new Map<string, Receipt[]>();
  return found.filter((one) => {
    if ('problem' in one) return true;
    const alike = first.get(one.receipt.shard) ?? [];
    if (alike.some((other) => isDeepStrictEqual(other, one.receipt))) return false;
    first.set(one.receipt.shard, [...alike, one.receipt]);
    return true;
  });
}

/** Returns problems of the plan itself: one that omits an affected workspace, or a part of the tests, proves nothing, whoever made it. */
function planProblems(plan: Plan): readonly GateProblem[] {
  return [...plansByTask(plan).flatMap(taskProblems), ...scriptProblems(plan)];
}

function taskProblems({ plan, nameOf }: PlanOfTask): readonly GateProblem[] {
  const { affected, shards, leftOut, unselected = [], atBase, task } = plan;
  const planned = new Map<string, Piece[]>();
  for (const piece of shards.flatMap(({ pieces }) => pieces))
    planned.set(piece.workspace, [...(planned.get(piece.workspace) ?? []), piece]);
  const covered = new Set([...planned.keys(), ...leftOut.map(({ workspace }) => workspace)]);
  const missing = affected.workspaces
    .filter(({ name }) => !covered.has(name))
    .map(({ name }) => `${nameOf(name)} is affected, but not in the plan.`);
  const unplanned = unselected
    .filter(({ workspace }) => !planned.has(workspace))
    .map(({ workspace }) => `${nameOf(workspace)} is not in the plan, which is to run everything.`);
  const broken = [...planned].filter(([, pieces]) => !isWhole(pieces)).map(([name]) => `The plan must have ${nameOf(name)} exactly once.`);
  return [
    ...[...missing, ...unplanned, ...broken].map((message): GateProblem => ({ kind: 'plan', shard: null, message })),
    ...atBase.lost.filter(({ agreed }) => agreed === null).map((one) => droppedProblem(one, task)),
  ];
}

function scriptProblems(plan: Plan): readonly GateProblem[] {
  const flaws = plansByTask(plan).flatMap((one) => (one.plan.strictScripts === true ? discarding(flawsOf(one)) : []));
  return describeFlaws(flaws).map((message) => ({ kind: 'script', shard: null, message: `${message}.` }));
}

function droppedProblem({ workspace, reason }: LostTask, task: string): GateProblem {
  return { kind: 'dropped', shard: null, message: `${workspace} had the task "${task}" at the base and lost it: ${reason}` };
}

/** Tells whether the pieces are one with all tests, or each part once. */
function isWhole(pieces: readonly Piece[]): boolean {
  const numbers = new Set(pieces.map(({ part }) => part?.[0] ?? 1));
  return numbers.size === pieces.length && pieces.every(({ part }) => (part?.[1] ?? 1) === pieces.length);
}

/** Without a commit in the plan, all shards must have run the same one; and always under one major version of Node. */
function oddProblems(receipts: readonly Receipt[]): readonly GateProblem[] {
  const [first, ...others] = receipts.toSorted((a, b) => (a.shard < b.shard ? -1 : 1));
  const against = (shard: string, how: string, other: string): GateProblem => ({
    kind: 'foreign',
    shard,
    message: `Shard ${shard} ran ${how}, but shard ${first?.shard} ${other}.`,
  });
  const forCommit = (commit = ''): string => `for commit ${commit.slice(0, 12)}`;
  const underNode = (runtime: string | undefined): string => `under Node ${nodeIn(runtime)}`;
  return others.flatMap(({ shard, commit, runtime }) => [
    ...(commit === first?.commit ? [] : [against(shard, forCommit(commit), forCommit(first?.commit))]),
    ...(nodeIn(runtime) === nodeIn(first?.runtime) ? [] : [against(shard, underNode(runtime), underNode(first?.runtime))]),
  ]);
}

function nodeIn(runtime: string | undefined): string {
  return runtime === undefined ? 'of an unknown version' : nodeOf(runtime);
}

/**
 * Parts belong together only if they were cut in the same way out of the same files. Otherwise some tests may have run twice, and some
 * never.
 */
function partProblems(receipts: readonly Receipt[]): readonly GateProblem[] {
  return [...byTests(receipts)].flatMap(([name, pieces]): readonly GateProblem[] => {
    const parts = pieces.filter(({ part }) => part !== null);
    const against = (message: string): readonly GateProblem[] => [{ kind: 'parts', shard: null, message }];
    if (new Set(parts.map(({ list }) => list)).size > 1) return against(`The parts of ${name} come from different lists of test files.`);
    const left = filesInNoPart(parts);
    return left === 0 ? [] : against(`${left} of the ${parts[0]?.testFiles} test files of ${name} ran in none of its parts.`);
  });
}

/** Where tests ran before, or would have run at the base, none now is a loss as that of the script. */
function vanishedProblems(plan: Plan, receipts: readonly Receipt[]): readonly GateProblem[] {
  return fewerTests(plan, receipts)
    .filter(({ tests, agreed }) => tests === 0 && agreed === undefined)
    .map(({ name, before, atBase }) => ({
      kind: 'dropped',
      shard: null,
      message: `${name} passed without a test, and ${before > 0 ? `its newest known run had ${before}` : describeTestsAtBase(atBase)}.`,
    }));
}

interface TakenIn {
  readonly attempts: Attempts;
  /** By shard. */
  readonly taken: Map<string, readonly Receipt[]>;
  /** Shards with attempts and with folders, each of which may have one receipt. */
  readonly seen: Set<string>;
  /** The attempts of receipts older than the plan, by shard. */
  readonly stale: Map<string, number>;
}

/** Accepts a receipt, or returns what is wrong with it. */
function takeIn(
  plan: Plan,
  { file, receipt }: Extract<FoundReceipt, { receipt: Receipt }>,
  { attempts: { ofPlan, ofRun }, taken, seen, stale }: TakenIn,
): readonly GateProblem[] {
  const { shard } = receipt;
  const against = (kind: GateProblem['kind'], message: string): readonly GateProblem[] => [{ kind, shard, message }];
  // Left over from before everything was run again: an engine keeps the artifacts of earlier attempts, whatever their plan. It proves
  // nothing.
  if (receipt.attempt < ofPlan) {
    stale.set(shard, receipt.attempt);
    return [];
  }
  if (receipt.plan !== plan.hash) return against('foreign', `${file} is a receipt of a different plan.`);
  if (plan.affected.head !== null && receipt.commit !== plan.affected.head)
    return against(
      'foreign',
      `${file} is for commit ${receipt.commit.slice(0, 12)}, but the plan is for ${plan.affected.head.slice(0, 12)}.`,
    );
  if (!plan.shards.some(({ id }) => id === shard))
    return against('foreign', `${file} is for shard ${shard.slice(0, 40)}, which is not in the plan.`);
  // Tests can write a receipt of a later attempt beside that of their job, in order to replace it.
  if (ofRun !== undefined && receipt.attempt > ofRun)
    return against('foreign', `${file} is from attempt ${receipt.attempt}, but the run is at attempt ${ofRun}.`);
  const [run, job] = [`${shard} ${receipt.attempt}`, `${shard} in ${dirname(file)}`];
  if (seen.has(run)) return against('duplicate', `Shard ${shard} has two receipts of attempt ${receipt.attempt}.`);
  if (seen.has(job)) return against('duplicate', `Shard ${shard} has two receipts in one folder, and a job writes one.`);
  seen.add(run).add(job);
  taken.set(shard, [...(taken.get(shard) ?? []), receipt]);
  return [];
}

/**
 * Returns the receipt that counts: the last one, if the engine's own number covers it. Otherwise a later one is no proof that the shard ran
 * again: the first one that failed counts, or the first.
 */
function countedOf(shard: Shard, receipts: readonly Receipt[], { ofRun }: Attempts): Receipt | undefined {
  const sorted = receipts.toSorted((a, b) => a.attempt - b.attempt);
  if (ofRun !== undefined) return sorted.at(-1);
  return sorted.find((receipt) => shardProblems(shard, receipt).length > 0) ?? sorted[0];
}

function missingProblem({ id, pieces }: Shard, attempt: number, stale: number | undefined): GateProblem {
  if (stale !== undefined) {
    const message = `Shard ${id}: the receipt is from attempt ${stale}, but the plan from attempt ${attempt}.`;
    return { kind: 'stale', shard: id, message };
  }
  const message = `Shard ${id} has no receipt: it was cancelled, or never ran. Planned there: ${names(pieces)}.`;
  return { kind: 'missing', shard: id, message };
}

function shardProblems(shard: Shard, receipt: Receipt): readonly GateProblem[] {
  const { id } = shard;
  const planned = new Map(shard.pieces.map((piece) => [pieceName(piece), piece]));
  const ran = new Map<string, ReceiptPiece>();
  const problems: GateProblem[] = [];
  for (const piece of receipt.pieces) {
    const name = pieceName(piece);
    if (ran.has(name)) problems.push({ kind: 'duplicate', shard: id, message: `Shard ${id}: ${name} is twice in the receipt.` });
    if (!planned.has(name))
      problems.push({ kind: 'unplanned', shard: id, message: `Shard ${id}: ${name} ran, but was not planned there.` });
    ran.set(name, piece);
  }
  return [...problems, ...[...planned].flatMap(([name, piece]) => pieceProblem(receipt, piece, ran.get(name)) ?? [])];
}

/** Returns the problem of a planned piece in a shard with a receipt; `undefined` if there is none. */
export function pieceProblem(
  { shard, failedBuilds = [] }: Pick<Receipt, 'shard' | 'failedBuilds'>,
  piece: Piece,
  ran: ReceiptPiece | undefined,
): GateProblem | undefined {
  const name = pieceName(piece);
  if (ran === undefined) {
    const message = `Shard ${shard}: ${name} was planned, but did not run.${describeFailed(failedBuilds)}`;
    return { kind: 'missing', shard, message };
  }
  if (ran.exit !== 0) return { kind: 'failed', shard, message: `Shard ${shard}: ${name} failed with exit code ${ran.exit}.` };
  if ((piece.fresh || ran.forced !== undefined) && ran.state === 'replayed') {
    const message = `Shard ${shard}: ${name} had to run, but turborepo replayed an earlier result.`;
    return { kind: 'replayed', shard, message };
  }
  if (ran.problem !== undefined) return { kind: 'report', shard, message: `Shard ${shard}: ${name} proves nothing. ${ran.problem}` };
  return undefined;
}

function describeFailed(builds: NonNullable<Receipt['failedBuilds']>): string {
  if (builds.length === 0) return '';
  const shown = builds.slice(0, SHOWN).map(({ task, exit }) => `${task} (exit code ${exit})`);
  const more = builds.length > SHOWN ? ` and ${builds.length - SHOWN} more` : '';
  return ` Failed in that shard: ${shown.join(', ')}${more}.`;
}

const SHOWN = 5;

function names(pieces: readonly Piece[]): string {
  const shown = pieces.slice(0, SHOWN).map(pieceName).join(', ');
  return pieces.length <= SHOWN ? shown : `${shown} and ${pieces.length - SHOWN} more`;
}

function sorted(problems: readonly GateProblem[]): readonly GateProblem[] {
  const keyOf = ({ shard, message }: GateProblem): string => `${shard ?? ''}\0${message}`;
  return [...problems].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
