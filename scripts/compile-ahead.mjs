// Compiles the smaller late files of the bundle in the current folder for the engine that runs this: it writes beside each what V8 made of it, every
// function included, and `loadLate` takes it from there (docs/decisions/0027). To ship it for several versions of Node, run it with each.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { compiledFile, wrap } from '../packages/engine/dist/late-file.js';

/** What loads more takes long for other reasons, and each byte here becomes four of the packed tool. */
const LARGEST = 128 * 1024;

const out = resolve('out');
for (const name of readdirSync(out).filter((file) => /^late-.*\.cjs$/.test(file))) compile(join(out, name));

function compile(file) {
  const source = readFileSync(file);
  if (source.length > LARGEST) return;
  if (source.some((byte) => byte > 127)) throw new Error(`${file} is not written in ASCII`);
  // V8 compiles a function when it is first called. What it compiles under other settings than those of a run it does not take in one.
  setFlagsFromString('--no-lazy');
  const text = wrap(source);
  const script = new Script(text.toString('latin1'), { filename: file });
  setFlagsFromString('--lazy');
  writeFileSync(compiledFile(file), Buffer.concat([text, script.createCachedData()]));
}
