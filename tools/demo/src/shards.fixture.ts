import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads a plan: the names of workspaces by shard, both in order. */
export function readPlanned(file: string): ReadonlyMap<string, readonly string[]> {
  const { shards } = readJson(file) as { shards: readonly { id: string; pieces: readonly { workspace: string }[] }[] };
  return new Map(shards.map(({ id, pieces }) => [id, pieces.map(({ workspace }) => workspace).sort()]));
}

/** The tests of a workspace in a run of turborepo. */
export interface TestRun {
  readonly workspace: string;
  readonly exit: number;
  /** `MISS`: they really ran. */
  readonly cache: string;
}

/** Reads turborepo's own records of its runs in a project, in order of the workspaces' names. */
export function readTestRuns(project: string): readonly (readonly TestRun[])[] {
  const folder = join(project, '.turbo/runs');
  return readdirSync(folder).map((name) => {
    const { tasks } = readJson(join(folder, name)) as { tasks: readonly TurboTask[] };
    return tasks
      .filter(({ task }) => task === 'test')
      .map((task) => ({ workspace: task.package, exit: task.execution.exitCode, cache: task.cache.status }))
      .sort((a, b) => (a.workspace < b.workspace ? -1 : 1));
  });
}

interface TurboTask {
  readonly task: string;
  readonly package: string;
  readonly cache: { readonly status: string };
  readonly execution: { readonly exitCode: number };
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
