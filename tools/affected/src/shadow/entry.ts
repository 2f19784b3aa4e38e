import { escapesOf, type LedgerEntry } from './ledger.js';
import type { Outcomes } from './outcomes.js';

/** What the changes since the last run select. */
export interface Selected {
  readonly changes: number;
  /** How many of the changes selected every workspace. */
  readonly everything: number;
  /** The workspaces that at least one change selects, and those that each of them selects. */
  readonly names: ReadonlySet<string>;
  readonly byEach: ReadonlySet<string>;
  /** The workspaces that observations spare in each of the changes. */
  readonly spared: ReadonlySet<string>;
}

type Facts = Pick<LedgerEntry, 'previous' | 'version' | 'task' | 'head' | 'endedAt' | 'observed'>;

/**
 * The entry of a run. `last`: the run before it; `undefined`: nothing can be compared. What failed there already was not broken by the
 * changes. Without a change between the two, what passed there and fails here is flaky.
 */
export function entryOf(
  facts: Facts,
  outcomes: Outcomes,
  { last, selected }: { readonly last: LedgerEntry | undefined; readonly selected: Selected },
): LedgerEntry {
  const isSelected = (name: string): boolean => selected.names.has(name);
  const became = (name: string): 'broken' | 'flaky' | 'before' => {
    if (last === undefined || [last.failed, last.once, last.before].some((names) => names.includes(name))) return 'before';
    const hasPassed = last.passed.includes(name) || last.flaky.includes(name);
    // Nobody knows of a new workspace whether its tests ever passed: it is no trial, but it may be an escape.
    if (!hasPassed && isSelected(name)) return 'before';
    return selected.changes > 0 ? 'broken' : 'flaky';
  };
  const failing = [...outcomes.failed, ...outcomes.once].sort();
  const failingAs = (kind: ReturnType<typeof became>): readonly string[] => failing.filter((name) => became(name) === kind);
  const broken = new Set(failingAs('broken'));
  const amongAll = (names: ReadonlySet<string>): readonly string[] =>
    Object.values(outcomes)
      .flat()
      .filter((name) => names.has(name))
      .sort();
  const lists = {
    selected: amongAll(selected.names),
    selectedByEach: amongAll(selected.byEach),
    spared: amongAll(selected.spared),
    passed: outcomes.passed,
    failed: outcomes.failed.filter((name) => broken.has(name)),
    once: outcomes.once.filter((name) => broken.has(name)),
    flaky: [...outcomes.flaky, ...failingAs('flaky')].sort(),
    before: failingAs('before'),
  };
  const { changes, everything } = selected;
  return { schemaVersion: 1, ...facts, base: last?.head ?? null, changes, everything, ...lists, escapes: escapesOf(lists) };
}
