/** What the hook has to know of the tasks it is loaded into, as JSON beside it. */
export interface WatchedTask {
  /** The task that is to be proven; what runs before it is not. */
  readonly task: string;
  /** The test files that a part has to run, absolute real paths; none for a task that runs all. */
  readonly named: readonly string[];
  /** The mark of the files outside of all workspaces, as the plan has it. */
  readonly outside: string;
  /** Where each task gets a folder of its own for temporary files: one must not find the caches of another. */
  readonly temporary?: string | undefined;
  /** The task ends before it begins, and leaves its variables. */
  readonly probe?: true;
}

/** Of a probe: its variables. */
export const PROBE_FILE = 'variables.json';

export const TASK_FILE = 'watched.json';

/** What runners load by themselves, beside the hook: a line each, because each wants another form of module. */
export const RUNNER_FILES = { node: 'node.mjs', mocha: 'mocha.cjs', playwright: 'playwright.cjs' } as const;

/**
 * The line that a task prints at its end if affected has watched it and its reports are whole. A cached result brings it along. `outside`: the mark
 * of the files outside of all workspaces; `unheeded`: how many tests failed though the task passed.
 */
export function proofOf(hash: string, { outside, unheeded }: Proof): string {
  return `${beginningOf(hash)} with ${outside}${unheeded === 0 ? '' : `; ${unheeded} failed`}`;
}

export interface Proof {
  readonly outside: string;
  readonly unheeded: number;
}

/** What the log of a task proves; `undefined`: nothing. */
export function readProof(log: string, hash: string): Proof | undefined {
  const at = log.lastIndexOf(beginningOf(hash));
  const found = at < 0 ? null : /^ with (\w+)(?:; (\d{1,9}) failed)?/.exec(log.slice(at + beginningOf(hash).length));
  return found === null ? undefined : { outside: found[1] ?? '', unheeded: Number(found[2] ?? 0) };
}

function beginningOf(hash: string): string {
  return `affected: nothing is missing in the reports of ${hash}`;
}

/**
 * The files of a list, absolute, that are not among those that ran. Runners name them otherwise on Windows: vitest with slashes, and the letter
 * of a drive is large or small. `path`: the functions of the system.
 */
export function missingFrom(
  ran: Iterable<string>,
  named: readonly string[],
  { resolve, sep }: { readonly resolve: (path: string) => string; readonly sep: string },
): readonly string[] {
  const keyOf = (file: string): string => (sep === '\\' ? resolve(file).toLowerCase() : file);
  const keys = new Set([...ran].map(keyOf));
  return named.filter((file) => !keys.has(keyOf(file)));
}
