import { asUser } from '@tributary/git/git';
import type { AbsolutePath } from '@tributary/model/paths';

/**
 * Whether a folder holds files that git ignores, beside those of Yarn and turborepo: something has made them that the commit does not hold.
 * `path`: from the root of the project. Throws `GIT_FAILED`.
 */
export async function hasIgnoredFiles(project: AbsolutePath, path: string): Promise<boolean> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory', '--', path === '' ? '.' : path];
  const names = (await asUser(project).text(args)).split('\0').filter((name) => name !== '');
  return names.some((name) => !/(?:^|\/)(?:node_modules|\.turbo)(?:\/|$)/.test(name));
}
