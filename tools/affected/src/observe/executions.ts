import { joinPath, writtenLast } from './paths.js';
import { addGap, type Readings } from './readings.js';
import { isYarnsProgram } from './sort-uses.js';

/** What the kernel reads to run a file; `end`: its path without links. `undefined`: it cannot be told, because the file is gone. */
export type FindInterpreter = (path: string) => { readonly interpreter: string | undefined; readonly end: string } | undefined;

/** Runs of one file by one task or test file, from one folder. */
interface Execution {
  readonly readings: Readings;
  readonly path: string;
  /** A relative interpreter is looked up there. */
  readonly folder: string;
  /** What the call shows about the interpreter. */
  readonly kind: 'read' | 'found' | 'absent';
  readonly first: number;
  last: number;
}

/** How often the kernel follows an interpreter that is a script itself. */
const DEPTH = 5;
/** Links to the running program: that was seen before. */
const RUNNING = /^\/proc\//;

/** Files that were run. The kernel opens their interpreters by itself, so no call shows it: the first lines are read after the run. */
export class Executions {
  private readonly runs = new Map<string, Execution>();

  /** `owner`: see `keyOfReadings`. */
  add(owner: string, run: Omit<Execution, 'first' | 'last'>, moment: number): void {
    const key = [owner, run.kind, run.folder, run.path].join('\0');
    const known = this.runs.get(key);
    if (known === undefined) this.runs.set(key, { ...run, first: moment, last: moment });
    else known.last = moment;
  }

  /** Marks the interpreters as read. `all`: what every task did. */
  addInterpreters(find: FindInterpreter, all: Iterable<Readings>): void {
    const tables = [...all].map(({ table }) => table.uses);
    const writtenAfter = (path: string, moment: number): boolean => tables.some((uses) => writtenLast(uses, path) > moment);
    for (const run of this.runs.values()) {
      // The small programs of `yarn run` are gone at the end. Their interpreter is /bin/sh.
      if (RUNNING.test(run.path) || isYarnsProgram(run.path)) continue;
      for (let depth = 0, path: string | undefined = run.path; path !== undefined && depth < DEPTH; depth++) {
        const found: ReturnType<FindInterpreter> = find(path);
        const isKnown = found !== undefined && [path, found.end].every((one) => !writtenAfter(one, run.first));
        // Of a call that failed, the file may never have been there.
        if (!isKnown && run.kind === 'read') addGap(run.readings.gaps, 'interpreter', path);
        path = found?.interpreter === undefined ? undefined : interpreterFrom(run.folder, found.interpreter);
        if (path !== undefined) for (const moment of [run.first, run.last]) run.readings.table.mark(path, run.kind, moment);
      }
    }
  }
}

function interpreterFrom(folder: string, named: string): string {
  return named.startsWith('/') ? named : joinPath(folder, named);
}
