import { portAt, socketAt } from './connections.js';
import type { HookAddress, HookedThread, HookRecord, HookUse } from './hook-record.js';

import { tracePath } from './paths.js';
import { startedBy, type TracedProgram } from './processes.js';
import { addGap, newReadings, type Readings, type TaskTraces } from './readings.js';
import { isToolProgram, startsTool } from './tool-programs.js';

/** Reads the text of a thread's log. It is called twice, because all logs together may not fit into memory. */
type LogText = () => string;

const OUTER: TracedProgram = { isTool: false, hasScript: false, task: '', level: 'outer' };

/**
 * Reads what the hooks in Node processes wrote. `node`: the version of Node for which the hooks were tried. Each program that is Node, and
 * each worker, must have a log of its own.
 */
export function readHookLogs(logs: readonly LogText[], node: string): TaskTraces {
  const gaps: Readings['gaps'] = new Map();
  const threads = logs.flatMap((text) => {
    const thread = startOf(text());
    if (thread === undefined) addGap(gaps, 'cut-off', 'the log of a process');
    return thread === undefined ? [] : [{ ...thread, text }];
  });
  threads.sort((one, other) => one.moment - other.moment);
  const reader = new HookReader(threads, node);
  for (const thread of threads) {
    const lines = thread.text().split('\n').slice(1);
    const isWhole = lines.pop() === '' && reader.add(thread, lines);
    if (!isWhole) addGap(gaps, 'cut-off', 'the log of a process');
  }
  return { tasks: reader.finish(), gaps: [...gaps.values()] };
}

function startOf(text: string): HookedThread | undefined {
  const record = parseLine(text.slice(0, Math.max(0, text.indexOf('\n'))));
  return record?.[0] === 'start' ? record[1] : undefined;
}

function parseLine(line: string): HookRecord | undefined {
  try {
    return JSON.parse(line) as HookRecord;
  } catch {
    return undefined;
  }
}

class HookReader {
  private readonly tasks = new Map<string, Readings>();
  private readonly programs = new Map<HookedThread, TracedProgram>();
  /** The starts of Node by each process, and its workers. */
  private readonly starts = new Map<number, string[]>();
  private readonly workers = new Map<number, number[]>();
  private readonly threads: readonly HookedThread[];
  private readonly node: string;

  constructor(threads: readonly HookedThread[], node: string) {
    this.threads = threads;
    this.node = node;
  }

  /** Adds the lines of a thread; returns whether all of them could be read. */
  add(thread: HookedThread, lines: readonly string[]): boolean {
    const parent = this.processOf(thread.thread === 0 ? thread.ppid : thread.pid, thread.moment);
    const before = (parent && this.programs.get(parent)) ?? OUTER;
    // A thread shares the program of its process.
    const program = thread.thread === 0 || parent === undefined ? startedBy(before, thread.task) : before;
    this.programs.set(thread, program);
    const readings = this.readingsOf(thread, program);
    if (thread.node !== this.node) addGap(readings.gaps, 'not-hooked', `Node ${thread.node}: affected tried Node ${this.node}`);
    return lines.every((line) => {
      const record = parseLine(line);
      if (record?.[0] === 'program' && record[2]) addTo(this.starts, thread.pid, record[1]);
      else if (record?.[0] === 'thread') addTo(this.workers, thread.pid, record[1]);
      if (record !== undefined) this.look(record, program, readings);
      return record !== undefined;
    });
  }

  /** Any task may have written what another one uses: only the first moment of each use is known. */
  finish(): ReadonlyMap<string, Readings> {
    for (const [thread, { task }] of this.programs) {
      const readings = this.tasks.get(task);
      if (thread.thread === 0 && readings !== undefined) this.findLost(thread, readings);
    }
    for (const { table } of this.tasks.values()) for (const use of table.uses.values()) use.last = Infinity;
    return this.tasks;
  }

  /** Returns the main thread of the process that had an id at a moment. */
  private processOf(pid: number, moment: number): HookedThread | undefined {
    return this.threads.findLast((one) => one.pid === pid && one.thread === 0 && one.moment < moment);
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
        if (isToolProgram(record[1]) && startedBy(program, program.task).level === 'inner') nested.add(tracePath(record[1]));
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
    if (kind === 'read' && startsTool(program, path)) {
      program.isTool = true;
      if (program.level === 'inner') nested.add(path);
    }
    if (kind === 'moved') table.at(path).moved = true;
    else if (kind === 'written') table.mark(path, kind, moment + 0.5);
    else if (kind === 'read') table.mark(path, program.isTool ? 'readByTool' : 'read', moment);
    else if (kind === 'listed') table.mark(path, program.isTool ? 'listedByTool' : 'listed', moment);
    else if (kind === 'found') table.mark(path, program.isTool ? 'foundByTool' : 'found', moment);
    else table.mark(path, kind, moment);
  }

  /** Finds processes and workers that wrote no log. */
  private findLost({ pid }: HookedThread, { gaps }: Readings): void {
    const starts = this.starts.get(pid) ?? [];
    const children = this.threads.filter((one) => one.ppid === pid && one.thread === 0).length;
    if (children < starts.length) addGap(gaps, 'not-hooked', `${starts.length - children} of ${starts.length} starts of ${starts[0]}`);
    const threads = new Set(this.threads.flatMap((one) => (one.pid === pid ? [one.thread] : [])));
    if (this.workers.get(pid)?.some((id) => !threads.has(id)) === true) addGap(gaps, 'not-hooked', 'a worker with options of its own');
  }
}

function addTo<Value>(map: Map<number, Value[]>, key: number, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

function addressOf(address: HookAddress): ReturnType<typeof portAt> {
  return 'path' in address ? socketAt(address.path) : portAt(address.host, address.port);
}
