import { type CommitId, shortRef } from '@tributary/model/ids';
import { redactUrls } from '@tributary/model/repo-url';
import type { Duration } from '@tributary/model/time';
import type { SettingFinding } from '../align/settings/setting-input.js';
import type { Alignment } from '../alignment.js';
import { holdsCredential } from '../credentials.js';
import type { ImportCommits } from '../history/branch.js';
import type { HistoryChanges } from '../history/changes.js';
import type { DonePackage } from '../history/prove.js';
import type { Target } from '../io/target.js';
import { groupMessages } from '../message.js';
import type { LeftOutPackage } from '../plan/facts.js';
import type { MigrationPlan, PlannedPackage } from '../plan/plan.js';
import type { AlignedStepResult, DecisionResult, GroupedMessage, MigrateResult, PackageResult } from '../result/result.js';
import { onOneLine } from '../text.js';
import { carryOverPart } from './carry-over-part.js';
import { describeConsequences } from './consequences.js';
import { type AskedDecision, decisionsOf } from './decisions.js';
import { installPart } from './install-part.js';
import { internalPart } from './internal-part.js';
import { lockPart, olderQuestions, plannedLockPart, unlockedPart } from './lock-part.js';
import type { ReportPart } from './part.js';
import { phantomsPart } from './phantoms-part.js';
import { versionsPart } from './versions-part.js';

/** Returns the result of a run for people and programs. */
export function describeMigration(run: {
  readonly target: Target;
  readonly plan: MigrationPlan;
  /** `undefined` for a plan. */
  readonly built: { readonly tip: CommitId; readonly imports: readonly ImportCommits[] } | undefined;
  /** The alignment, done or planned. */
  readonly alignment: Alignment | undefined;
  readonly done: readonly DonePackage[];
  /** Changes of messages and signatures, done or planned, in the order of the plan. */
  readonly changes: readonly HistoryChanges[];
  readonly warnings: readonly string[];
  /** The decisions in tributary.json, by id. */
  readonly decided: Readonly<Record<string, string>>;
  readonly elapsed: Duration;
}): MigrateResult {
  const { alignment } = run;
  return {
    schemaVersion: 1,
    state: run.built === undefined ? 'planned' : 'migrated',
    branch: shortRef(run.plan.branch),
    base: run.target.facts.head,
    tip: run.built?.tip ?? null,
    strategy: run.plan.strategy,
    packages: run.plan.packages.map((planned, at) => ({
      ...describePackage(planned, run.done[at], run.built?.imports[at]),
      ...describeChanges(planned, run.changes[at]),
      lockfile: describeLock(alignment?.oldLocks.get(planned.source.request.name)),
    })),
    alignment: alignment === undefined ? null : describeAlignment(alignment, run.built === undefined ? 'would be' : 'is', run.decided),
    ...describeConsequences(alignment),
    installation: alignment?.installation ?? null,
    // Tests run later: the branch must exist first.
    tests: null,
    leftOut: run.plan.leftOut.map(describeLeftOut),
    warnings: run.warnings,
    milliseconds: run.elapsed,
  };
}

function describePackage(
  planned: PlannedPackage,
  done: DonePackage | undefined,
  commits: ImportCommits | undefined,
): Omit<PackageResult, 'lockfile' | 'messages' | 'falseSignatures'> {
  const { request, ref, tip } = planned.source;
  const tooEarly = done?.moved.leftOutTags ?? [];
  return {
    name: request.name,
    path: planned.path,
    source: request.url.toString(),
    sourceRef: ref,
    sourceCommit: tip,
    subdirectory: request.subdirectory ?? null,
    registration: planned.rootManifestText === undefined ? 'covered' : 'added',
    cleanUp: planned.cleanUp,
    tags: planned.tags.filter(({ name }) => !tooEarly.includes(name)).map(({ name, newName }) => ({ from: name, to: newName })),
    leftOutTags: [...planned.otherTags, ...tooEarly],
    proof:
      done === undefined ? null : { method: done.proof.method, ...done.proof.counts, tags: done.proof.tags, importedTip: done.moved.tip },
    commits:
      commits === undefined ? null : { merge: commits.merge, cleanUp: commits.cleanUp ?? null, registration: commits.registration ?? null },
  };
}

function describeChanges(
  { messages }: PlannedPackage,
  changes: HistoryChanges | undefined,
): Pick<PackageResult, 'messages' | 'falseSignatures'> {
  if (changes === undefined || messages === 'exact') return { messages: null, falseSignatures: changes?.signatures ?? 0 };
  const { signatures, messages: changed, samples, ...counts } = changes;
  const shown = samples.map(({ commit, before, after }) => ({ commit, before: shortLine(before), after: shortLine(after) }));
  return {
    messages: { repository: messages.repository?.name ?? null, changed, ...counts, samples: shown },
    falseSignatures: signatures,
  };
}

