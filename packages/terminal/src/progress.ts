import type { Paint } from './color.js';
import { cutToWidth } from './cut.js';
import type { Spinner } from './spinner.js';
import type { OutputStream } from './streams.js';

/** Shows that a long command is making progress. All calls return at once; none throws. */
export interface Progress {
  /** Starts a phase and ends the one before. `total`: the number of expected steps, if known. */
  phase(name: string, total?: number): void;
  /** Counts one step, or `count` steps, as done. `detail` names the current item. */
  step(detail?: string, count?: number): void;
  /**
   * Shows a message from a program that works for the phase, as it arrives. On a terminal it becomes the current detail. Elsewhere it is a
   * separate line after the phase's name, `aside` only with `--verbose`.
   */
  message(text: string, weight: 'plain' | 'aside'): void;
  /** Removes the line. A later `phase` starts again. */
  done(): void;
  /** Keeps the line of the failed phase on screen, before the error message. */
  fail(): void;
}

/**
 * `line`: one line, redrawn, for terminals. `log`: lines for each phase and all messages of programs. `brief`: only their `plain` messages.
 */
export type ProgressMode = 'line' | 'log' | 'brief' | 'silent';

/** The output for progress. */
export interface ProgressOutput {
  /** stderr; lines are redrawn on it. */
  readonly stream: OutputStream;
  readonly paint: Paint;
  /** Writes a permanent line. */
  readonly say: (text: string) => void;
}

export function createProgress(mode: ProgressMode, output: ProgressOutput): Progress {
  switch (mode) {
    case 'line':
      return new LineProgress(output.stream, output.paint);
    case 'log':
    case 'brief':
      return createLog(mode, output.say);
    case 'silent':
      return silentProgress;
  }
}

/** Shows nothing; for tests and for callers without a terminal. */
export const silentProgress: Progress = { phase() {}, step() {}, message() {}, done() {}, fail() {} };

function createLog(mode: 'log' | 'brief', say: (text: string) => void): Progress {
  let current = '';
  return {
    ...silentProgress,
    phase: (name, total) => {
      current = name;
      if (mode === 'log') say(`${name}${total === undefined ? '' : ` (${total})`}`);
    },
    message: (text, weight) => {
      if (mode === 'log' || weight === 'plain') say(`${current}: ${text}`);
    },
  };
}

interface Phase {
  readonly name: string;
  readonly total: number | undefined;
  done: number;
  detail: string;
}

/** The frame time of the spinner: a step may take microseconds, and each redraw is a system call. */
const REDRAW_MS = 80;

/** The time after which a step draws itself: a long computation keeps the timers of the spinner and of `redraw` from running. */
const OVERDUE_MS = 500;

class LineProgress implements Progress {
  private current: Phase | undefined;
  private spinner: Spinner | undefined;
  private redraw: NodeJS.Timeout | undefined;
  private drawnAt = 0;
  private readonly stream: OutputStream;
  private readonly paint: Paint;
  // Imported now, so that it is loaded when the first phase begins.
  private readonly loading = import('./spinner.js');

  constructor(stream: OutputStream, paint: Paint) {
    this.stream = stream;
    this.paint = paint;
  }

  phase(name: string, total?: number): void {
    this.current = { name, total, done: 0, detail: '' };
    if (this.spinner === undefined) void this.start();
    else this.draw();
  }

  step(detail = '', count = 1): void {
    if (this.current === undefined) return;
    this.current.done += count;
    this.current.detail = detail;
    if (this.spinner !== undefined && Date.now() - this.drawnAt > OVERDUE_MS) this.draw();
    else this.redraw ??= setTimeout(() => this.draw(), REDRAW_MS);
  }

  message(text: string): void {
    this.step(text, 0);
  }

  done(): void {
    this.stop(undefined);
  }

  fail(): void {
    if (this.current !== undefined) this.stop(`${this.paint('red', '✖')} ${this.line(this.current)}`);
  }

  private async start(): Promise<void> {
    const { startSpinner } = await this.loading;
    // While the file was loading, the phase may have ended, or a second `phase` may have started the spinner.
    if (this.current !== undefined && this.spinner === undefined) this.spinner = startSpinner(this.line(this.current), this.stream);
  }

  private draw(): void {
    clearTimeout(this.redraw);
    this.redraw = undefined;
    this.drawnAt = Date.now();
    if (this.current !== undefined) this.spinner?.update(this.line(this.current));
  }

  private stop(lastLine: string | undefined): void {
    clearTimeout(this.redraw);
    this.redraw = undefined;
    if (this.spinner !== undefined) this.spinner.stop(lastLine);
    else if (lastLine !== undefined) this.stream.write(`${lastLine}\n`);
    this.spinner = undefined;
    this.current = undefined;
  }

  private line({ name, total, done, detail }: Phase): string {
    const count = total === undefined ? (done > 0 ? `  ${done}` : '') : `  ${done} of ${total}`;
    const text = `${name}${count}${detail === '' ? '' : `  ${detail}`}`;
    // The spinner and its blank take two columns. A terminal may wrap in the last column, and echoes Ctrl-C as `^C`.
    return cutToWidth(text, (this.stream.columns || 80) - 5);
  }
}
