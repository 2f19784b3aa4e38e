import type { VersionChoices } from './choices.js';
import { projectOf } from './project.fixture.js';
import type { StepOutcome } from './project.js';
import { alignVersions, type DeclarationChange, type VersionFinding, type VersionOutcome } from './versions.js';

/** The choices by default: a person decides. */
export const report: VersionChoices = { policy: 'report', exceptions: new Map() };

export interface Many {
  readonly declared: Readonly<Record<string, string>>;
  readonly importedPackages: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly rootLock?: Readonly<Record<string, string>>;
  readonly root?: object;
  readonly files?: Readonly<Record<string, string>>;
  readonly choices?: VersionChoices;
}

/** Aligns versions where every workspace declares `x`. */
export function alignMany({
  declared,
  importedPackages,
  rootLock,
  root = {},
  files = {},
  choices = report,
}: Many): StepOutcome<VersionFinding> {
  const manifests = {
    '': { name: 'root', workspaces: ['*'], ...root },
    ...Object.fromEntries(Object.entries(declared).map(([name, x]) => [name, { name, dependencies: { x } }])),
  };
  return alignVersions(projectOf({ manifests, importedPackages, files, ...(rootLock === undefined ? {} : { rootLock }) }), choices);
}

/** Returns one line for each outcome of each dependency. */
export function say({ findings }: StepOutcome<VersionFinding>): readonly string[] {
  return findings.flatMap(({ name, outcomes }) => outcomes.map((outcome) => `${name} ${sayOutcome(outcome)}`));
}

function sayOutcome(outcome: VersionOutcome): string {
  switch (outcome.kind) {
    case 'one range':
    case 'version moves':
      return sayChange(outcome.change);
    case 'left':
      return `left at ${outcome.place.workspace.name}: ${outcome.obstacle}`;
    case 'by policy':
      return [`by policy ${outcome.policy}`, ...outcome.changes.map(sayChange), ...outcome.inCatalogs.map(() => 'a catalog')].join('; ');
  }
}

function sayChange({ workspace: { name }, range, version }: DeclarationChange): string {
  const move = version === undefined ? '' : `, ${version.from} -> ${version.to} (${version.level} ${version.direction})`;
  return `${name}: ${range.from === range.to ? range.from : `${range.from} -> ${range.to}`}${move}`;
}
