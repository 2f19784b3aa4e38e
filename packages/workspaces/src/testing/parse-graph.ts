import type { RepoFolder } from '@tributary/model/paths';
import { discoverWorkspaces, type Workspace } from '../discover.js';
import { buildGraph, type GraphSettings, type WorkspaceGraph } from '../graph.js';

/** Folder -> manifest, `''` for the root. */
type Manifests = Readonly<Record<string, object>>;

/** FOR TESTS. The workspaces of manifests that are written in the test; a root that takes them all in is added if there is none. */
export function workspacesOf(manifests: Manifests): readonly Workspace[] {
  const all: Manifests = { '': { name: 'root', workspaces: Object.keys(manifests).filter((folder) => folder !== '') }, ...manifests };
  return discoverWorkspaces({ folders: Object.keys(all) as RepoFolder[], readManifest: (folder) => JSON.stringify(all[folder]) });
}

/** FOR TESTS. The graph of such manifests. */
export function graphOf(manifests: Manifests, settings?: GraphSettings): WorkspaceGraph {
  return buildGraph(workspacesOf(manifests), settings);
}

const FIELDS = {
  '->': 'dependencies',
  '-dev->': 'devDependencies',
  '-peer->': 'peerDependencies',
  '-optional->': 'optionalDependencies',
} as const;

/**
 * FOR TESTS. A graph written as text: `app -> lib, lib -dev-> tool, lone`. Each name is a workspace at `packages/<name>`, each edge
 * a `workspace:^` range; the root depends on nothing.
 */
export function parseGraph(text: string): WorkspaceGraph {
  const manifests = new Map<string, Record<string, unknown>>();
  const manifestOf = (name: string): Record<string, unknown> => {
    const manifest = manifests.get(`packages/${name}`) ?? { name, version: '1.0.0' };
    manifests.set(`packages/${name}`, manifest);
    return manifest;
  };
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [from = '', arrow, to = ''] = part.trim().split(/\s+/);
    const manifest = manifestOf(from);
    if (arrow === undefined) continue;
    if (!(arrow in FIELDS)) throw new Error(`"${arrow}" is no arrow; known: ${Object.keys(FIELDS).join(' ')}`);
    manifestOf(to);
    const field = FIELDS[arrow as keyof typeof FIELDS];
    manifest[field] = { ...(manifest[field] as object | undefined), [to]: 'workspace:^' };
  }
  return graphOf(Object.fromEntries(manifests));
}

/** FOR TESTS. Every edge as `app -> lib`, in the order of the graph. */
export function formatEdges(graph: WorkspaceGraph): readonly string[] {
  const arrow = { dependency: '->', dev: '-dev->', peer: '-peer->', optional: '-optional->' } as const;
  return [...graph.dependencies.values()].flat().map((edge) => `${edge.from.name} ${arrow[edge.field]} ${edge.to.name}`);
}
