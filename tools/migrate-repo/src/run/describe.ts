import { shortRef } from '@tributary/model/ids';
import type { Duration } from '@tributary/model/time';
import type { Landing } from '../history/branch.js';
import type { DonePackage } from '../history/prove.js';
import type { Target } from '../io/target.js';
import type { LeftOut } from '../plan/facts.js';
import type { Plan, PlannedPackage } from '../plan/plan.js';
import { partsOf } from '../report/parts.js';
import type { MigrateResult, PackageResult } from '../result.js';
import type { Alignment } from './align.js';
import type { BuiltBranch } from './apply.js';

/** A run, told as the result that people and programs read. */
export function describeMigration(run: {
  readonly target: Target;
  readonly plan: Plan;
  readonly built: BuiltBranch | undefined;
  readonly done: readonly DonePackage[];
  readonly warnings: readonly string[];
  readonly elapsed: Duration;
}): MigrateResult {
  return {
    schemaVersion: 1,
    state: run.built === undefined ? 'planned' : 'migrated',
    branch: shortRef(run.plan.branch),
    base: run.target.facts.head,
    tip: run.built?.tip ?? null,
    strategy: run.plan.strategy,
    packages: run.plan.packages.map((planned, at) => describePackage(planned, run.done[at], run.built?.landings[at])),
    alignment: describeAlignment(run.built?.alignment),
    leftOut: run.plan.leftOut.map(describeLeftOut),
    warnings: run.warnings,
    milliseconds: run.elapsed,
  };
}

function describePackage(planned: PlannedPackage, done: DonePackage | undefined, landing: Landing | undefined): PackageResult {
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
      landing === undefined ? null : { merge: landing.merge, cleanUp: landing.cleanUp ?? null, registration: landing.registration ?? null },
  };
}

function describeAlignment(alignment: Alignment | undefined): MigrateResult['alignment'] {
  if (alignment === undefined) return null;
  return partsOf(alignment).flatMap(({ step, changes, decisions }) => {
    const commit = alignment.steps.find((one) => one.step === step);
    const isSilent = commit === undefined && changes.length + decisions.length === 0;
    const said = { changes: changes.map(onOneLine), decisions: decisions.map(onOneLine) };
    return isSilent ? [] : [{ step, commit: commit?.id ?? null, files: commit?.files ?? [], ...said }];
  });
}

/** A name or a range of a newcomer may hold anything; it must not begin a line, nor paint the terminal. */
function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

function describeLeftOut({ name, error }: LeftOut): MigrateResult['leftOut'][number] {
  return { name, code: error.code, message: error.message, hint: error.hint ?? null };
}
