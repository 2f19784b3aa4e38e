import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { closedEnvironment, type Environment } from '@tributary/process/environment';
import { callProgram } from '@tributary/process/spawn';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { Narrator } from './narrator.js';
import type { DemoFolders } from './stage.js';

/**
 * Runs commands in one folder as a person would, and prints them with their output. Each throws `PROGRAM_FAILED` with its output for any exit
 * code but the expected one.
 */
export type TypedCommands = Readonly<Record<'migrateRepo' | 'affected' | 'commitToPublish' | 'git' | 'rm', Command>>;

type Command = (...words: readonly string[]) => Promise<void>;

/** How to run and print commands. */
export interface TypedOptions {
  /** The expected exit code (default: 0). */
  readonly exit?: number;
  /** A folder to search before PATH. */
  readonly programs?: AbsolutePath;
  /** Variables for the program, such as the address of a registry. */
  readonly environment?: Environment;
  /** `stderr` omits stdout, including that of programs that they start. */
  readonly shown?: 'all' | 'stderr';
  /** A file in the folder that receives stdout, replacing its content. */
  readonly into?: string;
  /** How many lines of stdout to print. */
  readonly head?: number;
}

interface CallOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** The maximum width of the output. */
  readonly columns: number;
}

/** Where to run and print commands. */
export interface TypedPlace {
  readonly stage: DemoFolders;
  readonly narrator: Narrator;
  readonly signal: AbortSignal;
}

export function typedCommands(folder: AbsolutePath, { stage, narrator, signal }: TypedPlace, options: TypedOptions = {}): TypedCommands {
  const command =
    (name: string, ...program: readonly [string, ...string[]]): Command =>
    async (...words) => {
      narrator.command([name, ...words], afterCommand(options));
      const call = { cwd: folder, signal, columns: narrator.outputWidth, ...options };
      const output = await outputOf([name, ...words], [...program, ...words], call);
      if (output !== '') narrator.output(output);
    };
  return {
    migrateRepo: command('migrate-repo', process.execPath, stage.migrateRepo),
    affected: command('affected', process.execPath, stage.affected),
    commitToPublish: command('commit-to-publish', process.execPath, stage.commitToPublish),
    git: command('git', 'git', '--no-pager'),
    rm: command('rm', 'rm'),
  };
}

/** Returns what a person would type behind a command. */
function afterCommand({ into, head }: TypedOptions): readonly string[] {
  return [...(into === undefined ? [] : ['>', into]), ...(head === undefined ? [] : ['|', 'head', '-n', String(head)])];
}

async function outputOf(
  words: readonly string[],
  [program, ...args]: readonly [string, ...string[]],
  { cwd, signal, columns, exit: expected = 0, programs, environment, shown = 'all', into, head }: TypedOptions & CallOptions,
): Promise<string> {
  const home = new TempFolder();
  try {
    const env = { ...hermetic(home.path, programs), COLUMNS: String(columns), ...environment };
    const { exit, stdout, stderr } = await callProgram({ program, args, env, cwd, signal, timeoutMs: 300_000 });
    // The order of messages and results on a terminal is random; here the result always comes first.
    const lines = stdout.toString().split(/(?<=\n)/);
    const output = `${exit === expected ? lines.slice(0, head).join('') : stdout}${stderr}`;
    if (exit === expected && into !== undefined) {
      writeFileSync(join(cwd, into), stdout);
      return stderr;
    }
    if (exit === expected) return shown === 'stderr' ? stderr : output;
    throw new ToolError({
      code: 'PROGRAM_FAILED',
      message: `"${words.join(' ')}" ended with exit code ${exit}:\n${output.trim()}`,
      data: { cwd, exit },
    });
  } finally {
    home.dispose();
  }
}

/** Returns an environment without the user's settings and identity. The demo's monorepo has its own. */
function hermetic(home: string, programs: AbsolutePath | undefined): Environment {
  return closedEnvironment(process.env, {
    ...(programs === undefined ? {} : { PATH: [programs, process.env['PATH']].join(delimiter) }),
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
  });
}
