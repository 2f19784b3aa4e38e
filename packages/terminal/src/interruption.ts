import { setMaxListeners } from 'node:events';
import { isToolError, ToolError } from '@tributary/model/errors';
import type { Ui } from './ui.js';

/**
 * Handles Ctrl-C, SIGTERM and a closed terminal for a command that must clean up. The first one aborts `signal`, a second Ctrl-C or SIGTERM
 * ends the process.
 */
export class Interruption {
  private readonly ui: Ui;
  private controller: AbortController | undefined;

  constructor(ui: Ui) {
    this.ui = ui;
  }

  /** Aborted with a `ToolError` INTERRUPTED as its reason. */
  get signal(): AbortSignal {
    return this.listen().signal;
  }

  /** Starts to handle signals. Before it is called, a signal ends the process at once. */
  listen(): AbortController {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      // Every running child program listens to it. Node would warn of a leak at the eleventh listener.
      setMaxListeners(0, this.controller.signal);
      process.on('SIGINT', this.onSignal).on('SIGTERM', this.onSignal).on('SIGHUP', this.onHangup);
    }
    return this.controller;
  }

  stop(): void {
    process.off('SIGINT', this.onSignal).off('SIGTERM', this.onSignal).off('SIGHUP', this.onHangup);
  }

  /**
   * Returns the error to report: after a signal, every error counts as its consequence. A child program also receives the terminal's Ctrl-C
   * and may fail first.
   */
  explain(error: unknown): unknown {
    if (this.controller?.signal.aborted !== true || (isToolError(error) && error.code === 'INTERRUPTED')) return error;
    return interrupted(error);
  }

  private readonly onSignal = (): void => {
    const controller = this.listen();
    if (controller.signal.aborted) {
      this.ui.stopProgress();
      process.exit(130);
    }
    this.ui.warning('interrupted, cleaning up; press Ctrl-C again to stop at once');
    controller.abort(interrupted());
  };

  /** Both the shell and the kernel send it when a terminal closes, so a second one is no wish to stop at once. */
  private readonly onHangup = (): void => {
    if (!this.listen().signal.aborted) this.onSignal();
  };
}

function interrupted(cause?: unknown): ToolError {
  return new ToolError({ code: 'INTERRUPTED', message: 'The command was interrupted.', ...(cause === undefined ? {} : { cause }) });
}
