import { setMaxListeners } from 'node:events';
import { inspect } from 'node:util';
import { isToolError, ToolError } from '@tributary/model/errors';
import { redactUrls } from '@tributary/model/repo-url';
import type { Clock } from '@tributary/model/time';
import { type Command, CommanderError } from 'commander';
import { systemClock } from './clock.js';
import { dropCommandsInJson } from './drop-commands.js';
import { readFlags } from './global-options.js';
import { Ui } from './ui.js';

/** What a command gets from the program it belongs to. */
export interface Services {
  readonly ui: Ui;
  readonly clock: Clock;
  /** Aborted by the first Ctrl-C or SIGTERM, with a `ToolError` INTERRUPTED as its reason: `signal.throwIfAborted()`. */
  readonly signal: AbortSignal;
}

/**
 * Runs a program: the single way out of every tool. Exit codes: 0 done, 1 failed for a named reason, 2 wrong command line,
 * 70 a bug of ours, 130 interrupted. Never rejects. The second Ctrl-C ends the process on the spot.
 */
export async function runProgram(build: (services: Services) => Command, argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  const flags = readFlags(argv);
  // Libraries and child programs look at the variable.
  if (flags.color === 'never') process.env.NO_COLOR = '1';
  const ui = new Ui(process, process.env, flags);
  const interruption = listenForSignals(ui);
  guardOutput(ui);
  const ended = guardEnd(ui);
  try {
    const program = takeOver(build({ ui, clock: systemClock, signal: interruption.signal }));
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    // A child program gets the terminal's Ctrl-C too and may fail before we do: that failure is the interruption.
    const failure = interruption.signal.aborted ? interruption.explain(error) : error;
    ui.stopProgress();
    process.exitCode = reportFailure(failure, ui);
  } finally {
    ui.stopProgress();
    interruption.stop();
    ended();
  }
}

/**
 * Node ends with exit code 0 when nothing is left to wait for, even if the command still awaits a promise that nobody will fulfil:
 * that must not look like success. Returns what to call when the command has really ended.
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

/** Makes commander throw instead of ending the process, in all commands, and leaves its error messages to us. */
function takeOver(program: Command): Command {
  program.exitOverride().configureOutput({ outputError: () => {} });
  program.commands.forEach(takeOver);
  return program;
}

/** Says what went wrong; the exit code. */
function reportFailure(error: unknown, ui: Ui): number {
  const failure = error instanceof CommanderError ? fromCommander(error) : error;
  if (failure === undefined) return 0;
  if (!isToolError(failure)) return reportBug(failure, ui);
  ui.error(failure.message, failure);
  if (failure.cause !== undefined) ui.verbose(`caused by: ${chainOfCauses(failure.cause)}`);
  // Redacted as text: an address may hide anywhere in the data.
  if (ui.flags.json) ui.data(dropCommandsInJson(redactUrls(JSON.stringify({ schemaVersion: 1, error: failure }, null, 2))));
  return exitCodeOf(failure);
}

function exitCodeOf({ code }: ToolError): number {
  if (code === 'USAGE') return 2;
  return code === 'INTERRUPTED' ? 130 : 1;
}

function reportBug(error: unknown, ui: Ui): number {
  const said = error instanceof Error ? `${error.name}: ${error.message}` : inspect(error);
  ui.error(`This is a bug in Tributary. ${said}`, {
    hint: ui.flags.verbose ? undefined : 'Run it again with --verbose for the place where it happened, and report that.',
  });
  ui.verbose(chainOfCauses(error));
  return 70;
}

/** Commander throws for `--help` and `--version` too: then there is no failure. */
function fromCommander(error: CommanderError): ToolError | undefined {
  if (error.exitCode === 0) return undefined;
  // `commander.help`: a subcommand is missing, and the help has been shown on stderr.
  if (error.code === 'commander.help') return new ToolError({ code: 'USAGE', message: 'A command is missing; its choices stand above.' });
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const hint = suggestion?.replace(/^\((.*)\)$/, '$1') ?? 'Run the same command with --help to see what it takes.';
  return new ToolError({ code: 'USAGE', message: `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.?$/, '.')}`, hint });
}

function chainOfCauses(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error);
  const stack = error.stack ?? error.message;
  return error.cause === undefined ? stack : `${stack}\ncaused by: ${chainOfCauses(error.cause)}`;
}

interface Interruption {
  readonly signal: AbortSignal;
  /** The error to report in the place of one that came after the signal. */
  explain(error: unknown): ToolError;
  stop(): void;
}

function listenForSignals(ui: Ui): Interruption {
  const controller = new AbortController();
  // Every child program under way listens to it; Node would warn of a leak at the eleventh.
  setMaxListeners(0, controller.signal);
  const onSignal = (): void => {
    if (controller.signal.aborted) {
      ui.stopProgress();
      process.exit(130);
    }
    ui.warning('interrupted, putting things in order; Ctrl-C again stops at once');
    controller.abort(new ToolError({ code: 'INTERRUPTED', message: 'The command was interrupted.' }));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    explain: (error) => {
      if (isToolError(error) && error.code === 'INTERRUPTED') return error;
      return new ToolError({ code: 'INTERRUPTED', message: 'The command was interrupted.', cause: error });
    },
    stop: () => process.off('SIGINT', onSignal).off('SIGTERM', onSignal),
  };
}

/** Failures that reach no `catch` of ours: of the output streams, and of promises and events that nobody waits for. */
function guardOutput(ui: Ui): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // The reader (`head`) has seen enough. A change that is under way must come to its end all the same.
      if (error.code === 'EPIPE') return;
      process.exitCode = reportFailure(error.code === 'ENOSPC' ? outputLost(error) : error, ui);
    });
  }
  process.on('uncaughtException', (error) => {
    ui.stopProgress();
    reportBug(error, ui);
    process.exit(70);
  });
}

function outputLost(error: Error): ToolError {
  return new ToolError({ code: 'DISK_FULL', message: 'The disk is full: the output could not be written.', cause: error });
}
