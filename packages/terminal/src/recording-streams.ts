import { PassThrough, type Writable } from 'node:stream';
import type { OutputStream, Streams } from './streams.js';

export interface RecordingStreams extends Streams {
  /** The text written so far. */
  stdoutText(): string;
  stderrText(): string;
  /** Simulates key presses. */
  type(keys: string): void;
}

/** Returns streams that record what is written to them, for tests of code that uses a `Ui`. A `terminal` has 80 columns. */
export function recordStreams(kind: 'terminal' | 'pipe' = 'pipe'): RecordingStreams {
  const terminal =
    kind === 'terminal' ? { isTTY: true, columns: 80, cursorTo: noted, moveCursor: noted, clearLine: clear, setRawMode: noted } : {};
  const create = (): OutputStream & PassThrough => Object.assign(new PassThrough(), terminal);
  const stdin = create();
  const stdout = create();
  const stderr = create();
  return { stdin, stdout, stderr, stdoutText: collect(stdout), stderrText: collect(stderr), type: (keys) => void stdin.write(keys) };
}

function collect(stream: PassThrough): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return () => text;
}

/** Stands for a terminal's methods that the libraries call; a cleared line is recorded as `<clear>`. */
function noted(): boolean {
  return true;
}

function clear(this: Writable): boolean {
  return this.write('<clear>');
}
