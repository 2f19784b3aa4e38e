import type { EdgesConfig } from '@tributary/model/config';
import type { WorkspaceName } from '@tributary/model/ids';
import { isInside, type RepoFolder, type RepoPath } from '@tributary/model/paths';
import { isCodeFile, isDocument } from '@tributary/references/file-kinds';
import { owningMember } from '@tributary/workspaces/dependency-graph';
import type {
  EscapingPath,
  EscapingSymlink,
  Finding,
  ForeignScript,
  IndirectReading,
  ObservedReading,
  ReadingReason,
  StaleEdge,
  UndeclaredImport,
} from './finding.js';
import { areCovered, type CheckedProject, carriesFiles, declares, filesAt, folderAt, isReached, nameAt } from './project.js';
import { landingsOf, type ReadTarget, targetsAt } from './read-targets.js';
import type { NamingStep, WorkspaceReference } from './references.js';
import type { LinkTexts } from './symlinks.js';

/** A target that a workspace reads, as in `affected.edges`. */
export interface FoundEdge {
  readonly from: WorkspaceName;
  readonly kind: 'workspace' | 'file';
  /** The name of a workspace, or the path of a file or folder. */
  readonly to: string;
  /** `packages/ui/src/a.test.ts:12` */
  readonly proof: string;
}

/** A reference with its effect on answers. `unclaimed`: a change of the target selects every workspace, as long as no rule claims it. */
export type JudgedReference<R extends WorkspaceReference = WorkspaceReference> = R & { readonly reason: ReadingReason | 'unclaimed' };

/** Judges references, in order, and omits those that edges of manifests or rules cover. */
export function judgeReferences<R extends WorkspaceReference>(
  project: CheckedProject,
  references: readonly R[],
  isUnclaimed: (file: RepoPath) => boolean,
): readonly JudgedReference<R>[] {
  return references.flatMap((reference) => {
    const reason =
      reference.target.kind === 'workspace'
        ? judgeWorkspace(project, reference, reference.target.member)
        : judgeFile(project, reference.from, { path: reference.target.path, isUnclaimed });
    return reason === undefined ? [] : [{ ...reference, reason }];
  });
}

function judgeWorkspace(project: CheckedProject, { from, chain, script }: WorkspaceReference, target: number): ReadingReason | undefined {
  if (project.edges.has(`${from} ${target}`)) return undefined;
  const [first] = chain;
  // The manifest may resolve the name to the registry. That does not apply to names in root files, which have another manifest.
  const isByName = script === undefined && chain.length === 1 && first !== undefined && !/^\.{0,2}(\/|$)/.test(first.specifier);
  if (isByName && declares(project, from, nameAt(project, target))) return undefined;
  if (areCovered(project, folderAt(project, target), nameAt(project, from))) return undefined;
  return isReached(project, from, target) ? 'reached' : 'unseen';
}

function judgeFile(
  project: CheckedProject,
  from: number,
  { path, isUnclaimed }: { readonly path: RepoFolder; readonly isUnclaimed: (file: RepoPath) => boolean },
): JudgedReference['reason'] | undefined {
  const folder = path === '.' ? ('' as RepoFolder) : path;
  const target = owningMember(project.graph, folder) ?? 0;
  if (carriesFiles(project, from, target)) return undefined;
  if (areCovered(project, folder, nameAt(project, from))) return filesAt(project, folder).some(isUnclaimed) ? 'unclaimed' : undefined;
  if (isDocument(path)) return 'document';
  return isReached(project, from, target) ? 'reached' : 'unseen';
}

/**
 * Returns the edges that tributary.json should list, because no other edge or rule covers them. Documents, and unclaimed files, which
 * select everything, are listed only if code reads them, because a rule may claim them one day.
 */
export function edgesToList(project: CheckedProject, references: readonly JudgedReference[]): readonly FoundEdge[] {
  return references.flatMap(({ from, target, chain, reason }): readonly FoundEdge[] => {
    const isByCode = chain.every(({ file, line }) => line !== undefined && isCodeFile(file));
    if (reason !== 'unseen' && !(isByCode && (reason === 'document' || reason === 'unclaimed'))) return [];
    const to = target.kind === 'workspace' ? nameAt(project, target.member) : target.path;
    return [{ from: nameAt(project, from), kind: target.kind, to, proof: proofOf(chain) }];
  });
}

function proofOf(chain: readonly NamingStep[]): string {
  const last = chain.at(-1);
  return last === undefined ? '' : placeOf(last);
}

/** `a/x.ts:1`, or the path of a link. */
export function placeOf({ file, line }: Pick<NamingStep, 'file' | 'line'>): string {
  return line === undefined ? file : `${file}:${line}`;
}

/** Returns references through root files. Files that a workspace names itself are found by its scan. */
export function indirectFindings(project: CheckedProject, references: readonly JudgedReference[]): readonly IndirectReading[] {
  return references.flatMap(({ from, target, chain, reason }) => {
    if (chain.length < 2 || reason === 'unclaimed') return [];
    const member = target.kind === 'workspace' ? target.member : (owningMember(project.graph, target.path) ?? 0);
    return [
      {
        kind: 'indirect-reading',
        severity: reason === 'unseen' ? 'hole' : 'note',
        workspace: nameAt(project, from),
        reason,
        chain,
        path: target.kind === 'file' ? target.path : undefined,
        target: nameAt(project, member),
      },
    ];
  });
}

