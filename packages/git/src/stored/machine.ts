import { setFlagsFromString } from 'node:v8';
import { NotPlain } from './not-plain.js';
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
  readonly typeOf: () => number;
  readonly contentAt: () => number;
  readonly contentSize: () => number;
  readonly startComparing: () => void;
  readonly compare: () => number;
  readonly rowsAt: () => number;
  readonly countRows: () => number;
  readonly pathsAt: () => number;
}

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** Throws `NotPlain`, or what the engine throws, where it cannot run: it is forbidden there, or the processor lacks what it needs. */
export function startMachine(): Machine {
  if (typeof WebAssembly === 'undefined') throw new NotPlain('no WebAssembly');
  // Compiled a second time, and better, it would take longer than it is of use.
  setFlagsFromString('--wasm-tiering-budget=1000000000');
  return new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(STORED_OBJECTS, 'base64'))).exports as Machine;
}
