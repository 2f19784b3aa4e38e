import fs from 'node:fs';
import { basename, delimiter, join, resolve } from 'node:path';

type Functions = Pick<typeof fs, 'openSync' | 'readSync' | 'closeSync' | 'accessSync' | 'statSync'>;

/**
 * Looks for a program in the folders of PATH, as the system does; returns the name if it is in none. `look` is called with each path on the
 * way. `real`: the functions of `fs` to look with.
 */
export function findProgram(
  file: string,
  path: string,
  cwd: string,
  { look, real = fs }: { readonly look?: (path: string) => void; readonly real?: Functions } = {},
): string {
  if (/[\\/]/.test(file)) return resolve(cwd, file);
  for (const folder of path.split(delimiter)) {
    const found = join(resolve(cwd, folder), file);
    look?.(found);
    if (isRunnable(found, real)) return found;
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
 * Tells whether a program is Node, or a script that starts nothing else: one of npm's or Yarn's, which put small programs into a temporary
 * folder. `real`: the functions of `fs` to look with.
 */
export function startsNode(program: string, real: Functions = fs): boolean {
  if (isNode(program)) return true;
  const head = headOf(program, real);
  const [, interpreter = '', argument = ''] = /^#!\s*(\S+)(?:[ \t]+(?:-S[ \t]+)?(\S+))?/.exec(head) ?? [];
  if (isNode(interpreter) || (basename(interpreter) === 'env' && isNode(argument))) return true;
  const [, started = ''] = /^#!\/bin\/sh\n+exec "([^"$`\\]+)"(?: "[^"$`\\]*")* "\$@"\n*$/.exec(head) ?? [];
  return isNode(started);
}

function isNode(program: string): boolean {
  return /^node(?:\.exe)?$/i.test(basename(program));
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
