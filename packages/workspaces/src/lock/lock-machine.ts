import { startMachineCode } from '@tributary/engine/machine-code';
import { LOCK_SCAN } from './lock-scan.wasm.js';

/** What `assembly/lock-scan.ts` exports: addresses in `memory`, counts, and 1 or 0 for yes or no. */
export interface LockMachine {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly roomForText: (size: number) => number;
  readonly prepare: (nameSize: number) => number;
  readonly findMembers: () => number;
  readonly membersAt: () => number;
  readonly listAt: () => number;
  readonly listSize: () => number;
  readonly namesAt: () => number;
  readonly findEdges: (nameSize: number) => number;
  readonly startsAt: () => number;
  readonly edgesAt: () => number;
  readonly countEdges: () => number;
  readonly oddAt: () => number;
  readonly countOdd: () => number;
  readonly stepsAt: () => number;
  readonly spread: (seeds: number) => number;
  readonly isAskedOutside: (place: number) => number;
  readonly isAsYarnWrites: () => number;
  readonly noteEntries: () => number;
  readonly noteRuled: (nameSize: number) => void;
  readonly reachFrom: (place: number) => number;
  readonly countKept: () => number;
  readonly keptAt: () => number;
  readonly waysAt: () => number;
  readonly countWays: () => number;
  readonly leftAt: () => number;
  readonly countLeft: () => number;
}

/** `undefined` where the engine cannot run it: it is forbidden there, or the processor lacks what it needs. */
export function startScan(): LockMachine | undefined {
  try {
    const abort = (): never => {
      throw new Error('the scan of a lockfile ended by itself');
    };
    return startMachineCode(LOCK_SCAN, { env: { abort } }) as LockMachine;
  } catch {
    return undefined;
  }
}
