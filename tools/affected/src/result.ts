import type { AllReason } from '@tributary/model/changeset';
import type { AffectedConfig, FileRule } from '@tributary/model/config';
import type { AffectedAnswer, AffectedMember, AffectedReason, DirectReason } from '@tributary/workspaces/affected';
import type { LinkKind } from '@tributary/workspaces/ranges';
import type { MutantKind } from './audit/mutant.js';
import type { FoundEdge } from './check/edges.js';
import type { Finding } from './check/finding.js';
import type { LedgerVerdict } from './shadow/judge-ledger.js';
import type { LedgerEntry } from './shadow/ledger.js';

/** What `affected --json` prints. Schema: `schema/affected-result.schema.json`; a change of shape is a new version. */
export interface AffectedResult {
  readonly schemaVersion: 1;
  /** The commit that was compared with; `null` where only the names of files were given, or where it is not known. */
  readonly base: string | null;
  /** `null` only where `--fallback all` took the place of a failure. */
  readonly head: string | null;
  /** Where the head left the base, and what the files are counted from. */
  readonly mergeBase: string | null;
  /** Not `null`: every workspace is affected, for this one reason. */
  readonly all: AllReason | null;
  /** Ordered by path, the root (`.`) first. */
  readonly workspaces: readonly AffectedWorkspace[];
  /** How many workspaces there are, the root included. */
  readonly workspaceCount: number;
  /** Changed files outside of every workspace that no rule knows. */
  readonly unclaimedFiles: readonly string[];
  /** Only with observations that spare a workspace: ordered by path. */
  readonly spared?: readonly { readonly name: string; readonly path: string; readonly reason: string }[];
  readonly warnings: readonly string[];
}

export interface AffectedWorkspace {
  readonly name: string;
  /** From the root of the project; `.` for the root itself. */
  readonly path: string;
  /** Its own reasons first; at least one. */
  readonly reasons: readonly AffectedReason[];
}

export type { AffectedReason, DirectReason };

/** What was compared, and what is to be said beside the answer. */
export interface Compared {
  readonly base: string | null;
  readonly head: string;
  readonly mergeBase: string | null;
  readonly warnings: readonly string[];
}

export function buildResult(answer: AffectedAnswer, { base, head, mergeBase, warnings }: Compared): AffectedResult {
  const workspaces = answer.members.map((member: AffectedMember) => (member.path === '' ? { ...member, path: '.' } : member));
  const { all, memberCount, unclaimedFiles, spared } = answer;
  const result = {
    schemaVersion: 1,
    base,
    head,
    mergeBase,
    all,
    workspaces,
    workspaceCount: memberCount,
    unclaimedFiles,
    warnings,
  } as const;
  return spared === undefined ? result : { ...result, spared: spared.map((one) => ({ ...one, path: one.path === '' ? '.' : one.path })) };
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
  /** For one that is not affected: how many workspaces it depends on, at any distance, and which others have changed themselves. */
  readonly whyNot: { readonly dependsOn: number; readonly changed: readonly string[] } | null;
  /** Of one that observations spare: the reason. */
  readonly spared?: string;
  /** `steps`: those of a reason that leads through others, from the workspace itself on; empty for a direct reason. */
  readonly reasons: readonly { readonly reason: AffectedReason; readonly steps: readonly WhyStep[] }[];
  readonly warnings: readonly string[];
}

export interface WhyStep {
  readonly from: string;
  readonly to: string;
  /** How `from` asks for `to` at the head; empty where only the base has it. */
  readonly edges: readonly {
    /** `read`: `affected.edges` of tributary.json says so. `proof`: the place that it names, or the task of turbo.json; no other has one. */
    readonly field: 'dependency' | 'dev' | 'peer' | 'optional' | 'read';
    readonly through: readonly string[];
    readonly proof?: string;
  }[];
}

/** What `affected replay --json` prints. Schema: `schema/replay-result.schema.json`. */
export interface ReplayResult {
  readonly schemaVersion: 1;
  readonly head: string;
  /** From the newest to the oldest. */
  readonly commits: readonly ReplayedCommit[];
  readonly policies: readonly PolicyFigures[];
  readonly warnings: readonly string[];
}

/** One commit of the first-parent history, compared with the one before it. */
export interface ReplayedCommit {
  readonly commit: string;
  readonly workspaceCount: number;
  readonly affected: number;
  /** The same with `dev: "terminal"`. */
  readonly affectedTerminal: number;
  readonly all: AllReason | null;
  readonly milliseconds: number;
}

/** What a policy would have run, against running everything. */
export interface PolicyFigures {
  readonly policy: 'everything' | 'transitive' | 'terminal';
  /** Tests of workspaces, all commits together. */
  readonly runs: number;
  /** Parts of one, of the workspaces of each commit. */
  readonly mean: number;
  readonly median: number;
  readonly p90: number;
  /** Commits that would have run everything. */
  readonly all: number;
}

/** What `affected shadow --json` prints. Schema: `schema/shadow-result.schema.json`. */
export interface ShadowResult extends LedgerVerdict {
  readonly schemaVersion: 1;
  /** What was added to the ledger; not there where only the ledger was asked for. */
  readonly entry?: LedgerEntry;
  readonly warnings: readonly string[];
}

