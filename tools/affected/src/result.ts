import type { AllReason } from '@tributary/model/changeset';
import type { FileRule } from '@tributary/model/config';
import type { AffectedAnswer, AffectedMember, AffectedReason, DirectReason, FileRow } from '@tributary/workspaces/affected';
import type { FoundEdge } from './check/edges.js';
import type { Finding } from './check/finding.js';

/** What `affected --json` prints. Schema: `schema/affected-result.schema.json`; a change of shape is a new version. */
export interface AffectedResult {
  readonly schemaVersion: 1;
  /** The base commit; `null` if only file names were given, or if it is unknown. */
  readonly base: string | null;
  /** `null` only if `--fallback all` replaced a failure. */
  readonly head: string | null;
  /** The merge base of head and base, from which the changed files are counted. */
  readonly mergeBase: string | null;
  /** Not `null`: every workspace is affected, for this reason. */
  readonly all: AllReason | null;
  /** Ordered by path, the root (`.`) first. */
  readonly workspaces: readonly AffectedWorkspace[];
  /** The number of workspaces, including the root. */
  readonly workspaceCount: number;
  /** Changed files outside every workspace that no rule matches. */
  readonly unclaimedFiles: readonly string[];
  readonly warnings: readonly string[];
}

export interface AffectedWorkspace {
  readonly name: string;
  /** Relative to the project's root; `.` for the root itself. */
  readonly path: string;
  /** At least one; direct reasons first. */
  readonly reasons: readonly AffectedReason[];
}

export type { AffectedReason, DirectReason };

/** The compared commits, with the warnings for the answer. */
export interface Compared {
  readonly base: string | null;
  readonly head: string;
  readonly mergeBase: string | null;
  readonly warnings: readonly string[];
}

export function buildResult(answer: AffectedAnswer, { base, head, mergeBase, warnings }: Compared): AffectedResult {
  const workspaces = answer.members.map((member: AffectedMember) => (member.path === '' ? { ...member, path: '.' } : member));
  const { all, memberCount, unclaimedFiles } = answer;
  return {
    schemaVersion: 1,
    base,
    head,
    mergeBase,
    all,
    workspaces,
    workspaceCount: memberCount,
    unclaimedFiles,
    warnings,
  };
}

/** What `affected why --json` prints. Schema: `schema/why-result.schema.json`. */
export interface WhyResult {
  readonly schemaVersion: 1;
  readonly base: string | null;
  readonly head: string | null;
  readonly mergeBase: string | null;
  readonly all: AllReason | null;
  readonly name: string;
  readonly path: string;
  readonly affected: boolean;
  /**
   * If it is not affected: the number of workspaces that it depends on at any distance, those of them that are affected in nothing that
   * dependents are known to use, and the workspaces that changed themselves.
   */
  readonly whyNot: { readonly dependsOn: number; readonly apart: readonly string[]; readonly changed: readonly string[] } | null;
  /** `steps`: the way of an indirect reason, beginning at the workspace; empty for a direct reason. */
  readonly reasons: readonly { readonly reason: AffectedReason; readonly steps: readonly WhyStep[] }[];
  readonly warnings: readonly string[];
}

export interface WhyStep {
  readonly from: string;
  readonly to: string;
  /** The edges from `from` to `to` at the head; empty if only the base has some. */
  readonly edges: readonly {
    /**
     * `read`: from sources, `affected.edges` of tributary.json or a task of turbo.json. Only these have a `proof`: the place that
     * tributary.json names, or the task.
     */
    readonly field: 'dependency' | 'dev' | 'peer' | 'optional' | 'read';
    readonly through: readonly string[];
    readonly proof?: string;
  }[];
}

/** The workflow that past pull requests are assumed to have run in. */
export interface AssumedWorkflow {
  /** `null`: none is assumed, and CI files count as in other answers. */
  readonly path: string | null;
  /** The workflows of GitHub that can test pull requests: if there is one, it is assumed. `null` if `--workflow` names one. */
  readonly testing: readonly string[] | null;
}

