import type { AlignedStepResult, DecisionResult } from '../result/result.js';

/**
 * Returns the steps without decisions that were asked before, compared finding by finding. Decisions without findings
 * are compared by id.
 */
export function withoutAsked(steps: readonly AlignedStepResult[], asked: readonly AlignedStepResult[]): readonly AlignedStepResult[] {
  const known = new Set(asked.flatMap(({ decisions }) => decisions.flatMap(keysOf)));
  return steps.flatMap((step): readonly AlignedStepResult[] => {
    const decisions = step.decisions.flatMap((decision): readonly DecisionResult[] => {
      const findings = decision.findings.filter((finding) => !known.has(keyOf(decision, finding)));
      const isKnown = decision.findings.length === 0 ? known.has(decision.id) : findings.length === 0;
      return isKnown ? [] : [{ ...decision, findings }];
    });
    const isSilent = step.commit === null && step.files.length + step.changes.length + decisions.length === 0;
    return isSilent ? [] : [{ ...step, decisions }];
  });
}

function keysOf(decision: DecisionResult): readonly string[] {
  return decision.findings.length === 0 ? [decision.id] : decision.findings.map((finding) => keyOf(decision, finding));
}

function keyOf({ id }: DecisionResult, finding: DecisionResult['findings'][number]): string {
  return JSON.stringify([id, finding]);
}
