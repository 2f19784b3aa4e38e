import fs from 'node:fs';
import { delimiter, resolve } from 'node:path';

type Functions = Pick<typeof fs, 'openSync' | 'readSync' | 'closeSync' | 'accessSync' | 'statSync' | 'realpathSync'>;

/**
 * Where a program is started. `path`: PATH of its environment. `look`: called with each path on the way. `real`: the functions of `fs` to look
 * with.
 */
interface StartPlace {
  readonly path: string | undefined;
  readonly cwd: string;
  readonly look?: (path: string) => void;
  readonly real?: Functions;
}

/** Looks for a program in the folders of PATH, as the system does; returns the name if it is in none. */
export function findProgram(file: string, { path = '/bin:/usr/bin', cwd, look, real = fs }: StartPlace): string {
  for (const folder of /[\\/]/.test(file) ? [''] : path.split(delimiter)) {
    const found = resolve(cwd, folder, file);
    look?.(found);
    if (folder === '' || isRunnable(found, real)) return found;
  }
  return file;
}

export function isRunnable(path: string, { accessSync, statSync }: Functions): boolean {
  try {
    accessSync(path, fs.constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The first bytes of a program that say what runs it. */
const HEAD = 512;

/**
 * Tells whether a program is the running Node, or a script that starts nothing else: one of npm's or Yarn's, which put small programs into a
 * temporary folder. Another program may have the name.
 */
export function startsNode(program: string, place: StartPlace): boolean {
  const { real = fs } = place;
  const isNode = (path: string): boolean => endOf(path, real) === endOf(process.execPath, real);
  if (isNode(program)) return true;
  const head = headOf(program, real);
  const [, interpreter = '', argument = ''] = /^#!\s*(\S+)(?:[ \t]+(?:-S[ \t]+)?(\S+))?/.exec(head) ?? [];
  if (interpreter === '/usr/bin/env') return isNode(findProgram(argument, place));
  const [, started = ''] = /^#!\/bin\/sh\n+exec "([^"$`\\]+)"(?: +(?:"[^"$`\\]*"|'[^']*'))* +"\$@"\n*$/.exec(head) ?? [];
  return isNode(interpreter) || isNode(started);
}

function endOf(path: string, { realpathSync }: Functions): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function headOf(program: string, { openSync, readSync, closeSync }: Functions): string {
  try {
    const descriptor = openSync(program, 'r');
    try {
      const bytes = Buffer.alloc(HEAD);
      return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, HEAD, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // It is not there, or not readable.
    return '';
  }
}
