import { asUser } from '@tributary/git/git';
import type { AbsolutePath } from '@tributary/model/paths';

/**
 * Tells whether a folder contains ignored files other than those of Yarn and turborepo: something generated them, and the commit does not
 * have them. `path`: relative to the project's root. Throws `GIT_FAILED`.
 */
export async function hasIgnoredFiles(project: AbsolutePath, path: string): Promise<boolean> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory', '--', path === '' ? '.' : path];
  const names = (await asUser(project).text(args)).split('\0').filter((name) => name !== '');
  return names.some((name) => !/(?:^|\/)(?:node_modules|\.turbo)(?:\/|$)/.test(name));
}
