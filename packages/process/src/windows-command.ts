import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Environment } from './environment.js';

/** A program in the form that `spawn` needs. */
export interface StartedCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Only on Windows: the arguments are already quoted. */
  readonly verbatim: boolean;
}

/** The inputs of the lookup. */
export interface CommandScene {
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
  readonly exists: (path: string) => boolean;
}

/** On this machine. A program that is named by a path is looked for from the folder that it is started in. */
export function sceneOf({ env, cwd = '.' }: { readonly env: Environment; readonly cwd?: string }): CommandScene {
  return { platform: process.platform, env, exists: (path) => existsSync(resolve(cwd, path)) };
}

/**
 * Returns how to start a program. On Windows `yarn`, `npm` and `node_modules/.bin/turbo` are scripts (`yarn.cmd`), which Node refuses to
 * start without a shell. So `cmd.exe` starts them, with every argument quoted. Elsewhere, and for an `.exe`, nothing changes. Sources:
 * nodejs.org, "Spawning .bat and .cmd files on Windows"; the quoting rules are those of cross-spawn.
 */
export function commandFor(program: string, args: readonly string[], scene: CommandScene): StartedCommand {
  const plain = { program, args, verbatim: false };
  if (scene.platform !== 'win32') return plain;
  const found = findFile(program, scene);
  if (found === undefined || !/\.(?:cmd|bat)$/i.test(found)) return found === undefined ? plain : { ...plain, program: found };
  // `%*` hands the words of the line on to a second reading by cmd.exe, so signs are escaped twice.
  // A slash would begin an option.
  const line = [escapeSigns(found.replaceAll('/', '\\')), ...args.map((arg) => escapeSigns(escapeSigns(quote(arg))))].join(' ');
  return { program: variable(scene.env, 'ComSpec') ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

/**
 * Finds a program as cmd.exe does: with each extension of PATHEXT, in each folder of PATH. A file without an extension is a POSIX shell
 * script.
 */
function findFile(program: string, { env, exists }: CommandScene): string | undefined {
  const extensions = (variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((one) => one !== '');
  const names = /\.[A-Za-z]{2,4}$/.test(program) ? [program] : extensions.map((extension) => program + extension.toLowerCase());
  if (/[\\/]/.test(program)) return names.find(exists);
  const folders = (variable(env, 'Path') ?? '').split(';').filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((name) => `${folder.replace(/[\\/]+$/, '')}\\${name}`)).find(exists);
}

/** Returns a variable; on Windows their names are case-insensitive. */
function variable(env: Environment, name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

/** Quotes an argument for the program that parses the command line: backslashes before a quotation mark are doubled. */
function quote(argument: string): string {
  return `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
}

/** Escapes the characters that cmd.exe would interpret. */
function escapeSigns(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}
