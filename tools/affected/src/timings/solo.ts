import { paceOf, stretchOf } from '../plan/processors.js';

/** A task as it ran, next to others. */
export interface TaskSpan {
  /** Milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Processor time of all its processes, in seconds; `null` if unknown. */
  readonly cpuSeconds: number | null;
}

/**
 * Estimates the seconds that each task of a machine would have taken alone, from the time that it took next to others.
 * If the processors were always busy, a task that waited for them cannot be told from one that waited for a timer. Each then counts as
 * computing, as far as its processor time allows, or throughout if that is unknown.
 */
export function soloSeconds(spans: readonly TaskSpan[], cores: number): readonly number[] {
  const moments = momentsOf(spans);
  // A task is known to use several processors only if it did.
  const most = spans.map((span) => Math.min(cores, Math.max(1, (span.cpuSeconds ?? 0) / (secondsOf(span) || 1))));
  let seconds: readonly number[] = [];
  let wants: readonly number[] = most;
  for (let step = 0; step < STEPS; step++) {
    const found = alone(spans, moments, { wants, cores });
    seconds = spans.map(({ cpuSeconds }, at) => Math.max(found[at] ?? 0, (cpuSeconds ?? 0) / (most[at] ?? 1)));
    wants = spans.map(({ cpuSeconds }, at) => (cpuSeconds === null ? 1 : Math.min(most[at] ?? 1, cpuSeconds / (seconds[at] || 1))));
  }
  return seconds;
}

/**
 * If processors are not fully busy, each step counts less of a task as computing. With this number of steps, the effect on nearly busy ones
 * is small.
 */
const STEPS = 3;

/** A period in which the same tasks ran. */
interface Moment {
  readonly seconds: number;
  /** Indexes of the tasks. */
  readonly running: readonly number[];
}

function momentsOf(spans: readonly TaskSpan[]): readonly Moment[] {
  const events = spans.flatMap(({ startedAt, endedAt }, place) => [
    { at: startedAt, place, begins: true },
    { at: endedAt, place, begins: false },
  ]);
  events.sort((a, b) => a.at - b.at);
  const moments: Moment[] = [];
  const running = new Set<number>();
  for (const [index, { at, place, begins }] of events.entries()) {
    const before = events[index - 1]?.at ?? at;
    if (at > before && running.size > 0) moments.push({ seconds: (at - before) / 1000, running: [...running] });
    if (begins) running.add(place);
    else running.delete(place);
  }
  return moments;
}

function alone(
  spans: readonly TaskSpan[],
  moments: readonly Moment[],
  { wants, cores }: { readonly wants: readonly number[]; readonly cores: number },
): number[] {
  const seconds = spans.map(() => 0);
  for (const moment of moments) {
    const stretch = stretchOf(
      moment.running.map((place) => wants[place] ?? 0),
      cores,
    );
    for (const place of moment.running) seconds[place] = (seconds[place] ?? 0) + moment.seconds * paceOf(wants[place] ?? 0, stretch);
  }
  return seconds;
}

function secondsOf({ startedAt, endedAt }: TaskSpan): number {
  return (endedAt - startedAt) / 1000;
}
