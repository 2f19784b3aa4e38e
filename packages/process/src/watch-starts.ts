import childProcess, { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A program that this process starts. */
export interface ProgramStart {
  readonly file: string;
  readonly args: readonly string[];
  /** `undefined`: that of this process. */
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface StartWatch {
  /** Called for each start, before it; may return another NODE_OPTIONS for the program. */
  readonly before: (start: ProgramStart) => string | undefined;
  /** Called for each program that started, except if its start is waited for. */
  readonly started: (start: ProgramStart) => void;
  /** Called before a start that is waited for, since the call throws if the program fails. */
  readonly awaited: (start: ProgramStart) => void;
}

/** The argument of `ChildProcess.prototype.spawn`, which all asynchronous functions of `child_process` call. */
interface SpawnCall {
  readonly file: string;
  readonly args?: readonly string[];
  readonly cwd?: unknown;
  envPairs?: readonly string[];
}

type AnyFunction = (...args: unknown[]) => unknown;

/** Watches every later start of a program by this process. It is for code that Node loads into other people's programs. */
export function watchStarts(watch: StartWatch): void {
  const { prototype } = ChildProcess as unknown as { readonly prototype: { spawn: (this: ChildProcess, call: SpawnCall) => unknown } };
  const { spawn } = prototype;
  prototype.spawn = function (call) {
    const pairs = call.envPairs ?? [];
    const env = Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
    const start = { file: call.file, args: call.args ?? [], cwd: textOf(call.cwd), env };
    const options = watch.before(start);
    if (options !== undefined) call.envPairs = [...pairs.filter((pair) => !/^NODE_OPTIONS=/i.test(pair)), `NODE_OPTIONS=${options}`];
    const result = Reflect.apply(spawn, this, [call]);
    if (this.pid !== undefined) watch.started(start);
    return result;
  };
  const all = childProcess as unknown as Record<string, AnyFunction>;
  for (const name of ['spawnSync', 'execFileSync', 'execSync']) {
    const original = all[name];
    if (original === undefined) continue;
    all[name] = (...args) => {
      watch.awaited(awaitedStart(name, args));
      return original(...args);
    };
  }
}

function awaitedStart(name: string, args: readonly unknown[]): ProgramStart {
  const options = (args.find((one) => typeof one === 'object' && one !== null && !Array.isArray(one)) ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const { shell, cwd } = options;
  const isShell = name === 'execSync' || Boolean(shell);
  const list: unknown = args.find(Array.isArray);
  return {
    file: isShell ? (typeof shell === 'string' ? shell : '/bin/sh') : String(args[0]),
    args: Array.isArray(list) ? list.map(String) : [],
    cwd: textOf(cwd),
    env: (options['env'] as ProgramStart['env'] | undefined) ?? process.env,
  };
}

function textOf(cwd: unknown): string | undefined {
  if (cwd instanceof URL) return fileURLToPath(cwd);
  return typeof cwd === 'string' ? cwd : undefined;
}
