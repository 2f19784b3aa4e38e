import type { FileRule } from '@tributary/model/config';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import type { Place } from '@tributary/references/own-references';
import type { Reading } from '@tributary/references/reading-search';

/** `hole`: `affected check` fails, because somebody should mend it. `note`: information. */
type Severity = 'hole' | 'note';

interface FindingOf<Kind extends string> {
  readonly kind: Kind;
  readonly severity: Severity;
}

/** A place in the repository; `line` from 1. */
interface InFile {
  readonly workspace: WorkspaceName;
  readonly file: RepoPath;
  readonly line: number;
  /** As in the source. */
  readonly specifier: string;
}

/** A workspace refers to another one that its manifest does not declare. Answers still follow it. */
export interface UndeclaredReference extends FindingOf<'undeclared-reference'> {
  readonly workspace: WorkspaceName;
  readonly target: WorkspaceName;
  /** A file or folder with data; `undefined` for the workspace as a whole. */
  readonly path: RepoFolder | undefined;
  readonly by: Reading['by'];
  /** Begins with a file of the workspace; the last place names the target. The others are files outside of all workspaces. */
  readonly chain: readonly Place[];
}

/** A workspace may read any file below a folder: no text says which. */
export interface OpaquePlace extends FindingOf<'opaque-place'>, InFile {
  /** Relative to the project's root. */
  readonly path: RepoFolder;
}

/** A command of a workspace read files of another one, or of none, as `affected trace` observed; nothing declares that. */
export interface ObservedReading extends FindingOf<'observed-reading'> {
  readonly workspace: WorkspaceName;
  /** The first of the files. */
  readonly path: RepoPath;
  /** The number of files. */
  readonly files: number;
  /** The workspace that it reads; the root for files in no other workspace. */
  readonly target: WorkspaceName;
  readonly command: string;
  /** The missing declaration. */
  readonly missing: string;
}

/**
 * `affected.edges` of tributary.json lists an edge that says nothing. `reader` and `target`: it is not a workspace. `file`: nothing is
 * tracked there. `nothing`: answers follow what the sources say there without it.
 */
export interface StaleEdge extends FindingOf<'stale-edge'> {
  /** As in tributary.json, like `to`. */
  readonly from: string;
  readonly to: string;
  readonly proof: string;
  readonly missing: 'reader' | 'target' | 'file' | 'nothing';
}

/** A rule of tributary.json that matches no tracked file. */
export interface IdleRule extends FindingOf<'idle-rule'>, FileRule {}

/** `affected.dropped` names a task that its workspace has: the entry would hide its loss. */
export interface IdleDrop extends FindingOf<'idle-drop'> {
  readonly workspace: string;
  readonly task: string;
}

/** tributary.json names a workspace that does not exist. The entry therefore selects every workspace. */
export interface UnknownWorkspace extends FindingOf<'unknown-workspace'> {
  readonly name: string;
  /** The files of the rule with the name; `undefined` if `affected.always` has it. */
  readonly files: readonly string[] | undefined;
}

/** Tests read a file by its path that `inputs` in turbo.json exclude from the tests' hash. A hole if the file is in their own workspace. */
export interface NarrowInputs extends FindingOf<'narrow-inputs'>, InFile {
  /** The file that tests read. */
  readonly path: RepoPath;
  /** The task whose inputs exclude it, in turborepo's notation: `@acme/ui#build`. */
  readonly task: string;
}

/** What an entry of tributary.json gives as its reason (`because`) does not hold any more. */
export interface BrokenPromise extends FindingOf<'broken-promise'> {
  /** A glob of the rule. */
  readonly subject: string;
  readonly because: string;
  /** What was found instead. */
  readonly evidence: string;
}

/** The findings of `affected check`. */
export type Finding =
  | UndeclaredReference
  | ObservedReading
  | StaleEdge
  | IdleRule
  | IdleDrop
  | UnknownWorkspace
  | BrokenPromise
  | NarrowInputs
  | OpaquePlace;

const KINDS: readonly Finding['kind'][] = [
  'unknown-workspace',
  'broken-promise',
  'undeclared-reference',
  'observed-reading',
  'narrow-inputs',
  'idle-rule',
  'idle-drop',
  'stale-edge',
  'opaque-place',
];

/** Sorts holes first, then by kind, place and text, so that the order of the search does not matter. */
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
    case 'idle-drop':
      return [finding.workspace];
    case 'undeclared-reference':
    case 'observed-reading':
      return [finding.workspace, finding.target, finding.path ?? ''];
    case 'stale-edge':
      return [finding.from, finding.to];
    case 'opaque-place':
    case 'narrow-inputs':
      return [finding.workspace, finding.file, String(finding.line).padStart(9, '0')];
  }
}
