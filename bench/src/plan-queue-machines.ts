import { type Load, secondsTogether } from '@tributary/affected/plan/pack/item';

/** Indexes of items that one call of turborepo runs. */
export type Batch = readonly number[];

/** Returns the next batch for a machine; `undefined`: none is left. */
export type Deal = (machine: number) => Batch | undefined;

/** Returns a queue from which each free machine takes the next batch. */
export function shared(batches: readonly Batch[]): Deal {
  let next = 0;
  return () => batches[next++];
}

/** Returns separate queues, one for each machine. */
export function own(plan: readonly (readonly Batch[])[]): Deal {
  const queues = plan.map((batches) => [...batches]);
  return (machine) => queues[machine]?.shift();
}

/** Returns separate queues. A machine that is done takes the last batch of the machine with the most predicted work left. */
export function ownThenSteal(plan: readonly (readonly Batch[])[], { items, buildSeconds }: Load): Deal {
  const queues = plan.map((batches) => [...batches]);
  const seconds = (batch: Batch): number => secondsTogether({ items: batch.flatMap((place) => items[place] ?? []), buildSeconds });
  const left = (queue: readonly Batch[]): number => queue.reduce((sum, batch) => sum + seconds(batch), 0);
  return (machine) => {
    const mine = queues[machine]?.shift();
    if (mine !== undefined) return mine;
    const times = queues.map(left);
    return queues[times.indexOf(Math.max(...times))]?.pop();
  };
}

/** The result of distributing work. */
interface Finish {
  /** Seconds until the last machine is done, without the first set-up. */
  readonly wall: number;
  /** Seconds of all machines together, without the first set-ups. */
  readonly busy: number;
}

/**
 * Lets machines work until nothing is left. A machine builds each build once. `secondsEach`: the overhead of each batch after a machine's
 * first.
 */
export function finishOf(
  real: Load,
  { machines, deal, secondsEach }: { readonly machines: number; readonly deal: Deal; readonly secondsEach: number },
): Finish {
  const times = new Float64Array(machines);
  const built = Array.from(times, () => new Set<number>());
  const working = new Set(times.keys());
  while (working.size > 0) {
    const machine = [...working].reduce((first, one) => ((times[one] ?? 0) < (times[first] ?? 0) ? one : first));
    const batch = deal(machine);
    if (batch === undefined) working.delete(machine);
    else {
      const waits = times[machine] === 0 ? 0 : secondsEach;
      times[machine] = (times[machine] ?? 0) + waits + secondsOf(batch, real, built[machine] ?? new Set());
    }
  }
  return { wall: Math.max(...times), busy: times.reduce((sum, time) => sum + time, 0) };
}

function secondsOf(batch: Batch, { items, buildSeconds }: Load, built: Set<number>): number {
  let seconds = 0;
  for (const place of batch) {
    seconds += items[place]?.seconds ?? 0;
    for (const build of items[place]?.builds ?? []) {
      if (!built.has(build)) seconds += buildSeconds[build] ?? 0;
      built.add(build);
    }
  }
  return seconds;
}
