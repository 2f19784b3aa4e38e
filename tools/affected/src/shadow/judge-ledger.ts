import { VERSION } from '../version.js';
import { upperBound } from './bound.js';
import type { LedgerEntry } from './ledger.js';

/** The largest share of misses with which observations may make answers smaller. */
export const ACCEPTED = 0.01;

/** What a ledger proves. */
export interface LedgerVerdict {
  readonly runs: number;
  /** Runs whose changes broke tests, and whose answers could have missed that because observations spared a workspace; and all with an escape. */
  readonly trials: number;
  /** Trials with an escape. */
  readonly missed: number;
  /** The oldest first. `isRepeated`: it failed in a repetition, too. */
  readonly escapes: readonly { readonly head: string; readonly workspace: string; readonly isRepeated: boolean }[];
  /** Upper 95 % bound of the share of breaking changes of which a failure is missed. */
  readonly bound: number;
  /** `escape`: one was seen; `too-few`: none was seen, in too few trials. */
  readonly narrow: 'allowed' | 'too-few' | 'escape';
}

/**
 * Judges a ledger. One run is one trial, however many workspaces it broke: failures of one change are not independent. It counts only if
 * a failure was repeated, and only if the answer could have missed it. An escape always counts. The verdict is `allowed` only without an
 * escape: so there is one moment at which it can become too good by chance, when the trials first suffice, however often somebody looks.
 */
export function judgeLedger(entries: readonly LedgerEntry[]): LedgerVerdict {
  const missed = entries.filter(({ escapes }) => escapes.length > 0).length;
  const trials = entries.filter(isTrial).length;
  const bound = upperBound(missed, trials);
  return {
    runs: entries.length,
    trials,
    missed,
    escapes: entries.flatMap(({ head, escapes, failed }) =>
      escapes.map((workspace) => ({ head, workspace, isRepeated: failed.includes(workspace) })),
    ),
    bound,
    narrow: missed > 0 ? 'escape' : bound <= ACCEPTED ? 'allowed' : 'too-few',
  };
}

/**
 * Of several changes, nobody knows which one broke a workspace. So each of them must select it: otherwise its own answer may have missed
 * it. Another minor version of affected may select otherwise.
 */
function isTrial({ version, failed, selectedByEach, spared, escapes }: LedgerEntry): boolean {
  if (escapes.length > 0) return true;
  const isOfThis = minorOf(version) === minorOf(VERSION);
  return isOfThis && spared.length > 0 && failed.length > 0 && failed.every((name) => selectedByEach.includes(name));
}

function minorOf(version: string): string {
  return version.split('.', 2).join('.');
}

/** Why a ledger does not let observations make an answer smaller, as the end of a sentence; `undefined`: it does. */
export function whyNotNarrow({ escapes }: LedgerVerdict): string | undefined {
  const last = escapes.at(-1);
  return last && `the tests of ${last.workspace} failed at ${last.head.slice(0, 10)} and were not selected`;
}
