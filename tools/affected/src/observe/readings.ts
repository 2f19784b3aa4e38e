import { Connections } from './connections.js';
import { MOST_PATHS } from './hook-record.js';
import type { Gap, Observation } from './observation.js';
import { mergeUses, type PathUses, UseTable } from './paths.js';

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

/** The same for a run of turborepo, by the hash of each task; `''` for turborepo itself. `gaps`: those of all tasks. */
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

export function newReadings(): Readings {
  return { table: new UseTable(), connections: new Connections(), programs: new Set(), nested: new Set(), gaps: new Map() };
}

/** Keeps only the first gap of each kind. */
export function addGap(gaps: Readings['gaps'], gap: Gap, detail: string): void {
  if (!gaps.has(gap)) gaps.set(gap, { gap, detail: detail.slice(0, 200) });
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
  const known = all.flatMap(({ variables }) => variables ?? []);
  if (known.length === 0) return undefined;
  const given = new Set(known.flatMap((one) => [...one.given]));
  const read = [...new Set(known.flatMap((one) => [...one.read]))].sort();
  return {
    read: read.filter((name) => given.has(name)),
    unset: read.filter((name) => !given.has(name)),
    all: known.some((one) => one.all),
  };
}
