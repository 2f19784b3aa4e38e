import type { Obstacle } from './candidates.js';
import type { Declaration } from './declarations.js';
import { type InstalledBlock, newFolders, type WorkspaceLocation } from './declared.js';
import type { Project } from './project.js';
import { diffVersions, type VersionChange } from './version-change.js';
import type { DeclarationChange, VersionFinding } from './versions.js';

/** A dependency of third parties with everybody who declares it, where something changes or a person has to decide. */
export interface DependencyTable {
  readonly name: string;
  /** In the order of the workspaces. */
  readonly rows: readonly DeclarationRow[];
}

/** One line of a manifest: what it was, and what it is now. */
export interface DeclarationRow {
  readonly workspace: WorkspaceLocation;
  readonly block: InstalledBlock;
  readonly isNew: boolean;
  /** Equal where it was left as it was. */
  readonly range: { readonly from: string; readonly to: string };
  /** What was locked for it: for imported packages in their own lockfile. */
  readonly locked: string | undefined;
  /** From that to what it gets now; `undefined`: the same, or one of them is not known. */
  readonly change: VersionChange | undefined;
  /** Whether those who install the package from a registry may get versions that they did not get before. */
  readonly widensFor: 'consumers' | 'nobody';
  /** Why it kept a range of its own; `undefined`: there was one for all, or nobody was in the way. */
  readonly left: Obstacle | undefined;
  /** The policy that decided; `undefined`: none had to. */
  readonly policy: string | undefined;
}

export interface TableInput {
  readonly project: Project;
  /** Before the versions were aligned; see `declaredIn`. */
  readonly declared: ReadonlyMap<string, readonly Declaration[]>;
  readonly findings: readonly VersionFinding[];
  /** What a workspace gets for a dependency by the final lockfile; `undefined`: there is none, and what was foreseen counts. */
  readonly got: ((workspace: WorkspaceLocation, name: string) => string | undefined) | undefined;
}

/**
 * Who declares what, locked at what, and what changes: every dependency that the alignment has something to say of, and those of imported packages that got another
 * version all the same, because the lockfile of the root has one. In the order of names.
 */
export function versionTables({ project, declared, findings, got }: TableInput): readonly DependencyTable[] {
  const isNew = newFolders(project);
  const known = new Map(findings.map((finding) => [finding.name, finding]));
  return [...declared].flatMap(([name, declarations]): readonly DependencyTable[] => {
    const finding = known.get(name);
    const rows = declarations.map((one) => rowOf(one, { finding, got, isNew: isNew.has(one.workspace.path) }));
    const isListed = finding !== undefined || rows.some((row) => row.isNew && row.change !== undefined);
    return isListed ? [{ name, rows }] : [];
  });
}

interface RowContext {
  readonly finding: VersionFinding | undefined;
  readonly got: TableInput['got'];
  readonly isNew: boolean;
}

function rowOf(declaration: Declaration, { finding, got, isNew }: RowContext): DeclarationRow {
  const { workspace, block, range, locked } = declaration;
  const isHere = (place: { readonly workspace: WorkspaceLocation; readonly block: InstalledBlock }): boolean =>
    place.workspace.path === workspace.path && place.block === block;
  const outcomes = finding?.outcomes ?? [];
  const changes = outcomes.flatMap(changesIn).filter(isHere);
  const last = changes.at(-1);
  const left = outcomes.find((outcome) => outcome.kind === 'left' && isHere(outcome.place));
  const decided = outcomes.find((outcome) => outcome.kind === 'by policy' && outcome.changes.some(isHere));
  const foreseen = last?.version?.to;
  return {
    workspace,
    block,
    isNew,
    range: { from: range, to: last?.range.to ?? range },
    locked: locked?.version,
    change: diffVersions(locked?.version, got === undefined ? foreseen : got(workspace, declaration.name)),
    widensFor: declaration.reach === 'consumers' && changes.some(({ widens }) => widens) ? 'consumers' : 'nobody',
    left: left?.kind === 'left' ? left.obstacle : apartLike(last?.range.to ?? range, outcomes),
    policy: decided?.kind === 'by policy' ? decided.policy : undefined,
  };
}

/** Of several packages with one range it is the first that was left; what keeps that apart keeps all of them apart. */
function apartLike(range: string, outcomes: VersionFinding['outcomes']): Obstacle | undefined {
  const isSame = (outcome: VersionFinding['outcomes'][number]): boolean =>
    outcome.kind === 'left' && outcome.range === range && outcome.obstacle === 'ranges exclude each other';
  return outcomes.some(isSame) ? 'ranges exclude each other' : undefined;
}

function changesIn(outcome: VersionFinding['outcomes'][number]): readonly DeclarationChange[] {
  switch (outcome.kind) {
    case 'left':
      return [];
    case 'by policy':
      return outcome.changes;
    case 'one range':
    case 'version moves':
      return [outcome.change];
  }
}
