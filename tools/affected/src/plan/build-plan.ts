import { Builds } from './builds.js';
import { PLAIN_MACHINE } from './machine.js';
import { secondsToBuild } from './pack/item.js';
import { planShards } from './pack/plan-shards.js';
import type { SplitItem } from './pack/split.js';
import type { Piece, Plan, Shard } from './plan.js';
import type { PlanInput } from './plan-input.js';
import { predictorOf } from './predict-all.js';
import { shareOf } from './predict-shard.js';
import { type PreparedTask, prepareTask, rounded } from './prepare-task.js';
import { sealPlan } from './seal.js';
import { inRunOrder } from './turbo-tasks.js';

/**
 * Builds the plan; a pure function of its input. `others`: the same for further tasks. Throws `TASK_UNKNOWN`, and `WORKSPACE_UNRUNNABLE` for
 * pieces that no shard could run.
 */
export function buildPlan(first: PlanInput, ...others: readonly PlanInput[]): Plan {
  const { timings, cpuSeconds = new Map(), machine = PLAIN_MACHINE, shardRequest } = first;
  const names = [first, ...others].map(({ task }) => task);
  const builds = new Builds(timings, cpuSeconds);
  const prepare = (input: PlanInput): PreparedTask => prepareTask(input, { builds, machine, tasks: names });
  const [main, more] = [prepare(first), others.map(prepare)];
  const tasks = [main, ...more];
  const ownerOf = ownersIn(tasks);
  const buildSeconds = builds.times.map((one) => shareOf(one, machine));
  const chosen = new Map(tasks.flatMap((one) => [...one.chosen]));
  const items = [...chosen.values()].map(({ splittable }) => splittable);
  const predict = predictorOf(chosen, { machine, builds, upstream: main.upstream });
  const { items: cut, choice } = planShards(items, buildSeconds, { ...shardRequest, predict });
  const order = inRunOrder(names, first.turboTasks);
  const byTask = (a: SplitItem, b: SplitItem): number => order.indexOf(ownerOf(a.of).task) - order.indexOf(ownerOf(b.of).task);
  return sealPlan({
    schemaVersion: 3,
    ...main.planFor(cut),
    setupSeconds: shardRequest.setupSeconds,
    ...(first.turbo === undefined ? {} : { turbo: first.turbo }),
    ...(first.node === undefined ? {} : { node: first.node }),
    shards: choice.packing.shards.map((places, at): Shard => {
      const own = places.flatMap((place) => cut[place] ?? []).sort(byTask);
      const seconds = choice.packing.loads[at] ?? 0;
      const building = own.flatMap(({ item }) => item.builds);
      return {
        id: String(at + 1).padStart(2, '0'),
        seconds: rounded(seconds),
        builds: rounded(Math.min(secondsToBuild(building, buildSeconds), seconds)),
        pieces: own.map((one) => pieceOf(one, ownerOf(one.of).about)),
      };
    }),
    machine: first.machine ?? null,
    unusedShards: choice.unused,
    ...(more.length === 0 ? {} : { also: more.map(({ planFor }) => planFor(cut)) }),
  });
}

/** Returns a function that finds the task of an item by its name. */
function ownersIn(tasks: readonly PreparedTask[]): (item: string) => PreparedTask {
  const owners = new Map(tasks.flatMap((task) => [...task.chosen.keys()].map((item) => [item, task])));
  return (item) => {
    const owner = owners.get(item);
    if (owner === undefined) throw new Error(`no task has the item ${item}`);
    return owner;
  };
}

/** `about` returns what the plan says of a piece, by its item. */
function pieceOf(one: SplitItem, about: PreparedTask['about']): Piece {
  const { workspace, task, ...more } = about(one);
  return { workspace, ...(task === undefined ? {} : { task }), part: one.part, ...more };
}
