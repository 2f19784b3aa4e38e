import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainObject } from '@tributary/model/plain-object';
import { outputOfNode } from '@tributary/process/node-output';
import { pathOfMark } from '../observe/file-marks.js';
import { RUNNER_FILES } from '../plan/watched-task.js';

// Code for the processes of a traced task: they tell the tracer which test file they run. Everything is in one folder: `__dirname`.

/** Tells that this process runs a test file from now on; `file`: an absolute path. */
export function markFile(file: string | undefined): void {
  if (file?.startsWith('/') === true) existsSync(pathOfMark(__dirname, { file }));
}

/** Tells that this process only finds test files from now on, and starts a process for each. */
export function markSearch(): void {
  existsSync(pathOfMark(__dirname, 'search'));
}

/**
 * Returns the arguments that make jest run each test file in a process of its own, which says which file it runs. Nothing of one file is then
 * in the memory of another, and without jest's cache nothing comes from its disk. What jest reads to find tests is marked as the index: it
 * reads every file of the project. What its configuration reads is not, so the configuration is read once more before. Returns the same
 * arguments where that is not safe.
 */
export function withFreshWorkers(args: readonly string[]): readonly string[] {
  const sequencer = args.some((arg) => JEST_DIFFERS.test(arg)) ? undefined : sequencerOf(readJestConfig(args));
  if (sequencer === undefined) return args;
  const file = join(__dirname, RUNNER_FILES.jestSequencer);
  writeFileSync(
    file,
    `module.exports = require('./reports-hook.cjs').jestMarks.markingSequencer(require(${JSON.stringify(sequencer)}));\n`,
  );
  process.execArgv.push('--require', join(__dirname, RUNNER_FILES.jestWorker));
  existsSync(pathOfMark(__dirname, 'index'));
  return ['--no-cache', `--cacheDirectory=${join(__dirname, 'jest')}`, '--workerIdleMemoryLimit=0', `--testSequencer=${file}`, ...args];
}

const JEST_DIFFERS =
  /^(?:--(?:run-?in-?band|detect-?open-?handles|(?:no-?)?cache|cache-?directory|worker|test-?sequencer|runner|haste|filter|(?:collect-?)?coverage|projects|select-?projects|debug|log-?heap|detect-?leaks)|-[a-z]*i)/i;

/** Returns what `jest --showConfig` prints; `undefined` if it fails. */
function readJestConfig(args: readonly string[]): unknown {
  const shown = outputOfNode([...process.execArgv, process.argv[1] ?? '', ...args, '--showConfig']);
  try {
    return shown === undefined ? undefined : JSON.parse(shown);
  } catch {
    return undefined;
  }
}

/**
 * Returns jest's own sequencer. `undefined` if a setting lets test files share a process, or makes their result depend on the content of
 * files that only the index reads.
 */
function sequencerOf(shown: unknown): string | undefined {
  if (!isPlainObject(shown) || !isPlainObject(shown['globalConfig']) || !Array.isArray(shown['configs'])) return undefined;
  const { configs, globalConfig } = shown;
  const [config, ...others]: readonly unknown[] = configs;
  if (!isPlainObject(config) || others.length > 0 || !isPlainObject(config['haste'])) return undefined;
  const { collectCoverage, runInBand, workerThreads, detectOpenHandles, filter, testSequencer } = globalConfig;
  const isShared = [collectCoverage, runInBand, workerThreads, detectOpenHandles, filter].some((value) => value !== false && value != null);
  const isOther = config['haste']['hasteImplModulePath'] !== undefined || !String(config['runner']).includes('jest-runner');
  if (isShared || isOther || typeof testSequencer !== 'string') return undefined;
  return testSequencer.replaceAll('\\', '/').includes('/@jest/test-sequencer/') ? testSequencer : undefined;
}

interface Sequencer {
  sort(tests: readonly unknown[]): unknown;
}

/** Returns jest's sequencer, which marks the end of the index: jest sorts the tests after it has found them. */
export function markingSequencer(original: unknown): unknown {
  const Base = (original as { readonly default: new () => Sequencer }).default;
  return class extends Base {
    override sort(tests: readonly unknown[]): unknown {
      const sorted = super.sort(tests);
      existsSync(pathOfMark(__dirname, 'shared'));
      return sorted;
    }
  };
}

/** In a process that jest starts for tests: marks each test file that it gets. Tests must not see how the process was started. */
export function markWorker(): void {
  const at = process.execArgv.findIndex((arg) => arg.endsWith(RUNNER_FILES.jestWorker));
  if (at > 0) process.execArgv.splice(at - 1, 2);
  process.on('message', (message) => {
    // A call of jest-worker: kind, flag, method, arguments.
    const [, , , values]: readonly unknown[] = Array.isArray(message) ? message : [];
    const [call]: readonly unknown[] = Array.isArray(values) ? values : [];
    if (isPlainObject(call) && typeof call['path'] === 'string') markFile(call['path']);
  });
}
