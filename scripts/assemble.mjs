// Compiles what must be machine code from its first line on: `assembly/<name>.ts` of the current folder, written in AssemblyScript, becomes
// `<target>/<name>.wasm.ts`, a module that exports the WebAssembly as a text, so that bundles and tests read it as any other source.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import asc from 'assemblyscript/asc';

const [target = 'src'] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'tributary-assembly-'));
try {
  for (const entry of readdirSync('assembly').filter((file) => file.endsWith('.ts'))) await assemble(basename(entry, '.ts'));
} finally {
  rmSync(scratch, { recursive: true });
}

async function assemble(name) {
  const module = join(target, `${name}.wasm.ts`);
  // An older one must not pass for what cannot be compiled any more.
  rmSync(module, { force: true });
  const file = join(scratch, `${name}.wasm`);
  // `-O2`: more would put all functions into one, and the larger a function is the longer it takes until it can be called.
  const options = ['-O2', '--runtime', 'stub', '--enable', 'simd', '--outFile', file];
  const { error } = await asc.main([join('assembly', `${name}.ts`), ...options], { stderr: process.stderr });
  if (error !== null) {
    // It has said by itself what is wrong and where.
    process.exitCode = 1;
    return;
  }
  const constant = name.replaceAll('-', '_').toUpperCase();
  const code = readFileSync(file).toString('base64');
  writeFileSync(module, `/** \`assembly/${name}.ts\`, compiled by scripts/assemble.mjs. */\nexport const ${constant} = '${code}';\n`);
}
