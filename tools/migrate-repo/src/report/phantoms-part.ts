import type { Phantom, PhantomFinding } from '../align/phantoms/phantom.js';
import { code, type ReportPart } from './part.js';

export function phantomsPart(findings: readonly PhantomFinding[]): ReportPart {
  return { step: 'phantoms', decisions: findings.flatMap(decisionOf), changes: findings.flatMap(changeOf) };
}

function changeOf(finding: PhantomFinding): readonly string[] {
  if (finding.finding === 'unread file')
    return [`${finding.newcomer}: ${code(finding.file)} could not be read whole, and was searched as text.`];
  const { declared, newcomer } = finding;
  return declared === undefined ? [] : [`${newcomer}: ${finding.package} ${code(declared.range)} in ${declared.block}; ${useOf(finding)}`];
}

function decisionOf(finding: PhantomFinding): readonly string[] {
  if (finding.finding === 'unread file' || finding.declared !== undefined) return [];
  const why = finding.problem === 'development only' ? 'which is there for development only' : 'and does not declare it';
  return [`${finding.newcomer} uses ${finding.package}, ${why}: ${useOf(finding)}.`];
}

function useOf({ kind, file, line, usedIn }: Phantom): string {
  return `${kind} in ${code(`${file}:${line}`)} (${usedIn})`;
}
