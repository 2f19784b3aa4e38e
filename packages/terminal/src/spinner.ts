import type { Writable } from 'node:stream';
import yoctoSpinner from 'yocto-spinner';
import type { OutputStream } from './streams.js';

/** A spinner and one line of text, redrawn in place. Text written to the stream meanwhile appears above it. */
export interface Spinner {
  update(text: string): void;
  /** Removes the line, or leaves `lastLine` in its place. */
  stop(lastLine?: string): void;
}

/** The library hides the cursor, and a signal that ends the process would leave it hidden. */
const SHOW_CURSOR = '\u001B[?25h';

/** Draws at once. Loaded lazily (`await import`), so that a silent command does not pay for it. */
export function startSpinner(text: string, stream: OutputStream): Spinner {
  // main.ts handles signals: the library would end the process in the middle of a change.
  const spinner = yoctoSpinner({ text: `${SHOW_CURSOR}${text}`, stream: stream as Writable, handleSignals: false }).start();
  return {
    update: (next) => {
      spinner.text = `${SHOW_CURSOR}${next}`;
    },
    stop: (lastLine) => void spinner.stop(lastLine),
  };
}
