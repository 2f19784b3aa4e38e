import type { Writable } from 'node:stream';
import yoctoSpinner from 'yocto-spinner';
import type { OutputStream } from './streams.js';

/** A turning sign and one line of text, redrawn in its place; what is written to the stream meanwhile appears above it. */
export interface Spinner {
  update(text: string): void;
  /** Takes the line away, or leaves `lastLine` in its place. */
  stop(lastLine?: string): void;
}

/** Draws at once. Loaded late (`await import`): a command that says nothing does not pay for it. */
export function startSpinner(text: string, stream: OutputStream): Spinner {
  // Signals belong to main.ts: by itself the library would end the process in the middle of a change.
  const spinner = yoctoSpinner({ text, stream: stream as Writable, handleSignals: false }).start();
  return {
    update: (next) => {
      spinner.text = next;
    },
    stop: (lastLine) => void spinner.stop(lastLine),
  };
}
