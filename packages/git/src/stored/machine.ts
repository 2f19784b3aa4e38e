import { startMachineCode } from '@tributary/engine/machine-code';
import { STORED_OBJECTS } from './stored-objects.wasm.js';

/** What `assembly/stored-objects.ts` exports: addresses in `memory`, sizes, and 1 or 0 for yes or no. */
export interface Machine {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly expectPacks: (count: number) => void;
  readonly addPack: (indexSize: number) => number;
  readonly isIndex: (pack: number) => number;
  readonly reset: () => void;
  readonly needAt: () => number;
  readonly idAt: () => number;
  readonly otherIdAt: () => number;
  readonly noteBytes: (count: number) => void;
  readonly noteApart: (count: number) => void;
  readonly roomFor: (size: number) => number;
  readonly read: () => number;
  readonly measure: () => number;
  readonly roomForBlob: (size: number) => number;
  readonly hashBlob: () => number;
  readonly typeOf: () => number;
  readonly contentAt: () => number;
  readonly contentSize: () => number;
  readonly startComparing: () => void;
  readonly compare: () => number;
  readonly rowsAt: () => number;
  readonly countRows: () => number;
  readonly pathsAt: () => number;
}

/** Throws what the engine throws where it cannot run: it is forbidden there, or the processor lacks what it needs. */
export function startMachine(): Machine {
  return startMachineCode(STORED_OBJECTS) as Machine;
}
