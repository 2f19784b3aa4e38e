import { portAt, socketAt } from './connections.js';
import type { HookAddress, HookedThread, HookRecord, HookUse } from './hook-record.js';

import { tracePath } from './paths.js';
import { startedBy, type TracedProgram } from './processes.js';
import { addGap, newReadings, type Readings, type TaskTraces } from './readings.js';
import { TOOL_FILE, TOOL_PROGRAM } from './trace.js';

/** The lines of one thread. */
interface Log {
  readonly thread: HookedThread;
  readonly records: readonly HookRecord[];
}

const OUTER: TracedProgram = { isTool: false, task: '', level: 'outer' };

/**
 * Reads what the hooks in Node processes wrote: the text of each log. `node`: the version of Node for which the hooks were tried.
 * Each program that is Node, and each worker, must have a log of its own.
 */
export function readHookLogs(texts: readonly string[], node: string): TaskTraces {
  const gaps: Readings['gaps'] = new Map();
  const logs = texts.flatMap((text) => {
    const { records, isWhole } = parseLog(text);
    const [first, ...rest] = records;
    if (!isWhole || first?.[0] !== 'start') addGap(gaps, 'cut-off', 'the log of a process');
    return first?.[0] === 'start' ? [{ thread: first[1], records: rest }] : [];
  });
  logs.sort((one, other) => one.thread.moment - other.thread.moment);
  const reader = new HookReader(logs, node);
  for (const log of logs) reader.add(log);
  return { tasks: reader.finish(), gaps: [...gaps.values()] };
}

function parseLog(text: string): { readonly records: readonly HookRecord[]; readonly isWhole: boolean } {
  const lines = text.split('\n');
  const last = lines.pop();
  try {
    return { records: lines.map((line) => JSON.parse(line) as HookRecord), isWhole: last === '' };
  } catch {
    return { records: [], isWhole: false };
  }
}

class HookReader {
  private readonly tasks = new Map<string, Readings>();
  private readonly programs = new Map<Log, TracedProgram>();
  private readonly logs: readonly Log[];
  private readonly node: string;

  constructor(logs: readonly Log[], node: string) {
    this.logs = logs;
    this.node = node;
  }

  add(log: Log): void {
    const { thread, records } = log;
    const parent = thread.thread === 0 ? this.processOf(thread.ppid, thread.moment) : this.processOf(thread.pid, thread.moment);
    const before = (parent && this.programs.get(parent)) ?? OUTER;
    // A thread shares the program of its process.
    const program = thread.thread === 0 || parent === undefined ? startedBy(before, thread.task) : before;
    this.programs.set(log, program);
    const readings = this.readingsOf(thread, program);
    if (thread.node !== this.node) addGap(readings.gaps, 'not-hooked', `Node ${thread.node}: affected tried Node ${this.node}`);
    for (const record of records) this.look(record, program, readings);
    if (thread.thread === 0) this.findLost(log, readings);
  }

  /** Any task may have written what another one uses: only the first moment of each use is known. */
  finish(): ReadonlyMap<string, Readings> {
    for (const { table } of this.tasks.values()) for (const use of table.uses.values()) use.last = Infinity;
    return this.tasks;
  }

  /** Returns the main thread of the process that had an id at a moment. */
  private processOf(pid: number, moment: number): Log | undefined {
    return this.logs.findLast(({ thread }) => thread.pid === pid && thread.thread === 0 && thread.moment < moment);
  }

  private readingsOf({ variables }: HookedThread, { task }: TracedProgram): Readings {
    const known = this.tasks.get(task) ?? {
      ...newReadings(),
      variables: { given: new Set(variables), read: new Set<string>(), all: false },
    };
    this.tasks.set(task, known);
    return known;
  }

  private look(record: HookRecord, program: TracedProgram, readings: Readings): void {
    const { connections, programs, nested, gaps, variables } = readings;
    switch (record[0]) {
      case 'use':
        return this.use(record[1], { path: tracePath(record[2]), moment: record[3] }, program, readings);
      case 'program':
        programs.add(tracePath(record[1]));
        if (TOOL_PROGRAM.test(record[1]) && startedBy(program, program.task).level === 'inner') nested.add(tracePath(record[1]));
        return;
      case 'gap':
        return addGap(gaps, record[1], record[2]);
      case 'reach':
      case 'serve':
        return connections.add(record[0], addressOf(record[1]));
      case 'variable':
        if (!program.isTool) variables?.read.add(record[1]);
        return;
      case 'variables':
        if (!program.isTool && variables !== undefined) variables.all = true;
        return;
      case 'start':
      case 'thread':
        return;
    }
  }

  private use(
    kind: HookUse,
    { path, moment }: { readonly path: string; readonly moment: number },
    program: TracedProgram,
    { table, nested }: Readings,
  ): void {
    if (kind === 'read' && TOOL_FILE.test(path)) {
      program.isTool = true;
      if (program.level === 'inner') nested.add(path);
    }
    if (kind === 'moved') table.at(path).moved = true;
    else if (kind === 'written') table.mark(path, kind, moment + 0.5);
    else if (kind === 'read') table.mark(path, program.isTool ? 'readByTool' : 'read', moment);
    else if (kind === 'listed') table.mark(path, program.isTool ? 'listedByTool' : 'listed', moment);
    else table.mark(path, kind, moment);
  }

  /** Finds processes and workers that wrote no log. */
  private findLost({ thread: { pid } }: Log, { gaps }: Readings): void {
    const all = this.logs.filter(({ thread }) => thread.pid === pid).flatMap(({ records }) => records);
    const started = all.flatMap((record) => (record[0] === 'program' && record[2] ? [record[1]] : []));
    const children = this.logs.filter(({ thread }) => thread.ppid === pid && thread.thread === 0).length;
    if (children < started.length) addGap(gaps, 'not-hooked', `${started.length - children} of ${started.length} starts of ${started[0]}`);
    const threads = new Set(this.logs.flatMap(({ thread }) => (thread.pid === pid ? [thread.thread] : [])));
    if (all.some((record) => record[0] === 'thread' && !threads.has(record[1])))
      addGap(gaps, 'not-hooked', 'a worker with options of its own');
  }
}

function addressOf(address: HookAddress): ReturnType<typeof portAt> {
  return 'path' in address ? socketAt(address.path) : portAt(address.host, address.port);
}
