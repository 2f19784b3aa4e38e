import { bestExchange } from './exchange.js';
import type { Filling } from './filling.js';
import type { Problem } from './problem.js';
import type { Exchange } from './scene.js';

/**
 * Local search: reduces the heaviest shard by one exchange after the other, until none helps or the makespan is at most `enough` seconds.
 */
export function improve(problem: Problem, filling: Filling, enough: number): void {
  const members = membersOf(problem, filling);
  for (let left = mostExchanges(problem); left > 0; left--) {
    const from = filling.heaviest();
    if ((filling.loads[from] ?? 0) <= enough) return;
    const exchange = bestExchange({ problem, filling, members }, from);
    if (exchange === undefined) return;
    carryOut(exchange, filling, members);
  }
}

/** Further exchanges gain little, and a plan must take at most a second. */
function mostExchanges({ shards }: Problem): number {
  return 100 + shards;
}

export function membersOf(problem: Problem, filling: Filling): number[][] {
  const members = Array.from({ length: problem.shards }, (): number[] => []);
  for (const [item, shard] of filling.shardOf.entries()) members[shard]?.push(item);
  return members;
}

export function carryOut({ from, to, item, back }: Exchange, filling: Filling, members: readonly number[][]): void {
  filling.remove(item, from);
  drop(members[from], item);
  if (back !== -1) {
    filling.remove(back, to);
    drop(members[to], back);
    filling.add(back, from);
    insert(members[from], back);
  }
  filling.add(item, to);
  insert(members[to], item);
}

function drop(list: number[] | undefined, item: number): void {
  list?.splice(list.indexOf(item), 1);
}

/** Keeps the list ascending. */
function insert(list: number[] | undefined, item: number): void {
  list?.splice(list.filter((other) => other < item).length, 0, item);
}
