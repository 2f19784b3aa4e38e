import { aloneOf, type Item } from './item.js';

/** An item that may be cut into parts. */
export interface Splittable {
  readonly item: Item;
  readonly canSplit: 'yes' | 'no';
  /** Of how many parts it may at most be cut, e.g. its test files. */
  readonly mostParts: number;
  /** What each of so many parts takes, in seconds; `undefined`: as much as the others. */
  readonly partSeconds?: (parts: number) => readonly number[] | undefined;
}

/** An item of a plan: the whole of a workspace, or one part of it. */
export interface SplitItem {
  readonly item: Item;
  /** The name of the workspace. */
  readonly of: string;
  /** `[1, 3]` is the first of three; `null`: it is whole. */
  readonly part: readonly [number, number] | null;
}

/**
 * Cuts what is longer than the target into as many parts as that takes, or as it may be cut into, of one length if nothing else is known.
 * Each part needs all the builds of the whole, and they go to different shards. For a target of 0 or less everything is cut as far as it may be.
 */
export function splitLong(items: readonly Splittable[], targetSeconds: number): readonly SplitItem[] {
  return items.flatMap((one) => cut(one, partsWithin(one, targetSeconds)));
}

/** Of how many parts it may at most be cut in truth: at least 1. */
export function mostPartsOf({ canSplit, mostParts }: Splittable): number {
  return canSplit === 'yes' ? Math.max(1, Math.floor(mostParts)) : 1;
}

function partsWithin(one: Splittable, seconds: number): number {
  // A part may be longer by what is rounding.
  const wanted = seconds > 0 ? Math.ceil((aloneOf(one.item) / seconds) * (1 - 1e-9)) : Number.POSITIVE_INFINITY;
  return Math.max(1, Math.min(wanted, mostPartsOf(one)));
}

function cut({ item, partSeconds }: Splittable, parts: number): readonly SplitItem[] {
  if (parts === 1) return [{ item, of: item.name, part: null }];
  // turborepo runs a part while it runs nothing else, so the machine is taken up by it alone.
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
