import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CliResult, startCli } from './run-cli.js';
import { TempFolder } from './temp-folder.js';

/** A command of a tool, and two moments at which it may receive a signal. */
export interface SignalScene {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A text that it parses, formats, splits, joins or matches at work. */
  readonly at: string;
  /** A program that it waits for, and a part of the arguments. */
  readonly waits?: readonly [program: string, args: string];
  /** The signal ends it, at once or when it has computed what it holds a temporary folder for; or it takes something back and exits (default: at once). */
  readonly ends?: 'at once' | 'soon' | 'in order';
}

/** The signals that end a command, with the exit code that a shell sees. */
const ENDING = { SIGINT: 130, SIGTERM: 143 } as const;

type Ending = keyof typeof ENDING;

interface Commands {
  name(): string;
  readonly commands: readonly Commands[];
}

/** Returns the commands of a program that have no commands below them, such as `timings collect`. */
export function leafCommands(program: Commands): string[] {
  return program.commands.flatMap((command) =>
    command.commands.length === 0 ? [command.name()] : leafCommands(command).map((below) => `${command.name()} ${below}`),
  );
}

/** Returns what `signalComputing` and `signalWaiting` must return. */
export function expectedEnd({ ends }: Pick<SignalScene, 'ends'>, signal: Ending): Partial<SignalledEnd> {
  return { ...(ends === 'in order' ? { code: ENDING[signal] } : { signal }), leftovers: [] };
}

/** The end of a command that has received a signal. */
export interface SignalledEnd extends Pick<CliResult, 'code' | 'signal' | 'stderr'> {
  /** Files of a kind that only a running command has, in its folder and among temporary files. */
  readonly leftovers: readonly string[];
}

/** How long a command may take to get there, and to end: on a machine that is busy with other things, too. */
const PATIENCE_MS = 60_000;

/** Sends a signal to a command in the middle of a computation, which has no end if the command must end at once. */
export async function signalComputing(tool: string, scene: SignalScene, signal: Ending): Promise<SignalledEnd> {
  const own = new TempFolder();
  const busy = own.join('busy');
  const env = {
    NODE_OPTIONS: `--require=${own.write('compute.cjs', COMPUTE)}`,
    COMPUTE_AT: scene.at,
    COMPUTE_MS: scene.ends === undefined || scene.ends === 'at once' ? 'Infinity' : '1000',
    COMPUTE_FILE: busy,
  };
  return signalWhen(tool, scene, { own, env, signal, isThere: () => existsSync(busy) });
}

/** Sends a signal to a command, and not to its group, while a program that it has started hangs. */
export async function signalWaiting(tool: string, scene: SignalScene, signal: Ending): Promise<SignalledEnd> {
  const own = new TempFolder();
  const pid = own.join('pid');
  const [program, args] = scene.waits ?? ['', ''];
  const real = process.env['PATH']?.split(delimiter).find((folder) => existsSync(join(folder, program)));
  const otherwise = real === undefined ? '' : `exec '${join(real, program)}' "$@"`;
  const script = `#!/bin/sh\ncase "$*" in *'${args}'*) echo $$ > '${pid}.new'; mv '${pid}.new' '${pid}'; exec sleep 1000;; esac\n${otherwise}\n`;
  chmodSync(own.write(`bin/${program}`, script), 0o755);
  return signalWhen(tool, scene, {
    own,
    env: { PATH: `${own.join('bin')}${delimiter}${process.env['PATH'] ?? ''}` },
    signal,
    isThere: () => existsSync(pid),
    hasEnded: () => !isRunning(Number(readFileSync(pid, 'utf8'))),
  });
}

interface Moment {
  readonly own: TempFolder;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: Ending;
  readonly isThere: () => boolean;
  /** Whether what the command has started has ended too. */
  readonly hasEnded?: () => boolean;
}

async function signalWhen(tool: string, scene: SignalScene, { own, env, signal, isThere, hasEnded }: Moment): Promise<SignalledEnd> {
  const temporary = new TempFolder();
  const running = startCli(tool, scene.args, {
    cwd: scene.cwd,
    env: { ...scene.env, ...env, TMPDIR: temporary.path },
    timeoutMs: 2 * PATIENCE_MS,
  });
  try {
    await until(() => isThere() || running.child.exitCode !== null);
    if (!isThere()) throw new Error(`It never got there. ${JSON.stringify(await running.finished)}`);
    running.child.kill(signal);
    const { code, signal: by, stderr } = await within(running.finished, `${scene.args.join(' ')} did not end by ${signal}`);
    if (hasEnded !== undefined) await until(hasEnded);
    return { code, signal: by, stderr, leftovers: [...leftoversIn(scene.cwd), ...readdirSync(temporary.path)] };
  } finally {
    await running.dispose();
    temporary.dispose();
    own.dispose();
  }
}

async function within<T>(work: Promise<T>, otherwise: string): Promise<T> {
  const late = new AbortController();
  const limit = sleep(PATIENCE_MS, undefined, { signal: late.signal }).then(
    () => Promise.reject(new Error(otherwise)),
    () => work,
  );
  try {
    return await Promise.race([work, limit]);
  } finally {
    late.abort();
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (const start = Date.now(); !condition(); await sleep(10)) if (Date.now() - start > PATIENCE_MS) throw new Error('waited in vain');
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function leftoversIn(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true }).map(String);
  return all.filter((name) => /\.(draft|part|lock)$|(^|\/)(lock[^/]*|tmp_[^/]*|run-[^/]*)$/.test(name) && !name.endsWith('yarn.lock'));
}

/** A tool that loads this computes for a while, once, when it comes across a text. */
const COMPUTE = `
const { COMPUTE_AT, COMPUTE_MS, COMPUTE_FILE } = process.env;
let isOpen = /out.cli\\.cjs$/.test(process.argv[1] ?? '');
function compute(text) {
  if (!isOpen || typeof text !== 'string' || !text.includes(COMPUTE_AT)) return;
  isOpen = false;
  require('node:fs').writeFileSync(COMPUTE_FILE, '');
  for (const start = Date.now(); Date.now() - start < Number(COMPUTE_MS); );
}
for (const [owner, name] of [[JSON, 'parse'], [JSON, 'stringify'], [String.prototype, 'split'], [Array.prototype, 'join'], [RegExp.prototype, 'exec']]) {
  const original = owner[name];
  owner[name] = function (...args) {
    const answer = Reflect.apply(original, this, args);
    for (const text of [this, args[0], answer]) compute(text instanceof String ? String(text) : text);
    return answer;
  };
}
`;
