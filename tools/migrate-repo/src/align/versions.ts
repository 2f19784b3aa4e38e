import type { VersionPolicy } from '@tributary/model/config';
import type { RepoFolder } from '@tributary/model/paths';
import type { Workspace } from '@tributary/workspaces/discover';
import type { Catalogs } from '@tributary/workspaces/ranges';
import compare from 'semver/functions/compare.js';
import { heightOf, isWithin, type Obstacle } from './candidates.js';
import type { VersionChoices } from './choices.js';
import { type AppliedPolicy, decideVersion, type Replacement, replaced, type VersionDecision } from './decide-version.js';
import { type Declaration, declarationsOf } from './declarations.js';
import { type InstalledBlock, newFolders, type WorkspaceLocation } from './declared.js';
import { byStrictness } from './loosening.js';
import { editManifests } from './manifest-edits.js';
import type { ImportedPackage, Monorepo, StepOutcome } from './project.js';
import { createReleases, type PackerChoice } from './publishing/release.js';
import { readCatalogs } from './root-settings.js';
import { catalogEntries } from './settings/catalogs.js';
import { readImportedPackageSettings } from './settings/imported-package-settings.js';
import { overridesIn } from './settings/overrides.js';
import { diffVersions, type VersionChange } from './version-change.js';

/** The place of a dependency in a manifest. */
export interface DeclarationLocation {
  readonly workspace: WorkspaceLocation;
  readonly block: InstalledBlock;
}

/** A change of a declaration. `range` may be equal on both sides. */
export interface DeclarationChange extends DeclarationLocation {
  readonly range: { readonly from: string; readonly to: string };
  /** Whether the new range admits versions that the old one did not. Consumers of a published package may get these. */
  readonly widens: boolean;
  /** `undefined` if the version is unchanged, or the locked version is unknown. */
  readonly version: VersionChange | undefined;
}

/** What became of one declaration of an imported package. */
export type VersionOutcome =
  /** It already had the others' range, but the workspace has another version locked for it. */
  | { readonly kind: 'version moves'; readonly change: DeclarationChange }
  /** It now has the others' range. */
  | { readonly kind: 'one range'; readonly change: DeclarationChange }
  /** No range works for all, and the policy decided. `changes` may affect workspaces that existed before. */
  | {
      readonly kind: 'by policy';
      readonly policy: Exclude<VersionPolicy, 'report'>;
      readonly place: DeclarationLocation;
      readonly obstacle: Obstacle;
      readonly changes: readonly DeclarationChange[];
      /** Declarations whose range comes from a catalog, which a person would have to change. */
      readonly inCatalogs: readonly DeclarationLocation[];
    }
  /** No range works for all, and a person decides. Nothing was changed. */
  | { readonly kind: 'left'; readonly place: DeclarationLocation; readonly range: string; readonly obstacle: Obstacle };

/** A third-party package that an imported package and others declare differently. */
export interface VersionFinding {
  readonly name: string;
  /** All declarations before the change, with their locked versions, in the order of the workspaces. Without peers. */
  readonly declared: readonly Declaration[];
  /** At least one. Those of imported packages with stricter ranges come first. */
  readonly outcomes: readonly VersionOutcome[];
}

/**
 * Gives each dependency of the imported packages the range of the other workspaces, if a locked version satisfies both.
 * The imported package with the strictest range goes first, and counts as one of the others for the next. This lowers
 * or loosens no range. If there is no such range, the policy decides.
 *
 * A published range changes only if a version changes with it, and never to `catalog:` if npm packs the package. Only
 * `workspace`, for a dependency that tributary.json names, lowers or loosens a range. Only `highest` edits manifests of
 * other workspaces. Packages with the exception `keep` are ignored. Findings are ordered by name.
 */
