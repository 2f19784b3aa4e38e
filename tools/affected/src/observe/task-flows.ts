import { type PathUse, writtenAt } from './paths.js';
import type { Readings } from './readings.js';

/** That a task made, replaced or removed something, and when. */
interface Write {
  readonly task: string;
  readonly moment: number;
}

/** What a task got from others: the tasks whose writes it saw, also through others. */
export interface TaskSources {
  /** Hashes; the task itself is the first. */
  readonly tasks: readonly string[];
  /** A path that turborepo itself had written, as it does with a cached result; `undefined`: there is none. */
  readonly restored: string | undefined;
}

/**
 * Who reads what of whom in a run of turborepo, as the trace shows it. No declaration is needed for that: a task that reads what another one
 * has written needs it. `isForeign`: paths that tell nothing, such as `/dev/null`.
 */
export class TaskFlows {
  private readonly writes = new Map<string, Write[]>();
  /** By folder, the writes of what is directly in it. */
  private readonly entries = new Map<string, Write[]>();
  private readonly tasks: ReadonlyMap<string, Readings>;
  private readonly isForeign: (path: string) => boolean;

  constructor(tasks: ReadonlyMap<string, Readings>, isForeign: (path: string) => boolean) {
    this.tasks = tasks;
    this.isForeign = isForeign;
    for (const [task, { table }] of tasks)
      for (const [path, { written }] of table.uses) {
        if (written === Infinity || isForeign(path) || (task === '' && isLog(path))) continue;
        addTo(this.writes, path, { task, moment: written });
        addTo(this.entries, path.slice(0, path.lastIndexOf('/')), { task, moment: written });
      }
  }

  sourcesOf(task: string): TaskSources {
    const found = new Set([task]);
    let restored: string | undefined;
    for (const one of found)
      for (const [path, use] of this.tasks.get(one)?.table.uses ?? []) {
        if (this.isForeign(path)) continue;
        for (const source of this.writersOf(path, use, one)) {
          if (source === '') restored ??= path;
          else found.add(source);
        }
      }
    return { tasks: [...found], restored };
  }

  /** Those who had written a path, or a folder above it, before it was used for the last time. */
  private *writersOf(path: string, { last, listed, listedByTool, moved, read }: Readonly<PathUse>, reader: string): Generator<string> {
    // With a folder that is renamed goes all that is in it. Most of what is renamed is a file that the task has just written.
    if (moved && read < writtenAt(this.tasks.get(reader)?.table.uses ?? new Map(), path))
      for (const [below, writes] of this.writes)
        if (below.startsWith(`${path}/`)) for (const { task, moment } of writes) if (moment < last) yield task;
    const isListed = Math.min(listed, listedByTool) !== Infinity;
    for (const { task, moment } of isListed ? (this.entries.get(path) ?? []) : []) if (moment < last) yield task;
    for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/')))
      for (const { task, moment } of this.writes.get(at) ?? []) if (moment < last) yield task;
  }
}

/** turborepo keeps logs and summaries there. */
function isLog(path: string): boolean {
  return /\/\.turbo(\/|$)/.test(path);
}

function addTo(map: Map<string, Write[]>, key: string, write: Write): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [write]);
  else known.push(write);
}
