import { upperBound } from './bound.js';
import { countWorkspaces, type LedgerEntry } from './ledger.js';

/** The largest share of misses with which observations may make answers smaller. */
export const ACCEPTED = 0.01;

/** What a ledger proves. */
export interface LedgerVerdict {
  readonly runs: number;
  /** Runs whose changes broke tests although they left out a workspace. Of those without an escape only runs that were judged with observations. */
  readonly trials: number;
  /** Trials with an escape. */
  readonly missed: number;
  /** The oldest first. `isRepeated`: it failed in a repetition, too. */
  readonly escapes: readonly { readonly head: string; readonly workspace: string; readonly isRepeated: boolean }[];
  /** Upper 95 % bound of the share of breaking changes of which a failure is missed. */
  readonly bound: number;
  /** `escape`: one was seen, and the trials do not outweigh it; `too-few`: none was seen, in too few trials. */
  readonly narrow: 'allowed' | 'too-few' | 'escape';
}

/**
 * Judges a ledger. One run is one trial, however many workspaces it broke: failures of one change are not independent. It counts only if
 * a failure was repeated, and only if the answer could have missed it. An escape always counts.
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
    narrow: bound <= ACCEPTED ? 'allowed' : missed > 0 ? 'escape' : 'too-few',
  };
}

function isTrial(entry: LedgerEntry): boolean {
  const { observed, failed, selected, escapes } = entry;
  return escapes.length > 0 || (observed === 'narrow' && failed.length > 0 && selected.length < countWorkspaces(entry));
}

/** Why a ledger does not let observations make an answer smaller, as the end of a sentence; `undefined`: it does. */
export function whyNotNarrow({ escapes, narrow, trials, missed }: LedgerVerdict): string | undefined {
  const last = escapes.at(-1);
  if (narrow !== 'escape' || last === undefined) return undefined;
  return `the tests of ${last.workspace} failed at ${last.head.slice(0, 10)} and were not selected, and ${missed} of ${trials} trials do not outweigh that`;
}
