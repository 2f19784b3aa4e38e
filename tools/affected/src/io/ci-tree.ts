import type { Git } from '@tributary/git/git';
import { fetchMissing } from '@tributary/git/missing-objects';
import { readNamedBlobs } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import { type DependencyGraph, owningMember } from '@tributary/workspaces/dependency-graph';
import { type Asking, buildCiTree, type CiTree } from '../ci-files/tree.js';
import { listTracked } from './tracked-files.js';

/** In bytes; larger files are generated. */
const LARGEST = 500_000;

/** The tree of a commit, with access to the texts of its files. */
export interface ReadableTree {
  readonly tree: CiTree;
  /** Runs a question to its end, and provides the texts that it requests. Throws `GIT_FAILED`. */
  readonly answer: <T>(question: Asking<T>) => Promise<T>;
}

/** Reads the file names of a commit or tree, and the scripts of its workspaces. `project`: the project's folder. Throws `GIT_FAILED`. */
export async function readCiTree(
  git: Git,
  commit: string,
  { project, graph }: { readonly project: string; readonly graph: DependencyGraph },
): Promise<ReadableTree> {
  const tracked = await listTracked(git, commit, '');
  const ids = new Map(tracked.map(({ path, id }) => [path as string, id]));
  const idsOf = (paths: readonly string[]): readonly ObjectId[] => paths.flatMap((path) => ids.get(path) ?? []);
  const read = async (paths: readonly string[]): Promise<readonly (string | undefined)[]> => {
    if (git.isPartial === true) await fetchMissing(git, idsOf(paths));
    const blobs = await readNamedBlobs(
      git,
      paths.map((path) => ids.get(path) ?? ''),
    );
    return blobs.map((blob) => (blob === undefined || blob.length > LARGEST || blob.includes(0) ? undefined : blob.toString('utf8')));
  };
  const prefix = project === '' ? '' : `${project}/`;
  const root = graph.byPath.get('');
  const manifests = graph.members
    .map(({ path }) => `${prefix}${path === '' ? '' : `${path}/`}package.json`)
    .filter((path) => ids.has(path));
  const texts = await read(manifests);
  const tree = buildCiTree({
    files: new Map(tracked.map(({ path, kind }) => [path, kind])),
    manifests: manifests.map((path, at) => ({ path, text: texts[at] ?? '', isOfRoot: path === `${prefix}package.json` })),
    isWorkspaceFile: (path) => path.startsWith(prefix) && owningMember(graph, path.slice(prefix.length)) !== root,
  });
  return {
    tree,
    answer: async (question) => {
      let step = question.next([]);
      while (step.done !== true) step = question.next(await read(step.value));
      return step.value;
    },
  };
}
