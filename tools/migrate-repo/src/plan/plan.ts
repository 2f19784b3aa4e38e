import { nameAsText, textAsName } from '@tributary/git/tree';
import { isToolError, ToolError } from '@tributary/model/errors';
import { branchRef, type RefName, shortRef, type WorkspaceName } from '@tributary/model/ids';
import type { MessageMapping } from '@tributary/model/message-mapping';
import { joinRepoPath, type RepoPath, relativeTo } from '@tributary/model/paths';
import { isCovered } from '@tributary/workspaces/discover';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import { addWorkspacePattern } from '@tributary/workspaces/manifest-edit';
import { parseSemverRange } from '@tributary/workspaces/ranges';
import { isPlaceholder } from '../align/publishing/link-version.js';
import type { Strategy } from '../strategy.js';
import { planCleanUp, type Removal } from './clean-up.js';
import type { LeftOutPackage, SourceFacts, TargetFacts } from './facts.js';
import { refuseMalformed } from './malformed.js';
import { nameRepository } from './name-repository.js';
import { conflictingRef, defaultBranch, refuseTagCollisions, targetPath } from './names.js';
import { findStranded, namesIn, orderImportedPackages, rangesIn } from './order.js';
import { type PlannedTag, planTags } from './plan-tags.js';

/** All changes, decided before anything is written. */
export interface MigrationPlan {
  readonly branch: RefName;
  readonly strategy: Strategy;
  /** In merge order: dependencies first. */
  readonly packages: readonly PlannedPackage[];
  readonly leftOut: readonly LeftOutPackage[];
}

export interface PlannedPackage {
  readonly source: SourceFacts;
  /** Relative to the repository's root. */
  readonly path: RepoPath;
  readonly messages: MessageMapping;
  readonly tagPattern: string | undefined;
  readonly tags: readonly PlannedTag[];
  /**
   * New tag names that the monorepo already has. A removed import may have left them. Whether they hold the same
   * objects is known once the history is moved.
   */
  readonly knownTags: readonly string[];
  /** Tags of other packages of the source, which are not imported. */
  readonly otherTags: readonly string[];
  /** Those of `tags` that keep their former name in full: without it, another one would have the same. */
  readonly apart: readonly PlannedTag[];
  readonly twins: readonly PlannedTag[];
  readonly cleanUp: readonly Removal[];
  /** The root package.json with the package registered; `undefined` if a pattern already covers it. */
  readonly rootManifestText: string | undefined;
}

export interface PlanChoices {
  readonly branch: string | undefined;
  readonly strategy: Strategy;
  readonly pathPattern: string;
  /** `undefined`: no tags. */
  readonly tagPattern: string | undefined;
  /** `exact`: every byte of messages and headers is kept, as with `--strategy merge`. */
  readonly messages: 'exact' | 'qualified';
  /** `leave`: dependencies are not changed. */
  readonly dependencies: 'align' | 'leave';
}

/**
 * Returns the plan for the fetched sources. Those in `leftOut` only show, by their versions, who needs them. A package
 * that cannot be migrated is left out, together with its dependents. The plan of the others does not change. Throws
 * `TARGET_BRANCH_TAKEN` or `USAGE` for the branch, which concerns all.
 */
export function planMigration(
  target: TargetFacts,
  gathered: { readonly sources: readonly SourceFacts[]; readonly leftOut: readonly LeftOutPackage[] },
  choices: PlanChoices,
): MigrationPlan {
  const leftOut = [...gathered.leftOut];
  const gone = new Set(leftOut.map(({ name }) => name));
  const manifests = new Map(gathered.sources.map(({ request, manifest }) => [request.name, manifest]));
  const state: Accepted = { target, choices, packages: [], refs: new Set(target.refs), added: new Set() };
  for (const source of orderImportedPackages(gathered.sources.filter(({ request }) => !gone.has(request.name)).map(asImportedPackage))) {
    const missing = findStranded([asNeeding(source.facts, manifests)], missingNames(leftOut))
      .values()
      .next().value;
    try {
      if (missing !== undefined) throw dependencyLeftOut(source.name, missing, leftOut);
      accept(state, source.facts);
    } catch (error) {
      if (!isToolError(error)) throw error;
      leftOut.push({ name: source.name, error });
    }
  }
  const decided = withoutStranded(
    { strategy: choices.strategy, packages: registerAll(target, state.packages), leftOut },
    { target, manifests },
  );
  return { ...decided, branch: planBranch(target, namesOf(decided), choices.branch) };
}

