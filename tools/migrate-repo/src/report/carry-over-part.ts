import type { CarryOverFinding } from '../carry-over/rule.js';
import { grouped } from './grouped.js';
import { code, type ReportPart } from './part.js';

/** What simply stays in the package is not told. */
export function carryOverPart(findings: readonly CarryOverFinding[]): ReportPart {
  return {
    step: 'carry-over',
    decisions: grouped(findings.map((one) => ({ newcomer: one.newcomer, text: one.decision && `${code(one.file)}: ${one.decision}` }))),
    changes: grouped(findings.map((one) => ({ newcomer: one.newcomer, text: changeOf(one) }))),
  };
}

function changeOf({ action, file, done }: CarryOverFinding): string | undefined {
  return action === 'keep' ? undefined : `${code(file)}: ${done}`;
}
