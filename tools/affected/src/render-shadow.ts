import { countOf } from './describe.js';
import type { ShadowResult } from './result.js';
import { ACCEPTED, type LedgerVerdict } from './shadow/judge-ledger.js';
import { countWorkspaces, type LedgerEntry } from './shadow/ledger.js';

/** What a full run adds to the ledger, and what the ledger proves, for people. */
export function renderShadow({ entry, ...verdict }: ShadowResult): string {
  return [...(entry === undefined ? [] : [...renderEntry(entry), '']), ...renderVerdict(verdict)].join('\n');
}

function renderEntry(entry: LedgerEntry): readonly string[] {
  const { base, head, changes, everything, selected, escapes } = entry;
  const all = countOf(countWorkspaces(entry), 'workspace');
  const compared =
    base === null
      ? `The run at ${head.slice(0, 10)} tested ${all}. It is compared with nothing: the next run begins here.`
      : `${countOf(changes, 'change')} from ${base.slice(0, 10)} to ${head.slice(0, 10)} ${selectBy(changes)} ${selected.length} of ${all}.${everything === 0 ? '' : ` ${everything} of them ${selectBy(everything)} all.`}`;
  return [
    compared,
    ...listed('Broken by these changes', entry.failed),
    ...listed('Failed, and the run was not repeated', entry.once),
    ...listed('Flaky, does not count', entry.flaky),
    ...listed('Did not pass before either, does not count', entry.before),
    ...listed('ESCAPED: failed and not selected', escapes),
  ];
}

function selectBy(count: number): string {
  return count === 1 ? 'selects' : 'select';
}

function listed(title: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`  ${title}: ${names.join(', ')}`];
}

function renderVerdict({ runs, trials, missed, bound, narrow, escapes }: LedgerVerdict): readonly string[] {
  const last = escapes.at(-1);
  const trial = 'A trial is a run in which observations spared a workspace, while changes broke tests that each of them selects.';
  return [
    `${countOf(runs, 'run')} in the ledger, ${countOf(trials, 'trial')}. A failure was not selected in ${missed} of them.`,
    ...(last === undefined ? [] : [`  Last: ${last.workspace} at ${last.head.slice(0, 10)}${last.isRepeated ? '' : ', not repeated'}`]),
    trials === 0 ? trial : `With 95 % confidence, at most ${percentUp(bound)} of such changes are missed.`,
    NARROW[narrow],
  ];
}

const NARROW: Readonly<Record<LedgerVerdict['narrow'], string>> = {
  allowed: `That is at most ${percentUp(ACCEPTED)}: "observed": "narrow" may be used.`,
  'too-few': `"observed": "narrow" is not proven yet: that takes 299 trials without an escape, for a bound of ${percentUp(ACCEPTED)}.`,
  escape: `"observed": "narrow" must not be used: answers that are given this ledger only add.`,
};

/** Rounded up: a bound must not look smaller than it is. */
export function percentUp(share: number): string {
  return `${Math.ceil(share * 1000) / 10} %`;
}