const LONGEST_LINE = 160;

/** Returns a line of a source's message without control characters and credentials, cut if too long. */
function shortLine(text: string): string {
  const line = printable(text);
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE - 1)}…`;
}

function describeLock(lock: PackageResult['lockfile'] | undefined): PackageResult['lockfile'] {
  return lock === undefined || lock === null ? null : { file: lock.file, kind: lock.kind };
}

/** Describes the steps of an alignment. For a plan, without commits, because those are discarded. */
export function describeAlignment(
  alignment: Alignment,
  state: 'is' | 'would be',
  decided: Readonly<Record<string, string>>,
): readonly AlignedStepResult[] {
  const parts = partsOf(alignment);
  const asked = decisionsOf(parts, alignment.planned === undefined ? parts : partsOf(alignment.planned));
  return parts.flatMap(({ step, changes }) => {
    const decisions = asked.get(step) ?? [];
    const commit = alignment.steps.find((one) => one.step === step);
    const isSilent = commit === undefined && changes.length + decisions.length === 0;
    const described = {
      changes: changes.map(describeMessage),
      decisions: decisions.map((decision) => describeDecision(decision, decided)),
    };
    return isSilent ? [] : [{ step, commit: (state === 'is' ? commit?.id : undefined) ?? null, files: commit?.files ?? [], ...described }];
  });
}

function describeDecision(decision: AskedDecision, decided: Readonly<Record<string, string>>): DecisionResult {
  const { id, risk, text, byDefault, toChange, findings } = decision;
  const why = decided[id];
  return {
    id,
    decided: why === undefined ? null : printable(why),
    risk,
    text: printable(text),
    byDefault: byDefault === null ? null : printable(byDefault),
    toChange: toChange === null ? null : printable(toChange),
    findings: findings.map(describeMessage),
  };
}

function describeMessage(message: GroupedMessage | string): GroupedMessage {
  if (typeof message === 'string') return { text: printable(message), about: [] };
  const about = message.about.map(({ package: name, place, detail }) => ({
    package: name,
    place: place === null ? null : printable(place),
    detail: detail === null ? null : printable(detail),
  }));
  return { text: printable(message.text), about };
}

/** Returns a line without control characters and credentials. */
function printable(text: string): string {
  const line = onOneLine(text);
  return holdsCredential(line) ? redactUrls(line) : line;
}

export function describeLeftOut({ name, error }: LeftOutPackage): MigrateResult['leftOut'][number] {
  return { name, code: error.code, message: error.message, hint: error.hint ?? null };
}

/** Returns the reports of the alignment steps, in order. */
function partsOf(alignment: Omit<Alignment, 'steps' | 'planned'> & Partial<Pick<Alignment, 'planned'>>): readonly ReportPart[] {
  const { internal, phantoms, versions, settings, carryOver, packed, lock, oldLocks } = alignment;
  const { replaced, tables, downgrades } = alignment.consequences;
  // Downgrades are reported once for all, with the lockfile.
  const newer = replaced.filter(({ change }) => change.direction === 'up');
  const manifests = [internalPart(internal, newer, lock?.answered ?? []), phantomsPart(phantoms), versionsPart(tables, versions)];
  const locked = lock === undefined ? withoutLock(alignment) : lockPart(lock, oldLocks);
  const shown = installPart(alignment);
  const decisions = [...olderQuestions(downgrades, alignment.planned?.consequences.downgrades), ...shown.decisions, ...locked.decisions];
  const install = { ...locked, decisions, changes: [...locked.changes, ...shown.changes] };
  return [...manifests, settingsPart(settings), carryOverPart(carryOver, packed, alignment.installation), install];
}

function withoutLock({ installation, oldLocks, unasked }: Pick<Alignment, 'installation' | 'oldLocks' | 'unasked'>): ReportPart {
  return installation === 'planned' ? plannedLockPart(unasked) : unlockedPart([...oldLocks.keys()]);
}

function settingsPart(findings: readonly SettingFinding[]): ReportPart {
  const located = findings.map((one) => ({ ...one, where: { package: one.importedPackage, place: one.setting } }));
  return {
    step: 'settings',
    decisions: located.flatMap(({ where, decision }) =>
      decision === undefined ? [] : [{ ...where, ...decision, topic: decision.topic ?? 'install-settings' }],
    ),
    changes: groupMessages(located.flatMap(({ where, outcome, done }) => (isChange(outcome) ? [{ ...where, ...done }] : []))),
  };
}

function isChange(outcome: SettingFinding['outcome']): boolean {
  return outcome === 'carried' || outcome === 'equal';
}
