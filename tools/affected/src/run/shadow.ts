import type { Git } from '@tributary/git/git';
import { resolveNames } from '@tributary/git/objects';
import { isToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { appendToLedger, type Ledger, readLedger, readOrBeginLedger } from '../io/ledger.js';
import { locate } from '../io/locate.js';
import { noObservations, readKeptObservations } from '../io/observations.js';
import { openGit } from '../io/open-git.js';
import { readPlan } from '../io/plan-files.js';
import { readReceipts } from '../io/receipts.js';
import type { Observation } from '../observe/observation.js';
import type { ShadowResult } from '../result.js';
import { entryOf, type Selected } from '../shadow/entry.js';
import { judgeLedger } from '../shadow/judge-ledger.js';
import { invalid, type LedgerEntry } from '../shadow/ledger.js';
import { outcomesOf } from '../shadow/outcomes.js';
import { VERSION } from '../version.js';
import { planChange, workspacesIn } from './plan-change.js';

export interface ShadowRequest {
  readonly cwd: AbsolutePath;
  readonly ledger: string;
  /** A full run; `undefined`: the ledger is only judged. */
  readonly run: { readonly plan: string; readonly receipts: string; readonly observations: string | undefined } | undefined;
  /** Whether the run is written down. */
  readonly write: 'yes' | 'no';
}

/**
 * Compares what failed in a full run with what the changes since the last one select, adds it to the ledger, and judges the ledger. Throws
 * `LEDGER_INVALID`, `RUN_NOT_FULL`, `PLAN_INVALID`, `OBSERVATION_INVALID`, `FILE_UNUSABLE`, `DISK_FULL`, and as `selectAffected` for a commit.
 */
export async function shadow(request: ShadowRequest, services: Services): Promise<ShadowResult> {
  const ledger = request.run === undefined ? readLedger(request.ledger) : readOrBeginLedger(request.ledger);
  const found = request.run && (await entryIn(request.run, { request, ledger, services }));
  if (found !== undefined && request.write === 'yes') appendToLedger(request.ledger, ledger, found.entry);
  const verdict = judgeLedger([...ledger.entries, ...(found === undefined ? [] : [found.entry])]);
  return { schemaVersion: 1, ...(found && { entry: found.entry }), ...verdict, warnings: found?.warnings ?? [] };
}

interface Scene {
  readonly request: ShadowRequest;
  readonly ledger: Ledger;
  readonly services: Services;
}

async function entryIn(
  run: NonNullable<ShadowRequest['run']>,
  { request, ledger, services }: Scene,
): Promise<{ readonly entry: LedgerEntry; readonly warnings: readonly string[] }> {
  const plan = readPlan(run.plan);
  const receipts = readReceipts(run.receipts);
  const outcomes = outcomesOf(plan, receipts);
  const { task } = plan;
  const head = plan.affected.head ?? '';
  const last = ledger.entries.at(-1);
  if (last !== undefined && last.task !== task) throw invalid(request.ledger, `it is of the task "${last.task}", not of "${task}"`);
  const git = openGit(locate(request.cwd), { signal: services.signal });
  const compared = last && (await compare({ git, head, last, observations: run.observations }, { request, task, services }));
  const endedAt = new Date(Math.max(...receipts.map((one) => ('receipt' in one ? one.receipt.endedAt : 0)))).toISOString();
  const facts = { previous: ledger.previous, version: VERSION, task, head, endedAt };
  const observed = run.observations === undefined ? ('off' as const) : ('narrow' as const);
  const known = typeof compared === 'object' ? { last, selected: compared } : { last: undefined, selected: NOTHING };
  return {
    entry: entryOf({ ...facts, observed }, outcomes, known),
    warnings: typeof compared === 'string' ? [`${compared} This run is compared with nothing.`] : [],
  };
}

const NOTHING: Selected = { changes: 0, everything: 0, names: new Set(), byEach: new Set(), spared: new Set() };

interface Ends {
  readonly git: Git;
  readonly head: string;
  readonly last: LedgerEntry;
  readonly observations: string | undefined;
}

/** What the changes since the last run select; in words why that cannot be told. Throws `LEDGER_INVALID`, `OBSERVATION_INVALID`, `FILE_UNUSABLE`. */
async function compare(
  { git, head, last, observations: file }: Ends,
  { request, task, services }: Pick<Scene, 'request' | 'services'> & { readonly task: string },
): Promise<Selected | string> {
  const changes = await changesSince(last.head, { git, head, file: request.ledger });
  if (changes === undefined) return `The last run was at ${last.head.slice(0, 10)}, which is not part of this history.`;
  const kept = file === undefined ? undefined : readKeptObservations(file);
  // A mistyped name must not look like observations that spare nobody.
  if (file !== undefined && kept?.length === 0) throw noObservations(file);
  const observations = kept && (await olderThan(last.head, { git, all: kept }));
  try {
    return await selectedBy(changes, { cwd: request.cwd, task, observations, services });
  } catch (error) {
    if (!isToolError(error) || error.code === 'INTERRUPTED') throw error;
    return `It is not known what a change since ${last.head.slice(0, 10)} selects: ${error.message}`;
  }
}

/** A change of the main line. */
interface Change {
  readonly commit: string;
  readonly parent: string;
}

/**
 * The changes of the main line since a commit, the newest first. `undefined`: the history was rewritten since. Throws `LEDGER_INVALID` for the
 * ledger of another repository, and for a run that is older than the ledger.
 */
async function changesSince(
  last: string,
  { git, head, file }: { readonly git: Git; readonly head: string; readonly file: string },
): Promise<readonly Change[] | undefined> {
  const run = `its last run was at ${last.slice(0, 10)}`;
  if (last === head) return [];
  const [known, there] = await resolveNames(git, [`${last}^{commit}`, `${head}^{commit}`]);
  if (known === undefined || there === undefined) throw invalid(file, `${run}, and this clone does not have both commits`);
  if (await isAncestor(git, head, last)) throw invalid(file, `${run}, which is newer than this one`);
  if (!(await isAncestor(git, last, head))) return undefined;
  const lines = await git.text(['rev-list', '--first-parent', '--parents', `${last}..${head}`, '--']);
  const changes = lines.split('\n').map((line) => line.split(' '));
  // Where the last run is no commit of the main line, all is one change.
  if (changes.at(-1)?.[1] !== last) return [{ commit: head, parent: last }];
  return changes.map(([commit = '', parent = '']) => ({ commit, parent }));
}

async function isAncestor(git: Git, one: string, other: string): Promise<boolean> {
  return (await git.attempt(['merge-base', '--is-ancestor', one, other])).exit === 0;
}

/** Observations that a change could have been judged by: of the last run and of those before it. Later ones tell what failed since. */
async function olderThan(
  last: string,
  { git, all }: { readonly git: Git; readonly all: readonly Observation[] },
): Promise<readonly Observation[]> {
  const older = new Set<string>();
  for (const commit of new Set(all.map((one) => one.commit))) if (await isAncestor(git, commit, last)) older.add(commit);
  return all.filter(({ commit }) => older.has(commit));
}

interface Judging {
  readonly cwd: AbsolutePath;
  readonly task: string;
  readonly observations: readonly Observation[] | undefined;
  readonly services: Services;
}

/** What pull requests with these changes would have run, each by its own tributary.json. Throws as `planChange`. */
async function selectedBy(changes: readonly Change[], { services, ...judging }: Judging): Promise<Selected> {
  const names = new Set<string>();
  let byEach: ReadonlySet<string> | undefined;
  let spared: ReadonlySet<string> | undefined;
  let everything = 0;
  const progress = services.ui.progress();
  progress.phase('Selecting for each change', changes.length);
  for (const { commit, parent } of changes) {
    services.signal.throwIfAborted();
    progress.step(commit.slice(0, 10));
    const plan = await planChange({ ...judging, base: parent, head: commit }, services);
    if (plan.affected.all !== null) everything += 1;
    const own = workspacesIn(plan);
    for (const name of own) names.add(name);
    byEach = inBoth(byEach, own);
    spared = inBoth(spared, new Set((plan.affected.spared ?? []).map(({ name }) => name)));
  }
  progress.done();
  return { changes: changes.length, everything, names, byEach: byEach ?? new Set(), spared: spared ?? new Set() };
}

function inBoth(before: ReadonlySet<string> | undefined, own: ReadonlySet<string>): ReadonlySet<string> {
  return before === undefined ? own : new Set([...before].filter((name) => own.has(name)));
}
