import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RepoFolder } from '@tributary/model/paths';
import type { DependencyEdge, DependencyGraph } from './dependency-graph.js';
import { discoverWorkspaces, type Workspace } from './discover.js';
import { readManifestGraph } from './manifest-graph.js';
import type { GraphSettings } from './ranges.js';
import type { ManifestFiles } from './testing/fixtures.js';

/** Workspaces as `name path`, edges as `from -> to` with an optional suffix; both sorted. */
export interface ProjectLists {
  readonly workspaces: readonly string[];
  readonly edges: readonly string[];
}

/** The part of a temporary folder that is needed. */
interface Folder {
  readonly path: string;
  write(name: string, content: string): unknown;
}

/** Writes a project into an empty folder and returns its path. */
export function writeProject(folder: Folder, files: ManifestFiles): string {
  folder.write('yarn.lock', '');
  for (const [name, content] of Object.entries(files)) {
    if (typeof content === 'string') folder.write(name, content);
    else folder.write(join(name, 'package.json'), JSON.stringify(content));
  }
  return folder.path;
}

/** Returns all folders with a manifest, at any depth. */
export function foldersWithManifest(root: string): RepoFolder[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => /(^|\/)package\.json$/.test(file)).map((file) => file.replace(/\/?package\.json$/, '') as RepoFolder);
}

/** Returns all folders with a manifest except those of installed packages. */
export function foldersOfProject(root: string): RepoFolder[] {
  const walk = (folder: string): string[] => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    const below = entries.filter((entry) => entry.isDirectory() && !/^(node_modules|dist|out|\..*)$/.test(entry.name));
    const own = entries.some(({ name }) => name === 'package.json') ? [folder] : [];
    return [...own, ...below.flatMap(({ name }) => walk(folder === '' ? name : `${folder}/${name}`))];
  };
  return walk('') as RepoFolder[];
}

/** Returns the workspaces and edges that Yarn has too; an edge as `from -> to as name (field)`. */
export function readOurs(root: string, folders = foldersWithManifest(root)): ProjectLists {
  const workspaces = discoverWorkspaces({ folders, readManifest: (folder) => readFileSync(join(root, folder, 'package.json'), 'utf8') });
  const edges = readManifestGraph(workspaces).edges.flatMap((edge) => describeEdge(workspaces, edge));
  return { workspaces: workspaces.map(({ name, path }) => `${name} ${path || '.'}`).sort(), edges: edges.sort() };
}

/** Describes an edge that core knows. Core lists optional dependencies among the regular ones. */
function describeEdge(workspaces: readonly Workspace[], { from, to, field, request }: DependencyEdge): readonly string[] {
  if (request === undefined || !['workspace', 'semver', 'catalog'].includes(request.kind)) return [];
  const block = field === 'dev' ? 'devDependencies' : field === 'peer' ? 'peerDependencies' : 'dependencies';
  return [`${workspaces[from]?.name} -> ${workspaces[to]?.name} as ${request.name} (${block})`];
}

/** Returns the members of the manifests and all their edges. */
export function readManifests(root: string, settings?: GraphSettings): ProjectLists {
  const readManifest = (folder: RepoFolder): string => readFileSync(join(root, folder, 'package.json'), 'utf8');
  return outlineOf(readManifestGraph(discoverWorkspaces({ folders: foldersWithManifest(root), readManifest }), settings));
}

/** Returns the members and edges of a graph, each edge once. */
export function outlineOf({ members, dependents }: DependencyGraph): ProjectLists {
  const edges = dependents.flat().map(({ from, to }) => `${members[from]?.name} -> ${members[to]?.name}`);
  return { workspaces: members.map(({ name, path }) => `${name} ${path || '.'}`).sort(), edges: [...new Set(edges)].sort() };
}
