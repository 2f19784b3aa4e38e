import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { AUTHOR } from './hermetic-git.js';
import { findProjectRoot } from './project-root.js';
import { TempFolder } from './temp-folder.js';

export interface RunOptions {
  readonly cwd: string;
  /** Overrides the hermetic environment, including `HOME`. */
  readonly env?: Readonly<Record<string, string>>;
  /** The whole stdin (default: empty). */
  readonly input?: string | Uint8Array;
  /**
   * Kills the program and rejects (default: 240 s). That is before the test itself is stopped (jest.config.mjs), so that the error names
   * the program.
   */
  readonly timeoutMs?: number;
}

export interface CliOptions extends RunOptions {
  /** The project (default: searched from the working directory). */
  readonly root?: AbsolutePath;
}

export interface CliResult {
  /** `null` if a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program. */
export interface RunningProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Rejects only if the time limit is reached or the program cannot be started. */
  readonly finished: Promise<CliResult>;
  /** Kills it and waits. */
  dispose(): Promise<void>;
}

/** Runs the bundled `tools/<tool>/out/cli.cjs` to its end. Any exit code is a result, not an error. */
export function runCli(tool: string, args: readonly string[], options: CliOptions): Promise<CliResult> {
  return startCli(tool, args, options).finished;
}

/** Starts a bundled tool, for tests that send signals or read while it runs. */
export function startCli(tool: string, args: readonly string[], options: CliOptions): RunningProcess {
  const bundle = join(options.root ?? findProjectRoot(), 'tools', tool, 'out', 'cli.cjs');
  return startProcess(process.execPath, [bundle, ...args], options);
}

/**
 * Runs any program in the environment of a tool: no terminal, an empty home with a git identity, and only `PATH` of this process's
 * environment. It does not block, so a server may run in the same process.
 */
export function runProcess(file: string, args: readonly string[], options: RunOptions): Promise<CliResult> {
  return startProcess(file, args, options).finished;
}

/** Creates a home folder with only a git identity, to share between runs: `env: { HOME: home.path }`. */
export function createHome(): TempFolder {
  const home = new TempFolder();
  home.write('.gitconfig', `[user]\n\tname = ${AUTHOR.name}\n\temail = ${AUTHOR.email}\n[init]\n\tdefaultBranch = main\n`);
  return home;
}

/** Like `runProcess`, but returns the running program. */
export function startProcess(file: string, args: readonly string[], options: RunOptions): RunningProcess {
  const home = createHome();
  const child = spawn(file, args, { cwd: options.cwd, env: { ...hermeticEnvironment(home), ...options.env }, stdio: 'pipe' });
  const finished = collect(child, options.timeoutMs ?? 240_000).finally(() => home.dispose());
  // A program that ends without reading its input does not fail the test.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const dispose = async (): Promise<void> => {
    child.kill('SIGKILL');
    await finished.catch(() => {});
  };
  return { child, finished, dispose };
}

function hermeticEnvironment(home: TempFolder): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home.path, TMPDIR: tmpdir(), LANG: 'C.UTF-8', TZ: 'UTC', GIT_CONFIG_NOSYSTEM: '1' };
}

function collect(child: ChildProcessWithoutNullStreams, timeoutMs: number): Promise<CliResult> {
  const stdout = collectText(child.stdout);
  const stderr = collectText(child.stderr);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${child.spawnargs.join(' ')} was still running after ${timeoutMs} ms.\nstdout: ${stdout()}\nstderr: ${stderr()}`));
    }, timeoutMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout: stdout(), stderr: stderr() });
    });
  });
}

function collectText(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}
