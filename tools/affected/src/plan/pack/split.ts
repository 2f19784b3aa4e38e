import { aloneOf, type Item } from './item.js';

/** An item that can be split into parts. */
export interface Splittable {
  readonly item: Item;
  readonly canSplit: 'yes' | 'no';
  /** The most parts, for example the number of its test files. */
  readonly mostParts: number;
  /** Returns the seconds of each part for a number of parts; `undefined`: all are equal. */
  readonly partSeconds?: (parts: number) => readonly number[] | undefined;
}

/** An item of a plan: a whole workspace, or one part of it. */
export interface SplitItem {
  readonly item: Item;
  /** The name of the workspace. */
  readonly of: string;
  /** `[1, 3]` is the first of three parts; `null`: it is whole. */
  readonly part: readonly [number, number] | null;
}

/**
 * Splits items longer than the target into as many parts as needed, or as possible; of equal length if nothing else is known. Each part
 * needs all builds of the whole, and parts go to different shards. With a target of 0 or less, everything is split as far as possible.
 */
export function splitLong(items: readonly Splittable[], targetSeconds: number): readonly SplitItem[] {
  return items.flatMap((one) => cut(one, partsWithin(one, targetSeconds)));
}

/** Returns the most parts of an item: at least 1. */
export function mostPartsOf({ canSplit, mostParts }: Splittable): number {
  return canSplit === 'yes' ? Math.max(1, Math.floor(mostParts)) : 1;
}

function partsWithin(one: Splittable, seconds: number): number {
  // Allows for rounding: a part may be longer by that.
  const wanted = seconds > 0 ? Math.ceil((aloneOf(one.item) / seconds) * (1 - 1e-9)) : Number.POSITIVE_INFINITY;
  return Math.max(1, Math.min(wanted, mostPartsOf(one)));
}

function cut({ item, partSeconds }: Splittable, parts: number): readonly SplitItem[] {
  if (parts === 1) return [{ item, of: item.name, part: null }];
  // turborepo runs a part in a call of its own, so the machine runs nothing else meanwhile.
  const { alone = item.seconds, ...rest } = item;
  const seconds = partSeconds?.(parts);
  return Array.from({ length: parts }, (_, at) => {
    const name = `${item.name} (${at + 1} of ${parts})`;
    return {
      item: { ...rest, name, seconds: seconds?.[at] ?? alone / parts, apart: item.name },
      of: item.name,
      part: [at + 1, parts],
    };
  });
}
