import { fstatSync, statSync } from 'node:fs';
import type { InputStream, OutputStream, Streams } from './streams.js';
import { writeAtOnce } from './write-at-once.js';

type OnFailure = (failure: NodeJS.ErrnoException) => void;

/** Of a process: stdout and stderr. */
type OutputFile = 1 | 2;

/**
 * The streams of this process, each made when it is used first. To make its own, Node loads half of its network, which takes longer than to
 * read a command line: so they are only there for terminals at first, and a file or a pipe is written to directly.
 */
export class ProcessStreams implements Streams {
  private readonly onFailure: Readonly<Record<OutputFile, OnFailure>>;
  private out: OutputStream | undefined;
  private err: OutputStream | undefined;
  private state: 'flushed' | 'buffered' = 'flushed';

  /** `onFailure` hears, soon after it, of the first failure to write to an output: what it says of it may be lost there again. */
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

  /** Node's own streams from here on: what runs for long must not stand still while a reader is slow. */
  useNodes(): void {
    this.out = this.nodes(1);
    this.err = this.nodes(2);
  }

  /** Whether all that was written has surely left the process. */
  get isFlushed(): boolean {
    return this.state === 'flushed';
  }

  private open(file: OutputFile): OutputStream {
    return mayBeTerminal(file) ? this.nodes(file) : directOutput(file, this.onFailure[file]);
  }

  private nodes(file: OutputFile): OutputStream {
    this.state = 'buffered';
    const stream = file === 1 ? process.stdout : process.stderr;
    // One listener, however often it is asked for.
    return stream.off('error', this.onFailure[file]).on('error', this.onFailure[file]);
  }
}

/** Whether it is one, only a stream of Node can say; the null device surely is none. */
function mayBeTerminal(file: OutputFile): boolean {
  const status = fstatSync(file);
  return status.isCharacterDevice() && status.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}

function directOutput(file: OutputFile, onFailure: OnFailure): OutputStream {
  return {
    write: (text) => {
      const failure = writeAtOnce(file, Buffer.from(text));
      // Later, as with a stream: whoever writes is about to say how it ended.
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
