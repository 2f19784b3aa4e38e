import type { FileRule } from '@tributary/model/config';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { EdgeField } from '@tributary/workspaces/dependency-graph';

/** `hole`: an answer of `affected` may miss a test. `note`: for information. */
type Severity = 'hole' | 'note';

interface FindingOf<Kind extends string> {
  readonly kind: Kind;
  readonly severity: Severity;
}

/** Where in the repository; `line` from 1. */
interface InFile {
  readonly workspace: WorkspaceName;
  readonly file: RepoPath;
  readonly line: number;
  /** As written. */
  readonly specifier: string;
}

/**
 * Why a reading across workspaces is a hole (`unseen`: no edge leads from the workspace to what it reads) or only a note: `reached`: other
 * edges lead there; `fixture`: material of a test; `own-manifest`: another package.json, that of no workspace, stands between;
 * `root-setting`: a setting of the root names its members; `document`: text for people; `outside`: it lies out of the project; `listed`:
 * `affected.edges` of tributary.json has it.
 */
export type ReadingReason = 'unseen' | 'reached' | 'fixture' | 'own-manifest' | 'root-setting' | 'document' | 'outside' | 'listed';

/** A workspace names another one that its manifest does not declare. */
export interface UndeclaredImport extends FindingOf<'undeclared-import'>, InFile {
  readonly reason: ReadingReason;
  readonly target: WorkspaceName;
  /** The root's declaration makes it resolve, but is no edge of this workspace. */
  readonly declaredBy: 'root' | 'nobody';
}

/** A path of a workspace leads into another workspace, or out of all of them. */
export interface EscapingPath extends FindingOf<'escaping-path'>, InFile {
  readonly reason: ReadingReason;
  /** From the root of the project; `undefined`: it leaves the project. A pattern is cut before its first wildcard. */
  readonly path: RepoFolder | undefined;
  /** The workspace that owns it; the root for what lies in no other; `undefined`: outside of the project, or a folder above several. */
  readonly target: WorkspaceName | undefined;
}

/** A symbolic link of a workspace leads out of it. */
export interface EscapingSymlink extends FindingOf<'escaping-symlink'> {
  readonly reason: ReadingReason;
  readonly workspace: WorkspaceName;
  readonly file: RepoPath;
  readonly path: RepoFolder | undefined;
  readonly target: WorkspaceName | undefined;
}

/** A file that names the next one, or what is read in the end. */
interface NamingStep {
  readonly file: RepoPath;
  /** From 1; `undefined` for a symbolic link, which names something as a whole. */
  readonly line: number | undefined;
  readonly specifier: string;
}

/** A workspace reads files of the root, which import something else, that it reads so too. */
export interface IndirectReading extends FindingOf<'indirect-reading'> {
  readonly workspace: WorkspaceName;
  readonly reason: ReadingReason;
  /** From a file of the workspace on, two or more. */
  readonly chain: readonly NamingStep[];
  /** From the root of the project, a file or a folder; `undefined`: a workspace as a whole. */
  readonly path: RepoFolder | undefined;
  /** The workspace that is read; the root for what lies in no other. */
  readonly target: WorkspaceName;
}

/** A script of a workspace runs a script of another one that its manifest does not declare. */
export interface ForeignScript extends FindingOf<'foreign-script'>, InFile {
  readonly reason: ReadingReason;
  readonly target: WorkspaceName;
}

/** A command of a workspace read files of another one, or of none, as `affected trace` saw it; nothing declares that. */
export interface ObservedReading extends FindingOf<'observed-reading'> {
  readonly workspace: WorkspaceName;
  readonly reason: ReadingReason;
  /** The first of the files. */
  readonly path: RepoPath;
  /** How many there are. */
  readonly files: number;
  /** The workspace that is read; the root for what lies in no other. */
  readonly target: WorkspaceName;
  readonly command: string;
  /** The declaration that is missing. */
  readonly missing: string;
}

/**
 * `affected.edges` of tributary.json lists something that was not found. `reader` and `target`: it is no workspace; `file`: nothing is
 * tracked there; `reading`: no source shows that it is read, as where a program puts a path together.
 */
export interface StaleEdge extends FindingOf<'stale-edge'> {
  /** As it is written, as `to` is. */
  readonly from: string;
  readonly to: string;
  readonly proof: string;
  readonly missing: 'reader' | 'target' | 'file' | 'reading';
}

/** Paths that are one on a file system that does not tell upper from lower case, or composed from decomposed letters. */
export interface CaseTwins extends FindingOf<'case-twins'> {
  /** Two or more, ordered. A hole if they have different owners. */
  readonly paths: readonly RepoPath[];
}

/** Workspaces that all depend on each other. */
export interface Cycle extends FindingOf<'cycle'> {
  /** Ordered by path; two or more. */
  readonly workspaces: readonly WorkspaceName[];
  /** The fields of the edges inside, each once, ordered. */
  readonly fields: readonly EdgeField[];
  /** `needed`: without dev edges there is no cycle among them. */
  readonly dev: 'needed' | 'not-needed';
  /** One of the shortest cycles: each depends on the next and the last on the first. */
  readonly chain: readonly WorkspaceName[];
}

/** The lockfile says something else than the manifests: it is older, `yarn install` is to be run. */
export interface StaleLock extends FindingOf<'stale-lock'> {
  readonly workspace: WorkspaceName;
  readonly problem: StaleProblem;
}

