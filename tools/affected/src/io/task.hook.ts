import { readdirSync, readFileSync, realpathSync, writeFileSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { isatty } from 'node:tty';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { changeSpawn } from '@tributary/process/change-spawn';
import { nodeReportOf, runnerOfProcess, withNodeReport, withReport } from '../plan/runner-call.js';
import { parseRunnerReport } from '../plan/runner-report.js';
import { runtimeOf } from '../plan/runtime.js';
import { missingFrom, PROBE_FILE, proofOf, RUNNER_FILES, TASK_FILE, type WatchedTask, type WatchProof } from '../plan/watched-task.js';
import { FORCED, failWithout, leave, note } from './hook-notes.js';
import { type SeenResults, seeResults } from './jest-results.js';

// Node loads this file into every process of a task, by NODE_OPTIONS, which turborepo passes on and does not hash. It writes notes next to
// itself: processor time, and the report of a test runner. Tests must not notice it: it ignores its own failures, and processes inside a
// runner get the original environment.

/** `node` for processes of node's own runner. */
const PLACE = 'AFFECTED_HOOK';
const TICKS = 100;

try {
  if (isMainThread && process.env['TURBO_HASH'] !== undefined) look(process.env['TURBO_HASH'], process.env[PLACE]);
} catch {}

function look(hash: string, place: string | undefined): void {
  const watched = JSON.parse(readFileSync(join(__dirname, TASK_FILE), 'utf8')) as WatchedTask;
  if (watched.probe === true) {
    if (process.argv.includes(watched.task)) writeFileSync(join(__dirname, PROBE_FILE), JSON.stringify(process.env));
    process.exit(0);
  }
  if (isFirst(hash)) {
    ignoreInnerCache();
    process.on('exit', (code) => {
      note('cpu', { hash, seconds: processorSeconds() });
      if (code === 0) prove(hash, watched);
    });
  }
  if (place === 'node') {
    leave();
    if (process.env['NODE_TEST_CONTEXT'] === undefined) return;
    lookAtFile(hash);
    return;
  }
  if (startsScripts(process.argv[1])) stayIn(hash);
  lookForRunner(hash);
}

/**
 * Observes a test file of node's own runner, which counts exit code 0 as passed. Tests wait for `beforeExit`: if some still do at the end
 * without the event, a call of `process.exit` cut them off.
 */
function lookAtFile(hash: string): void {
  let ended = process.execArgv.includes('--test-force-exit');
  process.once('beforeExit', () => {
    ended = true;
  });
  process.on('exit', (code) => {
    note('file', { hash, cwd: process.cwd(), file: process.argv[1], seconds: process.uptime() });
    if (code !== 0 || ended) return;
    if (process.listenerCount('beforeExit') <= 1 && !namesRunner(process.argv[1])) return;
    process.exitCode = 1;
    writeSync(
      2,
      'affected: process.exit was called before the runner finished this file, so it is unknown whether its tests ran. To exit despite open handles, use --test-force-exit.\n',
    );
  });
}

/** A file without tests may end as it likes, and so may one that is gone by then. */
function namesRunner(file: string | undefined): boolean {
  try {
    return file !== undefined && /['"]node:test['"]/.test(readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Tells whether this is the first process of a task. A variable would not tell, because it would survive in scripts with their own options.
 */
function isFirst(hash: string): boolean {
  try {
    writeFileSync(join(__dirname, `first-${basename(hash)}`), '', { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

/**
 * A script may start turborepo for other tasks, which would replay results that nobody checks. In the first process, since a turborepo that is
 * a native program, and in `PATH`, does not load this file. `leave` takes it away before tests run.
 */
function ignoreInnerCache(): void {
  if (process.env[FORCED] !== undefined) return;
  process.env[FORCED] = process.env['TURBO_FORCE'] ?? '';
  process.env['TURBO_FORCE'] = 'true';
}

/** What starts programs as a script says: Yarn runs `NODE_OPTIONS=… jest` itself, without a shell. */
function startsScripts(path: string | undefined): boolean {
  return /^(?:yarn|cross-env)(?:[.-].*)?$/.test(basename(path ?? ''));
}

/**
 * Adds this file to the child processes of a script with its own Node options, as jest needs them for modules; otherwise its runner would
 * start without it.
 */
function stayIn(hash: string): void {
  const ours = `--require "${__filename.replaceAll('\\', '/')}"`;
  changeSpawn((call) => withReportOfNode(call.map((argument) => withOurs(argument, { hash, ours }))));
}

/** Changes an argument of `spawn`: in its options, the environment, if it is that of a process of this task. */
function withOurs(part: unknown, { hash, ours }: { readonly hash: string; readonly ours: string }): unknown {
  const env = (part as { readonly env?: Readonly<Record<string, string>> } | undefined)?.env;
  const options = env?.['NODE_OPTIONS'] ?? '';
  // A process with restricted file access would not start with our file.
  if (env?.['TURBO_HASH'] !== hash || options.includes(ours) || /--(?:experimental-)?permission/.test(options)) return part;
  return { ...(part as object), env: { ...env, NODE_OPTIONS: options === '' ? ours : `${options} ${ours}` } };
}

/** Changes a call of `spawn` that starts node's own runner, so that it also writes a report. */
function withReportOfNode(call: readonly unknown[]): readonly unknown[] {
  const [program, args, options] = call;
  const inside = (options as { readonly env?: Readonly<Record<string, string>> } | undefined)?.env?.['NODE_OPTIONS'] ?? '';
  if (typeof program !== 'string' || !/^node(?:\.exe)?$/.test(basename(program)) || !Array.isArray(args)) return call;
  if (!inside.includes('task-hook.cjs') || inside.includes('--test-reporter')) return call;
  const changed = withNodeReport(args.map(String), {
    version: Number.parseInt(process.versions.node, 10),
    isTerminal: isatty(1),
    reporter: pathToFileURL(join(__dirname, RUNNER_FILES.node)).href,
    file: join(__dirname, `report-node-${process.pid}-${Math.random().toString(36).slice(2)}.json`),
  });
  return changed === undefined ? call : [program, changed, options];
}

function lookForRunner(hash: string): void {
  const [node = '', named, ...args] = process.argv;
  const script = named === undefined ? undefined : realPath(named);
  const runner = runnerOfProcess({ script, args, nodeArgs: process.execArgv });
  if (runner === undefined) return;
  const cwd = process.cwd();
  const ask = (changed: readonly string[] | undefined): void => {
    if (changed !== undefined && named !== undefined) process.argv = [node, named, ...changed];
  };
  switch (runner) {
    case 'node': {
      process.env[PLACE] = 'node';
      const file = nodeReportOf(process.execArgv, __dirname);
      note('run', { hash, cwd, runner, report: file === undefined ? null : basename(file) });
      return;
    }
    case 'mocha':
      // It may start another process for the tests, which then restores the environment.
      ask(withReport(runner, args, { file: join(__dirname, RUNNER_FILES.mocha) }));
      return;
    case 'playwright':
      leave();
      process.env['PW_TEST_REPORTER'] ??= join(__dirname, RUNNER_FILES.playwright);
      return;
    case 'jest':
    case 'vitest': {
      leave();
      const file = join(__dirname, `report-${process.pid}.json`);
      const vitest = runner === 'vitest' ? { config: textOfConfig(cwd, args), reporters: reportersOf(script) } : {};
      const changed = withReport(runner, args, { file, ...vitest });
      ask(changed);
      if (changed !== undefined) failWithout(file);
      const run = { hash, cwd, runner, report: changed === undefined ? null : basename(file) };
      note('run', run);
      if (runner === 'jest' && changed !== undefined) {
        const seen = seeResults();
        process.on('exit', () => note('run', { ...run, seen: seen() }));
      }
    }
  }
}

/**
 * Prints the proof at the end of a passed task. Turborepo caches the output with the result, so a replay shows that reports were requested
 * and are complete. A task whose report proves nothing fails instead, so that no cache keeps it.
 */
function prove(hash: string, watched: WatchedTask): void {
  try {
    const { others = [] } = watched;
    const asked = [watched, ...others.map((one) => ({ ...one, named: [] }))].find(({ task }) => process.argv.includes(task));
    if (asked === undefined) return;
    const { named, outside } = asked;
    const notes = notesOf(hash);
    const reports = notes.flatMap(({ report, seen }) =>
      typeof report === 'string' ? [readReport(join(__dirname, basename(report)), seen as SeenResults | undefined)] : [],
    );
    const flaw = flawOf(reports, notes, named);
    if (flaw === undefined) writeSync(1, `\n${proofOf(hash, { outside, runtime: ourRuntime(), ...countsOf(reports, notes) })}\n`);
    else {
      process.exitCode = 1;
      writeSync(2, `affected: ${flaw}\n`);
    }
  } catch {}
}

/** What the first process of the task starts its scripts with, as Yarn does. */
function ourRuntime(): WatchProof['runtime'] {
  return runtimeOf({ platform: process.platform, arch: process.arch, version: process.versions.node });
}

/** How many tests ran is known if each runner tells. */
function countsOf(reports: readonly (Report | undefined)[], notes: readonly Note[]): Omit<WatchProof, 'outside' | 'runtime'> {
  const sumOf = (key: 'tests' | 'failed'): number => reports.reduce((sum, report) => sum + (report?.[key] ?? 0), 0);
  const isKnown = reports.length > 0 && notes.every(({ report }) => report !== null);
  return {
    unheeded: sumOf('failed'),
    tests: isKnown ? sumOf('tests') : undefined,
    isPartial: reports.some((report) => report?.isPartial === true),
  };
}

type Note = Readonly<Record<string, unknown>>;

function notesOf(hash: string): readonly Note[] {
  return readdirSync(__dirname)
    .filter((name) => /^(?:run|file)-\d+\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(join(__dirname, name), 'utf8')) as Note)
    .filter((one) => one['hash'] === hash);
}

/** Returns why the reports of a task prove nothing; `undefined` if they do prove it. `named`: files that its part must run. */
function flawOf(reports: readonly (Report | undefined)[], notes: readonly Note[], named: readonly string[]): string | undefined {
  if (reports.includes(undefined)) return 'the report of its test runner is cut off or missing, so it is unknown whether its tests ran.';
  if (reports.some((report) => report?.contradicts === true))
    return 'the counts in the report of its test runner differ from those of its single tests. Does a testResultsProcessor change them?';
  const written = reports.reduce((sum, report) => sum + (report?.written ?? 0), 0);
  if (written > 0) return `its test runner wrote snapshots instead of comparing them: ${written}. Its script may have -u or --ci=false.`;
  const ran = new Set([
    ...reports.flatMap((report) => report?.files ?? []),
    ...notes.flatMap(({ file }) => (typeof file === 'string' ? [file] : [])),
  ]);
  const missing = ran.size === 0 ? [] : missingFrom(ran, named, { resolve, sep });
  return missing.length === 0 ? undefined : `its test runner did not run ${missing.length} of the ${named.length} test files of this part.`;
}

interface Report {
  readonly files: readonly string[];
  readonly tests: number;
  readonly failed: number;
  readonly isPartial: boolean;
  readonly written: number;
  /** The report and what its runner has seen are not the same. */
  readonly contradicts: boolean;
}

/** Returns `undefined` if there is no complete report. */
function readReport(path: string, seen: SeenResults | undefined): Report | undefined {
  try {
    const read = parseRunnerReport(readFileSync(path, 'utf8'));
    return (
      read && {
        files: read.files.map((file) => file.path),
        tests: read.tests ?? 0,
        failed: read.failed,
        isPartial: read.partial.length > 0,
        written: read.written ?? 0,
        contradicts: read.contradicts === true || (seen !== undefined && (seen.failed !== read.failed || seen.tests !== read.tests)),
      }
    );
  } catch {
    return undefined;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // The file is in a zip archive of Plug'n'Play.
    return path;
  }
}

/** Returns all texts that may define vitest's reporters; vitest also searches the folders above. */
function textOfConfig(cwd: string, args: readonly string[]): string {
  const at = args.findIndex((arg) => /^(?:-c|--config)(?:=|$)/.test(arg));
  if (at >= 0)
    return readFileSync(
      join(cwd, args[at]?.includes('=') === true ? (args[at]?.replace(/^[^=]*=/, '') ?? '') : (args[at + 1] ?? '')),
      'utf8',
    );
  for (let folder = cwd; ; folder = dirname(folder)) {
    const files = readdirSync(folder).filter((name) => /^vite(?:st)?\.(?:config|workspace|projects)\.[cm]?[jt]s$/.test(name));
    if (files.some((name) => name.includes('.config.')) || folder === dirname(folder))
      return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  }
}

/** Returns vitest's default reporters. In GitHub Actions there is one more, since a version that its package.json tells. */
function reportersOf(script: string | undefined): readonly string[] {
  if (process.env['GITHUB_ACTIONS'] !== 'true') return ['default'];
  const folder = dirname(script ?? '');
  const manifest = readFileSync(join(basename(folder) === 'dist' ? dirname(folder) : folder, 'package.json'), 'utf8');
  return Number(/"version": *"(\d+)/.exec(manifest)?.[1]) >= 2 ? ['default', 'github-actions'] : ['default'];
}

/**
 * Returns the seconds of this process and of all children that it waited for, if the system tells. Source: proc(5), `stat`, fields 14 to
 * 17.
 */
function processorSeconds(): number | null {
  if (process.platform !== 'linux') return null;
  const text = readFileSync('/proc/self/stat', 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}
