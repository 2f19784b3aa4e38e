import { Connections } from './connections.js';
import type { Gap, Observation } from './observation.js';
import { mergeUses, type PathUses, type UseTable } from './paths.js';

/** What a trace says. Paths are absolute, with one character for each byte. */
export interface TraceSummary {
  readonly uses: PathUses;
  /** What was run, in the order of the first time. */
  readonly programs: readonly string[];
  readonly nested: readonly string[];
  readonly connections: readonly string[];
  /** Of the first process; `null`: a signal ended it, or the trace ends before. */
  readonly exit: number | null;
  readonly gaps: Observation['gaps'];
}

/** The same of a run of turborepo, by the hash of each task; `''`: turborepo itself. `gaps`: of all of them. */
export interface TaskTraces {
  readonly tasks: ReadonlyMap<string, Readings>;
  readonly gaps: Observation['gaps'];
}

/** What the processes of one task did. Moments are line numbers of the whole trace. */
export interface Readings {
  readonly table: UseTable;
  readonly connections: Connections;
  readonly programs: Set<string>;
  /** Package managers and git, where tests started them. */
  readonly nested: Set<string>;
  /** By kind. */
  readonly gaps: Map<string, Observation['gaps'][number]>;
}

/** The first of each kind is enough. */
export function addGap(gaps: Readings['gaps'], gap: Gap, detail: string): void {
  if (!gaps.has(gap)) gaps.set(gap, { gap, detail: detail.slice(0, 200) });
}

/** What some tasks did together, as if they were one command. `shared`: gaps of the trace as a whole. */
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
