import { isPlainObject } from '@tributary/model/plain-object';

/**
 * A test runner that can run a part of its tests. Not mocha: hooks in one file count for the tests of all others, so a part without that file
 * tests something else.
 */
export type Runner = 'jest' | 'vitest' | 'playwright' | 'node';

/**
 * The runner, if a script is one call of it and nothing else, so that options can be added at its end, and its parts together say the same
 * as all of it; `undefined` for every other script, for one that is cut already, that measures coverage, or that names the tests it means.
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
  /** Whether what follows leaves the choice of tests to the runner, and asks for nothing that only all of them together can give. */
  readonly isWhole: (rest: readonly string[]) => boolean;
}

/** Options alone, none of them `narrowing`. A word by itself is a path or a pattern, unless it stands behind an option that is known to take one. */
function optionsAlone(narrowing: RegExp, valued: readonly string[]): Call['isWhole'] {
  return (rest) => rest.every((word, at) => (word.startsWith('-') ? !narrowing.test(word) : valued.includes(rest[at - 1] ?? '')));
}

// A part of the tests covers a part of the code, and would fail a threshold that all of them keep. jest fails where a part is left without
// tests, so nothing may say which tests are meant: files are counted without looking at that.
const JEST = optionsAlone(
  /^--(?:(?:collect-?)?coverage|list-?tests|test-?(?:path|match|regex)|run-?tests-?by|find-?related|only|changed|last-?commit|(?:select-?|ignore-?)?projects|roots|filter)|^-[a-z]*[of]/i,
  [
    '-c',
    '--config',
    '-w',
    '--maxWorkers',
    '-t',
    '--testNamePattern',
    '--testTimeout',
    '--env',
    '--testEnvironment',
    '--reporters',
    '--outputFile',
    '--cacheDirectory',
    '--maxConcurrency',
    '--workerIdleMemoryLimit',
    '--seed',
  ],
);
// Files that are not isolated find what others have left.
const VITEST = optionsAlone(/^--coverage|isolate/i, [
  '-c',
  '--config',
  '--project',
  '--reporter',
  '--outputFile',
  '--environment',
  '--mode',
  '--pool',
  '--retry',
  '--maxWorkers',
  '--max-workers',
  '--minWorkers',
  '--min-workers',
  '--testTimeout',
  '--test-timeout',
  '--hookTimeout',
  '--hook-timeout',
]);
const PLAYWRIGHT = optionsAlone(/^--coverage/i, [
  '-c',
  '--config',
  '--project',
  '-j',
  '--workers',
  '--reporter',
  '--retries',
  '--timeout',
  '--global-timeout',
  '--max-failures',
  '-g',
  '--grep',
  '--grep-invert',
  '--output',
  '--trace',
  '--browser',
  '--repeat-each',
  '--tsconfig',
]);
// Behind a path its options are words for the tests.
const NODE = optionsAlone(/^-[^-]|^--(?:experimental-)?test-(?:coverage|isolation)/, []);

const CALLS: readonly Call[] = [
  { runner: 'jest', call: ['jest'], isWhole: JEST },
  { runner: 'vitest', call: ['vitest', 'run'], isWhole: VITEST },
  { runner: 'vitest', call: ['vitest', '--run'], isWhole: VITEST },
  { runner: 'playwright', call: ['playwright', 'test'], isWhole: PLAYWRIGHT },
  { runner: 'node', call: ['node', '--test'], isWhole: NODE },
];

/** Whether a package.json, as parsed, has a threshold of coverage for jest, which parts of the tests cannot keep. */
export function hasJestThreshold({ jest }: Readonly<Record<string, unknown>>): boolean {
  return isPlainObject(jest) && jest['coverageThreshold'] !== undefined;
}

/**
 * The words that make a runner run one part. A runner rounds, so a part after the first may be empty, and passes then; the first one never
 * is, and finds out if there are no tests at all.
 */
