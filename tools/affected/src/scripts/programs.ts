import type { ReportingRunner } from '../plan/runner-call.js';

// What is known of the programs that scripts start. Whatever is not named here may run tests.

/** Programs that check nothing: they print, move files, wait, or end processes. */
const HARMLESS: ReadonlySet<string> = new Set(
  [
    'echo printf true : false exit return test [ [[ sleep wait yes clear date which hash',
    'cd pwd pushd popd export unset set shopt ulimit umask trap then else do if for case fi done esac',
    'mkdir mkdirp rmdir rm rimraf del cp mv ln touch chmod cat tee head tail ls read shx cpy copyfiles ncp',
    'kill pkill killall kill-port',
  ].flatMap((names) => names.split(' ')),
);

export function isHarmless(words: readonly string[]): boolean {
  const [program = '', option] = words;
  return HARMLESS.has(nameOf(program)) || (program === 'command' && option === '-v');
}

/** `./node_modules/.bin/jest.cmd` -> `jest` */
function nameOf(word: string): string {
  return word.replace(/^.*[\\/]/, '').replace(/\.(?:cmd|exe|[cm]?js)$/, '');
}

const OTHER_RUNNERS =
  /^(?:ava|bats|borp|bun|c8|cucumber-js|cypress|deno|jasmine|karma|nyc|qunit|tap|tape|uvu|web-test-runner|wtr|xvfb-run)$/;

/** A test runner that a command starts. */
export interface StartedRunner {
  /** `other`: one that affected does not watch. */
  readonly name: ReportingRunner | 'other';
  /** It runs no test: it prints its version, or lists files. */
  readonly isIdle: boolean;
}

/** Returns the test runner that a command starts, itself or through another program, such as `cross-env A=1 npx jest`. */
export function startedRunner(words: readonly string[]): StartedRunner | undefined {
  const at = words.findIndex((word) => WATCHED.has(nameOf(word)) || (nameOf(word) === 'node' && words.includes('--test')));
  if (at < 0) return words.some((word) => OTHER_RUNNERS.test(nameOf(word))) ? { name: 'other', isIdle: false } : undefined;
  const name = nameOf(words[at] ?? '') as ReportingRunner;
  const rest = words.slice(at + 1);
  const isIdle = IDLE[name].test(rest[0] ?? '') || rest.some((word) => word.startsWith('-') && IDLE[name].test(word));
  return { name, isIdle };
}

const WATCHED: ReadonlySet<string> = new Set<ReportingRunner>(['jest', 'vitest', 'mocha', 'playwright']);

/** What makes a runner do something other than running tests: its first argument, or an option. */
const IDLE: Readonly<Record<ReportingRunner, RegExp>> = {
  jest: /^(?:--(?:version|help|listTests|list-tests|showConfig|show-config|clearCache|clear-cache|init)|-[vh])$/,
  vitest: /^(?:--(?:version|help)|-[vh]|list|init)$/,
  mocha: /^(?:--(?:version|help|dry-run|list-files|list-interfaces|list-reporters)|-[Vh]|init)$/,
  playwright:
    /^(?:--(?:version|help|list)|-[Vh]|install|install-deps|uninstall|codegen|open|show-report|show-trace|merge-reports|clear-cache)$/,
  node: /^--(?:version|help|check)$/,
};

/** Returns the option that lets a program pass although what it runs fails: `--race`. */
export function ignoresFailures(words: readonly string[]): string | undefined {
  return optionIn(words, IGNORING);
}

/** Returns the option that keeps other tests from running: `-t`. */
export function leavesOutTests(words: readonly string[]): string | undefined {
  return optionIn(words, SELECTING);
}

function optionIn(words: readonly string[], known: readonly Known[]): string | undefined {
  const found = known.find(({ program }) => words.some((word) => program.test(nameOf(word))));
  return words.find((word, at) => found?.option.test(`${word} ${words[at + 1] ?? ''}`));
}

/** `option`: what stands in two words. Sources: the documentation of each program. */
interface Known {
  readonly program: RegExp;
  readonly option: RegExp;
}

const SELECTING: readonly Known[] = [
  {
    program: /^jest$/,
    option:
      /^(?:-[fot]|--(?:test-?name-?pattern|only-?(?:changed|failures)|last-?commit|changed-?since|find-?related-?tests|filter|shard))[ =]/i,
  },
  { program: /^vitest$/, option: /^(?:-t|related|--(?:test-?name-?pattern|changed|shard))[ =]/i },
  { program: /^mocha$/, option: /^(?:-[fg]|--f?grep)[ =]/ },
  { program: /^playwright$/, option: /^(?:-[gG]|--(?:grep(?:-invert)?|only-changed|last-failed|shard|test-list))[ =]/ },
  { program: /^node$/, option: /^--test-(?:name-pattern|skip-pattern|only|shard)[ =]/ },
];

const IGNORING: readonly Known[] = [
  // With `-exec … +` it fails as its commands do, with `-exec … ;` it does not.
  { program: /^find$/, option: /^; / },
  { program: /^trap$/, option: /^(?!trap ).*\bexit\b(?! *(?:\$|[1-9])).* (?:EXIT|0)$/ },
  { program: /^conc(?:urrently)?$/, option: /^(?:-s|--success)[ =](?!all$)/ },
  { program: /^(?:run-p|npm-run-all2?)$/, option: /^(?:--race|-[a-z]*r[a-z]*) / },
  { program: /^vitest$/, option: /^--dangerouslyIgnoreUnhandledErrors / },
  { program: /^jest$/, option: /^--testFailureExitCode[ =]0(?: |$)/ },
  { program: /^mocha$/, option: /^--pass-on-failing-test-suite / },
  { program: /^make$/, option: /^(?:-[a-zA-Z]*i[a-zA-Z]*|--ignore-errors) / },
  { program: /^grunt$/, option: /^(?:-f|--force) / },
];
