import { setMaxListeners } from 'node:events';
import { isToolError, ToolError } from '@tributary/model/errors';
import type { Command } from 'commander';
import { EXIT_CODES } from './exit-codes.js';
import type { Ui } from './ui.js';

const CODES = { SIGINT: EXIT_CODES.interrupted, SIGTERM: EXIT_CODES.terminated, SIGHUP: EXIT_CODES.hungUp } as const;
type Ending = keyof typeof CODES;

const TAKES_BACK = Symbol.for('tributary.takesBack');

/**
 * Marks a command that has something to take back when a signal arrives, and watches `Services.signal`. It must not compute for long at a
 * stretch: meanwhile, nothing ends it.
 */
export function takesBack(command: Command): Command {
  return Object.assign(command, { [TAKES_BACK]: true });
}

export function isTakingBack(command: Command): boolean {
  return TAKES_BACK in command;
}

/**
 * Handles Ctrl-C, SIGTERM and a closed terminal for a command that must clean up. The first one aborts `signal`, a second Ctrl-C or SIGTERM
 * ends the process.
 */
export class Interruption {
  private readonly ui: Ui;
  private readonly controller = new AbortController();
  private isListening = false;
  private first: Ending | undefined;

  constructor(ui: Ui) {
    this.ui = ui;
    // Every running child program listens to it. Node would warn of a leak at the eleventh listener.
    setMaxListeners(0, this.signal);
  }

  /** Aborted with a `ToolError` INTERRUPTED as its reason, if a signal arrives while this listens. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Starts to handle signals. Without it, a signal ends the process at once, also while it computes. */
  listen(): void {
    this.isListening = true;
    process.on('SIGINT', this.onSignal).on('SIGTERM', this.onSignal).on('SIGHUP', this.onHangup);
  }

  /** Stops to handle signals. Returns the exit code for the first one that has arrived, also while the command computed. */
  async stop(): Promise<number | undefined> {
    if (!this.isListening) return undefined;
    // Node calls listeners of a signal in its loop only. The first turn may have begun before the signal came.
    for (let turn = 1; turn <= 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    process.off('SIGINT', this.onSignal).off('SIGTERM', this.onSignal).off('SIGHUP', this.onHangup);
    return this.first === undefined ? undefined : CODES[this.first];
  }

  /** Waits for whoever holds a signal back until a child program has ended. The last of them ends this process by the signal. */
  async untilReleased(): Promise<void> {
    while (Object.keys(CODES).some((name) => process.listenerCount(name) > 0)) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /**
   * Returns the error to report: after a signal, every error counts as its consequence. A child program also receives the terminal's Ctrl-C
   * and may fail first.
   */
  explain(error: unknown): unknown {
    if (!this.signal.aborted || (isToolError(error) && error.code === 'INTERRUPTED')) return error;
    return interrupted(error);
  }

  private readonly onSignal = (name: Ending): void => {
    if (this.first !== undefined) {
      this.ui.stopProgress();
      process.exit(CODES[name]);
    }
    this.first = name;
    this.ui.warning('interrupted, cleaning up; press Ctrl-C again to stop at once');
    this.controller.abort(interrupted());
  };

  /** Both the shell and the kernel send it when a terminal closes, so a second one is no wish to stop at once. */
  private readonly onHangup = (name: Ending): void => {
    if (this.first === undefined) this.onSignal(name);
  };
}

function interrupted(cause?: unknown): ToolError {
  return new ToolError({ code: 'INTERRUPTED', message: 'The command was interrupted.', ...(cause === undefined ? {} : { cause }) });
}