export function partArguments(runner: Runner, [part, of]: readonly [number, number]): readonly string[] {
  switch (runner) {
    case 'jest':
    case 'vitest':
      return [`--shard=${part}/${of}`, ...(part === 1 ? [] : ['--passWithNoTests'])];
    case 'playwright':
      return [`--shard=${part}/${of}`, ...(part === 1 ? [] : ['--pass-with-no-tests'])];
    case 'node':
      return [`--test-shard=${part}/${of}`];
  }
}

/**
 * What makes a runner list its test files, for `yarn` in the folder of the workspace; `undefined` for one that cannot. `script`: the one of
 * the task, for which `runnerOf` named the runner.
 */
export function listArguments(
  runner: Runner,
  { task, script }: { readonly task: string; readonly script: string },
): readonly string[] | undefined {
  switch (runner) {
    case 'jest':
      return ['run', task, '--listTests', '--json'];
    case 'playwright':
      return ['run', task, '--list', '--reporter=json'];
    case 'vitest':
      return ['exec', 'vitest', 'list', '--filesOnly', '--json', ...script.trim().split(/ +/).slice(2)];
    case 'node':
      return undefined;
  }
}

/** What a runner lists. */
export interface ListedTests {
  /** Test files, each once, as the runner names them. */
  readonly files: readonly string[];
  /** The names of all tests, if the runner lists and cuts single tests: as Playwright does. */
  readonly titles?: readonly string[];
}

/** The tests that a list names; the list may stand behind other words. `undefined`: there is none. */
export function parseListed(runner: Runner, text: string): ListedTests | undefined {
  const value = lastJson(text);
  const named = runner === 'playwright' ? (isPlainObject(value) ? value['suites'] : undefined) : value;
  if (!Array.isArray(named)) return undefined;
  const files = named.map((one: unknown) => (isPlainObject(one) ? one['file'] : one));
  if (!files.every((file) => typeof file === 'string')) return undefined;
  return { files: [...new Set(files)], ...(runner === 'playwright' ? { titles: named.flatMap((suite) => titlesIn(suite, '')) } : {}) };
}

/** Of a suite of Playwright the tests, each with what is above it. */
function titlesIn(suite: unknown, above: string): readonly string[] {
  if (!isPlainObject(suite)) return [];
  const { title, file, specs, suites } = suite;
  const path = `${above} > ${file}: ${title}`;
  const own = listOf(specs).map((spec) => `${path} > ${isPlainObject(spec) ? `${spec['title']} (${listOf(spec['tests']).length})` : ''}`);
  return [...own, ...listOf(suites).flatMap((one) => titlesIn(one, path))];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What begins a line and ends the text. */
function lastJson(text: string): unknown {
  for (const { index } of text.matchAll(/^[[{]/gm)) {
    try {
      return JSON.parse(text.slice(index)) as unknown;
    } catch {}
  }
  return undefined;
}

/** Whether `node --test` runs a file without being told; from the folder of the workspace. Source: nodejs.org, "Running tests from the command line". */
export function isNodeTest(path: string): boolean {
  return !/(?:^|\/)node_modules\//.test(path) && /(?:^|\/)(?:test\/.*|(?:[^/]*[-._])?test|test-[^/]*)\.[cm]?js$/.test(path);
}

/** Whether the name or the folder of a file alone says that it is one of tests, whatever the runner. */
export function isNamedTest(path: string): boolean {
  return /[._-](?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)(?:__tests__\/(?!fixtures\/|__)(?:[^/]+\/)*|tests?\/)[^/]*\.[cm]?[jt]sx?$/.test(path);
}

/** Whether a file is taken for one of tests, for counting them. From the folder of the workspace. */
export function isCountedTest(path: string): boolean {
  return /(?:\.|_|-)(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)__tests__\/.*\.[cm]?[jt]sx?$|^tests?\/.*\.[cm]?[jt]sx?$|(?:^|\/)e2e\/.*\.[cm]?[jt]sx?$/.test(
    path,
  );
}
