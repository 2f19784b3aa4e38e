import type { LockScan } from './lock-scan.js';
import type { LockEntry } from './scan.js';

/** Entries that lead to some members, themselves included, and how. */
export interface LockReach {
  /** In the order of the text. */
  readonly entries: readonly ReachedEntry[];
  /** To and from, in turn, by place: lines that say by themselves what they lead to. */
  readonly ways: Int32Array;
  /** By place, and where the name begins, in turn: lines of which more has to be known. */
  readonly left: Int32Array;
}

export interface ReachedEntry extends LockEntry {
  /** Whether lines that are left ask for it, or it is a patch. */
  readonly hasLeft: boolean;
}

/** The numbers of an entry in `assembly/lock-scan/room.ts`. */
const ROW = 6;
/** `NAME_ROOM` there. */
const NAME_ROOM = 65_536;

/**
 * Finds all entries from which one of the members is reached by the names of dependencies, through packages from outside, and members at the
 * ends. Lines that ask for one of the `ruled` names are left. `undefined` where an entry is not as Yarn writes it. A scan can be asked once.
 */
export function reachOf(scan: LockScan, members: readonly number[], ruled: readonly string[]): LockReach | undefined {
  const { machine } = scan;
  // Written in more bytes than letters it is no name of a text in ASCII either.
  if (ruled.join('\0').length * 3 > NAME_ROOM || machine.noteEntries() !== 1) return undefined;
  machine.noteRuled(scan.layNames(ruled));
  if (members.some((place) => machine.reachFrom(place) !== 1)) return undefined;
  const rows = numbersAt(scan, { at: machine.keptAt, count: ROW * machine.countKept() });
  const entries: ReachedEntry[] = [];
  for (let row = 0; row < rows.length; row += ROW) entries.push(entryOf(scan, rows.subarray(row, row + ROW)));
  return {
    entries,
    ways: numbersAt(scan, { at: machine.waysAt, count: 2 * machine.countWays() }),
    left: numbersAt(scan, { at: machine.leftAt, count: 2 * machine.countLeft() }),
  };
}

function numbersAt({ machine }: LockScan, { at, count }: { readonly at: () => number; readonly count: number }): Int32Array {
  return new Int32Array(machine.memory.buffer, at(), count);
}

function entryOf({ text, members }: LockScan, row: Int32Array): ReachedEntry {
  const [key = 0, keyEnd = 0, locator = 0, locatorEnd = 0, member = -1, hasLeft = 0] = row;
  return {
    key: text.slice(key, keyEnd),
    resolution: text.slice(locator, locatorEnd),
    workspace: members[member]?.path,
    hasLeft: hasLeft === 1,
  };
}
