const HOUR = 3600e6;

/**
 * Returns the places of times that are more than an hour out of order: a commit is no older than its parent. Of times that contradict each
 * other, the fewest are wrong; if that leaves a choice, all of it.
 */
export function outOfOrder(times: readonly number[]): ReadonlySet<number> {
  // By length, the earliest end of a series in order.
  const ends: number[] = [];
  const lengths = times.map((time) => {
    const length = ends.findLastIndex((end) => end <= time) + 1;
    ends[length] = time;
    return length;
  });
  // What a longest series has: by length, how many times could be there, and the latest of them.
  const choices = ends.map(() => ({ count: 0, latest: Number.NEGATIVE_INFINITY }));
  const known: { readonly place: number; readonly time: number; readonly isIn: boolean }[] = [];
  for (const [place, time] of [...times.entries()].reverse()) {
    const length = lengths[place] ?? 0;
    const isIn = length === ends.length - 1 || time <= (choices[length + 1]?.latest ?? 0);
    if (isIn) choices[length] = { count: (choices[length]?.count ?? 0) + 1, latest: time };
    known.push({ place, time, isIn });
  }
  const wrong = new Set<number>();
  let [last, next] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const check = ({ place, time, isIn }: (typeof known)[number]): void => {
    const isSure = isIn && choices[lengths[place] ?? 0]?.count === 1;
    if (!isSure && (last - time > HOUR || time - next > HOUR)) wrong.add(place);
  };
  for (const one of known) {
    check(one);
    if (one.isIn) next = Math.min(next, one.time);
  }
  next = Number.POSITIVE_INFINITY;
  for (const one of known.reverse()) {
    check(one);
    if (one.isIn) last = Math.max(last, one.time);
  }
  return wrong;
}
