import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { readReferences } from '@tributary/references/read-references';
import type { FileReferences } from '@tributary/references/reference';
import { buildGraph, type DependencyGraph } from '@tributary/workspaces/dependency-graph';
import { discoverWorkspaces } from '@tributary/workspaces/discover';
import { readManifestGraph } from '@tributary/workspaces/manifest-graph';
import { type CheckedProject, indexProject, type ProjectFacts } from './project.js';

/**
 * FOR TESTS. A repository as path -> text, or the value of a JSON file. Every folder with a package.json is a workspace, except below
 * `examples`.
 */
export type ProjectTexts = Readonly<Record<string, string | object>>;

export interface TestProject {
  readonly project: CheckedProject;
  readonly scanned: readonly FileReferences[];
  readonly texts: ReadonlyMap<RepoPath, string>;
}

/** FOR TESTS. Indexes such a repository. Rules cover nothing unless the test says so. */
export function projectOf(files: ProjectTexts, facts: Partial<Pick<ProjectFacts, 'isCovered'>> = {}): TestProject {
  const texts = new Map(
    Object.entries(files).map(([path, text]) => [path as RepoPath, typeof text === 'string' ? text : JSON.stringify(text, undefined, 2)]),
  );
  const folders = [...texts.keys()]
    .filter((path) => /(^|\/)package\.json$/.test(path))
    .map((path) => path.slice(0, -'/package.json'.length));
  const members = folders.filter((folder) => folder !== '' && !/(^|\/)examples\//.test(folder));
  const root = { ...(files['package.json'] as object | undefined), name: 'root', workspaces: members };
  texts.set('package.json' as RepoPath, JSON.stringify(root, undefined, 2));
  const workspaces = discoverWorkspaces({
    folders: ['', ...members] as RepoFolder[],
    readManifest: (folder) => texts.get((folder === '' ? 'package.json' : `${folder}/package.json`) as RepoPath) ?? '',
  });
  const graph = readManifestGraph(workspaces);
  const tracked = [...texts.keys()];
  const project = indexProject({ workspaces, graph, tracked, isCovered: () => false, ...facts });
  return { project, scanned: [...texts].map(([path, text]) => readReferences(path, text)), texts };
}

/** FOR TESTS. Builds a graph from `a -> b, b -dev-> c`, by name. Folders are `packages/<name>`, and there is a root. */
export function memberGraph(text: string): DependencyGraph {
  const parts = text.split(',').map((part) => part.trim().split(/\s+/));
  const names = [...new Set(parts.flatMap(([from = '', , to = from]) => [from, to]))].filter((name) => name !== '').sort();
  const fields = { '->': 'dependency', '-dev->': 'dev', '-peer->': 'peer', '-any->': 'any' } as const;
  const members = ['', ...names].map((name) => ({
    name: (name === '' ? 'root' : name) as WorkspaceName,
    path: (name === '' ? '' : `packages/${name}`) as RepoFolder,
  }));
  const memberOf = (name: string): number => members.findIndex((member) => member.name === name);
  const edges = parts.flatMap(([from = '', arrow, to = '']) =>
    arrow === undefined ? [] : [{ from: memberOf(from), to: memberOf(to), field: fields[arrow as keyof typeof fields] }],
  );
  return buildGraph(members, edges);
}
