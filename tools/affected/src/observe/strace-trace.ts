/** What strace saw of a command. */
export interface Traced {
  /** Absolute paths without links of files that were opened for reading or run; not those of git, turborepo and package managers. */
  readonly files: ReadonlySet<string>;
  /** The exit code of the first process; `null` if a signal ended it, or if the trace ends earlier. */
  readonly exit: number | null;
  /** Why it may have read more, as sentences. */
  readonly gaps: readonly string[];
}

/** For strace's `-e trace=`. A question mark allows a call that the processor lacks, or that this version of strace does not know. */
export const TRACED: string =
  'open openat openat2 execve execveat clone clone3 connect bind io_uring_setup open_by_handle_at mount chroot pivot_root unshare setns move_mount'
    .split(' ')
    .map((name) => `?${name}`)
    .join(',');

const HIDING = /^(io_uring_setup|open_by_handle_at|mount|chroot|pivot_root|unshare|setns|move_mount)$/;
/** Programs that read a repository for themselves, to find out what to run. */
const TOOL_PROGRAM = /\/(git|turbo|watchman)$/;
/** Scripts of package managers. Includes the folder, because a project file may have the same name. */
const TOOL_SCRIPT =
  /\/(\.yarn\/releases\/yarn-[\w.-]+\.c?js|(corepack|yarn(-[\w.]+)?|cli-dist|pnpm|npm)\/([\w.-]+\/)*(yarn|corepack|np[mx]-cli|pnpm)\.c?js)$|^\/usr\/(local\/)?(bin|lib|share)\/yarn(-[\w.]+)?\.c?js$/;
/** Folders of a project in which package managers may be: packages, `.yarn`, caches. */
const INSTALLED = /\/(node_modules|\.[^/]+)\//;
/** What Node reads before its script. */
const BEFORE_SCRIPT = /^\/(proc|sys|dev|etc)\/|^\/usr\/(?!.*\.[cm]?js$)|\.(json|cnf)$|\.so[\d.]*$/;
/** The name service. It reads no file of a checkout. */
const NAME_SERVICE = /^"\/(var\/)?run\/(nscd|systemd\/resolve)\//;
const UNFINISHED = ' <unfinished ...>';

/** What one program read, from its start to its end. */
interface Program {
  readonly files: Set<string>;
  /** Whether it is git, turborepo or a package manager. */
  isTool: boolean;
  hasScript: boolean;
  /** The program whose thread this is. */
  owner?: Program;
  /** A relative path that was run. The folder is known at the next call that names it. */
  started?: string | undefined;
}

/**
 * Reads the lines of `strace -f -y`, one by one. With `-y`, the result of a call names the file that was opened, so no folder and no link has
 * to be followed. Each line has one character per byte, because a path need not be UTF-8.
 */
export class StraceTrace {
  private readonly programs = new Set<Program>();
  private readonly running = new Map<string, Program>();
  private readonly begun = new Map<string, string>();
  private readonly unread = new Map<string, number>();
  private readonly sockets = new Set<string>();
  private readonly gaps = new Set<string>();
  private readonly root: string;
  private line = 0;
  private first: string | undefined;
  private exit: number | null = null;

  /** `root`: a folder whose own files are no tools. */
  constructor(root: string) {
    this.root = root;
  }

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
    this.programOf(pid);
    // strace cannot read a call of a process that is dying: only another call shows that it was not.
    if (/^(<\.\.\. )?\?+[( ]/.test(text)) this.unread.set(pid, this.line);
    else if (text.endsWith(UNFINISHED)) this.begun.set(pid, text.slice(0, -UNFINISHED.length));
    else this.call(pid, text);
  }

  /** Returns the summary, after the last line. */
  finish(): Traced {
    if (this.running.size > 0 || this.line === 0)
      this.gaps.add('The trace ends while the command, or a program that it started, still runs.');
    const isTool = ({ owner, isTool: own }: Program): boolean => (owner === undefined ? own : isTool(owner));
    const programs = [...this.programs];
    for (const { started } of programs) if (started !== undefined) this.gaps.add(`It is unknown which file was run as ${started}.`);
    const files = new Set(programs.flatMap((program) => (isTool(program) ? [] : [...program.files])));
    return { files, exit: this.exit, gaps: [...this.gaps] };
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
    else if (name.startsWith('clone')) this.clone(pid, { child: /^\d+/.exec(result)?.[0] ?? '', args });
    else if (name === 'bind') this.sockets.add(socketIn(args) ?? '');
    else if (name === 'connect') this.connect(socketIn(args));
    else this.open(pid, args, result);
  }

  private open(pid: string, args: string, result: string): void {
    const path = pathIn(result);
    if (path === undefined || /\bO_(WRONLY|DIRECTORY|PATH|TRUNC|EXCL|TMPFILE)\b/.test(args)) return;
    const program = this.programOf(pid);
    program.files.add(path);
    if (program.hasScript || BEFORE_SCRIPT.test(path)) return;
    program.hasScript = true;
    program.isTool ||= TOOL_SCRIPT.test(path) && !this.isOwn(path);
  }

  private execute(pid: string, args: string): void {
    const named = decoded(/"((?:[^"\\]|\\.)*)"/s.exec(args)?.[1] ?? '');
    const program = { files: new Set<string>(), isTool: TOOL_PROGRAM.test(named) && !this.isOwn(named), hasScript: false, started: named };
    this.running.set(pid, program);
    this.programs.add(program);
    if (named.startsWith('/')) this.start(program, named);
    else this.place(pid, args);
  }

  /** Adds a program that was run by a relative path, as soon as a call names its folder. */
  private place(pid: string, args: string): void {
    const program = this.programOf(pid);
    const folder = program.started === undefined ? undefined : pathIn(/(?:AT_FDCWD|^\d+)(<\/.*)/s.exec(args)?.[1]);
    if (folder !== undefined && program.started !== undefined) this.start(program, joined(folder, program.started));
  }

  private start(program: Program, path: string): void {
    program.files.add(path);
    program.started = undefined;
  }

  private clone(pid: string, { child, args }: { readonly child: string; readonly args: string }): void {
    if (args.includes('CLONE_THREAD')) this.programOf(child).owner = this.programOf(pid);
    else this.programOf(child).isTool = this.programOf(pid).isTool;
  }

  private connect(socket: string | undefined): void {
    if (socket === undefined || this.sockets.has(socket) || NAME_SERVICE.test(socket)) return;
    this.gaps.add(`It was connected to another program, which may have read for it: ${socket}.`);
  }

  private programOf(pid: string): Program {
    const known = this.running.get(pid) ?? { files: new Set<string>(), isTool: false, hasScript: false };
    this.running.set(pid, known);
    this.programs.add(known);
    return known;
  }

  private isOwn(path: string): boolean {
    return path.startsWith(`${this.root}/`) && !INSTALLED.test(path.slice(this.root.length));
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

function joined(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
