import type { Git } from '@tributary/git/git';
import { joinRepoPath, parseRepoPath, type RepoFolder } from '@tributary/model/paths';
import type { TestKey } from '../../io/kept-tests.js';
import type { TestLevel } from '../../tests/test-run.js';
import type { AloneSource } from './alone.js';
import type { MigratedBranch } from './migrated.js';

/** What decides the result of each package on each side: the source's commit before; the trees of the workspace and its dependencies, all manifests and the files at the root, such as the lockfile, after. Throws `GIT_FAILED`. */
export async function readTestKeys(
  git: Git,
  level: TestLevel,
  { sources, branch }: { readonly sources: readonly AloneSource[]; readonly branch: MigratedBranch },
): Promise<(name: string) => { readonly before: TestKey; readonly after: TestKey }> {
  const closures = new Map(sources.map(({ name }) => [name, branch.closures.of(name)]));
  const manifests = branch.members.map(({ path }) => joinRepoPath(path, 'package.json'));
  const paths = [...new Set([...manifests, YARN_FOLDER, ...[...closures.values()].flat()])];
  const ids = await readIds(git, branch, paths);
  // What lies at the root, and how all workspaces are installed, may decide the tests of any.
  const shared = [await listRootFiles(git, branch), ...[...manifests, YARN_FOLDER].map((path) => ids.get(path))];
  return (name) => {
    const source = sources.find((one) => one.name === name);
    const closure = closures.get(name) ?? [];
    return {
      before: ['before', level, source?.commit, source?.subdirectory],
      after: ['after', level, ...shared, ...closure.flatMap((path) => [path, ids.get(path)])],
    };
  };
}

const YARN_FOLDER = parseRepoPath('.yarn');

/** The files at the root of the project with their ids, without folders. */
async function listRootFiles(git: Git, { tip, root }: MigratedBranch): Promise<string> {
  const listed = (await git.bytes(['ls-tree', '-z', `${tip}:${root}`])).toString('latin1');
  return listed
    .split('\0')
    .filter((entry) => / blob /.test(entry))
    .join('\0');
}

/** By path from the root of the project; what is not there has none. */
async function readIds(git: Git, { tip, root }: MigratedBranch, paths: readonly RepoFolder[]): Promise<ReadonlyMap<string, string>> {
  const asked = paths.map((path) => `${tip}:${joinRepoPath(root, path)}\n`).join('');
  const output = (await git.bytes(['cat-file', '--batch-check=%(objectname)'], { input: asked })).toString('utf8');
  const answers = output.trimEnd().split('\n');
  return new Map(paths.flatMap((path, at) => (/^[0-9a-f]+$/.test(answers[at] ?? '') ? [[path, answers[at] ?? '']] : [])));
}