/** Returns the names for the branch: those of its packages, or of the requested ones if none is left. */
function namesOf({ packages, leftOut }: Pick<MigrationPlan, 'packages' | 'leftOut'>): readonly WorkspaceName[] {
  return packages.length > 0 ? packages.map(({ source }) => source.request.name) : leftOut.map(({ name }) => name);
}

/**
 * Returns the packages that dependents lack. A package does not count if it was left out because the monorepo already
 * has it, or has a workspace with its name.
 */
function missingNames(leftOut: readonly LeftOutPackage[]): LeftOutPackage['name'][] {
  return leftOut.filter(({ error }) => error.code !== 'TARGET_NAME_TAKEN' && !isHere(error)).map(({ name }) => name);
}

function isHere({ code, data }: ToolError): boolean {
  return code === 'ALREADY_MIGRATED' && data['branch'] === null;
}

interface Accepted {
  readonly target: TargetFacts;
  readonly choices: PlanChoices;
  readonly packages: Unregistered[];
  readonly refs: Set<string>;
  /** Tags of accepted packages, which are also in `refs`. */
  readonly added: Set<string>;
}

type Unregistered = Omit<PlannedPackage, 'rootManifestText'>;

function accept(state: Accepted, source: SourceFacts): void {
  const { target, choices } = state;
  const below = source.request.path ?? targetPath(choices.pathPattern, source.request.name);
  const path = joinRepoPath(target.root, below);
  refuseTakenName(target, source);
  if (choices.dependencies === 'align') refuseMalformed(source.manifest, `package.json of ${source.request.url}`);
  refuseTakenPath(
    target,
    path,
    state.packages.map((other) => other.path),
  );
  const { tags, otherTags, apart, twins } = planTags(source, choices.tagPattern);
  const known = new Set(tags.map(({ newName }) => `refs/tags/${newName}`).filter((ref) => target.refs.has(ref) && !state.added.has(ref)));
  refuseTagCollisions(tags, new Set([...state.refs].filter((ref) => !known.has(ref))));
  for (const tag of tags) for (const refs of [state.refs, state.added]) refs.add(`refs/tags/${tag.newName}`);
  const knownTags = [...known].map((ref) => ref.slice('refs/tags/'.length));
  const cleanUp = planCleanUp(source.files);
  const messages = planMessages(source, choices);
  state.packages.push({ source, path, messages, tagPattern: choices.tagPattern, tags, knownTags, otherTags, apart, twins, cleanUp });
}

function planMessages({ request, manifest }: SourceFacts, { messages, strategy }: PlanChoices): MessageMapping {
  if (messages === 'exact' || strategy === 'merge') return 'exact';
  return { repository: nameRepository(request.url, manifest) };
}

/** Leaves out packages that need one that was left out. In a cycle, a dependent may be accepted before its dependency fails. */
function withoutStranded(
  plan: Omit<MigrationPlan, 'branch'>,
  { target, manifests }: { readonly target: TargetFacts; readonly manifests: Manifests },
): Omit<MigrationPlan, 'branch'> {
  const importedPackages = plan.packages.map((planned) => ({ ...asNeeding(planned.source, manifests), planned }));
  const stranded = findStranded(importedPackages, missingNames(plan.leftOut));
  if (stranded.size === 0) return plan;
  const leftOut = [...stranded].map(([{ name }, missing]) => ({ name, error: dependencyLeftOut(name, missing, plan.leftOut) }));
  const kept = importedPackages.filter((importedPackage) => !stranded.has(importedPackage)).map(({ planned }) => planned);
  return { ...plan, packages: registerAll(target, kept), leftOut: [...plan.leftOut, ...leftOut] };
}

/** Returns the branch to create for packages. Throws `TARGET_BRANCH_TAKEN`, `USAGE`. */
export function planBranch(target: TargetFacts, names: readonly WorkspaceName[], asked: string | undefined): RefName {
  const branch = branchRef(asked ?? defaultBranch(names));
  const existing = conflictingRef(branch, target.refs);
  if (existing === undefined) return branch;
  throw new ToolError({
    code: 'TARGET_BRANCH_TAKEN',
    message: `The branch ${shortRef(branch)} cannot be created: ${existing} exists.`,
    hint:
      existing === branch
        ? `If it has an earlier migration or sync: once that is merged, delete the branch with "git branch -d"; before that, undo it with "migrate-repo discard ${shortRef(branch)}". Or choose another name with --branch.`
        : 'Choose another name with --branch: in git, the name of a branch cannot be a folder of another one.',
    data: { branch: shortRef(branch), existing, packages: names },
  });
}

