import { posix } from 'node:path';

/** What strace saw of a command. */
export interface Traced {
  /** Absolute paths without links of files that were opened for reading or run. */
  readonly files: ReadonlySet<string>;
  /** The exit code of the first process; `null` if a signal ended it, or if the trace ends earlier. */
  readonly exit: number | null;
  /** Why it may have read more, as sentences. */
  readonly gaps: readonly string[];
}

/** For strace's `-e trace=`. A question mark allows a call that the processor lacks, or that this version of strace does not know. */
export const TRACED: string =
  'open openat openat2 execve execveat connect bind io_uring_setup open_by_handle_at mount chroot pivot_root unshare setns move_mount'
    .split(' ')
    .map((name) => `?${name}`)
    .join(',');

const HIDING = /^(io_uring_setup|open_by_handle_at|mount|chroot|pivot_root|unshare|setns|move_mount)$/;
/** The name service. It reads no file of a checkout. */
const NAME_SERVICE = /^"\/(var\/)?run\/(nscd|systemd\/resolve)\//;
const UNFINISHED = ' <unfinished ...>';

/**
 * Reads the lines of `strace -f -y`, one by one. With `-y`, the result of a call names the file that was opened, so no folder and no link has
 * to be followed. Each line has one character per byte, because a path need not be UTF-8.
 */
export class StraceTrace {
  private readonly files = new Set<string>();
  private readonly running = new Set<string>();
  private readonly begun = new Map<string, string>();
  /** The line of a call that strace could not read, by process. */
  private readonly unread = new Map<string, number>();
  /** Relative paths that were run, by process. The folder is known at the next call that names it. */
  private readonly started = new Map<string, string>();
  private readonly sockets = new Set<string>();
  private readonly gaps = new Set<string>();
  private line = 0;
  private first: string | undefined;
  private exit: number | null = null;

  add(line: string): void {
    this.line++;
    const [start, pid] = /^(\d+) +/.exec(line) ?? [];
    if (start === undefined || pid === undefined) return this.notRead(this.line);
    this.first ??= pid;
    const text = line.slice(start.length);
    if (text.startsWith('--- ')) return;
    if (text.startsWith('+++ ')) return this.end(pid, text);
    const at = this.unread.get(pid);
    if (at !== undefined) this.notRead(at);
    this.unread.delete(pid);
    this.running.add(pid);
    // strace cannot read a call of a process that is dying: only another call shows that it was not.
    if (/^(<\.\.\. )?\?+[( ]/.test(text)) this.unread.set(pid, this.line);
    else if (text.endsWith(UNFINISHED)) this.begun.set(pid, text.slice(0, -UNFINISHED.length));
    else this.call(pid, text);
  }

  /** Returns the summary, after the last line. */
  finish(): Traced {
    if (this.running.size > 0 || this.line === 0)
      this.gaps.add('The trace ends while the command, or a program that it started, still runs.');
    for (const path of this.started.values()) this.gaps.add(`It is unknown which file was run as ${path}.`);
    return { files: this.files, exit: this.exit, gaps: [...this.gaps] };
  }

  private end(pid: string, text: string): void {
    const [found, exit] = /^\+\+\+ (?:exited with (\d+)|killed by \w+.*|superseded by execve in pid \d+) \+\+\+$/.exec(text) ?? [];
    if (found === undefined) this.notRead(this.line);
    if (pid === this.first && exit !== undefined) this.exit = Number(exit);
    for (const one of [this.running, this.begun, this.unread]) one.delete(pid);
  }

  private call(pid: string, text: string): void {
    const resumed = /^<\.\.\. \w+ resumed>/.exec(text)?.[0];
    const begun = this.begun.get(pid);
    this.begun.delete(pid);
    const whole = resumed === undefined ? text : `${begun ?? ''}${text.slice(resumed.length)}`;
    const [, name = '', args = '', result = ''] = /^(\w+)\((.*)\) += (.*)$/s.exec(whole) ?? [];
    if (name === '') return this.notRead(this.line);
    this.place(pid, args);
    // A call that failed reads nothing; "?" is the result of a call during which its process ended.
    if (!/^\d/.test(result)) return;
    if (HIDING.test(name)) this.gaps.add(`It used ${name}, which hides reads.`);
    else if (name.startsWith('exec')) this.execute(pid, args);
    else if (name === 'bind') this.sockets.add(socketIn(args) ?? '');
    else if (name === 'connect') this.connect(socketIn(args));
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

  private connect(socket: string | undefined): void {
    if (socket === undefined || this.sockets.has(socket) || NAME_SERVICE.test(socket)) return;
    this.gaps.add(`It was connected to another program, which may have read for it: ${socket}.`);
  }

  private notRead(line: number): void {
    this.gaps.add(`Line ${line} of the trace could not be read.`);
  }
}

/** Returns the path of a descriptor: `3</repo/a>`. `undefined` for a socket, a pipe, and without a path. */
function pathIn(text: string | undefined): string | undefined {
  const path = /^\d*<(\/(?:[^>\\]|\\.)*)>/s.exec(text ?? '')?.[1];
  return path === undefined ? undefined : decoded(path).replace(/ ?\(deleted\)$/, '');
}

/** Returns the path or the name of a socket on this machine. */
function socketIn(args: string): string | undefined {
  return /sun_path=@?("(?:[^"\\]|\\.)*")/s.exec(args)?.[1];
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' };

function decoded(text: string): string {
  return text.replace(/\\(?:([0-7]{1,3})|(.))/gs, (_, octal: string | undefined, char = '') =>
    octal === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
