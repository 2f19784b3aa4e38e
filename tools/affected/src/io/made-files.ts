import { asUser } from '@tributary/git/git';
import type { AbsolutePath } from '@tributary/model/paths';

/** What Yarn and turborepo write beside the files of a build. */
const NOT_BUILT = ['node_modules', '.turbo', '.yarn'];

/**
 * Lists the files of a checkout that its commit does not have, ignored or not, except those of Yarn and turborepo and those in `except`, a
 * folder. Relative to the project's root. Throws `GIT_FAILED`.
 */
export async function listMadeFiles(project: AbsolutePath, except: string): Promise<ReadonlySet<string>> {
  const left = [...NOT_BUILT.map((name) => `:(exclude,glob)**/${name}/**`), ...(except.startsWith('..') ? [] : [`:(exclude)${except}`])];
  return new Set(namesIn(await asUser(project).text(['ls-files', '-z', '--others', '--', '.', ...left])));
}

/** Lists the files of a checkout that differ from its commit. Relative to the project's root. Throws `GIT_FAILED`. */
export async function listChangedFiles(project: AbsolutePath): Promise<readonly string[]> {
  return namesIn(await asUser(project).text(['diff', '--name-only', '-z', '--relative', 'HEAD', '--', '.']));
}

function namesIn(text: string): readonly string[] {
  return text.split('\0').filter((name) => name !== '');
}
