import { Connections } from './connections.js';
import type { Gap, Observation } from './observation.js';
import { mergeUses, type PathUses, type UseTable } from './paths.js';

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
  return {
    uses: all.length === 1 ? (all[0]?.table.uses ?? new Map()) : mergeUses(all.map(({ table }) => table.uses)),
    programs: [...new Set(all.flatMap(({ programs }) => [...programs]))],
    nested: [...new Set(all.flatMap(({ nested }) => [...nested]))],
    connections: connections.remote(),
    gaps: [...gaps.values()],
  };
}
