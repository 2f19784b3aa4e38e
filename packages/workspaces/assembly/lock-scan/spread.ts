import { memberCount } from './entries';
import { known, STEP, sorted, starts, steps } from './room';

/** How many members are on the walk. */
let stepCount: i32 = 0;

/**
 * Walks from some members, whose doubled places stand in the first rows of `steps`, to all that depend on them, at any distance, the nearest
 * first; says how many there are with those. Each is in a row of its own, behind them, with the member that it was reached from.
 */
export function spread(seeds: i32): i32 {
  memory.fill(known, 0, <usize>memberCount);
  stepCount = seeds;
  for (let step = 0; step < seeds; step++) {
    const place = placeAt(step);
    if (<u32>place >= <u32>memberCount) unreachable();
    store<u8>(known + <usize>place, 1);
  }
  for (let step = 0; step < stepCount; step++) follow(placeAt(step));
  return stepCount;
}

function placeAt(step: i32): i32 {
  return load<i32>(steps + <usize>step * STEP) >> 1;
}

function follow(place: i32): void {
  const from = starts + <usize>place * 4;
  const end = sorted + <usize>load<u32>(from + 4) * 4;
  for (let at = sorted + <usize>load<u32>(from) * 4; at < end; at += 4) {
    const edge = load<i32>(at);
    const mark = known + <usize>(edge >> 1);
    if (load<u8>(mark) !== 0) continue;
    store<u8>(mark, 1);
    const row = steps + <usize>stepCount * STEP;
    store<i32>(row, edge);
    store<i32>(row + 4, place);
    stepCount++;
  }
}
