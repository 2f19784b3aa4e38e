import type { Plan, Shard } from '../plan/plan.js';

/** Returns a plan with a shard for each number of seconds, `01` first. */
export function planOf(seconds: readonly number[]): Plan {
  const shards = seconds.map((time, at): Shard => {
    const piece = { workspace: `@acme/a.b+c-${at}`, part: null, seconds: time, fresh: false, changed: 0 };
    return { id: String(at + 1).padStart(2, '0'), seconds: time, builds: 0, pieces: [piece] };
  });
  const affected = { schemaVersion: 1, base: null, head: null, mergeBase: null, all: null } as const;
  return {
    schemaVersion: 3,
    hash: 'f'.repeat(64),
    task: 'test',
    changed: [],
    changedSets: [{ changed: [], sets: [] }],
    outside: null,
    fileTimes: [],
    setupSeconds: 60,
    shards,
    leftOut: [],
    atBase: { unknown: null, workspaces: 0, lost: [] },
    guessed: 0,
    machine: null,
    unusedShards: 0,
    everythingSeconds: 0,
    affected: { ...affected, workspaces: [], workspaceCount: 0, unclaimedFiles: [], warnings: [] },
  };
}

/** Returns a plan of shards that all take the same time. */
export function sameTime(count: number): Plan {
  return planOf(Array.from({ length: count }, () => 10));
}

/** Returns the ids of a plan's shards, in order. */
export function idsOf({ shards }: Plan): readonly string[] {
  return shards.map(({ id }) => id);
}
