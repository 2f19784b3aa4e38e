import type { InternalConfig } from '@tributary/model/config';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { DependencyBlock } from '@tributary/workspaces/dependency-edit';
import type { Workspace } from '@tributary/workspaces/discover';
import { findLink, WorkspaceIndex } from '@tributary/workspaces/ranges';
import { addToYaml } from '../edit/edit-yaml.js';
import { manifestIn } from './build-project.js';
import { findNewCycles, type NewCycle } from './cycles.js';
import { lockedFor } from './declarations.js';
import { asLocation, type Declared, type InstalledBlock, installedOf, newFolders, siblingOf, type WorkspaceLocation } from './declared.js';
import { editManifests, withManifests } from './manifest-edits.js';
import { type Doubt, meaningOf, satisfiesPeer } from './meaning.js';
import type { Edits, Monorepo, StepOutcome } from './project.js';
import { isPublished, type PublishedPackages } from './published-versions.js';
import { isPlaceholder, linkVersion } from './publishing/link-version.js';
import { isOverridden, linkByResolutions, type PlainLink } from './publishing/links.js';
import { isLedFromOutside, wantedFromOutside } from './publishing/outside.js';
import { publishedRange } from './publishing/published-manifest.js';
import { createReleases } from './publishing/release.js';
import { parseSpecifier } from './specifier.js';
import { isTransparent } from './transparent.js';
import { builtElsewhere, findUnbuilt, missingEntry, type Unbuilt } from './unbuilt.js';
import { diffVersions, type VersionChange } from './version-change.js';

/** A request between two workspaces, at least one of them imported. */
export interface InternalRequest<Block extends DependencyBlock = InstalledBlock> {
  readonly from: WorkspaceLocation;
  readonly block: Block;
  readonly name: string;
  /** As it was in the manifest. */
  readonly range: string;
  readonly to: LocalPackage;
}

export interface LocalPackage extends WorkspaceLocation {
  /**
   * The workspace's version. If the manifest has a placeholder, it is the version of the newest release. `undefined` if
   * the manifest has none; then only `workspace:` resolves to it.
   */
  readonly version: string | undefined;
}

/** How a request was redirected to the workspace. */
interface Redirected {
  /** The new range in the manifest. It is unchanged if `by` is not `protocol`. */
  readonly becomes: string;
  /** What links it: `workspace:`, the workspace's version, or an entry in `resolutions` of the root. */
  readonly by: 'protocol' | 'version' | 'resolutions';
  /** From the version that was locked for it to the workspace's version; `undefined` if they are equal, or one is unknown. */
  readonly change: VersionChange | undefined;
}

/** A request that now resolves to the workspace. `points there`: it was a path to that folder. */
type Converted = InternalRequest & Redirected & { readonly kind: 'converted'; readonly because: 'admitted' | 'points there' };

/** A request that now resolves to the workspace because all requests must, although its range does not match. */
type Forced = InternalRequest & Redirected & { readonly kind: 'forced'; readonly doubt: Doubt };

/**
 * A request that was not changed; a person decides. `itself`: Yarn uses the workspace, although it required a published
 * version of itself.
 */
type Left = InternalRequest & {
  readonly kind: 'left';
  readonly doubt: Doubt | 'itself';
};

/** A request for a published version of itself, which is now the exact version that was locked: the range would give the workspace. */
type Pinned = InternalRequest & { readonly kind: 'pinned'; readonly becomes: string };

/** A `workspace:` range that Yarn will reject. */
type Unresolvable = Omit<InternalRequest, 'to'> & {
  readonly kind: 'unresolvable';
  /** `undefined` if there is no workspace with that name. */
  readonly to: LocalPackage | undefined;
};

/** A peer that the local version does not satisfy. Its range was not changed. */
type Peer = InternalRequest<'peerDependencies'> & { readonly kind: 'peer not satisfied' };

/** A workspace whose version is written at release, so that its newest release counts. */
interface Placeholder {
  readonly kind: 'placeholder';
  readonly workspace: WorkspaceLocation;
  readonly version: string;
  readonly released: string;
}

/** A `workspace:` range for a published workspace of the former root that did not come along. */
type OfSibling = Omit<InternalRequest<DependencyBlock>, 'to'> & {
  readonly kind: 'of sibling';
  readonly becomes: string;
  readonly to?: undefined;
};

type RequestFinding = Converted | Forced | Left | Pinned | OfSibling | Unresolvable | Peer;

/** Ranges no longer resolve to workspaces automatically. `wanted`: the workspaces that registry packages would otherwise have got. */
interface Transparency {
  readonly kind: 'transparency';
  readonly wanted: readonly WorkspaceLocation[];
}

