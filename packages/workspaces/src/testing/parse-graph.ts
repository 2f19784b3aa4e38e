import type { RepoFolder } from '@tributary/model/paths';
import type { DependencyGraph } from '../dependency-graph.js';
import { discoverWorkspaces, type Workspace } from '../discover.js';
import { readManifestGraph } from '../manifest-graph.js';
import type { GraphSettings } from '../ranges.js';

/** Folder -> manifest, `''` for the root. */
type Manifests = Readonly<Record<string, object>>;

/** FOR TESTS. Returns the workspaces of manifests in a test; adds a root that includes them all if there is none. */
export function workspacesOf(manifests: Manifests): readonly Workspace[] {
  const all: Manifests = { '': { name: 'root', workspaces: Object.keys(manifests).filter((folder) => folder !== '') }, ...manifests };
  return discoverWorkspaces({ folders: Object.keys(all) as RepoFolder[], readManifest: (folder) => JSON.stringify(all[folder]) });
}

/** FOR TESTS. Returns the graph of such manifests. */
export function graphOf(manifests: Manifests, settings?: GraphSettings): DependencyGraph<Workspace> {
  return readManifestGraph(workspacesOf(manifests), settings);
}

const FIELDS = {
  '->': 'dependencies',
  '-dev->': 'devDependencies',
  '-peer->': 'peerDependencies',
  '-optional->': 'optionalDependencies',
} as const;

/**
 * FOR TESTS. Parses a graph from text: `app -> lib, lib -dev-> tool, lone`. Each name is a workspace at `packages/<name>`, each edge a
 * `workspace:^` range. The root has no dependencies.
 */
export function parseGraph(text: string): DependencyGraph<Workspace> {
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

/** FOR TESTS. Returns every edge as `app -> lib`, in the order of the graph. */
export function formatEdges({ members, edges }: DependencyGraph): readonly string[] {
  const arrow = { any: '-any->', dependency: '->', dev: '-dev->', peer: '-peer->', optional: '-optional->', read: '-read->' } as const;
  return edges.map(({ from, to, field }) => `${members[from]?.name} ${arrow[field]} ${members[to]?.name}`);
}
