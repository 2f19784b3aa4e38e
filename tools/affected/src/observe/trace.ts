import { gapOf, type PathPlace, shapeOf } from './calls.js';
import { Connections } from './connections.js';
import type { Observation } from './observation.js';
import { joinPath, type PathUses, UseTable } from './paths.js';
import { Processes, type TracedProcess } from './processes.js';
import { readStraceLine } from './strace-line.js';
import { parseSyscall, pathIn, type Syscall, textOf } from './syscall.js';

/** What a trace says. Paths are absolute, with one character for each byte. */
export interface TraceSummary {
  readonly uses: PathUses;
  /** What was run, in the order of the first time. */
  readonly programs: readonly string[];
  readonly connections: readonly string[];
  /** Of the first process; `null`: a signal ended it, or the trace ends before. */
  readonly exit: number | null;
  readonly gaps: Observation['gaps'];
}

interface Moment {
  /** The line in which the call began. */
  readonly start: number;
  /** The line in which it had ended. */
  readonly end: number;
}

/** Programs that read a repository for themselves, to find out what to run. */
const TOOL_PROGRAM = /\/(git|turbo|watchman)$/;
/** By the folder too: a file of the project may be called like one of them. */
const TOOL_FILE =
  /\/(\.yarn\/releases\/yarn-[\w.-]+\.c?js|(corepack|yarn(-[\w.]+)?|cli-dist|pnpm|npm)\/([\w.-]+\/)*(yarn|corepack|np[mx]-cli|pnpm)\.c?js)$/;

/** Takes the lines of a trace one after the other, and keeps only what they say about each path. */
export class Trace {
  private readonly table = new UseTable();
  private readonly processes: Processes;
  private readonly connections = new Connections();
  private readonly programs = new Set<string>();
  private readonly gaps = new Map<string, Observation['gaps'][number]>();
  private readonly begun = new Map<number, { readonly text: string; readonly start: number }>();
  private readonly living = new Set<number>();
  private line = 0;
  private first: number | undefined;
  private exit: number | null = null;

  /** `folder`: where the command is started. */
  constructor(folder: string) {
    this.processes = new Processes(folder);
  }

  add(text: string): void {
    const line = readStraceLine(text);
    const now = ++this.line;
    switch (line.kind) {
      case 'call':
        this.living.add(line.pid);
        this.first ??= line.pid;
        return this.call(line.pid, line.text, { start: now, end: now });
      case 'begun':
        this.living.add(line.pid);
        this.begun.set(line.pid, { text: line.text, start: now });
        return;
      case 'resumed': {
        const first = this.begun.get(line.pid);
        this.begun.delete(line.pid);
        if (first === undefined) return this.addGap('not-understood', text);
        return this.call(line.pid, first.text + line.text, { start: first.start, end: now });
      }
      case 'ended':
        if (line.pid === this.first) this.exit = line.exit;
        return this.end(line.pid);
      case 'superseded':
        return this.supersede(line.pid, line.by);
      case 'signal':
        return;
      case 'unknown':
        return this.addGap('not-understood', text);
    }
  }

  /** After the last line. `input`: a file that was open from the beginning. */
  finish(input?: string): TraceSummary {
    if (input !== undefined) this.table.mark(input, 'read', 0);
    // A call that never ended is in a trace that was cut off.
    for (const [pid, { text, start }] of this.begun) this.call(pid, `${text}) = ?`, { start, end: Infinity });
    const lost = this.processes.finish();
    if (lost.length > 0) this.addGap('lost-process', `process ${lost[0]}`);
    if (this.line === 0 || this.living.size > 0) this.addGap('cut-off', `after line ${this.line} of the trace`);
    for (const address of this.connections.daemons()) this.addGap('daemon', address);
    const gaps = [...this.gaps.values()];
    return { uses: this.table.uses, programs: [...this.programs], connections: this.connections.remote(), exit: this.exit, gaps };
  }

  private end(pid: number): void {
    const open = this.begun.get(pid);
    // Killed in the middle of a call.
    if (open !== undefined) this.call(pid, `${open.text}) = ?`, { start: open.start, end: Infinity });
    this.begun.delete(pid);
    this.living.delete(pid);
    this.processes.end(pid);
  }

  private supersede(pid: number, by: number): void {
    const open = this.begun.get(pid);
    if (open !== undefined) this.begun.set(by, open);
    this.begun.delete(pid);
    this.living.delete(pid);
    this.processes.replace(pid, by);
  }

  private call(pid: number, text: string, moment: Moment): void {
    const call = parseSyscall(text);
    if (call === undefined) return this.addGap('not-understood', text);
    this.processes.with(pid, (tracee) => this.look(tracee, call, moment));
  }

  private look(tracee: TracedProcess, call: Syscall, moment: Moment): void {
    const { kind, paths } = shapeOf(call);
    for (const arg of call.args) if (arg.startsWith('AT_FDCWD<')) tracee.fs.folder = pathIn(arg) ?? tracee.fs.folder;
    const [first, second] = paths.map((place) => this.pathOf(tracee, call, place));
    const hasFailed = call.error !== undefined;
    if (kind === 'gap' && !hasFailed) this.addGap(gapOf(call.name), call.name);
    else if (kind === 'none') this.lookAtOther(tracee, call);
    else if (kind === 'list') this.list(tracee, call, moment);
    else if (call.name === 'fchdir' && !hasFailed) tracee.fs.folder = pathIn(call.args[0]) ?? tracee.fs.folder;
    else if (hasFailed) for (const path of [first, second]) this.lookUp(path, call, moment);
    else if (first !== undefined) this.succeed(tracee, call, { first, second, moment });
  }

