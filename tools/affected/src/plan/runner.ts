import { isPlainObject } from '@tributary/model/plain-object';
import type { ReportingRunner } from './runner-call.js';

/**
 * A test runner that can run a part of its tests. Not mocha: hooks in one file apply to the tests of all files, so a part without that file
 * tests something else.
 */
export type Runner = 'jest' | 'vitest' | 'playwright' | 'node';

/**
 * Returns the runner of a script that is a single call of it, so that options can be appended and all parts together equal the whole.
 * `undefined` for every other script: one that is already split, measures coverage, or selects tests.
 */
export function runnerOf(script: string): Runner | undefined {
  // With shell syntax or a second command, it is unclear where an option ends up.
  if (/[^\w @%+=:,./~-]/.test(script) || /--shard|--test-shard|--watch/.test(script)) return undefined;
  const words = script.trim().split(/ +/);
  // After it, options are arguments.
  if (words.includes('--')) return undefined;
  return CALLS.find(({ call, isWhole }) => call.every((word, at) => words[at] === word) && isWhole(words.slice(call.length)))?.runner;
}

interface Call {
  readonly runner: Runner;
  readonly call: readonly string[];
  /** Tells whether the arguments leave the choice of tests to the runner, and request nothing that needs all tests together. */
  readonly isWhole: (rest: readonly string[]) => boolean;
}

/** Accepts only options, none of them `narrowing`. A single word is a path or a pattern, unless it follows an option that takes a value. */
function optionsAlone(narrowing: RegExp, valued: readonly string[]): Call['isWhole'] {
  return (rest) => rest.every((word, at) => (word.startsWith('-') ? !narrowing.test(word) : valued.includes(rest[at - 1] ?? '')));
}

// A part of the tests covers a part of the code, and would miss a threshold that all tests together meet. jest fails if a part has no
// tests, so no option may select tests: files are counted without such options.
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
// Without isolation, files see what others left behind.
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
// After a path, options are arguments for the tests.
const NODE = optionsAlone(/^-[^-]|^--(?:experimental-)?test-(?:coverage|isolation)/, []);

const CALLS: readonly Call[] = [
  { runner: 'jest', call: ['jest'], isWhole: JEST },
  { runner: 'vitest', call: ['vitest', 'run'], isWhole: VITEST },
  { runner: 'vitest', call: ['vitest', '--run'], isWhole: VITEST },
  { runner: 'playwright', call: ['playwright', 'test'], isWhole: PLAYWRIGHT },
  { runner: 'node', call: ['node', '--test'], isWhole: NODE },
];

/** Tells whether a parsed package.json has a coverage threshold for jest, which parts of the tests would miss. */
export function hasJestThreshold({ jest }: Readonly<Record<string, unknown>>): boolean {
  return isPlainObject(jest) && jest['coverageThreshold'] !== undefined;
}

/**
 * Returns the arguments that make a runner run one part. A runner rounds, so a part after the first may be empty, and passes. The first
 * never is, and fails if there are no tests at all.
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
 * Returns the arguments for `yarn`, in the workspace's folder, that make a runner list its test files; `undefined` if it cannot. `script`:
 * the task's script, for which `runnerOf` returned the runner.
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

/** Returns the JSON value that begins a line and ends the text. */
function lastJson(text: string): unknown {
  for (const { index } of text.matchAll(/^[[{]/gm)) {
    try {
      return JSON.parse(text.slice(index)) as unknown;
    } catch {}
  }
  return undefined;
}

/**
 * Tells whether `node --test` runs a file by default; relative to the workspace. Source: nodejs.org, "Running tests from the command line".
 */
export function isNodeTest(path: string): boolean {
  return !/(?:^|\/)node_modules\//.test(path) && /(?:^|\/)(?:test\/.*|(?:[^/]*[-._])?test|test-[^/]*)\.[cm]?js$/.test(path);
}

/** Tells whether the name or folder of a file says that it is a test, for any runner. */
export function isNamedTest(path: string): boolean {
  return /[._-](?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)(?:__tests__\/(?!fixtures\/|__)(?:[^/]+\/)*|tests?\/)[^/]*\.[cm]?[jt]sx?$/.test(path);
}

/** A quick check of a path: nearly all files are not tests, and finding their owners takes longer. */
export const MAY_BE_TESTS = /test|spec|e2e/;

/** Tells whether a runner takes a file for a test by default; relative to the workspace. Sources: the documentation of each runner. */
export function isTestOf(runner: ReportingRunner, path: string): boolean {
  return runner === 'node' ? isNodeTest(path) : TEST_NAMES[runner].test(path);
}

const TEST_NAMES: Readonly<Record<Exclude<ReportingRunner, 'node'>, RegExp>> = {
  jest: /(?:^|\/)__tests__\/.*\.[cm]?[jt]sx?$|(?:^|[./])(?:test|spec)\.[cm]?[jt]sx?$/,
  vitest: /\.(?:test|spec)\.[cm]?[jt]sx?$/,
  mocha: /^test\/[^/]*\.[cm]?js$|[._-](?:test|spec)\.[cm]?[jt]sx?$/,
  playwright: /[._-](?:test|spec)\.[cm]?[jt]sx?$/,
};

/** Tells whether a file counts as a test; relative to the workspace. */
export function isCountedTest(path: string): boolean {
  return /(?:\.|_|-)(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)__tests__\/.*\.[cm]?[jt]sx?$|^tests?\/.*\.[cm]?[jt]sx?$|(?:^|\/)e2e\/.*\.[cm]?[jt]sx?$/.test(
    path,
  );
}