/** A result or a message about the requests between workspaces. */
export type InternalFinding =
  | RequestFinding
  | (NewCycle & { readonly kind: 'cycle' })
  | (Unbuilt & { readonly kind: 'unbuilt'; readonly from: 'workspace' })
  /** `unasked`: why the registry could not say whether it has a version for the dependents; `undefined` if it has one. */
  | (Unbuilt & { readonly kind: 'unbuilt'; readonly from: 'registry'; readonly unasked: string | undefined })
  | Placeholder
  | Transparency;

/**
 * Links imported packages and other workspaces to each other, in both directions, and imported packages among
 * themselves.
 *
 * A request that the local version satisfies is linked. In a manifest that Yarn packs, or that is private, it becomes
 * `choices.range`. In one that npm packs, the range is unchanged, and the version or `resolutions` of the root link it.
 * A workspace that must be built first is only linked if the registry does not have it, or if `scripts` may run; one
 * whose build is published from another folder, only in the first case.
 * `published` has the registry's answer for packages that no lockfile has. If the registry could not be asked, the
 * request is not linked either.
 *
 * To guarantee that, and so that registry packages keep their copies, automatic linking of ranges may have to be
 * disabled. Ranges that relied on it are then linked explicitly. Peers, aliases, `catalog:`, `portal:` and `patch:` are
 * unchanged. Other requests between existing workspaces are not considered.
 *
 * Findings are in the order of workspaces and manifests, then cycles, then workspaces to build first, then
 * placeholders. Throws `LOCKFILE_INVALID`, `CONFIG_INVALID`.
 */
export function alignInternal(
  project: Monorepo,
  choices: InternalConfig,
  scripts: 'run' | 'refuse' = 'refuse',
  published: PublishedPackages = new Map(),
): StepOutcome<InternalFinding> {
  const context = contextOf(project, choices, { scripts, published });
  if (!context.index.transparent) return judgeAll(context);
  const isFixed = isLedFromOutside(project);
  const first = judgeAll({ ...context, keeps: isFixed ? 'nothing' : 'all' });
  const isNew = newFolders(project);
  const came = project.workspaces.filter(({ path }) => isNew.has(path));
  const left = first.findings.filter((finding) => finding.kind === 'left');
  const wanted = wantedFromOutside(project, came, new Set(left.map(({ name }) => name))).map(asLocation);
  const kept = left.filter(({ doubt }) => isOfBuild(doubt));
  return isFixed || wanted.length + kept.length === 0 ? first : withoutTransparency(context, wanted);
}

/** Disables automatic linking, and links explicitly every range that relied on it. */
function withoutTransparency(context: JudgementContext, wanted: readonly WorkspaceLocation[]): StepOutcome<InternalFinding> {
  const { project } = context;
  const opaque = { ...context, index: new WorkspaceIndex(project.workspaces, { transparentWorkspaces: 'off' }) };
  const { edits, findings } = judgeAll(opaque, transparentLinks(context));
  const settings = addToYaml(project.files.read(SETTINGS) ?? '', { path: [], key: 'enableTransparentWorkspaces', value: false });
  return { edits: new Map([...edits, [SETTINGS, settings]]), findings: [...findings, { kind: 'transparency', wanted }] };
}

const SETTINGS = '.yarnrc.yml' as RepoPath;

/** Returns the requests among existing workspaces that resolve there only by version. */
function transparentLinks({ project, index }: JudgementContext): readonly PlainLink[] {
  const isNew = newFolders(project);
  const there = project.workspaces.filter(({ path }) => !isNew.has(path));
  return there.flatMap((from) =>
    installedOf(from).flatMap(({ name, range }): readonly PlainLink[] => {
      const to = index.byName.get(name);
      if (to === undefined || to === from || isNew.has(to.path)) return [];
      const isLed = meaningOf(from, range, { path: to.path, version: to.manifest.version }) === 'admitted';
      return isLed ? [{ from, to, name, range }] : [];
    }),
  );
}

/** Judges all requests. `others`: additional requests to link by `resolutions` of the root. */
function judgeAll(context: JudgementContext, others: readonly PlainLink[] = []): StepOutcome<InternalFinding> {
  const { project, index } = context;
  const isNew = newFolders(project);
  const requests = project.workspaces.flatMap((from): readonly RequestFinding[] => {
    const isConcerned = (to: Workspace | undefined): boolean => isNew.has(from.path) || (to !== undefined && isNew.has(to.path));
    const installed = installedOf(from).filter(({ name }) => isConcerned(index.byName.get(name)));
    const peers = [...from.manifest.peerDependencies].filter(([name]) => isConcerned(index.byName.get(name)));
    return [...installed.flatMap((declared) => judge(from, declared, context)), ...judgePeers(from, peers, context)];
  });
  const linked = requests.filter((finding) => finding.kind === 'converted' || finding.kind === 'forced');
  const changed = [...linked, ...requests.filter((finding) => finding.kind === 'pinned' || finding.kind === 'of sibling')];
  const changes = changed.map(({ from, block, name, becomes }) => ({ folder: from.path, block, name, range: becomes }));
  const inManifests = editManifests(project.files, changes);
  const throughRoot = [...linked.filter(({ by }) => by === 'resolutions'), ...others];
  const edits = new Map([...inManifests, ...linkByResolutions(withRootEdit(project, inManifests), throughRoot)]);
  const consequences = [...consequencesOf(context, { requests, linked, inManifests }), ...placeholdersIn(project, requests)];
  return { edits, findings: [...requests, ...consequences] };
}

