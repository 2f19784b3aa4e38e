import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { type DependencyGraph, type Member, ownerPlace } from '@tributary/workspaces/dependency-graph';
import type { FileRules } from '@tributary/workspaces/file-rules';
import { DEPENDENCY_FILES, readSince } from '../io/observed-changes.js';
import { currentPlatform } from '../io/platform.js';
import { listTracked } from '../io/tracked-files.js';
import type { JudgeScene, ObservedPiece, Since } from '../observe/judge-piece.js';
import { VERSION } from '../version.js';
import type { AffectedInputs } from './inputs.js';
import { comparePackages } from './observed-packages.js';

/** The graphs of both commits, and what is known about files. */
interface Sides {
  readonly joined: { readonly graph: DependencyGraph };
  readonly base: DependencyGraph;
  /** The members at the head. */
  readonly members: readonly Member[];
  readonly rules: FileRules;
}

/** What judges pieces by observations. `pieceOf`: returns a piece for a workspace. */
export interface PieceScene extends JudgeScene {
  readonly pieceOf: (member: { readonly name: string; readonly path: string }, task: string) => ObservedPiece;
}

/** Compares the commit of each observation with the head. Throws `GIT_FAILED`. */
export async function readJudgeScene(
  inputs: AffectedInputs,
  observations: readonly { readonly commit: string }[],
  { joined, base, members, rules }: Sides,
): Promise<PieceScene> {
  const tracked = (await listTracked(inputs.git, inputs.headTree, inputs.place.project)).map(({ path }) => path);
  // A file belongs to a workspace only if it does so at both commits.
  const isIn = (path: string): boolean => [joined.graph, base].every((graph) => isInWorkspace(graph, path as RepoPath));
  const below = (path: string): string => belowWorkspace(joined.graph, path as RepoPath);
  const search = { ...inputs, graph: joined.graph, rules, kind: inputs.taskKind ?? 'test', tracked, below } as const;
  const scene = {
    inputs,
    tracked,
    isInWorkspace: (path: string) => !path.startsWith('../') && isIn(path),
    isHarmless: (path: string) => !isIn(path) && rules(path as RepoPath, 'outside')?.affects === 'none',
    below,
    comparePackages: (commit: string) => comparePackages(commit, search),
  };
  const known = new Map<string, Since>();
  for (const commit of new Set(observations.map((one) => one.commit))) known.set(commit, await readSince(commit, scene));
  const manifests = new Set<string>(members.filter(({ path }) => path !== '').map(({ path }) => `${path}/package.json`));
  return {
    machine: { version: VERSION, platform: currentPlatform() },
    since: (commit) => known.get(commit) ?? { unknown: 'its commit is not known' },
    pieceOf: ({ name, path }, task) => {
      const own = `${path}/package.json`;
      const isForInstall = (file: string): boolean => path !== '' && DEPENDENCY_FILES.includes(file);
      return {
        workspace: name,
        task,
        folder: path,
        isOthersManifest: (file) => (file !== own && manifests.has(file)) || isForInstall(file),
      };
    },
  };
}

/** Returns a path relative to its workspace. */
export function belowWorkspace(graph: DependencyGraph, path: RepoPath): string {
  const { path: folder = '' } = graph.members[ownerPlace(graph, path) ?? -1] ?? {};
  return folder === '' ? path : path.slice(folder.length + 1);
}

/** Tells whether a file is in a workspace other than the root. */
export function isInWorkspace(graph: DependencyGraph, path: RepoPath): boolean {
  const [owner, root] = [ownerPlace(graph, path), graph.byPath.get('' as RepoFolder)];
  return owner !== undefined && owner !== root;
}
