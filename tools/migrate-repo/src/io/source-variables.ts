import { plumbing } from '@tributary/git/git';
import type { CommitId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { literalVariables, variablesRead } from '../tests/variable-names.js';

export interface SourceVariables {
  readonly ci: ReadonlyMap<string, string>;
  readonly read: ReadonlySet<string>;
}

/** Returns the variables that the files of a source read, and those that its workflows set to a literal. Throws `GIT_FAILED`. */
export async function readSourceVariables(
  { gitDir, signal }: { readonly gitDir: AbsolutePath; readonly signal: AbortSignal },
  { commit, subdirectory }: { readonly commit: CommitId; readonly subdirectory: string | undefined },
): Promise<SourceVariables> {
  const git = plumbing(gitDir, { signal });
  const listed = await git.text(['ls-tree', '-r', '-z', '--name-only', commit, '--', '.github/workflows/', '.gitlab-ci.yml']);
  const files = listed.split('\0').filter((name) => /\.ya?ml$/.test(name));
  const texts = await Promise.all(files.map((name) => git.text(['cat-file', 'blob', `${commit}:${name}`])));
  // Exit code 1: no line matches.
  const { stdout } = await git.attempt(['grep', '-hI', '-e', 'process\\.env', commit, '--', subdirectory ?? '.']);
  return { ci: literalVariables(texts), read: variablesRead(stdout.toString('utf8')) };
}
