// Builds the site of docs/ into site/out: `npm run docs:site`. VitePress is not a dependency of this project, because it would be a third
// of the set-up. It is installed into site/node_modules on demand, from site/package-lock.json.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const site = join(root, 'site');
const isWindows = process.platform === 'win32';

if (!existsSync(join(site, 'node_modules/vitepress')))
  run(isWindows ? 'npm.cmd' : 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], isWindows);
rmSync(join(site, 'pages'), { recursive: true, force: true });
cpSync(join(root, 'docs'), join(site, 'pages'), { recursive: true });
run(process.execPath, [join(site, 'node_modules/vitepress/bin/vitepress.js'), 'build', '.'], false);

/** Runs a program and ends this process with its exit code if it fails. */
function run(program, args, shell) {
  const { status, error } = spawnSync(program, args, { cwd: site, stdio: 'inherit', shell });
  if (error !== undefined) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}
