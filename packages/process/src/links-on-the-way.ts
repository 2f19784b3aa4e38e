import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ToolError } from '@tributary/model/errors';

/**
 * Returns the absolute path of a folder that a tool writes to or removes from, relative to the working folder `cwd`. Throws `FILE_UNUSABLE`
 * like `refuseLinks`.
 */
export function outputFolder(cwd: string, named: string): string {
  const path = resolve(cwd, named);
  refuseLinks(cwd, path);
  return path;
}

/**
 * Throws `FILE_UNUSABLE` if a link leads from the checkout around `cwd` to a path below it, the path itself included: whoever can commit a
 * link could lead what a tool writes or removes to any place. Paths outside of the checkout are the user's own.
 */
export function refuseLinks(cwd: string, path: string): void {
  const top = topOf(cwd);
  const inside = relative(top, path);
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || resolve(top, inside) !== path) return;
  let folder = top;
  for (const name of inside.split(sep)) {
    folder = join(folder, name);
    const state = lstatSync(folder, { throwIfNoEntry: false });
    if (state === undefined) return;
    if (state.isSymbolicLink()) throw refused(path, folder);
  }
}

/** Returns the top of the checkout around a folder; the folder itself if it is in none. */
function topOf(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}

function refused(path: string, link: string): ToolError {
  return new ToolError({
    code: 'FILE_UNUSABLE',
    message: `Did not write ${path}: ${link} is a link to ${readlinkSync(link)}, and a link in a checkout could lead anywhere.`,
    hint: 'Replace the link by a folder, or give the path that it leads to.',
    data: { file: path },
  });
}
