import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { runnerOfProcess, withReport } from '../plan/runner-call.js';

// Node loads this file into every process of a task, by NODE_OPTIONS, which turborepo hands on and does not hash. Beside itself it leaves
// what the process knows: processor time, and which report a test runner writes. Tests must not notice it: whatever fails here is left
// out, and what runs inside of a runner sees the environment as it was.

/** How far outside a process is: unset in the first one of a task. */
const PLACE = 'AFFECTED_HOOK';
const TICKS = 100;

try {
  if (isMainThread && process.env['TURBO_HASH'] !== undefined) look(process.env['TURBO_HASH'], process.env[PLACE]);
} catch {}

function look(hash: string, place: string | undefined): void {
  if (place === undefined) {
    process.env[PLACE] = 'task';
    process.on('exit', () => note('cpu', { hash, seconds: processorSeconds() }));
  }
  if (place === 'node') {
    leave();
    if (process.env['NODE_TEST_CONTEXT'] !== undefined)
      process.on('exit', () => note('file', { hash, cwd: process.cwd(), file: process.argv[1], seconds: process.uptime() }));
    return;
  }
  lookForRunner(hash);
}

function lookForRunner(hash: string): void {
  const [node = '', named, ...args] = process.argv;
  const script = named === undefined ? undefined : realPath(named);
  const runner = runnerOfProcess({ script, args, nodeArgs: process.execArgv });
  if (runner === undefined) return;
  const cwd = process.cwd();
  if (runner === 'node') {
    process.env[PLACE] = 'node';
    note('run', { hash, cwd, runner, report: null });
    return;
  }
  leave();
  const file = join(__dirname, `report-${process.pid}.json`);
  const changed = withReport(runner, args, { file, config: runner === 'vitest' ? textOfConfig(cwd, args) : '' });
  if (changed !== undefined && named !== undefined) process.argv = [node, named, ...changed];
  note('run', { hash, cwd, runner, report: changed === undefined ? null : basename(file) });
}

/** Everything that is started from here on finds the environment as it was. */
function leave(): void {
  delete process.env[PLACE];
  const options = (process.env['NODE_OPTIONS'] ?? '').replace(/ ?--require "[^"]*task-hook\.cjs"/, '');
  if (options === '') delete process.env['NODE_OPTIONS'];
  else process.env['NODE_OPTIONS'] = options;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // In a zip file of Plug'n'Play.
    return path;
  }
}

/** All that may say which reporters vitest has. */
function textOfConfig(cwd: string, args: readonly string[]): string {
  const at = args.findIndex((arg) => arg === '-c' || arg === '--config' || arg.startsWith('--config='));
  const named = at < 0 ? undefined : args[at]?.includes('=') === true ? args[at]?.slice('--config='.length) : args[at + 1];
  const files =
    named === undefined
      ? readdirSync(cwd).filter((name) => /^vite(?:st)?\.(?:config|workspace|projects)\.[cm]?[jt]s$/.test(name))
      : [named];
  return files.map((name) => readFileSync(join(cwd, name), 'utf8')).join('\n');
}

/** Of this process and of all that it has waited for, where the system tells. Source: proc(5), `stat`, fields 14 to 17. */
function processorSeconds(): number | null {
  if (process.platform !== 'linux') return null;
  const text = readFileSync('/proc/self/stat', 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}

function note(kind: 'cpu' | 'run' | 'file', value: object): void {
  try {
    writeFileSync(join(__dirname, `${kind}-${process.pid}.json`), JSON.stringify(value));
  } catch {}
}
