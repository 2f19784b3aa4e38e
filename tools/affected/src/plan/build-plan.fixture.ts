import { affectedOf } from '../gate/proof.fixture.js';
import type { AffectedReason, AffectedResult } from '../result.js';
import { hashingOf } from './hashing.fixture.js';
import type { PlanInput } from './plan-input.js';
import type { PlannedWorkspace } from './upstream.js';

/** FOR TESTS. Returns a workspace in a folder of `packages`. */
export function workspaceOf(
  name: string,
  scripts: Readonly<Record<string, string>>,
  dependencies: readonly string[] = [],
): PlannedWorkspace {
  return { name, path: `packages/${name}`, scripts: new Map(Object.entries(scripts)), dependencies, needs: dependencies, isRuled: false };
}

/** FOR TESTS. The reason of a workspace in which a file changed. */
export const FILE: AffectedReason = { kind: 'file', file: 'x', others: 0 };

/** FOR TESTS. Returns an answer that selects workspaces, because a file of each changed if no reason is given. */
export function affectedBy(names: readonly string[], reasons: readonly AffectedReason[] = [FILE]): AffectedResult {
  const affected = affectedOf(names);
  return { ...affected, workspaces: affected.workspaces.map((one) => ({ ...one, reasons })) };
}

/**
 * FOR TESTS. Returns the input of a plan of the task `test`, which needs the builds of all dependencies. All given workspaces are affected,
 * nothing is known of their times, and a plan has one shard.
 */
export function planInput(workspaces: readonly PlannedWorkspace[], more: Partial<PlanInput> = {}): PlanInput {
  return {
    affected: affectedBy(workspaces.map(({ name }) => name)),
    task: 'test',
    workspaces,
    turboTasks: new Map([
      ['build', ['^build']],
      ['test', ['^build']],
    ]),
    hashing: hashingOf({ tasks: { build: {}, test: {} } }),
    timings: new Map(),
    testFiles: new Map(),
    listedFiles: new Map(),
    fileTimes: new Map(),
    shardRequest: { setupSeconds: 60, maxShards: 20, shards: 1 },
    base: { workspaces, turboTasks: new Map([['test', []]]), leftBehind: new Map() },
    agreed: { dropped: [], named: [] },
    ...more,
  };
}