export type StaleProblem =
  | { readonly what: 'workspace-missing' | 'workspace-extra' }
  | { readonly what: 'workspace-moved'; readonly lockPath: RepoFolder; readonly path: RepoFolder }
  | { readonly what: 'edge-missing' | 'edge-extra'; readonly to: WorkspaceName }
  /** `undefined`: not there. */
  | { readonly what: 'range'; readonly name: string; readonly inLock: string | undefined; readonly inManifest: string | undefined };

/** With `dev: "terminal"` this dev edge stays transitive: what is built of the workspace depends on it. */
export interface UnsafeDevEdge extends FindingOf<'unsafe-dev-edge'> {
  readonly workspace: WorkspaceName;
  readonly dependency: WorkspaceName;
  readonly why: 'script' | 'source' | 'build-setting' | 'root-setting';
  readonly file: RepoPath;
  readonly line: number | undefined;
  /** The script, or what the file says. */
  readonly detail: string;
}

/** A rule of tributary.json that matches no tracked file. */
export interface IdleRule extends FindingOf<'idle-rule'>, FileRule {}

/** `affected.dropped` names a task that its workspace has: the entry would let it be lost unseen. */
export interface IdleDrop extends FindingOf<'idle-drop'> {
  readonly workspace: string;
  readonly task: string;
}

/** tributary.json names a workspace that does not exist: whatever it is about counts for everybody. */
export interface UnknownWorkspace extends FindingOf<'unknown-workspace'> {
  readonly name: string;
  /** The files of the rule that names it; `undefined`: `affected.always` does. */
  readonly files: readonly string[] | undefined;
}

/** Tests read a file by its path that `inputs` in turbo.json leave out of what turborepo hashes for them. A hole if it is their own workspace's. */
export interface NarrowInputs extends FindingOf<'narrow-inputs'>, InFile {
  /** The file that is read. */
  readonly path: RepoPath;
  /** The task whose inputs leave it out, as turborepo calls it: `@acme/ui#build`. */
  readonly task: string;
}

/**
 * What traced runs of tests read is not what turborepo hashes for them. `not-hashed`: it was read, and turborepo may replay a result of
 * another state; a hole if it is their own workspace's. `not-read`: it is hashed, and no run read it.
 */
export interface ObservedInputs extends FindingOf<'observed-inputs'> {
  readonly workspace: WorkspaceName;
  readonly task: string;
  readonly what: 'not-hashed' | 'not-read';
  /** The first of the files. */
  readonly path: RepoPath;
  /** How many there are. */
  readonly files: number;
  /** The entry of `inputs` in turbo.json that is missing. */
  readonly add: string;
}

/** What an entry of tributary.json gives as its reason (`because`) does not hold any more. */
export interface BrokenPromise extends FindingOf<'broken-promise'> {
  /** The globs of the rule, or the name in `rootOnlyDependencies`. */
  readonly subject: string;
  readonly because: string;
  /** What was found in its place. */
  readonly evidence: string;
}

/** What `affected check` can find. */
export type Finding =
  | UndeclaredImport
  | EscapingPath
  | EscapingSymlink
  | IndirectReading
  | ForeignScript
  | ObservedReading
  | StaleEdge
  | CaseTwins
  | Cycle
  | StaleLock
  | UnsafeDevEdge
  | IdleRule
  | IdleDrop
  | UnknownWorkspace
  | BrokenPromise
  | NarrowInputs
  | ObservedInputs;

const KINDS: readonly Finding['kind'][] = [
  'unknown-workspace',
  'broken-promise',
  'stale-lock',
  'undeclared-import',
  'escaping-path',
  'escaping-symlink',
  'indirect-reading',
  'foreign-script',
  'observed-reading',
  'case-twins',
  'narrow-inputs',
  'observed-inputs',
  'unsafe-dev-edge',
  'cycle',
  'idle-rule',
  'idle-drop',
  'stale-edge',
];

/** Holes first, then by kind, place and text: one order whatever order they were found in. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  const keyed = findings.map((finding) => ({ finding, key: sortKey(finding) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))).map(({ finding }) => finding);
}

function sortKey(finding: Finding): string {
  const rank = `${finding.severity === 'hole' ? 0 : 1}${KINDS.indexOf(finding.kind)}`;
  return [rank, ...place(finding), JSON.stringify(finding)].join('\0');
}

function place(finding: Finding): readonly string[] {
  switch (finding.kind) {
    case 'unknown-workspace':
      return [finding.name];
    case 'broken-promise':
      return [finding.subject];
    case 'idle-rule':
      return finding.files;
    case 'case-twins':
      return finding.paths;
    case 'cycle':
      return finding.workspaces;
    case 'stale-lock':
    case 'idle-drop':
      return [finding.workspace];
    case 'escaping-symlink':
      return [finding.workspace, finding.file];
    case 'indirect-reading':
    case 'observed-reading':
      return [finding.workspace, finding.target, finding.path ?? ''];
    case 'stale-edge':
      return [finding.from, finding.to];
    case 'observed-inputs':
      return [finding.workspace, finding.task, finding.what, finding.path];
    case 'unsafe-dev-edge':
      return [finding.workspace, finding.dependency];
    case 'undeclared-import':
    case 'foreign-script':
    case 'escaping-path':
    case 'narrow-inputs':
      return [finding.workspace, finding.file, String(finding.line).padStart(9, '0')];
  }
}
