import { gapOf, type PathPlace, shapeOf } from './calls.js';
import { Executions, type FindInterpreter } from './executions.js';
import { type FileMark, isTestFile, keyOfReadings, markIn, ownerOf, partsOfKey } from './file-marks.js';
import type { Gap, Observation } from './observation.js';
import { joinPath, type Room, roomOfTask } from './paths.js';
import { Processes, startedBy, type TracedProcess } from './processes.js';
import { addGap, newReadings, type Readings, summariseReadings, type TaskTraces, type TraceSummary } from './readings.js';
import { readStraceLine, type StraceLine } from './strace-line.js';
import { parseSyscall, pathIn, type Syscall, textOf } from './syscall.js';
import { isToolProgram, startsTool } from './tool-programs.js';

interface Moment {
  /** The line in which the call began. */
  readonly start: number;
  /** The line in which it had ended. */
  readonly end: number;
}

/** Processes the lines of a trace one by one, and keeps only what they say about each path. */
export class Trace {
  private readonly processes: Processes;
  private readonly tasks = new Map<string, Readings>([['', newReadings()]]);
  /** By task. */
  private readonly rooms = new Map<string, Room>();
  /** Gaps of the whole trace. */
  private readonly gaps = new Map<string, Observation['gaps'][number]>();
  private readonly begun = new Map<number, { readonly text: string; readonly start: number }>();
  private readonly living = new Set<number>();
  /** The line of a call that strace could not read, by process. The kernel skips a call that a dying process has begun. */
  private readonly unread = new Map<number, number>();
  private readonly executions = new Executions();
  private readonly folder: string;
  private line = 0;
  private first: number | undefined;
  /** The exit code of the first process. */
  exit: number | null = null;

  /** `folder`: the working directory of the command. */
  constructor(folder: string) {
    this.folder = folder;
    this.processes = new Processes(folder);
  }

