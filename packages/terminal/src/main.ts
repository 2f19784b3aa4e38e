import { inspect } from 'node:util';
import { isToolError, ToolError } from '@tributary/model/errors';
import { redactUrls } from '@tributary/model/repo-url';
import type { Clock } from '@tributary/model/time';
import { type Command, CommanderError } from 'commander';
import { systemClock } from './clock.js';
import { dropCommandsInJson } from './drop-commands.js';
import { EXIT_CODES } from './exit-codes.js';
import { readFlags } from './global-options.js';
import { Interruption, isTakingBack } from './interruption.js';
import { ProcessStreams } from './process-streams.js';
import { addRemovedCommands, NOTHING_REMOVED, type Removed, removedOption } from './removed.js';
import type { Streams } from './streams.js';
import { Ui } from './ui.js';

/** The services that a program gives to its commands. */
export interface Services {
  readonly ui: Ui;
  readonly clock: Clock;
  /**
   * For a command that takes something back (`takesBack`): aborted by the first Ctrl-C, SIGTERM or closed terminal, with a `ToolError`
   * INTERRUPTED as its reason. Such a signal ends any other command at once.
   */
  readonly signal: AbortSignal;
}

/**
 * Runs a program; the only exit point of every tool. Exit codes: see `EXIT_CODES`. Never rejects. Ctrl-C ends the process at once; for a
 * command that `takesBack`, the second one does.
 */
export async function runTool(
  build: (services: Services) => Command,
  { argv = process.argv.slice(2), removed = NOTHING_REMOVED }: { readonly argv?: readonly string[]; readonly removed?: Removed } = {},
): Promise<void> {
  const flags = readFlags(argv);
  // For libraries and child programs, which read the variable.
  if (flags.color === 'never') process.env.NO_COLOR = '1';
  const streams = new ProcessStreams((failure) => onLostOutput(failure, ui));
  const ui = new Ui(streams, process.env, flags);
  const interruption = new Interruption(ui);
  const ended = guardEnd(ui);
  guardPromises(ui);
  try {
    const program = build({ ui, clock: systemClock, signal: interruption.signal });
    addRemovedCommands(program, removed);
    takeOver(program, streams);
    // Help and errors in the command line are printed before; they need neither and should be quick.
    program.hook('preAction', (_program, command) => {
      streams.useNodes();
      if (isTakingBack(command)) interruption.listen();
    });
    await program.parseAsync(argv, { from: 'user' });
    process.exitCode = (await interruption.stop()) ?? process.exitCode;
  } catch (error) {
    ui.stopProgress();
    const stopped = await interruption.stop();
    const failure = error instanceof CommanderError ? fromCommander(error, removed) : interruption.explain(error);
    if (isToolError(failure) && failure.code === 'INTERRUPTED') await interruption.untilReleased();
    const code = failure === undefined ? EXIT_CODES.done : reportFailure(failure, ui);
    // Help is not a failure, but printing it may have failed, so the exit code is not overwritten.
    if (code !== 0) process.exitCode = stopped ?? code;
  } finally {
    ui.stopProgress();
    ended();
    // Otherwise Node waits for background compiler threads of its engine, although the process has nothing left to do.
    if (streams.isFlushed) setImmediate(() => process.exit());
  }
}

/**
 * Reports a command that ends without finishing. Node ends with exit code 0 when nothing is left to wait for, even if the command still
 * awaits a promise. That must not look like success. Returns a function to call when the command has really ended.
 */
function guardEnd(ui: Ui): () => void {
  const onExit = (code: number): void => {
    if (code !== 0) return;
    ui.stopProgress();
    process.exitCode = reportBug(new Error('The command stopped before its end.'), ui);
  };
  process.once('exit', onExit);
  return () => process.off('exit', onExit);
}

/** Makes commander throw instead of ending the process, in all commands, and silences its error messages. */
function takeOver(program: Command, streams: Streams): void {
  program.exitOverride().configureOutput({
    outputError: () => {},
    writeOut: (text) => streams.stdout.write(text),
    writeErr: (text) => streams.stderr.write(text),
    getOutHelpWidth: () => streams.stdout.columns ?? 80,
    getErrHelpWidth: () => streams.stderr.columns ?? 80,
    // The help has no colours.
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
  for (const command of program.commands) takeOver(command, streams);
}

/** Reports a failure and returns the exit code. */
function reportFailure(error: unknown, ui: Ui): number {
  const failure = isWithoutFolder(error) ? withoutFolder(error) : error;
  if (!isToolError(failure)) return reportBug(failure, ui);
  ui.error(failure.message, failure);
  if (failure.cause !== undefined) ui.verbose(`caused by: ${chainOfCauses(failure.cause)}`);
  // Redacted as text: an address may be anywhere in the data.
  if (ui.flags.json) ui.data(dropCommandsInJson(redactUrls(JSON.stringify({ schemaVersion: 1, error: failure }, null, 2))));
  return exitCodeOf(failure);
}

/** Tells whether the current folder was deleted, which any use of a relative path may notice. */
function isWithoutFolder(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall === 'uv_cwd';
}

function withoutFolder(cause: unknown): ToolError {
  const hint = 'Change to a folder that exists, or name one with --cwd and its whole path.';
  return new ToolError({ code: 'TARGET_NOT_FOUND', message: 'The current folder was deleted.', hint, cause });
}

function exitCodeOf({ code }: ToolError): number {
  if (code === 'USAGE') return EXIT_CODES.usage;
  return code === 'INTERRUPTED' ? EXIT_CODES.interrupted : EXIT_CODES.failed;
}

function reportBug(error: unknown, ui: Ui): number {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : inspect(error);
  ui.error(`This is a bug in Tributary. ${message}`, {
    hint: ui.flags.verbose ? undefined : 'Run it again with --verbose, and report its output.',
  });
  ui.verbose(chainOfCauses(error));
  return EXIT_CODES.internalError;
}

/** Returns commander's error as a ToolError; `undefined` for `--help` and `--version`, for which commander throws too. */
function fromCommander(error: CommanderError, removed: Removed): ToolError | undefined {
  if (error.exitCode === 0) return undefined;
  const gone = removedOption(error, removed);
  if (gone !== undefined) return gone;
  // `commander.help`: a subcommand is missing, and the help has been shown on stderr.
  if (error.code === 'commander.help') return new ToolError({ code: 'USAGE', message: 'A command is missing; see the choices above.' });
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const hint = suggestion?.replace(/^\((.*)\)$/, '$1') ?? 'Run the same command with --help to see its options.';
  return new ToolError({ code: 'USAGE', message: `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.?$/, '.')}`, hint });
}

function chainOfCauses(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error);
  const stack = error.stack ?? error.message;
  return error.cause === undefined ? stack : `${stack}\ncaused by: ${chainOfCauses(error.cause)}`;
}

function onLostOutput(error: NodeJS.ErrnoException, ui: Ui): void {
  // The reader (`head`) has stopped reading. A running change must still finish.
  if (error.code === 'EPIPE') return;
  process.exitCode = reportFailure(error.code === 'ENOSPC' ? outputLost(error) : error, ui);
}

/** Handles failures that no `catch` sees: of promises and events that nobody awaits. */
function guardPromises(ui: Ui): void {
  process.on('uncaughtException', (error) => {
    ui.stopProgress();
    reportBug(error, ui);
    process.exit(EXIT_CODES.internalError);
  });
}

function outputLost(error: Error): ToolError {
  return new ToolError({ code: 'DISK_FULL', message: 'The disk is full: the output could not be written.', cause: error });
}
