/**
 * How tasks share the processors of a machine. A task that would want half a processor alone computes half of its time and waits for
 * something else the rest. Where all together want more than there is, what they compute is stretched, and what they wait for is not.
 */

/** How many times as long computing takes while tasks run that want so many processors each: 1 or more. */
export function stretchOf(wants: readonly number[], cores: number): number {
  let stretch = 1;
  for (let step = 0; step < MOST_STEPS; step++) {
    let over = -cores;
    let slope = 0;
    for (const want of wants) {
      const pace = paceOf(want, stretch);
      over += want * pace;
      slope += want * Math.min(1, want) * pace * pace;
    }
    if (over <= cores * CLOSE) break;
    // Newton's method: it comes from below and never steps over.
    stretch += over / slope;
  }
  return stretch;
}

const MOST_STEPS = 30;
const CLOSE = 1e-6;

/** What a task gets done in a second, in seconds of what it takes alone: 1 or less. */
export function paceOf(want: number, stretch: number): number {
  const computing = Math.min(1, want);
  return 1 / (1 - computing + computing * stretch);
}
