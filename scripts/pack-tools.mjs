// Packs the three built tools: `node scripts/pack-tools.mjs <folder>`. Prints `<sha256>  <file>` for each. The same commit gives the same
// bytes on every machine: npm writes neither times nor owners, and no packed file names its build folder.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOOLS } from './tools.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node scripts/pack-tools.mjs <folder>');
  process.exit(2);
}
// npm packs a tool without its program, and says nothing.
const unbuilt = TOOLS.filter((tool) => !existsSync(join(root, 'tools', tool, 'out/cli.cjs')));
if (unbuilt.length > 0) {
  console.error(`Not built: ${unbuilt.join(', ')}. Run "npm run build" first.`);
  process.exit(1);
}
const target = resolve(folder);
mkdirSync(target, { recursive: true });

for (const tool of TOOLS) {
  const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', target], {
    cwd: join(root, 'tools', tool),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32', // npm is a script there
  });
  if (packed.status !== 0) process.exit(packed.status ?? 1);
  const file = packed.stdout.trim();
  console.log(
    `${createHash('sha256')
      .update(readFileSync(join(target, file)))
      .digest('hex')}  ${file}`,
  );
}
