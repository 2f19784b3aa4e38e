import type { Paint } from './color.js';
import { cutToWidth } from './cut.js';
import type { Spinner } from './spinner.js';
import type { OutputStream } from './streams.js';

/** How a long command shows that it lives. All calls return at once; none throws. */
export interface Progress {
  /** A new phase begins, and the one before is done. `total`: the steps that are expected, if that is known. */
  phase(name: string, total?: number): void;
  /** One step, or `count` of them, are done; `detail` says what is at hand. */
  step(detail?: string, count?: number): void;
  /**
   * What a program says that works for the phase, as it comes: on a terminal it is what is at hand; elsewhere a line of its own behind the
   * name of the phase, `aside` only with `--verbose`.
   */
  message(text: string, weight: 'plain' | 'aside'): void;
  /** Takes the line away. A later `phase` starts again. */
  done(): void;
  /** Leaves the line of the phase that failed, for the error message that follows. */
  fail(): void;
}

/** `line`: one line, redrawn, for terminals. `log`: lines, for each phase and all that programs say; `brief`: what they say plainly. */
export type ProgressMode = 'line' | 'log' | 'brief' | 'silent';

/** Where progress is shown. */
export interface ProgressOutput {
  /** stderr; lines are redrawn on it. */
  readonly stream: OutputStream;
  readonly paint: Paint;
  /** Writes a line that stays. */
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

/** Says nothing; for tests and for callers without a terminal. */
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

/** As often as the sign turns: a step may take microseconds, and each drawing is a system call. */
const REDRAW_MS = 80;

class LineProgress implements Progress {
  private current: Phase | undefined;
  private spinner: Spinner | undefined;
  private redraw: NodeJS.Timeout | undefined;
  private readonly stream: OutputStream;
  private readonly paint: Paint;
  // Asked for now, so that it has been read when the first phase begins.
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
    this.redraw ??= setTimeout(() => this.draw(), REDRAW_MS);
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
    // It may have ended, or a second `phase` may have been quicker, while the file was read.
    if (this.current !== undefined && this.spinner === undefined) this.spinner = startSpinner(this.line(this.current), this.stream);
  }

  private draw(): void {
    clearTimeout(this.redraw);
    this.redraw = undefined;
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
    // The sign and its blank take two columns; a terminal may wrap in the last one, and echoes Ctrl-C as `^C`.
    return cutToWidth(text, (this.stream.columns || 80) - 5);
  }
}
