import type { Piece, Plan, Shard } from '../plan/plan.js';
import { sealPlan } from '../plan/seal.js';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';
import type { AffectedResult } from '../result.js';

export const HEAD = 'a'.repeat(40);

/** A sealed plan: for each shard its pieces, as `ui`, `ui 1/2` (a part), `ui!` (without a cache), `ui 20 tests` (in a run before), `ui 20 tests dropped` (it may lose them). All workspaces are affected. */
export function planOfPieces(shards: readonly (readonly string[])[], more: Partial<Omit<Plan, 'hash'>> = {}): Plan {
  const built = shards.map((pieces, at): Shard => {
    const own = pieces.map(pieceOf);
    return { id: String(at + 1).padStart(2, '0'), seconds: own.length * 10, builds: 0, pieces: own };
  });
  const names = [...new Set(built.flatMap(({ pieces }) => pieces.map(({ workspace }) => workspace)))];
  return sealPlan({
    schemaVersion: 3,
    affected: affectedOf(names),
    task: 'test',
    setupSeconds: 60,
    changed: [],
    changedSets: [{ changed: [], sets: [] }],
    outside: null,
    shards: built,
    fileTimes: [],
    leftOut: [],
    atBase: { unknown: null, workspaces: names.length, lost: [] },
    guessed: 0,
    machine: null,
    unusedShards: 0,
    everythingSeconds: 1000,
    ...more,
  });
}

function pieceOf(text: string): Piece {
  const [, workspace = '', part, of, tests, dropped, sign] = /^([^ !]+)(?: (\d)\/(\d))?(?: (\d+) tests)?( dropped)?(!)?$/.exec(text) ?? [];
  return {
    workspace,
    part: part === undefined ? null : [Number(part), Number(of)],
    seconds: 10,
    ...(tests === undefined ? {} : { tests: Number(tests) }),
    ...(dropped === undefined ? {} : { agreed: 'it is frozen' }),
    ...(sign === undefined ? { fresh: false, changed: 0 } : { fresh: true }),
  };
}

export function affectedOf(names: readonly string[]): AffectedResult {
  const commits = { base: HEAD, head: HEAD, mergeBase: HEAD };
  const workspaces = names.map((name) => ({ name, path: `packages/${name}`, reasons: [{ kind: 'always' as const }] }));
  const rest = { all: null, workspaceCount: names.length + 1, unclaimedFiles: [], warnings: [] };
  return { schemaVersion: 1, ...commits, ...rest, workspaces };
}

/** Returns the receipt of a shard in which everything ran and passed, with a test each where the plan knows no number. */
export function receiptFor(plan: Plan, { id, pieces }: Shard): Receipt {
  const ran = pieces.map(({ workspace, part, tests }, at): ReceiptPiece => {
    const times = { testFiles: null, startedAt: 1000 * at, endedAt: 1000 * at + 500, cpuSeconds: 1 };
    return { workspace, part, state: 'executed', taskHash: 'h', exit: 0, ...times, ...(tests === undefined ? { tests: 1 } : {}) };
  });
  const about = { plan: plan.hash, shard: id, attempt: 1, commit: plan.affected.head ?? HEAD };
  const where = {
    workTree: 'clean',
    checkout: `checkout-${id}`,
    cores: 2,
    concurrency: 10,
    startedAt: 0,
    endedAt: 1000 * pieces.length,
  } as const;
  return { schemaVersion: 2, ...about, ...where, pieces: ran, builds: [] };
}

export function receiptsFor(plan: Plan): readonly Receipt[] {
  return plan.shards.map((shard) => receiptFor(plan, shard));
}
