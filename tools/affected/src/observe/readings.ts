import { Connections } from './connections.js';
import { partsOfKey } from './file-marks.js';
import { MOST_PATHS } from './hook-record.js';
import type { Gap, Observation } from './observation.js';
import { joinTables, mergeUses, type PathUses, type Room, UseTable } from './paths.js';

/** The summary of a trace. Paths are absolute, with one character per byte. */
export interface TraceSummary {
  readonly uses: PathUses;
  /** The programs that ran, in the order of their first start. */
  readonly programs: readonly string[];
  readonly nested: readonly string[];
  readonly connections: readonly string[];
  /** The exit code of the first process; `null` if a signal ended it, or if the trace ends earlier. */
  readonly exit: number | null;
  readonly gaps: Observation['gaps'];
  readonly variables?: Observation['variables'] | undefined;
}

/** The same for a run of turborepo, by `keyOfReadings`; `''` for turborepo itself. `gaps`: those of all tasks. */
export interface TaskTraces {
  readonly tasks: ReadonlyMap<string, Readings>;
  readonly gaps: Observation['gaps'];
}

/** The calls of one task's processes. Moments are line numbers of the whole trace. */
export interface Readings {
  readonly table: UseTable;
  readonly connections: Connections;
  readonly programs: Set<string>;
  /** Package managers and git, if tests started them. */
  readonly nested: Set<string>;
  /** By kind. */
  readonly gaps: Map<string, Observation['gaps'][number]>;
  /** Of a test file: whether its process ran another one before. */
  isMixed: boolean;
  /** `undefined`: the tracer does not see them. */
  readonly variables?: VariableReads;
}

/** Names of environment variables. */
export interface VariableReads {
  /** Those that were set when the task began. */
  readonly given: ReadonlySet<string>;
  readonly read: Set<string>;
  all: boolean;
}

export function newReadings(room?: Room): Readings {
  const table = new UseTable(MOST_PATHS, room);
  return { table, connections: new Connections(), programs: new Set(), nested: new Set(), gaps: new Map(), isMixed: false };
}

/** Keeps only the first gap of each kind. */
export function addGap(gaps: Readings['gaps'], gap: Gap, detail: string): void {
  if (!gaps.has(gap)) gaps.set(gap, { gap, detail: detail.slice(0, 200) });
}

/** Joins the readings of each task's test files, as if they were not told apart. */
export function joinFiles(traces: TaskTraces['tasks']): TaskTraces['tasks'] {
  const byTask = new Map<string, Readings[]>();
  for (const [key, readings] of traces) {
    const { task } = partsOfKey(key);
    const known = byTask.get(task);
    if (known === undefined) byTask.set(task, [readings]);
    else known.push(readings);
  }
  return new Map([...byTask].map(([task, all]) => [task, joinReadings(all)]));
}

/** Joins readings of one trace. */
export function joinReadings(all: readonly Readings[]): Readings {
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  return {
    table: joinTables(all.map(({ table }) => table)),
    connections: Connections.merge(all.map((one) => one.connections)),
    programs: new Set(all.flatMap(({ programs }) => [...programs])),
    nested: new Set(all.flatMap(({ nested }) => [...nested])),
    gaps: new Map(all.flatMap(({ gaps }) => [...gaps]).reverse()),
    isMixed: false,
    ...joinVariables(all.flatMap(({ variables }) => variables ?? [])),
  };
}

function joinVariables(all: readonly VariableReads[]): Pick<Readings, 'variables'> {
  if (all.length === 0) return {};
  const [given, read] = [all.map((one) => one.given), all.map((one) => one.read)].map(
    (sets) => new Set(sets.flatMap((names) => [...names])),
  ) as [Set<string>, Set<string>];
  return { variables: { given, read, all: all.some((one) => one.all) } };
}

/** Summarises the readings of tasks, as if they were one command. `shared`: gaps of the whole trace. */
export function summariseReadings(all: readonly Readings[], shared: Observation['gaps']): Omit<TraceSummary, 'exit'> {
  const connections = Connections.merge(all.map((one) => one.connections));
  const gaps: Readings['gaps'] = new Map();
  for (const { gap, detail } of [...shared, ...all.flatMap((one) => [...one.gaps.values()])]) addGap(gaps, gap, detail);
  for (const address of connections.daemons()) addGap(gaps, 'daemon', address);
  if (all.some(({ table }) => table.isFull)) addGap(gaps, 'too-many-paths', `more than ${MOST_PATHS} paths were used`);
  return {
    uses: all.length === 1 ? (all[0]?.table.uses ?? new Map()) : mergeUses(all.map(({ table }) => table.uses)),
    programs: [...new Set(all.flatMap(({ programs }) => [...programs]))],
    nested: [...new Set(all.flatMap(({ nested }) => [...nested]))],
    connections: connections.remote(),
    gaps: [...gaps.values()],
    variables: variablesOf(all),
  };
}

function variablesOf(all: readonly Readings[]): Observation['variables'] {
  const { variables } = joinVariables(all.flatMap((one) => one.variables ?? []));
  if (variables === undefined) return undefined;
  const read = [...variables.read].sort();
  return {
    read: read.filter((name) => variables.given.has(name)),
    unset: read.filter((name) => !variables.given.has(name)),
    all: variables.all,
  };
}
