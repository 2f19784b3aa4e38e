import type { DependencyBlock } from '@tributary/workspaces/dependency-edit';
import type { Workspace } from '@tributary/workspaces/discover';
import { findLink, WorkspaceIndex } from '@tributary/workspaces/ranges';
import type { InternalChoices } from './choices.js';
import { type Cycle, findNewCycles } from './cycles.js';
import { lockedFor } from './declarations.js';
import { asLocation, type Declared, type InstalledBlock, installedOf, newFolders, type WorkspaceLocation } from './declared.js';
import { editManifests, withManifests } from './manifest-edits.js';
import { type Doubt, meaningOf, satisfiesPeer } from './meaning.js';
import type { Project, StepOutcome } from './project.js';
import { isTransparent } from './transparent.js';
import { findUnbuilt, type Unbuilt } from './unbuilt.js';
import { diffVersions, type VersionChange } from './version-change.js';

/** What one workspace asks of another, an imported package among the two. */
export interface InternalRequest<Block extends DependencyBlock = InstalledBlock> {
  readonly from: WorkspaceLocation;
  readonly block: Block;
  readonly name: string;
  /** As it stood there. */
  readonly range: string;
  readonly to: LocalPackage;
}

export interface LocalPackage extends WorkspaceLocation {
  /** `undefined`: the manifest has none, and nothing but `workspace:` leads to it. */
  readonly version: string | undefined;
}

/** What a request becomes that leads to the workspace now. */
interface Redirected {
  readonly becomes: string;
  /** From the version that was locked for it to that of the workspace; `undefined`: they are the same, or one is not known. */
  readonly change: VersionChange | undefined;
}

/** A request that leads to the workspace now. `points there`: it was a path to that very folder. */
type Converted = InternalRequest & Redirected & { readonly kind: 'converted'; readonly because: 'admitted' | 'points there' };

/** A request that leads to the workspace now because all are to, although it asked for something else. */
type Forced = InternalRequest & Redirected & { readonly kind: 'forced'; readonly doubt: Doubt };

/** A request that is as it was; a person decides. `itself`: Yarn takes the workspace where it wanted a published version of itself. */
type Left = InternalRequest & { readonly kind: 'left'; readonly doubt: Doubt | 'itself' };

/** A `workspace:` range that Yarn will refuse. */
type Unresolvable = Omit<InternalRequest, 'to'> & {
  readonly kind: 'unresolvable';
  /** `undefined`: there is no workspace of that name. */
  readonly to: LocalPackage | undefined;
};

/** A peer that the local version does not satisfy; its range is as it was. */
type Peer = InternalRequest<'peerDependencies'> & { readonly kind: 'peer not satisfied' };

type RequestFinding = Converted | Forced | Left | Unresolvable | Peer;

/** What became of the requests between workspaces, or what is to say of them. */
export type InternalFinding = RequestFinding | (Cycle & { readonly kind: 'cycle' }) | (Unbuilt & { readonly kind: 'unbuilt' });

/**
 * Lets imported packages and the other workspaces use each other from the workspace, in both directions and among imported packages. A range that
 * admits the local version becomes `choices.range`; so does a `file:` or `link:` that leads to that very folder.
 * Peers, aliases, `catalog:`, `portal:` and `patch:` stay. Requests between workspaces that were there before are not looked at.
 * Findings in the order of the workspaces and their manifests, then the cycles, then what has to be built first.
 */
export function alignInternal(project: Project, choices: InternalChoices): StepOutcome<InternalFinding> {
  const index = buildIndex(project);
  const isNew = newFolders(project);
  const requests = project.workspaces.flatMap((from): readonly RequestFinding[] => {
    const isConcerned = (to: Workspace | undefined): boolean => isNew.has(from.path) || (to !== undefined && isNew.has(to.path));
    const installed = installedOf(from).filter(({ name }) => isConcerned(index.byName.get(name)));
    const peers = [...from.manifest.peerDependencies].filter(([name]) => isConcerned(index.byName.get(name)));
    return [...installed.flatMap((declared) => judge(from, declared, { index, choices, project })), ...judgePeers(from, peers, index)];
  });
  const changed = requests.filter((finding) => finding.kind === 'converted' || finding.kind === 'forced');
  const changes = changed.map(({ from, block, name, becomes }) => ({ folder: from.path, block, name, range: becomes }));
  const edits = editManifests(project.files, changes);
  const cycles = findNewCycles(withManifests(project.workspaces, edits), changed);
  const consequences = [
    ...cycles.map((cycle) => ({ kind: 'cycle' as const, ...cycle })),
    ...findUnbuilt(project, changed).map((unbuilt) => ({ kind: 'unbuilt' as const, ...unbuilt })),
  ];
  return { edits, findings: [...requests, ...consequences] };
}

interface JudgementContext {
  readonly index: WorkspaceIndex;
  readonly choices: InternalChoices;
  readonly project: Project;
}

function judge(from: Workspace, declared: Declared, { index, choices, project }: JudgementContext): readonly RequestFinding[] {
  const to = index.byName.get(declared.name);
  if (declared.range.startsWith('workspace:')) return judgeWorkspaceRange(from, declared, index);
  if (to === undefined) return [];
  const request = { from: asLocation(from), ...declared, to: asLocal(to) };
  const meaning = meaningOf(from, declared.range, to);
  if (meaning === undefined) return [];
  if (from === to) return meaning === 'admitted' && index.transparent ? [{ kind: 'left', ...request, doubt: 'itself' }] : [];
  const locked = lockedFor(from, { ...declared, versions: declared.range.replace(/^npm:/, '') }, project);
  const redirected = { ...request, becomes: choices.range, change: diffVersions(locked?.version, to.manifest.version) };
  if (meaning === 'admitted' || meaning === 'points there') return [{ kind: 'converted', ...redirected, because: meaning }];
  return choices.convert === 'all' ? [{ kind: 'forced', ...redirected, doubt: meaning }] : [{ kind: 'left', ...request, doubt: meaning }];
}

/** It stays as it is. One that came along from another workspace may have lost what it meant. */
function judgeWorkspaceRange(from: Workspace, declared: Declared, index: WorkspaceIndex): readonly RequestFinding[] {
  if (findLink(from, declared, index) !== undefined) return [];
  const to = index.byName.get(declared.name);
  return [{ kind: 'unresolvable', from: asLocation(from), ...declared, to: to === undefined ? undefined : asLocal(to) }];
}

function judgePeers(from: Workspace, peers: Iterable<readonly [string, string]>, index: WorkspaceIndex): readonly RequestFinding[] {
  return [...peers].flatMap(([name, range]): readonly RequestFinding[] => {
    const to = index.byName.get(name);
    if (to === undefined || to === from || satisfiesPeer(to, range)) return [];
    return [{ kind: 'peer not satisfied', from: asLocation(from), block: 'peerDependencies', name, range, to: asLocal(to) }];
  });
}

function buildIndex({ workspaces, files }: Project): WorkspaceIndex {
  return new WorkspaceIndex(workspaces, { transparentWorkspaces: isTransparent({ files }) ? 'on' : 'off' });
}

function asLocal(workspace: Workspace): LocalPackage {
  return { ...asLocation(workspace), version: workspace.manifest.version };
}
