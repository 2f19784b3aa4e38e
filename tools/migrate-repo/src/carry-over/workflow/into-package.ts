/** The rewritten path of a workflow; `unknown` if its target is uncertain. */
export type MovedPath = { readonly path: string } | 'unknown';

/**
 * Rewrites a path relative to the repository's root for the package's folder: `dist` becomes `packages/x/dist`. A path
 * outside the repository (`/tmp`, `~/.npm`), or already in the folder, is unchanged.
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

/** Whether the folder needs no escaping in patterns and expressions. */
export function isPlainFolder(folder: string): boolean {
  return /^[\w@./-]+$/.test(folder);
}

/** Lockfiles of package managers. The package's own one is removed. */
const LOCKFILE = /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)$/;

export function isLockfile(pattern: string): boolean {
  return LOCKFILE.test(pattern);
}