  add(text: string): void {
    const line = readStraceLine(text);
    const now = ++this.line;
    if (this.unread.size > 0 && 'pid' in line) this.judgeUnread(line);
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
        if (first === undefined) return this.addGap('not-understood', line.name);
        return this.call(line.pid, first.text + line.text, { start: first.start, end: now });
      }
      case 'ended':
        if (line.pid === this.first) this.exit = line.exit;
        return this.end(line.pid);
      case 'superseded':
        return this.supersede(line.pid, line.by);
      case 'unread':
        this.living.add(line.pid);
        this.unread.set(line.pid, now);
        return;
      case 'signal':
        return;
      case 'unknown':
        return this.addGap('not-understood', `line ${now} of the trace`);
    }
  }

  /** Adds the interpreters of the files that ran, after the last line. The files have to be as the command left them. */
  addInterpreters(find: FindInterpreter): void {
    this.executions.addInterpreters(find, this.tasks.values());
  }

  /** Returns the summary, after the last line. `input`: a file that was open from the start. */
  finish(input?: string): TraceSummary {
    if (input !== undefined) this.readings('').table.mark(input, 'read', 0);
    const { tasks, gaps } = this.finishTasks();
    const { exit } = this;
    return { ...summariseReadings([...tasks.values()], gaps), exit };
  }

  /** Returns what each task did, after the last line. */
  finishTasks(): TaskTraces {
    // A call that never ended means that the trace was truncated.
    for (const [pid, { text, start }] of this.begun) this.call(pid, `${text}) = ?`, { start, end: Infinity });
    const lost = this.processes.finish();
    if (lost.length > 0) this.addGap('lost-process', `process ${lost[0]}`);
    if (this.line === 0 || this.living.size > 0) this.addGap('cut-off', `after line ${this.line} of the trace`);
    return { tasks: this.tasks, gaps: [...this.gaps.values()] };
  }

  /** Only a process that ends with such a call was dying. */
  private judgeUnread({ kind, pid }: Extract<StraceLine, { readonly pid: number }>): void {
    const at = this.unread.get(pid);
    if (at === undefined || kind === 'unread') return;
    this.unread.delete(pid);
    if (kind !== 'ended') this.addGap('not-understood', `line ${at} of the trace`);
  }

  private end(pid: number): void {
    const open = this.begun.get(pid);
    // The process was killed in the middle of a call.
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
    // Without its arguments, which include values of environment variables.
    if (call === undefined) return this.addGap('not-understood', /^\w+(?=\()/.exec(text)?.[0] ?? `line ${moment.end} of the trace`);
    this.processes.with(pid, (tracee) => this.look(tracee, call, moment));
  }

  private look(tracee: TracedProcess, call: Syscall, moment: Moment): void {
    const { kind, paths } = shapeOf(call);
    for (const arg of call.args) if (arg.startsWith('AT_FDCWD<')) tracee.fs.folder = pathIn(arg) ?? tracee.fs.folder;
    const [first, second] = paths.map((place) => this.pathOf(tracee, call, place));
    const hasFailed = call.error !== undefined;
    const mark = hasFailed && first !== undefined ? markIn(first) : undefined;
    if (mark !== undefined) this.mark(tracee, mark);
    else if (kind === 'gap' && !hasFailed) addGap(this.of(tracee).gaps, gapOf(call.name), call.name);
    else if (kind === 'none') this.lookAtOther(tracee, call);
    else if (kind === 'list') this.list(tracee, call, moment);
    else if (call.name === 'fchdir' && !hasFailed) tracee.fs.folder = pathIn(call.args[0]) ?? tracee.fs.folder;
    else if (hasFailed) this.fail(tracee, call, { paths: [first, second], moment });
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
        return this.execute(tracee, call, first, moment);
      case 'create':
        // It would have failed if the path had existed.
        this.of(tracee).table.mark(first, 'absent', moment.start);
        return this.write(tracee, first, call, moment);
      case 'remove':
        this.of(tracee).table.mark(first, 'found', moment.start);
        return this.write(tracee, first, call, moment);
      case 'move':
      case 'link':
        return this.move(tracee, call, { from: first, to: second, moment });
      case 'truncate':
        return this.read(tracee, first, moment);
      case 'enter':
        tracee.fs.folder = first;
        return this.of(tracee).table.mark(first, 'found', moment.start);
      default:
        return this.of(tracee).table.mark(first, tracee.program.isTool ? 'foundByTool' : 'found', moment.start);
    }
  }

  /** A file whose process ran another one before may use what that one left in memory. */
  private mark({ program }: TracedProcess, mark: FileMark): void {
    const before = program.file;
    program.file = ownerOf(mark);
    const readings = this.of({ program });
    if (isTestFile(before) && before !== program.file) readings.isMixed = true;
  }

  private lookAtOther(tracee: TracedProcess, call: Syscall): void {
    this.of(tracee).connections.look(call);
    if (/^(clone3?|v?fork)$/.test(call.name)) this.processes.adopt(tracee, call);
  }

  private fail(
    tracee: TracedProcess,
    call: Syscall,
    { paths, moment }: { readonly paths: readonly (string | undefined)[]; readonly moment: Moment },
  ): void {
    for (const path of paths) this.lookUp(tracee, path, { error: call.error, moment });
    // Linux reports a missing interpreter as if the file itself were missing.
    const [path] = paths;
    if (shapeOf(call).kind === 'execute' && path !== undefined)
      this.addExecution(tracee, path, { kind: call.error === 'ENOENT' ? 'absent' : 'found', moment });
  }

  private addExecution(
    tracee: TracedProcess,
    path: string,
    { kind, moment }: { readonly kind: 'read' | 'found' | 'absent'; readonly moment: Moment },
  ): void {
    const readings = this.of(tracee);
    this.executions.add(
      keyOfReadings(tracee.program.task, tracee.program.file),
      { readings, path, folder: tracee.fs.folder, kind },
      moment.start,
    );
  }

  /** Records what a failed call shows about a path. */
  private lookUp(
    tracee: TracedProcess,
    path: string | undefined,
    { error, moment: { start } }: { readonly error: string | undefined; readonly moment: Moment },
  ): void {
    if (path === undefined || error === 'EFAULT' || error === 'EBADF' || error === 'ENAMETOOLONG') return;
    this.of(tracee).table.mark(path, error === 'ENOENT' || error === 'ENOTDIR' ? 'absent' : 'found', start);
  }

  private open(tracee: TracedProcess, call: Syscall, named: string, moment: Moment): void {
    const flags = call.name === 'creat' ? 'O_WRONLY|O_CREAT|O_TRUNC' : call.args.slice(1).join();
    const path = call.path ?? named;
    if (/\bO_TMPFILE\b/.test(flags)) return;
    if (named !== path) this.of(tracee).table.mark(named, 'found', moment.start);
    if (/\bO_EXCL\b/.test(flags) && /\bO_CREAT\b/.test(flags)) this.of(tracee).table.mark(path, 'absent', moment.start);
    else if (/\b(O_PATH|O_DIRECTORY)\b/.test(flags)) return this.of(tracee).table.mark(path, 'found', moment.start);
    // Without truncation, the content stays, and may be read later.
    else if (!/\bO_TRUNC\b/.test(flags)) return this.read(tracee, path, moment);
    else if (!/\bO_CREAT\b/.test(flags)) this.of(tracee).table.mark(path, 'found', moment.start);
    this.write(tracee, path, call, moment);
  }

  private read(tracee: TracedProcess, path: string, { start }: Moment): void {
    if (startsTool(tracee.program, path, this.folder)) this.becomeTool(tracee, path);
    this.of(tracee).table.mark(path, tracee.program.isTool ? 'readByTool' : 'read', start);
  }

  private execute(tracee: TracedProcess, { args }: Syscall, path: string, moment: Moment): void {
    tracee.program = startedBy(tracee.program, tracee.program.task || taskIn(args[2]));
    // Tests write programs that stand for git.
    const isWritten = this.of(tracee).table.at(path).written !== Infinity;
    if (!isWritten && isToolProgram(path, this.folder)) this.becomeTool(tracee, path);
    this.of(tracee).programs.add(path);
    this.of(tracee).table.mark(path, 'read', moment.start);
    this.addExecution(tracee, path, { kind: 'read', moment });
  }

  /** Marks a tool. One that the tests started reads on their behalf. */
  private becomeTool(tracee: TracedProcess, path: string): void {
    tracee.program.isTool = true;
    if (tracee.program.level === 'inner') this.of(tracee).nested.add(path);
  }

  private list(tracee: TracedProcess, { args, error }: Syscall, { start }: Moment): void {
    const path = pathIn(args[0]);
    if (path === undefined || error !== undefined) return;
    this.of(tracee).table.mark(path, tracee.program.isTool ? 'listedByTool' : 'listed', start);
  }

  private move(
    tracee: TracedProcess,
    call: Syscall,
    { from, to, moment }: { readonly from: string; readonly to: string | undefined; readonly moment: Moment },
  ): void {
    this.read(tracee, from, moment);
    this.of(tracee).table.at(from).moved = true;
    const isExchange = call.args.at(-1)?.includes('RENAME_EXCHANGE') === true;
    if (isExchange && to !== undefined) {
      this.read(tracee, to, moment);
      this.of(tracee).table.at(to).moved = true;
    }
    if (shapeOf(call).kind === 'move') this.write(tracee, from, call, moment);
    if (to !== undefined) this.write(tracee, to, call, moment);
  }

  /** Records a write. Everything that the same call looked at existed before. A call that a signal interrupted may not have written. */
  private write(tracee: TracedProcess, path: string, { value }: Syscall, { end }: Moment): void {
    if (value !== undefined) this.of(tracee).table.mark(path, 'written', end + 0.5);
  }

  private pathOf(tracee: TracedProcess, call: Syscall, { at, folder }: PathPlace): string | undefined {
    const named = textOf(call.args[at]);
    const base = folder === undefined || call.args[folder]?.startsWith('AT_FDCWD') === true ? tracee.fs.folder : pathIn(call.args[folder]);
    if (named === undefined) return undefined;
    if (named.cut) addGap(this.of(tracee).gaps, 'long-path', named.text);
    if (named.text.startsWith('/')) return named.text;
    // Without a name, the descriptor itself is meant.
    return base === undefined ? undefined : joinPath(base, named.text);
  }

  private addGap(gap: Gap, detail: string): void {
    addGap(this.gaps, gap, detail);
  }

  private of({ program }: Pick<TracedProcess, 'program'>): Readings {
    return this.readings(keyOfReadings(program.task, program.file));
  }

  private readings(key: string): Readings {
    const known = this.tasks.get(key);
    if (known !== undefined) return known;
    const { task } = partsOfKey(key);
    const room = this.rooms.get(task) ?? roomOfTask();
    this.rooms.set(task, room);
    const readings = newReadings(room);
    this.tasks.set(key, readings);
    return readings;
  }
}

/** Returns the hash of the task from the environment that strace prints for a program; `''` if the program belongs to no task. */
function taskIn(environment: string | undefined): string {
  return /"TURBO_HASH=([0-9a-f]{16})"/.exec(environment ?? '')?.[1] ?? '';
}
