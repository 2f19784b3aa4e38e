/** What a script starts. */
export interface Command {
  /** The name of a binary. */
  readonly binary: string;
  /** Packages that it is told to load: `-r ts-node/register`. */
  readonly loads: readonly string[];
}

/** They start what comes behind them and their options. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'cross-env',
  'cross-env-shell',
  'env',
  'time',
  'exec',
  'nyc',
  'c8',
  'dotenv',
  'dotenvx',
  'xvfb-maybe',
  'nice',
]);
/** They start what they are told in quotes. */
const RUNNERS: ReadonlySet<string> = new Set(['concurrently', 'start-server-and-test', 'nodemon', 'onchange', 'chokidar', 'xvfb-run']);
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
const LOADING = /^(?:-r|--require|--import|--loader|--experimental-loader)(?:=(.*))?$/;
const OF_YARN =
  /^(?:add|install|link|pack|publish|version|workspace|workspaces|why|up|upgrade|dlx|info|node|npm|cache|config|set|constraints|dedupe)$/;

/** What a script starts, command by command. `scripts`: the names of the scripts beside it, which `yarn x` may mean. */
export function commandsIn(script: string, scripts: ReadonlySet<string>): readonly Command[] {
  return segmentsOf(script).flatMap((words) => readSegment(words, scripts));
}

function readSegment(words: readonly string[], scripts: ReadonlySet<string>): readonly Command[] {
  const at = words.findIndex((word) => !ASSIGNMENT.test(word));
  const first = words[at];
  if (first === undefined) return [];
  const rest = words.slice(at + 1);
  const binary = first.replace(/^(?:\.\/)?node_modules\/\.bin\//, '');
  if (binary === 'npx' || binary === 'bunx') return readSegment(behindOptions(rest), scripts);
  if (binary === 'yarn' || binary === 'pnpm') return readManager(rest, scripts);
  const found: Command = { binary, loads: loadsIn(rest) };
  if (WRAPPERS.has(binary)) return [found, ...readSegment(behindOptions(rest), scripts)];
  return RUNNERS.has(binary) ? [found, ...rest.filter((word) => word.includes(' ')).flatMap((word) => commandsIn(word, scripts))] : [found];
}

/** `yarn x`, `yarn run x`, `yarn exec x`, where x may be a script, a command of yarn, or a binary. */
function readManager(words: readonly string[], scripts: ReadonlySet<string>): readonly Command[] {
  const rest = behindOptions(words);
  const [first = ''] = rest;
  if (first === 'run' || first === 'exec') return readManager(rest.slice(1), scripts);
  return scripts.has(first) || OF_YARN.test(first) ? [] : readSegment(rest, scripts);
}

function behindOptions(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !word.startsWith('-'));
  return at < 0 ? [] : words.slice(at);
}

function loadsIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const option = LOADING.exec(word);
    const loaded = option === null ? undefined : (option[1] ?? words[at + 1]);
    return loaded === undefined ? [] : [loaded];
  });
}

const TOKEN = /((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'&|;()\\]|\\.)+)|&&|\|\||[;|&\n()]/g;
const QUOTED = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g;

/** The words of each command, without quotes. */
function segmentsOf(script: string): readonly (readonly string[])[] {
  const segments: string[][] = [[]];
  for (const [, word] of script.matchAll(TOKEN)) {
    if (word === undefined) segments.push([]);
    else
      segments
        .at(-1)
        ?.push(word.replace(QUOTED, (_all, double?: string, single?: string, escaped?: string) => double ?? single ?? escaped ?? ''));
  }
  return segments.filter((words) => words.length > 0);
}
