import { isRuntime, type Runtime } from './runtime.js';

/** A task that the plan runs. */
export interface ProvenTask {
  readonly task: string;
  /** The hash of the files outside all workspaces, from the plan. */
  readonly outside: string;
}

/** The settings for the hook in tasks, as JSON next to it. */
export interface WatchedTask extends ProvenTask {
  /** The other tasks of the plan: if one runs before this one, its result is proven too. No other upstream is. */
  readonly others?: readonly ProvenTask[];
  /** The test files that a part must run, as absolute real paths; none for a task that runs all. */
  readonly named: readonly string[];
  /** The task exits before it begins, and leaves its variables. */
  readonly probe?: true;
}

/** The variables of a probe. */
export const PROBE_FILE = 'variables.json';

export const TASK_FILE = 'watched.json';

/** What runners load besides the hook: a line each, because each needs another module format. */
export const RUNNER_FILES = {
  node: 'node.mjs',
  mocha: 'mocha.cjs',
  playwright: 'playwright.cjs',
} as const;

/** The line that a task prints at its end if affected has watched it and its reports are whole. A cached result brings it along. */
export function proofOf(hash: string, { outside, runtime, unheeded, tests, isPartial }: WatchProof): string {
  const words = [
    `${beginningOf(hash)} with ${outside}${runtime === undefined ? '' : ` on ${runtime}`}`,
    ...(unheeded === 0 ? [] : [`${unheeded} failed`]),
    ...(tests === undefined ? [] : [`${tests} ran`]),
    ...(isPartial ? ['not all'] : []),
  ];
  return words.join('; ');
}

export interface WatchProof {
  /** The mark of the files outside of all workspaces. */
  readonly outside: string;
  /** Of the first process of the task; `undefined`: an older version of affected wrote no such word. */
  readonly runtime: Runtime | undefined;
  /** How many tests failed though the task passed. */
  readonly unheeded: number;
  /** How many ran; `undefined`: no runner has told. */
  readonly tests: number | undefined;
  /** Whether some of the tests in the files that ran did not run. */
  readonly isPartial: boolean;
}

/** Returns what the log of a task proves; `undefined` if nothing. */
export function readProof(log: string, hash: string): WatchProof | undefined {
  const at = log.lastIndexOf(beginningOf(hash));
  const found =
    at < 0
      ? null
      : /^ with (\w+)(?: on ([\w-]+))?(?:; (\d{1,9}) failed)?(?:; (\d{1,9}) ran)?(; not all)?/.exec(
          log.slice(at + beginningOf(hash).length),
        );
  if (found === null) return undefined;
  const [, outside = '', runtime, unheeded = '0', tests, rest] = found;
  return {
    outside,
    runtime: isRuntime(runtime) ? runtime : undefined,
    unheeded: Number(unheeded),
    tests: tests === undefined ? undefined : Number(tests),
    isPartial: rest !== undefined,
  };
}

/** What each proof begins with, in the log of its task. */
export const PROOF = 'affected: nothing is missing in the reports of ';

function beginningOf(hash: string): string {
  return `${PROOF}${hash}`;
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