export function alignVersions(project: Monorepo, choices: VersionChoices, packer: PackerChoice = 'detect'): StepOutcome<VersionFinding> {
  const overridden = new Map(
    project.importedPackages.map((importedPackage) => [importedPackage.path, overriddenBy(importedPackage, project)]),
  );
  const aligned = [...declaredIn(project, packer)]
    .filter(([name]) => choices.exceptions.get(name) !== 'keep')
    .map(([name, declared]) => ({ name, declared, ...alignPackage(declared, { project, overridden, policy: policyFor(name, choices) }) }));
  const changes = aligned.flatMap(({ name, replacements }) =>
    replacements.map(({ declaration, by }) => ({
      folder: declaration.workspace.path,
      block: declaration.block,
      name,
      range: by.range,
    })),
  );
  const findings = aligned.filter(({ outcomes }) => outcomes.length > 0);
  return {
    edits: editManifests(project.files, changes),
    findings: findings.map(({ name, declared, outcomes }) => ({ name, declared, outcomes })),
  };
}

/** Returns all third-party declarations, by name of the dependency, sorted; each in the order of the workspaces. */
export function declaredIn(project: Monorepo, packer: PackerChoice = 'detect'): ReadonlyMap<string, readonly Declaration[]> {
  const catalogs = readCatalogs(project);
  const releaseOf = createReleases(project, packer);
  const declarations = project.workspaces.flatMap((workspace) =>
    declarationsOf(workspace, { project, catalogs: sameCatalogs(workspace, catalogs, project), release: releaseOf(workspace) }),
  );
  const groups = new Map<string, Declaration[]>();
  for (const name of [...new Set(declarations.map((one) => one.name))].sort()) groups.set(name, []);
  for (const declaration of declarations) groups.get(declaration.name)?.push(declaration);
  return groups;
}

function policyFor(name: string, { policy, exceptions }: VersionChoices): AppliedPolicy {
  const exception = exceptions.get(name);
  return exception === undefined || exception === 'keep' ? { policy, names: 'none' } : { policy: exception, names: 'dependency' };
}

interface Aligned {
  readonly outcomes: readonly VersionOutcome[];
  readonly replacements: readonly Replacement[];
}

interface AlignmentContext {
  readonly project: Monorepo;
  /** Overridden packages, by the folder of an imported package. */
  readonly overridden: ReadonlyMap<string, ReadonlySet<string>>;
  readonly policy: AppliedPolicy;
}

function alignPackage(declared: readonly Declaration[], { project, overridden, policy }: AlignmentContext): Aligned {
  const isNew = newFolders(project);
  let others = declared.filter(({ workspace }) => !isNew.has(workspace.path));
  const [outcomes, replacements]: [VersionOutcome[], Replacement[]] = [[], []];
  for (const importedPackage of strictestFirst(project.importedPackages, declared)) {
    const own = declared.filter(({ workspace }) => workspace.path === importedPackage.path);
    const settled = others;
    const decide = (one: Declaration): VersionDecision =>
      overridden.get(importedPackage.path)?.has(one.name) === true ? leaveOverridden(one, settled) : decideVersion(one, settled, policy);
    const decisions = settled.length === 0 ? [] : own.map((one) => ({ own: one, decision: decide(one) }));
    const made = decisions.flatMap(({ decision }) => replacementsOf(decision));
    outcomes.push(...decisions.flatMap((one) => outcomeOf(one.own, one.decision)));
    replacements.push(...made);
    others = [...settled, ...own].map((one) => afterAll(one, made));
  }
  return { outcomes, replacements };
}

/** Orders imported packages by the strictest range first, so that the others can use it and no range is lowered. */
function strictestFirst(importedPackages: readonly ImportedPackage[], declared: readonly Declaration[]): readonly ImportedPackage[] {
  const strictest = (path: RepoFolder): Declaration | undefined =>
    declared.filter(({ workspace }) => workspace.path === path).sort(byDemand)[0];
  const declarers = importedPackages.flatMap((importedPackage) => {
    const declaration = strictest(importedPackage.path);
    return declaration === undefined ? [] : [{ importedPackage, declaration }];
  });
  return declarers.sort((one, other) => byDemand(one.declaration, other.declaration)).map(({ importedPackage }) => importedPackage);
}

