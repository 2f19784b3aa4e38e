import { createHash } from 'node:crypto';
import type { Git } from '@tributary/git/git';
import { joinRepoPath, type RepoFolder } from '@tributary/model/paths';
import type { TestKey } from '../../io/kept-tests.js';
import type { TestLevel } from '../../result/tests-result.js';
import type { MigratedBranch } from './migrated-tests.js';
import type { TestedSource } from './source-tests.js';

/**
 * Returns what determines the result of each package. Before: the source's commit. After: the trees of the workspace
 * and its dependencies, all manifests, and the files outside every workspace, such as the lockfile. Throws
 * `GIT_FAILED`.
 */
export async function readTestKeys(
  git: Git,
  { level, script }: { readonly level: TestLevel; readonly script: string },
  { sources, branch }: { readonly sources: readonly TestedSource[]; readonly branch: MigratedBranch },
): Promise<(name: string) => { readonly before: TestKey; readonly after: TestKey }> {
  const closures = new Map(sources.map(({ name }) => [name, branch.closures.of(name)]));
  const manifests = branch.members.map(({ path }) => joinRepoPath(path, 'package.json'));
  const paths = [...new Set([...manifests, ...[...closures.values()].flat()])];
  const ids = await readIds(git, branch, paths);
  // Files that no workspace owns, and all manifests, may affect the tests of any package.
  const shared = [await hashSharedFiles(git, branch), ...manifests.map((path) => ids.get(path))];
  return (name) => {
    const source = sources.find((one) => one.name === name);
    const closure = closures.get(name) ?? [];
    return {
      before: ['before', level, script, source?.commit, source?.subdirectory],
      after: ['after', level, script, ...shared, ...closure.flatMap((path) => [path, ids.get(path)])],
    };
  };
}

/** Hashes the names and ids of all files outside every workspace but the root: any package may use `scripts/test.js`. */
async function hashSharedFiles(git: Git, { tip, root, members }: MigratedBranch): Promise<string> {
  const owned = new Set<string>(members.filter(({ path }) => path !== '').map(({ path }) => joinRepoPath(root, path)));
  const listed = (await git.bytes(['ls-tree', '-r', '-z', '--full-tree', tip])).toString('utf8');
  const hash = createHash('sha256');
  for (const entry of listed.split('\0')) if (!isBelow(entry.slice(entry.indexOf('\t') + 1), owned)) hash.update(`${entry}\0`);
  return hash.digest('hex');
}

/** Whether a file is in one of the folders. */
function isBelow(file: string, folders: ReadonlySet<string>): boolean {
  for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) if (folders.has(file.slice(0, end))) return true;
  return false;
}

/** Returns ids by path relative to the root of the project. A missing path has none. */
async function readIds(git: Git, { tip, root }: MigratedBranch, paths: readonly RepoFolder[]): Promise<ReadonlyMap<string, string>> {
  const asked = paths.map((path) => `${tip}:${joinRepoPath(root, path)}\n`).join('');
  const output = (await git.bytes(['cat-file', '--batch-check=%(objectname)'], { input: asked })).toString('utf8');
  const answers = output.trimEnd().split('\n');
  return new Map(paths.flatMap((path, at) => (/^[0-9a-f]+$/.test(answers[at] ?? '') ? [[path, answers[at] ?? '']] : [])));
}
