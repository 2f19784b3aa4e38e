import { setFlags } from './flags.js';

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports?: Readonly<Record<string, object>>) => { readonly exports: unknown };
};

/** How much may run before V8 compiles it a second time; its own figure, by the first number of its version: before 12, and since. */
const BUDGET = { usual: { before: 1_800_000, since: 13_000_000 }, none: 1_000_000_000 };

/**
 * Starts WebAssembly, given in base64, and gives what it exports. It is compiled once, quickly: for a process of some fifty milliseconds the
 * second, better compilation takes longer than all that it could save. Throws what the engine throws where it cannot run.
 */
export function startMachineCode(base64: string, imports?: Readonly<Record<string, object>>): unknown {
  const module = compileOnce(Buffer.from(base64, 'base64'));
  return new WebAssembly.Instance(module, imports).exports;
}

/** The budget belongs to a module from its beginning. As long as it is another one for all, no compiled code on the disk fits: Node's own neither. */
function compileOnce(bytes: Uint8Array): object {
  setBudget(BUDGET.none);
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    setBudget(Number.parseInt(process.versions.v8, 10) < 12 ? BUDGET.usual.before : BUDGET.usual.since);
  }
}

function setBudget(budget: number): void {
  setFlags(`--wasm-tiering-budget=${budget}`);
}