  private succeed(
    tracee: TracedProcess,
    call: Syscall,
    { first, second, moment }: { readonly first: string; readonly second: string | undefined; readonly moment: Moment },
  ): void {
    switch (shapeOf(call).kind) {
      case 'open':
        return this.open(tracee, call, first, moment);
      case 'execute':
        return this.execute(tracee, first, moment);
      case 'create':
        // It would have failed if something had been there.
        this.table.mark(first, 'absent', moment.start);
        return this.write(first, call, moment);
      case 'remove':
        this.table.mark(first, 'found', moment.start);
        return this.write(first, call, moment);
      case 'move':
      case 'link':
        return this.move(tracee, call, { from: first, to: second, moment });
      case 'truncate':
        return this.read(tracee, first, moment);
      case 'enter':
        tracee.fs.folder = first;
        return this.table.mark(first, 'found', moment.start);
      default:
        return this.table.mark(first, 'found', moment.start);
    }
  }

  private lookAtOther(tracee: TracedProcess, call: Syscall): void {
    this.connections.look(call);
    if (/^(clone3?|v?fork)$/.test(call.name)) this.processes.adopt(tracee, call);
  }

  /** What a call that failed says about a path. */
  private lookUp(path: string | undefined, { error }: Syscall, { start }: Moment): void {
    if (path === undefined || error === 'EFAULT' || error === 'EBADF' || error === 'ENAMETOOLONG') return;
    this.table.mark(path, error === 'ENOENT' || error === 'ENOTDIR' ? 'absent' : 'found', start);
  }

  private open(tracee: TracedProcess, call: Syscall, named: string, moment: Moment): void {
    const flags = call.name === 'creat' ? 'O_WRONLY|O_CREAT|O_TRUNC' : call.args.slice(1).join();
    const path = call.path ?? named;
    if (/\bO_TMPFILE\b/.test(flags)) return;
    if (named !== path) this.table.mark(named, 'found', moment.start);
    if (/\bO_EXCL\b/.test(flags) && /\bO_CREAT\b/.test(flags)) this.table.mark(path, 'absent', moment.start);
    else if (/\b(O_PATH|O_DIRECTORY)\b/.test(flags)) return this.table.mark(path, 'found', moment.start);
    // What is not cut off stays, and may be read later.
    else if (!/\bO_TRUNC\b/.test(flags)) return this.read(tracee, path, moment);
    else if (!/\bO_CREAT\b/.test(flags)) this.table.mark(path, 'found', moment.start);
    this.write(path, call, moment);
  }

  private read(tracee: TracedProcess, path: string, { start }: Moment): void {
    if (TOOL_FILE.test(path)) tracee.program.isTool = true;
    this.table.mark(path, tracee.program.isTool ? 'readByTool' : 'read', start);
  }

  private execute(tracee: TracedProcess, path: string, { start }: Moment): void {
    tracee.program = { isTool: TOOL_PROGRAM.test(path) };
    this.programs.add(path);
    this.table.mark(path, 'read', start);
  }

  private list({ program }: TracedProcess, { args, error }: Syscall, { start }: Moment): void {
    const path = pathIn(args[0]);
    if (path !== undefined && error === undefined && !program.isTool) this.table.mark(path, 'listed', start);
  }

  private move(
    tracee: TracedProcess,
    call: Syscall,
    { from, to, moment }: { readonly from: string; readonly to: string | undefined; readonly moment: Moment },
  ): void {
    this.read(tracee, from, moment);
    this.table.at(from).moved = true;
    const isExchange = call.args.at(-1)?.includes('RENAME_EXCHANGE') === true;
    if (isExchange && to !== undefined) {
      this.read(tracee, to, moment);
      this.table.at(to).moved = true;
    }
    if (shapeOf(call).kind === 'move') this.write(from, call, moment);
    if (to !== undefined) this.write(to, call, moment);
  }

  /** What the same call looked at was there before. A call that a signal cut short may have written or not. */
  private write(path: string, { value }: Syscall, { end }: Moment): void {
    if (value !== undefined) this.table.mark(path, 'written', end + 0.5);
  }

  private pathOf(tracee: TracedProcess, call: Syscall, { at, folder }: PathPlace): string | undefined {
    const named = textOf(call.args[at]);
    const base = folder === undefined || call.args[folder]?.startsWith('AT_FDCWD') === true ? tracee.fs.folder : pathIn(call.args[folder]);
    if (named === undefined) return undefined;
    if (named.cut) this.addGap('long-path', named.text);
    if (named.text.startsWith('/')) return named.text;
    // Without a name it is the descriptor itself.
    return base === undefined ? undefined : joinPath(base, named.text);
  }

  /** The first of each kind is enough. */
  private addGap(gap: Observation['gaps'][number]['gap'], detail: string): void {
    if (!this.gaps.has(gap)) this.gaps.set(gap, { gap, detail: detail.slice(0, 200) });
  }
}
