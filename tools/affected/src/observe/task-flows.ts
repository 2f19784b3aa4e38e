import { type PathUse, writtenAt } from './paths.js';
import type { Readings } from './readings.js';

/** A task's creation, replacement or removal of a path, with the moment. */
interface Write {
  readonly task: string;
  readonly moment: number;
}

/** The sources of a task: the tasks whose writes it saw, directly or indirectly. */
export interface TaskSources {
  /** Hashes; the task itself is first. */
  readonly tasks: readonly string[];
  /** A path that turborepo itself wrote, for example from a cached result. `undefined`: it wrote nothing that the task used. */
  readonly restored: string | undefined;
}

export interface FlowScene {
  /** Tells whether a path is irrelevant, such as `/dev/null`. */
  readonly isForeign: (path: string) => boolean;
  /** Returns the end of a path: one task may write through a link, and another read without it. */
  readonly endOf: (path: string) => string;
  /** By the hash of a task, the tasks that `dependsOn` puts before it. */
  readonly before: ReadonlyMap<string, readonly string[]>;
}

/**
 * Finds the tasks whose output a task uses, in one run of turborepo. A task that reads a file needs the task that wrote it, whatever is
 * declared. The tasks that turborepo runs before it count too: in another run, they may write files that were missing in this one.
 */
export class TaskFlows {
  private readonly writes = new Map<string, Write[]>();
  /** By folder, the writes of its direct entries. */
  private readonly entries = new Map<string, Write[]>();
  private readonly tasks: ReadonlyMap<string, Readings>;
  private readonly scene: FlowScene;

  constructor(tasks: ReadonlyMap<string, Readings>, scene: FlowScene) {
    this.tasks = tasks;
    this.scene = scene;
    for (const [task, { table }] of tasks)
      for (const [path, { written }] of table.uses) {
        if (written === Infinity || scene.isForeign(path) || (task === '' && isLog(path))) continue;
        for (const at of this.placesOf(path)) {
          addTo(this.writes, at, { task, moment: written });
          addTo(this.entries, at.slice(0, at.lastIndexOf('/')), { task, moment: written });
        }
      }
  }

  sourcesOf(task: string): TaskSources {
    const found = new Set([task]);
    let restored: string | undefined;
    for (const one of found) {
      for (const before of this.scene.before.get(one) ?? []) found.add(before);
      for (const [path, use] of this.tasks.get(one)?.table.uses ?? []) {
        if (this.scene.isForeign(path) || isTelemetry(path, use)) continue;
        for (const source of this.writersOf(path, use, one)) {
          if (source === '') restored ??= path;
          else found.add(source);
        }
      }
    }
    return { tasks: [...found], restored };
  }

  /** Yields the tasks that wrote a path, or a folder above it, before its last use. */
  private *writersOf(path: string, use: Readonly<PathUse>, reader: string): Generator<string> {
    const { last, listed, listedByTool, moved, read } = use;
    // A renamed folder takes everything in it along. Usually the task has just written the renamed file itself.
    const isMoved = moved && read < writtenAt(this.tasks.get(reader)?.table.uses ?? new Map(), path);
    const isListed = Math.min(listed, listedByTool) !== Infinity;
    for (const place of this.placesOf(path)) {
      for (const writes of this.writesAt(place, { isMoved, isListed }))
        for (const { task, moment } of writes) if (moment < last) yield task;
    }
  }

  /** Yields the writes at a path, in the folders above it, and below it if those count. */
  private *writesAt(
    path: string,
    { isMoved, isListed }: { readonly isMoved: boolean; readonly isListed: boolean },
  ): Generator<readonly Write[]> {
    if (isMoved) for (const [below, writes] of this.writes) if (below.startsWith(`${path}/`)) yield writes;
    if (isListed) yield this.entries.get(path) ?? [];
    for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) yield this.writes.get(at) ?? [];
  }

  /** Returns the path as written, and without links. */
  private placesOf(path: string): ReadonlySet<string> {
    return new Set([path, this.scene.endOf(path)]);
  }
}

/** turborepo keeps logs and summaries there. */
function isLog(path: string): boolean {
  return /\/\.turbo(\/|$)/.test(path);
}

/**
 * Tells whether Yarn alone used the file in which it counts its calls, which it does on a terminal. Every `yarn run` reads and writes it, so
 * it would join all tasks. No result depends on it.
 */
function isTelemetry(path: string, { read, found }: Readonly<PathUse>): boolean {
  return path.endsWith('/.yarn/berry/telemetry.json') && Math.min(read, found) === Infinity;
}

function addTo(map: Map<string, Write[]>, key: string, write: Write): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [write]);
  else known.push(write);
}
