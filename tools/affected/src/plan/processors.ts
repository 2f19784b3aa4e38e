/**
 * A model of how tasks share the processors of a machine. A task that wants half a processor alone computes half of its time and waits the
 * rest. If all tasks together want more than there is, their computing takes longer, but their waiting does not.
 */

/** Returns the factor by which computing slows down while tasks want these numbers of processors: 1 or more. */
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
    // Newton's method, which converges from below and never overshoots.
    stretch += over / slope;
  }
  return stretch;
}

const MOST_STEPS = 30;
const CLOSE = 1e-6;

/** Returns the progress of a task per second, in seconds of its time alone: 1 or less. */
export function paceOf(want: number, stretch: number): number {
  const computing = Math.min(1, want);
  return 1 / (1 - computing + computing * stretch);
}
