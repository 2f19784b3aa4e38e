import { PassThrough, type Writable } from 'node:stream';
import type { OutputStream, Streams } from './streams.js';

export interface RecordingStreams extends Streams {
  /** What has been written so far. */
  stdoutText(): string;
  stderrText(): string;
  /** Presses keys. */
  type(keys: string): void;
}

/** Streams that remember what is written to them, for tests of whoever gets a `Ui`. A `terminal` has 80 columns. */
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

/** A terminal's methods, as the libraries call them; that a line was taken away shows as `<clear>`. */
function noted(): boolean {
  return true;
}

function clear(this: Writable): boolean {
  return this.write('<clear>');
}
