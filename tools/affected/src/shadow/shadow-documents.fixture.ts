import type { ShadowResult } from '../result.js';
import { ID } from '../result-documents.fixture.js';
import { VERSION } from '../version.js';
import { entryOf, type Selected } from './entry.js';
import { judgeLedger } from './judge-ledger.js';
import { formatEntry, type LedgerEntry, lastHash } from './ledger.js';
import type { Outcomes } from './outcomes.js';

const NONE: Outcomes = { passed: [], failed: [], once: [], flaky: [] };

/** The changes of a run, by what each of them selects; observations spared `web`. */
export function selecting(...names: readonly string[]): Selected {
  const all = new Set(names);
  return { changes: 2, everything: 0, names: all, byEach: all, spared: new Set(['web']) };
}

/** A ledger that grows as that of the tool does. */
export class MadeLedger {
  readonly entries: LedgerEntry[] = [];
  text = '';

  /** Adds a run, each at a commit of its own; `last: undefined`: it is compared with nothing. */
  add(
    outcomes: Partial<Outcomes>,
    selected = selecting(),
    {
      last = this.entries.at(-1),
      observed = 'narrow',
      version = VERSION,
    }: { readonly last?: LedgerEntry | undefined; readonly observed?: LedgerEntry['observed']; readonly version?: string } = {},
  ): LedgerEntry {
    const head = (this.entries.length + 1).toString(16).padStart(ID.length, '0');
    const facts = { previous: lastHash(this.text), version, task: 'test', head, endedAt: '2026-01-02T03:04:05.000Z', observed };
    const entry = entryOf(facts, { ...NONE, ...outcomes }, { last, selected });
    this.entries.push(entry);
    this.text += formatEntry(entry);
    return entry;
  }
}

/** With 300 trials and no escape. */
function cleanLedger(): MadeLedger {
  const clean = new MadeLedger();
  clean.add({ passed: ['app', 'lib', 'web'], failed: ['old'] });
  for (let run = 0; run < 300; run++) {
    clean.add({ failed: ['app'], passed: ['lib', 'web'] }, selecting('app', 'lib'));
    clean.add({ passed: ['app', 'lib', 'web'] }, selecting());
  }
  return clean;
}

/** With an escape that nobody repeated, and one that was. */
export function escapedLedger(): MadeLedger {
  const escaped = new MadeLedger();
  escaped.add({ passed: ['app', 'lib', 'web'] });
  escaped.add({ failed: ['lib'], once: ['app'], flaky: ['web'] }, selecting('lib'), { observed: 'off' });
  escaped.add({ failed: ['lib', 'web'], passed: ['app'] }, selecting('lib'));
  return escaped;
}

/** With one run. */
function youngLedger(): MadeLedger {
  const young = new MadeLedger();
  young.add({ passed: ['app'] });
  return young;
}

/** Ledgers with all that a line may hold. */
export function ledgers(): readonly MadeLedger[] {
  return [cleanLedger(), escapedLedger(), youngLedger()];
}

/** As `affected shadow --json` prints them. */
export function shadowResults(): readonly ShadowResult[] {
  return ledgers().flatMap(({ entries }) => {
    const judged: ShadowResult = { schemaVersion: 1, ...judgeLedger(entries), warnings: ['Rewritten.'] };
    return [judged, ...entries.slice(-1).map((entry) => ({ ...judged, entry }))];
  });
}