/** What `affected audit --json` prints. Schema: `schema/audit-result.schema.json`. */
export interface AuditResult {
  readonly schemaVersion: 1;
  /** The commit that was copied. */
  readonly head: string;
  readonly task: string;
  readonly seed: number;
  readonly observed: 'off' | 'narrow';
  /** How many workspaces have the task, and pass without a change. */
  readonly workspaces: number;
  /** Those whose task failed without a change: they are left out. Ordered. */
  readonly unstable: readonly string[];
  readonly mutants: readonly AuditedMutant[];
  /** Mutants that made a task fail. */
  readonly killed: number;
  /** Of these, mutants for which a workspace was left out. */
  readonly trials: number;
  /** Of these, mutants with a failure that was not selected. */
  readonly missed: number;
  /** Upper 95 % bound of the share of trials that miss a failure. */
  readonly bound: number;
  readonly warnings: readonly string[];
}

/** One change, and what became of it. The same seed and number make the same one. */
export interface AuditedMutant {
  /** From 1. */
  readonly number: number;
  readonly kind: MutantKind;
  readonly file: string;
  /** From 1; `null` of a package. */
  readonly line: number | null;
  /** The line, or the package with its version. */
  readonly before: string;
  readonly after: string;
  /** How many workspaces were selected. */
  readonly selected: number;
  /** `stopped`: the tests did not end in time, or could not begin; nothing is known. */
  readonly outcome: 'killed' | 'survived' | 'stopped';
  /** Workspaces whose task failed. Ordered. */
  readonly failed: readonly string[];
  /** Those of them that failed twice, and were not selected. */
  readonly missed: readonly string[];
}

/** What `affected tune --json` prints. Schema: `schema/tune-result.schema.json`. */
export interface TuneResult {
  readonly schemaVersion: 1;
  readonly head: string;
  /** How many commits were replayed. */
  readonly commits: number;
  readonly before: TunedFigures;
  /** With all proposals. */
  readonly after: TunedFigures;
  /** Those that save most first. */
  readonly proposals: readonly TuneProposal[];
  /** Why everything would still run, the most frequent first. */
  readonly left: readonly { readonly code: string; readonly subject: string | null; readonly commits: number }[];
  /** Whether the proposals stand in tributary.json now. */
  readonly written: readonly TuneProposal[];
  readonly warnings: readonly string[];
}

export interface TunedFigures {
  /** Commits that ran everything. */
  readonly all: number;
  /** Mean share of the workspaces that a commit selected, a part of one. */
  readonly mean: number;
}

/** One entry for tributary.json. `commits`: how many would run less; `saves`: how much of the mean share, a part of one. */
export type TuneProposal = (
  | { readonly kind: 'rule'; readonly rule: FileRule }
  | { readonly kind: 'root-only-dependency'; readonly name: string; readonly because: string }
) & { readonly commits: number; readonly saves: number };

/** What `affected graph --format json` prints. Schema: `schema/graph-result.schema.json`. */
export interface GraphResult {
  readonly schemaVersion: 1;
  /** Ordered by path, the root (`.`) first. `affected`: `null` where no change was asked about. */
  readonly workspaces: readonly { readonly name: string; readonly path: string; readonly affected: boolean | null }[];
  readonly edges: readonly GraphEdge[];
}

export interface GraphEdge {
  /** The dependent. */
  readonly from: string;
  readonly to: string;
  readonly field: 'dependency' | 'dev' | 'peer' | 'optional' | 'read';
  /**
   * How the range leads there; `name`: a peer, or one that `resolutions` lead there; `package`: by way of third-party packages;
   * `configured`: `affected.edges` of tributary.json, or a task of turbo.json.
   */
  readonly kind: LinkKind | 'name' | 'package' | 'configured';
  /** As in the manifest; `null` for kinds that no range of it shows. */
  readonly range: string | null;
  readonly through: readonly string[];
  /** The place that proves a configured edge; no other has it. */
  readonly proof?: string;
}

/** What says whom a file counts for where its place does not, and how far a change goes. */
export interface RulesInForce {
  /** The first that matches a file decides; the built-in ones are asked about files outside of workspaces only. */
  readonly rules: readonly (FileRule & { readonly source: 'tributary.json' | 'turbo.json' | 'built-in' })[];
  /** Patterns for the dependencies of the root that count for the root alone. */
  readonly rootOnlyDependencies: readonly string[];
  /** Names that are in every answer. */
  readonly always: readonly string[];
  readonly dev: AffectedConfig['dev'];
}

/** What workspaces read that no manifest and no rule says. */
interface EdgesChecked {
  /** What `affected.edges` of tributary.json should list; `listed`: it does. */
  readonly edges: readonly (FoundEdge & { readonly listed: boolean })[];
  /** Only with `--fix`: what was changed in tributary.json; `renewed`: another proof was written. */
  readonly fixed?: Readonly<Record<'added' | 'renewed' | 'removed', readonly FoundEdge[]>>;
}

/** What `affected check --json` prints. Schema: `schema/check-result.schema.json`. */
export interface CheckResult extends RulesInForce, EdgesChecked {
  readonly schemaVersion: 1;
  /** The commit that was looked at. */
  readonly head: string;
  /** Holes first, then by kind and place. */
  readonly findings: readonly Finding[];
  /** How many code and settings files were too large to be read. */
  readonly skippedFiles: number;
  readonly warnings: readonly string[];
}