/** What `affected replay --json` prints. Schema: `schema/replay-result.schema.json`. */
export interface ReplayResult {
  readonly schemaVersion: 1;
  readonly head: string;
  readonly workflow: AssumedWorkflow;
  /** Newest first. */
  readonly commits: readonly ReplayedCommit[];
  readonly policies: readonly PolicyFigures[];
  readonly warnings: readonly string[];
}

/** One commit of the first-parent history, compared with its parent. */
export interface ReplayedCommit {
  readonly commit: string;
  /** Without the root, also in `affected`. */
  readonly workspaceCount: number;
  readonly affected: number;
  readonly all: AllReason | null;
  readonly milliseconds: number;
}

/** What a policy would have run, compared with running everything. */
export interface PolicyFigures {
  readonly policy: 'everything' | 'transitive';
  /** The number of selected workspaces over all commits. */
  readonly runs: number;
  /** From 0 to 1: shares of the workspaces of each commit. */
  readonly mean: number;
  readonly median: number;
  readonly p90: number;
  /** The number of commits that would have run everything. */
  readonly all: number;
}

/** What `affected tune --json` prints. Schema: `schema/tune-result.schema.json`. */
export interface TuneResult {
  readonly schemaVersion: 1;
  readonly head: string;
  readonly workflow: AssumedWorkflow;
  /** The number of replayed commits. */
  readonly commits: number;
  readonly before: TunedFigures;
  /** With all proposals. */
  readonly after: TunedFigures;
  /** By savings, the largest first. */
  readonly proposals: readonly TuneProposal[];
  /** What the kinds of `affected.reach` save today, the largest first. */
  readonly reach: readonly ReachSaving[];
  /** What still selects workspaces, with all proposals, by share. */
  readonly left: readonly TuneCause[];
  /** The proposals that were written to tributary.json. */
  readonly written: readonly TuneProposal[];
  readonly warnings: readonly string[];
}

/** What selects workspaces over the commits, such as a file of the root, a workspace with its dependents, or a package of the lockfile. */
export interface TuneCause {
  /** That of "everything", in capitals; or the kind of the reason. */
  readonly code: string;
  /** The file, workspace or package. */
  readonly subject: string | null;
  readonly commits: number;
  /** Its part of the mean share, from 0 to 1. */
  readonly share: number;
  /** A sentence: what would narrow it, or why nothing does. */
  readonly narrows: string;
}

/** `commits`: how many select less because of the kind; `saves`: the reduction of the mean share, from 0 to 1. */
export interface ReachSaving {
  readonly kind: FileRow;
  readonly commits: number;
  readonly saves: number;
}

export interface TunedFigures {
  /** As in the figures of `affected replay`. */
  readonly all: number;
  readonly mean: number;
}

/** One entry for tributary.json. `commits`: how many would run less; `saves`: the reduction of the mean share, from 0 to 1. */
export interface TuneProposal {
  readonly kind: 'rule';
  readonly rule: FileRule;
  readonly commits: number;
  readonly saves: number;
}

/** The rules that decide which workspaces a file selects. */
export interface RulesInForce {
  /** The first rule that matches a file decides. Built-in rules apply only to files outside workspaces. */
  readonly rules: readonly (FileRule & { readonly source: 'tributary.json' | 'turbo.json' | 'built-in' })[];
  /** Patterns for dependencies of the root that select only the root. */
  readonly rootOnlyDependencies: readonly string[];
  /** Names of workspaces that every answer includes. */
  readonly always: readonly string[];
}

/** What commands were observed to read, and no source shows. */
interface EdgesChecked {
  /** The edges that `affected.edges` of tributary.json should list. */
  readonly edges: readonly FoundEdge[];
  /** Only with `--fix`: the changes in tributary.json. */
  readonly fixed?: Readonly<Record<'added' | 'removed', readonly FoundEdge[]>>;
}

/** What `affected check --json` prints. Schema: `schema/check-result.schema.json`. */
export interface CheckResult extends RulesInForce, EdgesChecked {
  readonly schemaVersion: 1;
  /** The checked commit. */
  readonly head: string;
  /** Holes first, then by kind and place. */
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
}
