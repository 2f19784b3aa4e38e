import { shellCommandsIn } from '../../scripts.js';

/** A command that a script starts. */
export interface ScriptCommand {
  /** The name of a binary. */
  readonly binary: string;
  /** Packages that it is told to load: `-r ts-node/register`. */
  readonly loads: readonly string[];
}

const OF_COVERAGE =
  '-r --reporter -n --include -x --exclude -e --extension --report-dir --branches --functions --lines --statements --temp-directory';
/** Commands that start the command after their options, each with its options that take a value. */
const WRAPPERS: Readonly<Record<string, string>> = {
  'cross-env': '',
  'cross-env-shell': '',
  env: '-u -C',
  time: '-f -o',
  exec: '-a',
  nyc: `${OF_COVERAGE} -i --require -t --temp-dir --cwd --nycrc-path --cache-dir`,
  c8: `${OF_COVERAGE} -o --reports-dir -c --config --src`,
  dotenv: '-e -v -c -p',
  dotenvx: '-f --env-file -e --env',
  'xvfb-maybe': '',
  nice: '-n',
};
const COVERAGE_COMMAND = /^(?:nyc|c8) (?:report|check-coverage|merge|instrument)$/;
/** Commands that start commands given in quotes. */
const RUNNERS: ReadonlySet<string> = new Set(['concurrently', 'start-server-and-test', 'nodemon', 'onchange', 'chokidar', 'xvfb-run']);
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
const LOADING = /^(?:-r|--require|--import|--loader|--experimental-loader)(?:=(.*))?$/;
/** Commands that run code in Node. For others, `-r` is a reporter, `--loader` says how files are read, and so on. */
const RUNS_CODE =
  /^(?:node|nodejs|ts-node.*|tsx|babel-node|nodemon|electron|_?mocha|electron-mocha|ts-mocha|mochapack|tape|ava|uvu|coffee|bun)$/;
const OF_YARN =
  /^(?:add|install|link|pack|publish|version|workspace|workspaces|why|up|upgrade|dlx|info|node|npm|cache|config|set|constraints|dedupe)$/;

/** Returns the commands that a script starts, in order. `scripts`: the names of the other scripts, which `yarn x` may refer to. */
export function commandsIn(script: string, scripts: ReadonlySet<string>): readonly ScriptCommand[] {
  return segmentsOf(script).flatMap((words) => readSegment(words, scripts));
}

function readSegment(words: readonly string[], scripts: ReadonlySet<string>): readonly ScriptCommand[] {
  const at = words.findIndex((word) => !ASSIGNMENT.test(word));
  const first = words[at];
  if (first === undefined) return [];
  const rest = words.slice(at + 1);
  const binary = first.replace(/^(?:\.\/)?node_modules\/\.bin\//, '');
  if (binary === 'npx' || binary === 'bunx') return readSegment(behindOptions(rest, '-p --package'), scripts);
  if (binary === 'yarn' || binary === 'pnpm') return readManager(rest, scripts);
  const wrapped = Object.hasOwn(WRAPPERS, binary) ? behindOptions(rest, WRAPPERS[binary]) : [];
  const found: ScriptCommand = { binary, loads: loadsIn(binary, rest.slice(0, rest.length - wrapped.length)) };
  if (wrapped.length > 0) return [found, ...(COVERAGE_COMMAND.test(`${binary} ${wrapped[0]}`) ? [] : readSegment(wrapped, scripts))];
  return RUNNERS.has(binary) ? [found, ...rest.filter((word) => word.includes(' ')).flatMap((word) => commandsIn(word, scripts))] : [found];
}

/** Reads `yarn x`, `yarn run x`, `yarn exec x`, where x may be a script, a command of yarn, or a binary. */
function readManager(words: readonly string[], scripts: ReadonlySet<string>): readonly ScriptCommand[] {
  const rest = behindOptions(words, '--cwd -C --dir -F --filter');
  const [first = ''] = rest;
  if (first === 'run' || first === 'exec') return readManager(rest.slice(1), scripts);
  return scripts.has(first) || OF_YARN.test(first) ? [] : readSegment(rest, scripts);
}

/** Returns the words after the options. `taking`: the options that take a value, separated by spaces. */
function behindOptions(words: readonly string[], taking = ''): readonly string[] {
  const valued = new Set(taking.split(' '));
  let at = 0;
  for (let word = words[at]; word?.startsWith('-') === true; word = words[at]) at += valued.has(word) ? 2 : 1;
  return words.slice(at);
}

function loadsIn(binary: string, words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const option = RUNS_CODE.test(binary) || word.startsWith('--require') ? LOADING.exec(word) : null;
    const loaded = option === null ? undefined : (option[1] ?? words[at + 1]);
    return loaded === undefined ? [] : [loaded];
  });
}

const WORD = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'\\]|\\.)+/g;
const QUOTED = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g;

/** Returns the words of each command, without quotes. */
function segmentsOf(script: string): readonly (readonly string[])[] {
  return shellCommandsIn(script).map(({ text }) =>
    [...text.matchAll(WORD)].map(([word]) =>
      word.replace(QUOTED, (_, double?: string, single?: string, escaped?: string) => double ?? single ?? escaped ?? ''),
    ),
  );
}
