import type { Obstacle } from './candidates.js';
import type { Declaration } from './declarations.js';
import { type InstalledBlock, newFolders, type WorkspaceLocation } from './declared.js';
import type { Monorepo } from './project.js';
import { diffVersions, type VersionChange } from './version-change.js';
import type { DeclarationChange, VersionFinding } from './versions.js';

/** A third-party dependency with all its declarations, if something changes or a person must decide. */
export interface DependencyTable {
  readonly name: string;
  /** In the order of the workspaces. */
  readonly rows: readonly DeclarationRow[];
}

/** One dependency in a manifest, before and after. */
export interface DeclarationRow {
  readonly workspace: WorkspaceLocation;
  readonly block: InstalledBlock;
  readonly isTool: boolean;
  readonly isNew: boolean;
  /** `from` and `to` are equal if it is unchanged. */
  readonly range: { readonly from: string; readonly to: string };
  /** The version that was locked for it; for imported packages, in their own lockfile. */
  readonly locked: string | undefined;
  /** From the locked version to the current one; `undefined` if they are equal, or one is unknown. */
  readonly change: VersionChange | undefined;
  /** Whether users who install the package from a registry may now get versions that they did not get before. */
  readonly widensFor: 'consumers' | 'nobody';
  /** Why it kept its own range; `undefined` if one range works for all, or nothing else declares it. */
  readonly left: Obstacle | undefined;
  /** The policy that decided; `undefined` if none was needed. */
  readonly policy: string | undefined;
}

export interface TableInput {
  readonly project: Monorepo;
  /** Declarations before the versions were aligned; see `declaredIn`. */
  readonly declared: ReadonlyMap<string, readonly Declaration[]>;
  readonly findings: readonly VersionFinding[];
  /**
   * Returns the version of a workspace's dependency in the final lockfile. `undefined` if there is none; the expected
   * versions then apply.
   */
  readonly got: ((workspace: WorkspaceLocation, name: string) => string | undefined) | undefined;
}

/**
 * Returns the declarations of each dependency, its locked versions and what changes, ordered by name. Includes every
 * dependency with a finding, and dependencies of imported packages whose version changed because the root's lockfile
 * has another.
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
  const { workspace, block, isTool, range, locked } = declaration;
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
    isTool,
    isNew,
    range: { from: range, to: last?.range.to ?? range },
    locked: locked?.version,
    change: diffVersions(locked?.version, got === undefined ? foreseen : got(workspace, declaration.name)),
    widensFor: declaration.reach === 'consumers' && changes.some(({ widens }) => widens) ? 'consumers' : 'nobody',
    left: left?.kind === 'left' ? left.obstacle : apartLike(last?.range.to ?? range, outcomes),
    policy: decided?.kind === 'by policy' ? decided.policy : undefined,
  };
}

/**
 * Returns why declarations with the same range stay apart. Only the first of several such packages is recorded as left,
 * but its obstacle applies to all of them.
 */
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
