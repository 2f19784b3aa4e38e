import type { InternalFinding } from '../align/internal.js';
import type { Doubt } from '../align/meaning.js';
import { code, type ReportPart } from './part.js';

export function internalPart(findings: readonly InternalFinding[]): ReportPart {
  return { step: 'internal', decisions: findings.flatMap(decisionOf), changes: findings.flatMap(changeOf) };
}

function changeOf(finding: InternalFinding): readonly string[] {
  switch (finding.kind) {
    case 'converted':
    case 'forced':
      return [`${finding.from.name}: ${finding.name} ${code(finding.range)} became ${code(finding.becomes)}`];
    case 'cycle':
      return [
        `${finding.members.map(({ name }) => name).join(', ')} depend on each other now${finding.through === 'dev' ? ', by dev dependencies' : ''}.`,
      ];
    case 'left':
    case 'unresolvable':
    case 'peer not satisfied':
      return [];
  }
}

function decisionOf(finding: InternalFinding): readonly string[] {
  switch (finding.kind) {
    case 'converted':
      return [];
    case 'forced':
      return [`${asks(finding)}, and gets the workspace all the same: ${doubts(finding.doubt, finding.to.version)}.`];
    case 'left':
      return [leftSentence(finding)];
    case 'unresolvable':
      return [
        `${asks(finding)}, which Yarn refuses: ${finding.to === undefined ? 'there is no such workspace' : versionOf(finding.to.version)}.`,
      ];
    case 'peer not satisfied':
      return [`${asks(finding)} as a peer, and ${versionOf(finding.to.version)}.`];
    case 'cycle':
      return finding.through === 'dependencies'
        ? [`${finding.members.map(({ name }) => name).join(', ')} need each other to run. No build order suits all of them.`]
        : [];
  }
}

function leftSentence(finding: Extract<InternalFinding, { kind: 'left' }>): string {
  const { doubt, name } = finding;
  if (doubt === 'itself')
    return `${asks(finding)}, a published version of itself, and Yarn would take the workspace. An alias (${code(`npm:${name}@…`)}) keeps it apart.`;
  return `${asks(finding)}, and it was left: ${doubts(doubt, finding.to.version)}. It comes from the registry, beside the workspace.`;
}

function asks({ from, name, range }: { readonly from: { readonly name: string }; readonly name: string; readonly range: string }): string {
  return `${from.name} asks for ${name} ${code(range)}`;
}

function doubts(doubt: Doubt, version: string | undefined): string {
  switch (doubt) {
    case 'version not admitted':
      return versionOf(version);
    case 'no version':
      return 'the workspace has no version';
    case 'tag':
      return 'a tag may mean any version';
    case 'address':
      return 'it is an address, which may mean any commit';
    case 'other path':
      return 'it is a path to another folder';
  }
}

function versionOf(version: string | undefined): string {
  return version === undefined ? 'the workspace has no version' : `the workspace is ${version}`;
}
