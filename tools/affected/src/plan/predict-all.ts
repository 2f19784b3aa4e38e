import type { Builds } from './builds.js';
import type { Machine } from './machine.js';
import { aloneOf } from './pack/item.js';
import type { Predict } from './pack/plan-shards.js';
import type { SplitItem } from './pack/split.js';
import { type PredictedPiece, predictShard, type TaskTimes } from './predict-shard.js';
import { splitTaskId, type TaskId, type Upstream } from './upstream.js';

/** The facts about a workspace's tests before they are split. */
export interface KnownTests extends TaskTimes {
  readonly id: TaskId;
  readonly fresh: boolean;
  /** Numbers of builds. */
  readonly builds: readonly number[];
}

/** The input of a prediction besides the tests. */
interface Prediction {
  readonly machine: Machine;
  readonly builds: Builds;
  readonly upstream: Upstream;
}

/**
 * Returns a function that predicts the seconds of shards; `undefined` if a machine runs one task after the other, because times then add
 * up. `chosen`: by the names of their items.
 */
export function predictorOf(
  chosen: ReadonlyMap<string, { readonly known: KnownTests }>,
  { machine, builds, upstream }: Prediction,
): Predict | undefined {
  if (machine.concurrency === 1) return undefined;
  const inOrder = builds.inOrder(upstream);
  const known = builds.known();
  const after = new Map([...chosen].map(([name, one]) => [name, waitsFor(one.known)]));
  return (items) =>
    predictShard(
      items.map((item) => pieceOf(item, chosen.get(item.of)?.known, after.get(item.of))),
      inOrder,
      machine,
    );

  function waitsFor({ id, builds: needed }: KnownTests): readonly number[] {
    return needed.length === 0 ? [] : builds.numbersOf(upstream.nearestOf(id, known));
  }
}

function pieceOf({ item, part }: SplitItem, tests: KnownTests | undefined, after: readonly number[] = []): PredictedPiece {
  const seconds = aloneOf(item);
  const { seconds: whole, cpuSeconds, fresh, id } = tests ?? { seconds, cpuSeconds: seconds, fresh: false, id: '' };
  return { task: splitTaskId(id).task, seconds, cpuSeconds: (cpuSeconds * seconds) / whole, part, fresh, builds: item.builds, after };
}