function refuseTakenName(target: TargetFacts, source: SourceFacts): void {
  const other = target.workspaces.find(({ name }) => name === source.request.name);
  if (other === undefined) return;
  throw new ToolError({
    code: 'TARGET_NAME_TAKEN',
    message: `${other.path === '' ? 'The root of the monorepo' : `The workspace ${other.path}`} already has the name ${other.name}.`,
    hint: 'If it was migrated before, "migrate-repo status" shows it. Otherwise rename one of the two packages: Yarn requires unique names.',
    data: { name: other.name, path: other.path },
  });
}

function refuseTakenPath(target: TargetFacts, path: RepoPath, planned: readonly RepoPath[]): void {
  const wanted = textAsName(path).toLowerCase();
  const existing =
    target.files.map((file) => file.path).find((file) => overlaps(file.toLowerCase(), wanted)) ??
    planned.map(textAsName).find((other) => nests(other.toLowerCase(), wanted));
  if (existing === undefined) return;
  throw new ToolError({
    code: 'TARGET_PATH_TAKEN',
    message: `${path} cannot be used: ${nameAsText(existing)} exists.`,
    hint: 'Choose another folder with --to, or with "path" in tributary.json. Paths that differ only in case conflict on some file systems.',
    data: { path, existing: nameAsText(existing) },
  });
}

/** Whether a file is at the path, below it, or in the place of a folder above it. */
function overlaps(file: string, path: string): boolean {
  return file === path || file.startsWith(`${path}/`) || path.startsWith(`${file}/`);
}

function nests(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

/** Adds to each package the root package.json that it needs, in order. */
export function registerAll(target: Pick<TargetFacts, 'root' | 'rootManifestText'>, packages: readonly Unregistered[]): PlannedPackage[] {
  let text = target.rootManifestText;
  return packages.map((planned) => {
    const below = relativeTo(target.root, planned.path) as RepoPath;
    if (isCovered(parseManifest(text, 'package.json'), below)) return { ...planned, rootManifestText: undefined };
    text = addWorkspacePattern(text, below);
    return { ...planned, rootManifestText: text };
  });
}

function asImportedPackage(facts: SourceFacts): {
  name: SourceFacts['request']['name'];
  dependsOn: ReadonlySet<string>;
  facts: SourceFacts;
} {
  return { name: facts.request.name, dependsOn: namesIn(facts.manifest), facts };
}

type Manifests = ReadonlyMap<WorkspaceName, Manifest>;

/** Returns a package with the dependencies whose versions its ranges admit, or that are unknown. It gets others from the registry. */
function asNeeding(facts: SourceFacts, manifests: Manifests): ReturnType<typeof asImportedPackage> {
  const importedPackage = asImportedPackage(facts);
  const fits = (name: string): boolean => {
    const { version } = manifests.get(name as WorkspaceName) ?? {};
    return version === undefined || isPlaceholder(version) || rangesIn(facts.manifest, name).some((range) => admits(range, version));
  };
  return { ...importedPackage, dependsOn: new Set([...importedPackage.dependsOn].filter(fits)) };
}

/** Whether a range admits a version. One that is no range of versions may lead anywhere. */
function admits(range: string, version: string): boolean {
  return parseSemverRange(range.replace(/^npm:(?!.*@)/, ''))?.test(version) ?? true;
}

function dependencyLeftOut(name: string, missing: string, leftOut: readonly LeftOutPackage[]): ToolError {
  const branch = leftOut.find((one) => one.name === missing)?.error.data['branch'];
  return new ToolError({
    code: 'DEPENDENCY_LEFT_OUT',
    message: `${name} needs ${missing}, which ${typeof branch === 'string' ? `is on the unmerged branch ${branch}` : 'is left out'}.`,
    hint:
      typeof branch === 'string'
        ? `Merge ${branch}, or check it out, and run the same command again.`
        : `Migrate it once ${missing} can be migrated.`,
    data: { name, missing },
  });
}
