import type { AuditedMutant } from '../result.js';

/**
 * Leaves out failures of workspaces that now fail without a change: a mutant that nothing else noticed proves nothing. What was missed stays,
 * because it was checked at once.
 */
export function withoutUnproven(mutants: readonly AuditedMutant[], failing: readonly string[]): readonly AuditedMutant[] {
  return mutants.map((one) => {
    if (one.outcome !== 'killed' || one.missed.length > 0) return one;
    const failed = one.failed.filter((name) => !failing.includes(name));
    return { ...one, failed, outcome: failed.length > 0 ? 'killed' : 'unclear' };
  });
}
