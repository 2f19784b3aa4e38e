import type { Declaration } from '../align/declarations.js';
import type { DeclarationChange, VersionFinding, VersionOutcome } from '../align/versions.js';
import { code, type ReportPart } from './part.js';

export function versionsPart(findings: readonly VersionFinding[]): ReportPart {
  return {
    step: 'versions',
    // Several newcomers may stand before the same decision.
    decisions: [...new Set(findings.flatMap((finding) => finding.outcomes.flatMap((outcome) => decisionOf(finding, outcome))))],
    changes: findings.flatMap(({ name, outcomes }) => outcomes.flatMap((outcome) => changesOf(name, outcome))),
  };
}

function decisionOf({ name, declared }: VersionFinding, outcome: VersionOutcome): readonly string[] {
  switch (outcome.kind) {
    case 'left':
      return [`${name}: ${outcome.obstacle}. ${declared.map(declarationText).join('; ')}.`];
    case 'by policy':
      return outcome.inCatalogs.length === 0
        ? []
        : [`${name}: the catalog that ${outcome.inCatalogs.map(({ workspace }) => workspace.name).join(', ')} uses has another range.`];
    case 'one range':
    case 'version moves':
      return [];
  }
}

function changesOf(name: string, outcome: VersionOutcome): readonly string[] {
  switch (outcome.kind) {
    case 'left':
      return [];
    case 'by policy':
      return outcome.changes.map((change) => `${changeText(name, change)} (policy "${outcome.policy}": ${outcome.obstacle})`);
    case 'one range':
    case 'version moves':
      return [changeText(name, outcome.change)];
  }
}

function changeText(name: string, { workspace, range, version }: DeclarationChange): string {
  const ranges = range.from === range.to ? code(range.from) : `${code(range.from)} became ${code(range.to)}`;
  const moved =
    version === undefined
      ? ''
      : `, ${version.level} ${version.direction === 'up' ? 'upgrade' : 'downgrade'} from ${version.from} to ${version.to}`;
  return `${workspace.name}: ${name} ${ranges}${moved}`;
}

function declarationText({ workspace, range, locked }: Declaration): string {
  return `${workspace.name} has ${code(range)}${locked === undefined ? '' : `, locked at ${locked.version}`}`;
}