interface Judged {
  readonly requests: readonly RequestFinding[];
  readonly linked: readonly (Converted | Forced)[];
  readonly inManifests: Edits;
}

function consequencesOf({ project, published }: JudgementContext, { requests, linked, inManifests }: Judged): readonly InternalFinding[] {
  const notBuilt = requests.filter((finding) => finding.kind === 'left').filter(({ doubt }) => isOfBuild(doubt));
  return [
    ...findNewCycles(withManifests(project.workspaces, inManifests), linked).map((cycle) => ({ kind: 'cycle' as const, ...cycle })),
    ...findUnbuilt(project, linked).map((one) => ({ kind: 'unbuilt' as const, from: 'workspace' as const, ...one })),
    ...findUnbuilt(project, notBuilt).map((one) => {
      const answer = published.get(one.workspace.name);
      const unasked = answer !== undefined && 'why' in answer ? answer.why : undefined;
      return { kind: 'unbuilt' as const, from: 'registry' as const, unasked, ...one };
    }),
  ];
}

/** Returns the project with the root manifest after such edits. */
function withRootEdit(project: Monorepo, edits: Edits): Monorepo {
  const root = manifestIn('' as RepoFolder);
  const text = edits.get(root);
  const read = (path: RepoPath): string | undefined => (path === root ? text : project.files.read(path));
  return text === undefined ? project : { ...project, files: { ...project.files, read } };
}

interface JudgementContext {
  readonly index: WorkspaceIndex;
  readonly choices: InternalConfig;
  readonly project: Monorepo;
  readonly releaseOf: ReturnType<typeof createReleases>;
  /** `nothing`: a range that a workspace's version satisfies resolves to it, regardless of choices. */
  readonly keeps: 'all' | 'nothing';
  readonly scripts: 'run' | 'refuse';
  readonly published: PublishedPackages;
}

function contextOf(project: Monorepo, choices: InternalConfig, facts: Pick<JudgementContext, 'scripts' | 'published'>): JudgementContext {
  const index = new WorkspaceIndex(project.workspaces, { transparentWorkspaces: isTransparent(project) ? 'on' : 'off' });
  return { index, choices, project, releaseOf: createReleases(project, choices.packer), keeps: 'all', ...facts };
}

function judge(from: Workspace, declared: Declared, context: JudgementContext): readonly RequestFinding[] {
  const { index, choices, project } = context;
  const to = index.byName.get(declared.name);
  if (declared.range.startsWith('workspace:')) return judgeWorkspaceRange(from, declared, context);
  if (to === undefined) return [];
  const locked = lockedFor(from, { ...declared, versions: declared.range.replace(/^npm:/, '') }, project)?.version;
  const request = { from: asLocation(from), ...declared, to: asLocal(to, context) };
  if (from === to) return isTakenForItself(from, declared, index) ? [ofItself(request, locked)] : [];
  const meaning = meaningOf(from, declared.range, request.to);
  if (meaning === undefined) return [];
  const isMeant = meaning === 'admitted' || meaning === 'points there';
  if (!isMeant && choices.convert !== 'all') return [{ kind: 'left', ...request, doubt: meaning }];
  const redirected = { ...request, ...linkOf(from, to, { declared, context }), change: diffVersions(locked, request.to.version) };
  const obstacle = obstacleOf(to, redirected, { locked, context });
  if (obstacle !== undefined) return [{ kind: 'left', ...request, doubt: obstacle }];
  return isMeant ? [{ kind: 'converted', ...redirected, because: meaning }] : [{ kind: 'forced', ...redirected, doubt: meaning }];
}

/**
 * Keeps the published version that a package builds or tests itself with. Other ranges than those for development are
 * unchanged: consumers of the package would get the exact version.
 */
function ofItself(request: InternalRequest, locked: string | undefined): Left | Pinned {
  const isKept = request.block === 'devDependencies' && locked !== undefined && locked !== request.to.version;
  return isKept ? { kind: 'pinned', ...request, becomes: locked } : { kind: 'left', ...request, doubt: 'itself' };
}

function isTakenForItself(from: Workspace, { range }: Declared, { transparent }: WorkspaceIndex): boolean {
  return transparent && meaningOf(from, range, { path: from.path, version: from.manifest.version }) === 'admitted';
}

