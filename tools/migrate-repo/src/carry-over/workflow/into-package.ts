/** What a path of a workflow becomes; `unknown`: it cannot be told where it leads. */
export type MovedPath = { readonly path: string } | 'unknown';

/**
 * A path from the root of a repository as it is to be written for the folder of the package: `dist` -> `packages/x/dist`. One from elsewhere (`/tmp`, `~/.npm`)
 * stays as it is, and so does one that leads there already.
 */
export function intoPackage(path: string, folder: string): MovedPath {
  const [, sign = '', workspace = '', rest = ''] = /^(!?)(\$\{\{\s*github\.workspace\s*\}\}\/?)?(.*)$/s.exec(path) ?? [];
  if (rest.startsWith('$') || /^\.\.(?:\/|$)/.test(rest)) return 'unknown';
  if (workspace === '' && /^(?:[/~\\]|[A-Za-z]:)/.test(rest)) return { path };
  const below = rest.replace(/^(?:\.\/)+/, '').replace(/^\.$/, '');
  if (below === folder || below.startsWith(`${folder}/`)) return { path };
  const start = workspace === '' ? '' : workspace.replace(/\/?$/, '/');
  return { path: `${sign}${start}${below === '' ? folder : `${folder}/${below}`}` };
}

/** Whether the folder can be written into patterns and expressions as it is. */
export function isPlainFolder(folder: string): boolean {
  return /^[\w@./-]+$/.test(folder);
}

/** Files that a package manager locks versions in; the one of the package is gone. */
const LOCKFILE = /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)$/;

export function isLockfile(pattern: string): boolean {
  return LOCKFILE.test(pattern);
}
