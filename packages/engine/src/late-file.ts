import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

/** Of a CommonJS file what `require` keeps of it. */
interface Loaded {
  readonly id: string;
  readonly filename: string;
  readonly loaded: true;
  exports: unknown;
}

type Body = (exports: unknown, load: NodeJS.Require, module: Loaded, file: string, folder: string) => void;

/** As Node wraps a CommonJS file. */
const [HEAD, TAIL] = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'];
/** What V8 is given to read in place it wants to begin at a multiple of this; else it makes a copy first. */
const WORD = 8;

/**
 * Where the compiled form of a file of a bundle lies, for the engine that runs now. It holds the text that was compiled, so that
 * it is never taken for that of another one, and behind it what the engine made of it (`Script.createCachedData`).
 */
export function compiledFile(file: string): string {
  return `${file}.${process.versions.v8}-${process.platform}-${process.arch}.compiled`;
}

/**
 * Loads a file of the bundle as `load`, the `require` of a file in the same folder, would; out of its compiled form if there is one that
 * fits. Without it compiling takes a third of what `affected` takes beside the start of Node.
 */
export function loadLate(load: NodeJS.Require, folder: string, name: string): unknown {
  const file = join(folder, name);
  const held = load.cache[file];
  if (held !== undefined) return held.exports;
  const script = compiledScript(file);
  if (script === undefined) return load(file);
  const module: Loaded = { id: file, filename: file, loaded: true, exports: {} };
  const body = script.runInThisContext() as Body;
  body(module.exports, load, module, file, folder);
  load.cache[file] = module as NodeJS.Module;
  return module.exports;
}

/** `undefined` where there is no compiled form of this very text. One that the engine does not want it says so of, and compiles the text. */
function compiledScript(file: string): Script | undefined {
  const compiled = compiledFile(file);
  if (!existsSync(compiled)) return undefined;
  const [source, both] = [readFileSync(file), readFileSync(compiled)];
  const end = wrappedLength(source);
  if (both.length < end || !source.equals(both.subarray(HEAD.length, HEAD.length + source.length))) return undefined;
  return new Script(both.toString('latin1', 0, end), { filename: file, cachedData: both.subarray(end) });
}

/** The text of a CommonJS file as a function, with spaces behind it. A bundle is written in ASCII alone. */
export function wrap(source: Buffer): Buffer {
  return Buffer.concat([Buffer.from(HEAD), source, Buffer.from(TAIL), Buffer.alloc(WORD, ' ')], wrappedLength(source));
}

function wrappedLength(source: Buffer): number {
  return Math.ceil((HEAD.length + source.length + TAIL.length) / WORD) * WORD;
}
