import { nameOf } from '@tributary/lockfile/descriptors';
import { oneVersionConstraint } from '../align/constraint.js';
import type { LockedRequestOutcome } from '../align/lock/request-outcomes.js';
import { meant } from '../align/lock/without-answered.js';
import { byWeight, type Moved } from '../align/version-change.js';
import type { DeclarationRow } from '../align/version-table.js';
import type { Alignment } from '../alignment.js';
import type { DeclarationResult, LockedResult } from '../result/aligned-result.js';
import type { MigrateResult } from '../result/result.js';
import { countOutcomes } from './lock-part.js';

type ConsequencesResult = Pick<MigrateResult, 'replaced' | 'dependencies' | 'locked' | 'constraint'>;

/** Returns the consequences of the alignment as data. */
export function describeConsequences(alignment: Alignment | undefined): ConsequencesResult {
  if (alignment === undefined) return { replaced: null, dependencies: null, locked: null, constraint: null };
  const { consequences, lock } = alignment;
  return {
    replaced: consequences.replaced,
    dependencies: consequences.tables.map(({ name, rows }) => ({ name, declarations: rows.map(describeRow) })),
    locked: lock === undefined ? null : describeLocked(lock.outcomes),
    constraint: oneVersionConstraint(consequences.exceptions),
  };
}

function describeRow({ workspace, block, isNew, range, locked, change, widensFor, left, policy }: DeclarationRow): DeclarationResult {
  return {
    workspace: workspace.name,
    block,
    isNew,
    range: range.from,
    newRange: range.to === range.from ? null : range.to,
    locked: locked ?? null,
    change: change ?? null,
    widensForConsumers: widensFor === 'consumers',
    left: left ?? null,
    policy: policy ?? null,
  };
}

function describeLocked(outcomes: readonly LockedRequestOutcome[]): LockedResult {
  const changed = outcomes.flatMap(({ descriptor, change, others, by, direct, outcome }) =>
    change === undefined ? [] : [{ request: descriptor, change, others, packages: by, isDirect: direct, fate: outcome }],
  );
  return {
    requests: outcomes.length,
    counts: countOutcomes(outcomes).flatMap(({ outcome, count }) => (count === 0 ? [] : [{ fate: outcome, count }])),
    changed: changed.sort((one, other) => Number(other.isDirect) - Number(one.isDirect) || byWeight(movedBy(one), movedBy(other))),
  };
}

function movedBy({ request, change }: LockedResult['changed'][number]): Moved {
  return { name: nameOf(meant(request)), change };
}
