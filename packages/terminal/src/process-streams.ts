import { fstatSync, statSync } from 'node:fs';
import type { InputStream, OutputStream, Streams } from './streams.js';
import { writeAtOnce } from './write-at-once.js';

type OnFailure = (failure: NodeJS.ErrnoException) => void;

/** File descriptors of stdout and stderr. */
type OutputFile = 1 | 2;

/**
 * The streams of this process, each created on first use. To create its own streams, Node loads half of its network code, which takes
 * longer than parsing a command line. So at first only terminals get them; a file or a pipe is written to directly.
 */
export class ProcessStreams implements Streams {
  private readonly onFailure: Readonly<Record<OutputFile, OnFailure>>;
  private out: OutputStream | undefined;
  private err: OutputStream | undefined;
  private state: 'flushed' | 'buffered' = 'flushed';

  /** `onFailure` is called soon after the first failure to write to an output. A message that it prints there may be lost too. */
  constructor(onFailure: OnFailure) {
    this.onFailure = { 1: onlyFirst(onFailure), 2: onlyFirst(onFailure) };
  }

  get stdin(): InputStream {
    return process.stdin;
  }

  get stdout(): OutputStream {
    this.out ??= this.open(1);
    return this.out;
  }

  get stderr(): OutputStream {
    this.err ??= this.open(2);
    return this.err;
  }

  /** Switches to Node's own streams: a long run must not block on a slow reader. */
  useNodes(): void {
    this.out = this.nodes(1);
    this.err = this.nodes(2);
  }

  /** Whether everything written has left the process for sure. */
  get isFlushed(): boolean {
    return this.state === 'flushed';
  }

  private open(file: OutputFile): OutputStream {
    return mayBeTerminal(file) ? this.nodes(file) : directOutput(file, this.onFailure[file]);
  }

  private nodes(file: OutputFile): OutputStream {
    this.state = 'buffered';
    const stream = file === 1 ? process.stdout : process.stderr;
    // Adds the listener only once, even if called repeatedly.
    return stream.off('error', this.onFailure[file]).on('error', this.onFailure[file]);
  }
}

/** Returns whether the file may be a terminal. Only Node's stream knows for sure, but the null device is certainly not one. */
function mayBeTerminal(file: OutputFile): boolean {
  const status = fstatSync(file);
  return status.isCharacterDevice() && status.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}

function directOutput(file: OutputFile, onFailure: OnFailure): OutputStream {
  return {
    write: (text) => {
      const failure = writeAtOnce(file, Buffer.from(text));
      // Asynchronously, as a stream does: the writer is about to report its own result.
      if (failure !== undefined) process.nextTick(onFailure, failure);
      return failure === undefined;
    },
  };
}

function onlyFirst(onFailure: OnFailure): OnFailure {
  let heard: NodeJS.ErrnoException | undefined;
  return (failure) => {
    const isFirst = heard === undefined;
    heard ??= failure;
    if (isFirst) onFailure(failure);
  };
}
