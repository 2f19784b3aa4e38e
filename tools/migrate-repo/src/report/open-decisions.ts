import type { DecisionResult, MigrateResult } from '../result/result.js';
import { RISKS } from '../topics.js';

export interface SortedDecisions {
  /** What may break, the riskiest first, then choices about what works. */
  readonly open: readonly DecisionResult[];
  /** Decisions that tributary.json has answered. */
  readonly before: readonly DecisionResult[];
}

/** Returns the decisions of a migration in reading order. */
export function sortDecisions({ alignment }: Pick<MigrateResult, 'alignment'>): SortedDecisions {
  const all = (alignment ?? []).flatMap(({ decisions }) => decisions);
  const sorted = all.sort((one, other) => RISKS.indexOf(one.risk) - RISKS.indexOf(other.risk));
  return { open: sorted.filter(({ decided }) => decided === null), before: sorted.filter(({ decided }) => decided !== null) };
}