function byDemand(one: Declaration, other: Declaration): number {
  return byStrictness(one.versions, other.versions) || compare(heightOf(other), heightOf(one));
}

/** Decides about an overridden dependency. Its version is set elsewhere, so a person is asked only if nobody else has its range. */
function leaveOverridden(own: Declaration, others: readonly Declaration[]): VersionDecision {
  const same = others.find(({ versions }) => versions === own.versions);
  return same === undefined
    ? { kind: 'left', obstacle: 'overridden' }
    : {
        kind: 'takes over',
        replacement: { declaration: own, by: { range: own.range, versions: own.versions, from: own.from, locked: own.locked } },
      };
}

function afterAll(declaration: Declaration, made: readonly Replacement[]): Declaration {
  const last = made.findLast((replacement) => replacement.declaration === declaration);
  return last === undefined ? declaration : replaced(last);
}

function replacementsOf(decision: VersionDecision): readonly Replacement[] {
  switch (decision.kind) {
    case 'takes over':
      return [decision.replacement];
    case 'by policy':
      return decision.replacements;
    case 'left':
      return [];
  }
}

function outcomeOf(own: Declaration, decision: VersionDecision): readonly VersionOutcome[] {
  const place = placeOf(own);
  switch (decision.kind) {
    case 'left':
      return [{ kind: 'left', place, range: own.range, obstacle: decision.obstacle }];
    case 'by policy': {
      const { policy, obstacle, replacements, inCatalogs } = decision;
      return [{ kind: 'by policy', policy, place, obstacle, changes: replacements.map(changeOf), inCatalogs: inCatalogs.map(placeOf) }];
    }
    case 'takes over': {
      const change = changeOf(decision.replacement);
      if (change.range.from !== change.range.to) return [{ kind: 'one range', change }];
      return change.version === undefined ? [] : [{ kind: 'version moves', change }];
    }
  }
}

function placeOf({ workspace, block }: Declaration): DeclarationLocation {
  return { workspace, block };
}

function changeOf(replacement: Replacement): DeclarationChange {
  const [before, after] = [replacement.declaration, replaced(replacement)];
  const version = diffVersions(before.locked?.version, after.locked?.version);
  return { ...placeOf(before), range: { from: before.range, to: after.range }, widens: !isWithin(after, before), version };
}

/**
 * Returns the packages whose versions an imported package overrides for its own requests at its own root, regardless of
 * ranges: `resolutions`, and `overrides` of npm and pnpm. Throws `MANIFEST_INVALID`.
 */
function overriddenBy(importedPackage: ImportedPackage, { files }: Monorepo): ReadonlySet<string> {
  const overrides = overridesIn(readImportedPackageSettings(importedPackage, files)).flatMap((parsed) => parsed.overrides);
  return new Set(overrides.flatMap(({ name, parent }) => (parent === undefined || parent.name === importedPackage.name ? [name] : [])));
}

/**
 * Returns the root's catalogs without entries for which an imported package had another range in its own catalogs,
 * because its `catalog:` referred to that.
 */
function sameCatalogs(workspace: Workspace, catalogs: Catalogs, { importedPackages, files }: Monorepo): Catalogs {
  const importedPackage = importedPackages.find(({ path }) => path === workspace.path);
  if (importedPackage === undefined || catalogs.size === 0) return catalogs;
  const other = catalogEntries(readImportedPackageSettings(importedPackage, files)).filter(
    ({ catalog, name, range }) => catalogs.get(catalog)?.get(name) !== range,
  );
  const isOther = (catalog: string, name: string): boolean => other.some((one) => one.catalog === catalog && one.name === name);
  return new Map(
    [...catalogs].map(([catalog, entries]) => [catalog, new Map([...entries].filter(([name]) => !isOther(catalog, name)))] as const),
  );
}