/** Returns the workspaces whose own scripts run scripts of others. Through root scripts it is a reference like any other. */
export function scriptFindings(project: CheckedProject, references: readonly JudgedReference[]): readonly ForeignScript[] {
  return references.flatMap(({ from, target, chain: [step, ...others], reason, script }) => {
    if (script === undefined || step === undefined || others.length > 0 || target.kind === 'file' || reason === 'unclaimed') return [];
    const { file, line = 1, specifier } = step;
    return [
      {
        kind: 'foreign-script',
        severity: reason === 'unseen' ? 'hole' : 'note',
        workspace: nameAt(project, from),
        file,
        line,
        specifier,
        reason,
        target: nameAt(project, target.member),
      },
    ];
  });
}

/** Tells whether `affected.edges` lists exactly this edge, or a folder with its file. */
export function isListed(edges: EdgesConfig, { from, kind, to }: FoundEdge): boolean {
  const reads = edges[from];
  if (reads === undefined) return false;
  return kind === 'workspace' ? reads.workspaces[to] !== undefined : Object.keys(reads.files).some((file) => isBelow(to, file));
}

type ReferenceFinding = UndeclaredImport | EscapingPath | EscapingSymlink | IndirectReading | ForeignScript | ObservedReading;

/** Tells whether a finding is about a reference. */
export function isReference(finding: Finding): finding is ReferenceFinding {
  return ['undeclared-import', 'escaping-path', 'escaping-symlink', 'indirect-reading', 'foreign-script', 'observed-reading'].includes(
    finding.kind,
  );
}

/** `affected.edges`, with the project that includes them in its graph. */
export interface ListedEdges {
  readonly whole: CheckedProject;
  readonly edges: EdgesConfig;
  readonly links: LinkTexts;
}

/** Returns the finding, as a note instead of a hole if edges of tributary.json cover it. */
export function markListed<F extends ReferenceFinding>(listed: ListedEdges, finding: F): F {
  if (finding.severity !== 'hole') return finding;
  const targets = targetsOf(listed, finding);
  const isListed = targets.length > 0 && targets.every((target) => isCarried(listed, finding.workspace, target));
  return isListed ? { ...finding, severity: 'note', reason: 'listed' } : finding;
}

function targetsOf({ whole: project, links }: ListedEdges, finding: ReferenceFinding): readonly ReadTarget[] {
  const path = 'path' in finding ? finding.path : undefined;
  const own = project.byName.get(finding.workspace);
  if (path !== undefined)
    return landingsOf(links, path === '.' ? ('' as RepoFolder) : path)
      .filter((landed) => owningMember(project.graph, landed) !== own)
      .flatMap((landed) => targetsAt(project, landed));
  const member = finding.target === undefined ? undefined : project.byName.get(finding.target);
  return member === undefined ? [] : [{ kind: 'workspace', member }];
}

function isCarried({ whole, edges }: ListedEdges, workspace: WorkspaceName, target: ReadTarget): boolean {
  const from = whole.byName.get(workspace) ?? -1;
  // The edges of the whole project include those of tributary.json, even edges to the root.
  if (target.kind === 'workspace') return whole.edges.has(`${from} ${target.member}`) || isReached(whole, from, target.member);
  const owner = owningMember(whole.graph, target.path) ?? 0;
  return isReached(whole, from, owner) || Object.keys(edges[workspace]?.files ?? {}).some((file) => isBelow(target.path, file));
}

/** Tells whether the edge to a file or folder covers another path. */
function isBelow(path: string, listed: string): boolean {
  return listed === '.' || isInside(path as RepoFolder, listed as RepoFolder);
}

/** The prefix of proofs by observation, which need not be in the sources. */
export const OBSERVED = 'observed: ';

/** Returns the listed edges for which nothing was found, in the order of the file. */
export function findStaleEdges(project: CheckedProject, edges: EdgesConfig, isRead: IsRead): readonly StaleEdge[] {
  return Object.entries(edges).flatMap(([reader, { workspaces, files }]) => {
    const from = project.byName.get(reader);
    const stale = (to: string, proof: string, missing: StaleEdge['missing'] | undefined): readonly StaleEdge[] =>
      missing === undefined || (missing === 'reading' && proof.startsWith(OBSERVED))
        ? []
        : [{ kind: 'stale-edge', severity: 'note', from: reader, to, proof, missing }];
    if (from === undefined)
      return [...Object.entries(workspaces), ...Object.entries(files)].flatMap(([to, proof]) => stale(to, proof, 'reader'));
    return [
      ...Object.entries(workspaces).flatMap(([to, proof]) => stale(to, proof, missingOf(project, isRead, { from, to }))),
      ...Object.entries(files).flatMap(([to, proof]) => stale(to, proof, missingFile(project, isRead, { from, to }))),
    ];
  });
}

/** Tells whether anything was found that a listed edge may stand for. */
export interface IsRead {
  readonly isWorkspaceRead: (from: number, target: number) => boolean;
  readonly isPathRead: (from: number, path: string) => boolean;
}

interface Listed {
  readonly from: number;
  readonly to: string;
}

function missingOf(project: CheckedProject, isRead: IsRead, { from, to }: Listed): StaleEdge['missing'] | undefined {
  const target = project.byName.get(to);
  if (target === undefined) return 'target';
  return isRead.isWorkspaceRead(from, target) || project.edges.has(`${from} ${target}`) ? undefined : 'reading';
}

function missingFile(project: CheckedProject, isRead: IsRead, { from, to }: Listed): StaleEdge['missing'] | undefined {
  const path = (to === '.' ? '' : to) as RepoFolder;
  if (!filesAt(project, path).some((file) => isInside(file, path))) return 'file';
  return isRead.isPathRead(from, to) ? undefined : 'reading';
}
