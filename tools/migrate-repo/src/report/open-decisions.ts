import type { DecisionResult, MigrateResult } from '../result.js';
import { RISKS } from '../topics.js';

export interface SortedDecisions {
  /** What may break, the riskiest first, and then what works and may be wanted in another way. */
  readonly open: readonly DecisionResult[];
  /** What tributary.json has answered. */
  readonly before: readonly DecisionResult[];
}

/** The decisions of a migration in the order in which people read them. */
export function sortDecisions({ alignment }: Pick<MigrateResult, 'alignment'>): SortedDecisions {
  const all = (alignment ?? []).flatMap(({ decisions }) => decisions);
  const sorted = all.sort((one, other) => RISKS.indexOf(one.risk) - RISKS.indexOf(other.risk));
  return { open: sorted.filter(({ decided }) => decided === null), before: sorted.filter(({ decided }) => decided !== null) };
}
