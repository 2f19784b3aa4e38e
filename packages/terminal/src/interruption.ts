import { setMaxListeners } from 'node:events';
import { isToolError, ToolError } from '@tributary/model/errors';
import type { Ui } from './ui.js';

/** Handles Ctrl-C and SIGTERM for a command that must clean up. The first one aborts `signal`, the second one ends the process. */
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
      process.on('SIGINT', this.onSignal).on('SIGTERM', this.onSignal);
    }
    return this.controller;
  }

  stop(): void {
    process.off('SIGINT', this.onSignal).off('SIGTERM', this.onSignal);
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
}

function interrupted(cause?: unknown): ToolError {
  return new ToolError({ code: 'INTERRUPTED', message: 'The command was interrupted.', ...(cause === undefined ? {} : { cause }) });
}
