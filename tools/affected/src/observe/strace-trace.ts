import { posix } from 'node:path';

/** For strace's `-e trace=`. A question mark allows a call that the processor lacks, or that this version of strace does not know. */
export const TRACED = '?open,?openat,?openat2,?execve,?execveat';

const UNFINISHED = ' <unfinished ...>';

/**
 * Reads the lines of `strace -f -y`, one by one. With `-y`, the result of a call names the file that was opened, so no folder and no link has
 * to be followed. Each line has one character per byte, because a path need not be UTF-8.
 */
export class StraceTrace {
  /** Absolute paths without links of files that were opened for reading or run. */
  readonly files = new Set<string>();
  /** The exit code of the first process; `null` if a signal ended it, or if the trace ends earlier. */
  exit: number | null = null;
  /** The lines that could not be read, from 1. */
  readonly unread: number[] = [];
  private readonly begun = new Map<string, string>();
  /** Relative paths that were run, by process. The folder is known at the next call that names it. */
  private readonly started = new Map<string, string>();
  private line = 0;
  private first: string | undefined;

  add(line: string): void {
    this.line++;
    const [start = '', pid = ''] = /^(\d+) +/.exec(line) ?? [];
    this.first ??= pid;
    const text = line.slice(start.length);
    // strace cannot read a call of a process that is dying.
    if (text.startsWith('--- ') || /^(<\.\.\. )?\?+[( ]/.test(text)) return;
    if (text.startsWith('+++ ')) this.end(pid, text);
    else if (text.endsWith(UNFINISHED)) this.begun.set(pid, text.slice(0, -UNFINISHED.length));
    else this.call(pid, text);
  }

  private end(pid: string, text: string): void {
    const exit = /^\+\+\+ exited with (\d+) \+\+\+$/.exec(text)?.[1];
    if (pid === this.first && exit !== undefined) this.exit = Number(exit);
    this.begun.delete(pid);
  }

  private call(pid: string, text: string): void {
    const resumed = /^<\.\.\. \w+ resumed>/.exec(text)?.[0];
    const begun = this.begun.get(pid);
    this.begun.delete(pid);
    const whole = resumed === undefined ? text : `${begun ?? ''}${text.slice(resumed.length)}`;
    const [, name = '', args = '', result = ''] = /^(\w+)\((.*)\) += (.*)$/s.exec(whole) ?? [];
    if (name === '') this.unread.push(this.line);
    this.place(pid, args);
    // A call that failed reads nothing; "?" is the result of a call during which its process ended.
    if (!/^\d/.test(result)) return;
    if (name.startsWith('exec')) this.execute(pid, args);
    else this.open(args, result);
  }

  private open(args: string, result: string): void {
    const path = pathIn(result);
    if (path === undefined || /\bO_(WRONLY|DIRECTORY|PATH|TRUNC|EXCL|TMPFILE)\b/.test(args)) return;
    this.files.add(path);
  }

  private execute(pid: string, args: string): void {
    const named = decoded(/"((?:[^"\\]|\\.)*)"/s.exec(args)?.[1] ?? '');
    if (named.startsWith('/')) this.files.add(named);
    else this.started.set(pid, named);
    this.place(pid, args);
  }

  private place(pid: string, args: string): void {
    const path = this.started.get(pid);
    const folder = path === undefined ? undefined : pathIn(/(?:AT_FDCWD|^\d+)(<\/.*)/s.exec(args)?.[1]);
    if (path === undefined || folder === undefined) return;
    this.files.add(posix.join(folder, path));
    this.started.delete(pid);
  }
}

/** Returns the path of a descriptor: `3</repo/a>`. `undefined` for a socket, a pipe, and without a path. */
function pathIn(text: string | undefined): string | undefined {
  const path = /^\d*<(\/(?:[^>\\]|\\.)*)>/s.exec(text ?? '')?.[1];
  return path === undefined ? undefined : decoded(path).replace(/ ?\(deleted\)$/, '');
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' };

function decoded(text: string): string {
  const bytes = text.replace(/\\(?:([0-7]{1,3})|(.))/gs, (_, octal: string | undefined, char = '') =>
    octal === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