/** Returns how a request is linked to a workspace. */
function linkOf(
  from: Workspace,
  to: Workspace,
  { declared, context }: { readonly declared: Declared; readonly context: JudgementContext },
): Pick<Redirected, 'becomes' | 'by'> {
  const { index, choices, project, releaseOf } = context;
  const version = linkVersion(project, to);
  const isReal = version === to.manifest.version;
  if (releaseOf(from).packer !== 'npm' && isReal) return { becomes: choices.range, by: 'protocol' };
  const isPath = parseSpecifier(declared.range).kind === 'path';
  if (isPath && version === undefined) return { becomes: choices.range, by: 'protocol' };
  const becomes = isPath ? `^${version}` : declared.range;
  const isLed = isReal && index.transparent && meaningOf(from, becomes, { path: to.path, version }) === 'admitted';
  return { becomes, by: isLed ? 'version' : 'resolutions' };
}

/** Returns why a request that matches the workspace is not linked. */
function obstacleOf(
  to: Workspace,
  link: InternalRequest & Redirected,
  { locked, context }: { readonly locked: string | undefined; readonly context: JudgementContext },
): Doubt | undefined {
  const { project, choices, scripts, keeps, published } = context;
  if (link.by !== 'protocol' && isOverridden(project, link)) return 'overridden';
  const mayBeBuilt = scripts === 'run' || choices.convert === 'all' || keeps === 'nothing';
  const isElsewhere = keeps !== 'nothing' && builtElsewhere(to, project.files) !== undefined;
  if (!isElsewhere && (mayBeBuilt || missingEntry(to, project.files) === undefined)) return undefined;
  if (locked === undefined && isPublished(link, published) === 'no') return undefined;
  return isElsewhere ? 'built elsewhere' : 'not built';
}

/**
 * Judges a `workspace:` range. In a package from another monorepo, it may refer to a workspace that does not exist here.
 */
function judgeWorkspaceRange(from: Workspace, declared: Declared, context: JudgementContext): readonly RequestFinding[] {
  const { index } = context;
  if (findLink(from, declared, index) !== undefined) return [];
  const to = index.byName.get(declared.name);
  if (to !== undefined) return [{ kind: 'unresolvable', from: asLocation(from), ...declared, to: asLocal(to, context) }];
  const ofSibling = judgeSibling(from, declared, context);
  return ofSibling.length > 0 ? ofSibling : [{ kind: 'unresolvable', from: asLocation(from), ...declared, to }];
}

/** Replaces a range for a workspace that did not come along by the one that its former monorepo would publish. */
function judgeSibling(
  from: Workspace,
  declared: Pick<OfSibling, 'block' | 'name' | 'range'>,
  { project, index }: JudgementContext,
): readonly OfSibling[] {
  const becomes = publishedRange(declared.range, siblingOf(project, from, declared.name)?.version);
  if (becomes === declared.range || index.byName.has(declared.name)) return [];
  return [{ kind: 'of sibling', from: asLocation(from), ...declared, becomes }];
}

function judgePeers(from: Workspace, peers: Iterable<readonly [string, string]>, context: JudgementContext): readonly RequestFinding[] {
  return [...peers].flatMap(([name, range]): readonly RequestFinding[] => {
    const to = context.index.byName.get(name);
    if (to === undefined) return judgeSibling(from, { block: 'peerDependencies', name, range }, context);
    if (to === from || satisfiesPeer(linkVersion(context.project, to), range)) return [];
    return [{ kind: 'peer not satisfied', from: asLocation(from), block: 'peerDependencies', name, range, to: asLocal(to, context) }];
  });
}

/** Whether a request keeps the published version because of a build. */
export function isOfBuild(doubt: Left['doubt']): boolean {
  return doubt === 'not built' || doubt === 'built elsewhere';
}

/** Returns the placeholders of workspaces that a concerned package requests and could get. */
function placeholdersIn(project: Monorepo, requests: readonly RequestFinding[]): readonly Placeholder[] {
  const isUnbuilt = (request: RequestFinding): boolean => request.kind === 'left' && isOfBuild(request.doubt);
  const asked = new Set(requests.flatMap((request) => (isUnbuilt(request) ? [] : (request.to?.path ?? []))));
  return project.workspaces.flatMap((workspace): readonly Placeholder[] => {
    const released = project.released.get(workspace.path);
    const { version } = workspace.manifest;
    if (released === undefined || !isPlaceholder(version) || !asked.has(workspace.path)) return [];
    return [{ kind: 'placeholder', workspace: asLocation(workspace), version, released }];
  });
}

function asLocal(workspace: Workspace, { project }: Pick<JudgementContext, 'project'>): LocalPackage {
  return { ...asLocation(workspace), version: linkVersion(project, workspace) };
}
