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

/** The line that a task prints at its end if affected has watched it and its reports are whole. A cached result brings it along. */
export function proofOf(hash: string, { outside, unheeded, tests, isPartial }: Proof): string {
  const words = [
    `${beginningOf(hash)} with ${outside}`,
    ...(unheeded === 0 ? [] : [`${unheeded} failed`]),
    ...(tests === undefined ? [] : [`${tests} ran`]),
    ...(isPartial ? ['not all'] : []),
  ];
  return words.join('; ');
}

export interface Proof {
  /** The mark of the files outside of all workspaces. */
  readonly outside: string;
  /** How many tests failed though the task passed. */
  readonly unheeded: number;
  /** How many ran; `undefined`: no runner has told. */
  readonly tests: number | undefined;
  /** Whether some of the tests in the files that ran did not run. */
  readonly isPartial: boolean;
}

/** What the log of a task proves; `undefined`: nothing. */
export function readProof(log: string, hash: string): Proof | undefined {
  const at = log.lastIndexOf(beginningOf(hash));
  const found =
    at < 0 ? null : /^ with (\w+)(?:; (\d{1,9}) failed)?(?:; (\d{1,9}) ran)?(; not all)?/.exec(log.slice(at + beginningOf(hash).length));
  if (found === null) return undefined;
  const [, outside = '', unheeded = '0', tests, rest] = found;
  return {
    outside,
    unheeded: Number(unheeded),
    tests: tests === undefined ? undefined : Number(tests),
    isPartial: rest !== undefined,
  };
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
