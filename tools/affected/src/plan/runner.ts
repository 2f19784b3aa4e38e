/** A test runner that can run a part of its tests. */
export type Runner = 'jest' | 'vitest' | 'playwright' | 'mocha' | 'node';

/**
 * The runner, if a script is one call of it and nothing else, so that options can be added at its end; `undefined` for every other script,
 * and for one that is cut already.
 */
export function runnerOf(script: string): Runner | undefined {
  // Whatever a shell would look at, or a second command, makes it unclear where an option ends up.
  if (/[^\w @%+=:,./~-]/.test(script) || /--shard|--test-shard|--watch/.test(script)) return undefined;
  const words = script.trim().split(/ +/);
  // Behind it options are words for the runner.
  if (words.includes('--')) return undefined;
  return CALLS.find(({ call, isWhole }) => call.every((word, at) => words[at] === word) && isWhole(words.slice(call.length)))?.runner;
}

interface Call {
  readonly runner: Runner;
  readonly call: readonly string[];
  /** Whether what follows leaves the choice of tests to the runner, as far as that matters. */
  readonly isWhole: (rest: readonly string[]) => boolean;
}

const ANY = (): boolean => true;
const OPTIONS_ALONE = (rest: readonly string[]): boolean => rest.every((word) => word.startsWith('--'));

const CALLS: readonly Call[] = [
  { runner: 'jest', call: ['jest'], isWhole: (rest) => !rest.some((word) => word.startsWith('--listTests')) },
  { runner: 'vitest', call: ['vitest', 'run'], isWhole: ANY },
  { runner: 'vitest', call: ['vitest', '--run'], isWhole: ANY },
  { runner: 'playwright', call: ['playwright', 'test'], isWhole: ANY },
  // Where it looks is known only if nothing in the script says otherwise.
  { runner: 'mocha', call: ['mocha'], isWhole: (rest) => rest.length === 0 },
  // Behind a path its options are words for the tests.
  { runner: 'node', call: ['node', '--test'], isWhole: OPTIONS_ALONE },
];

/** The words that make a runner run one part; `files`: its test files as `isMochaFile` knows them, sorted, which only mocha needs. */
export function partArguments(runner: Runner, [part, of]: readonly [number, number], files: readonly string[]): readonly string[] {
  switch (runner) {
    case 'jest':
    case 'playwright':
      return [`--shard=${part}/${of}`];
    case 'vitest':
      // Its parts are rounded up, so the last one may be empty.
      return [`--shard=${part}/${of}`, ...(part === 1 ? [] : ['--passWithNoTests'])];
    case 'node':
      return [`--test-shard=${part}/${of}`];
    case 'mocha':
      return ignoredFiles(files, part - 1, of);
  }
}

/**
 * A part of mocha leaves the files of the other parts out. Naming its own would lose those that a settings file of mocha adds (`recursive`,
 * `extension`); so they run in every part. A name that mocha would read as a pattern is not left out either, and no part is without files.
 */
function ignoredFiles(files: readonly string[], part: number, of: number): readonly string[] {
  const ofOthers = files.filter((file, at) => at % of !== part && /^[\w@./-]+$/.test(file));
  return ofOthers.length === files.length ? [] : ofOthers.map((file) => `--ignore=${file}`);
}

/** Where mocha looks for tests if nothing tells it otherwise; from the folder of the workspace. */
export function isMochaFile(path: string): boolean {
  return /^test\/[^/]+\.(?:js|cjs|mjs)$/.test(path);
}

/** Whether a file is taken for one of tests, for counting them. From the folder of the workspace. */
export function isCountedTest(path: string): boolean {
  return /(?:\.|_|-)(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)__tests__\/.*\.[cm]?[jt]sx?$|^tests?\/.*\.[cm]?[jt]sx?$|(?:^|\/)e2e\/.*\.[cm]?[jt]sx?$/.test(
    path,
  );
}
