import type { Workspace } from '@tributary/workspaces/discover';
import { scriptsOf } from '../fields.js';
import { asLocation, type WorkspaceLocation } from './declared.js';
import { type EntryPoint, entryPointsOf } from './entry-points.js';
import { directDependencies } from './lock/direct.js';
import type { Monorepo } from './project.js';
import { publishedFolder } from './publishing/release.js';

/** A workspace whose entry points are not in the repository, because a build creates them. */
export interface Unbuilt {
  readonly workspace: WorkspaceLocation;
  /** The first missing entry point. */
  readonly missing: EntryPoint;
  /** The script that builds it, by its usual names; `undefined` if there is none. */
  readonly script: BuildScript | undefined;
  /** The folder that has its entry points after a build, where others do not look; `undefined` if a build makes it loadable. */
  readonly elsewhere: string | undefined;
  /** In the order of the workspaces. */
  readonly dependents: readonly WorkspaceLocation[];
}

const BUILD_SCRIPTS = ['build', 'prepare', 'prepack'] as const;

type BuildScript = (typeof BUILD_SCRIPTS)[number];

/** A request that now resolves to a workspace. */
interface Redirect {
  readonly from: WorkspaceLocation;
  readonly to: WorkspaceLocation;
}

/** Returns the workspaces that must be built before their new dependents, dependencies first. */
export function findUnbuilt({ workspaces, files }: Monorepo, redirects: readonly Redirect[]): readonly Unbuilt[] {
  return dependenciesFirst(workspaces).flatMap((workspace): readonly Unbuilt[] => {
    const asking = new Set(redirects.filter(({ to }) => to.path === workspace.path).map(({ from }) => from.path));
    const missing = asking.size === 0 ? undefined : missingEntry(workspace, files);
    if (missing === undefined) return [];
    const dependents = workspaces.filter(({ path }) => asking.has(path)).map(asLocation);
    const script = BUILD_SCRIPTS.find((one) => hasScript(workspace, one));
    return [{ workspace: asLocation(workspace), missing, script, elsewhere: builtElsewhere(workspace, files), dependents }];
  });
}

/** Orders workspaces by their dependencies of any kind, regardless of ranges: `resolutions` may link them. In a cycle, as they come. */
function dependenciesFirst(workspaces: readonly Workspace[]): readonly Workspace[] {
  const byName = new Map<string, Workspace>(workspaces.map((workspace) => [workspace.name, workspace]));
  const placed = new Set<Workspace>();
  const entered = new Set<Workspace>();
  const place = (workspace: Workspace): void => {
    if (entered.has(workspace)) return;
    entered.add(workspace);
    for (const name of [...directDependencies(workspace.manifest).keys(), ...workspace.manifest.peerDependencies.keys()]) {
      const dependency = byName.get(name);
      if (dependency !== undefined) place(dependency);
    }
    placed.add(workspace);
  };
  for (const workspace of workspaces) place(workspace);
  return [...placed];
}

/**
 * Returns the folder that is published instead of a workspace, if all its entry points are only there: Node looks for
 * them in the folder of the workspace, built or not. `undefined` if they exist, or a build makes them.
 */
export function builtElsewhere(workspace: Workspace, files: Monorepo['files']): string | undefined {
  if (missingEntry(workspace, files) === undefined) return undefined;
  const folder = publishedFolder({ files }, workspace.path, workspace.manifest.raw);
  const isInFolder = ({ path }: EntryPoint): boolean => path === folder || path.startsWith(`${folder}/`);
  return folder === undefined || entryPointsOf(workspace.manifest).some(isInFolder) ? undefined : folder;
}

/**
 * Returns the first entry point of a workspace that is not in the repository; `undefined` if all exist, or none is
 * named. A workspace without named entry points that is published from a built folder (`pkgRoot`) has them there,
 * unless there is an index beside its manifest.
 */
export function missingEntry(workspace: Workspace, files: Monorepo['files']): EntryPoint | undefined {
  const entries = entryPointsOf(workspace.manifest);
  const built = entries.length === 0 ? publishedFolder({ files }, workspace.path, workspace.manifest.raw) : undefined;
  if (entries.length === 0 && built === undefined) return undefined;
  const known = new Set<string>(files.paths);
  if (built !== undefined) return isThere(workspace, { path: 'index' }, known) ? undefined : { field: 'main', path: built };
  return entries.find((one) => !isThere(workspace, one, known));
}

/** The endings that `require` tries: file extensions, and the index of a folder. */
const ENDINGS = ['', '.js', '.json', '.node', '.mjs', '.cjs', '.d.ts', '/index.js', '/index.json', '/index.node', '/index.d.ts'];

function isThere({ path: folder }: Workspace, { path }: Pick<EntryPoint, 'path'>, known: ReadonlySet<string>): boolean {
  const file = [folder, path.replace(/\/$/, '')].filter((part) => part !== '' && part !== '.').join('/');
  return ENDINGS.some((ending) => known.has(`${file}${ending}`));
}

function hasScript({ manifest: { raw } }: Workspace, script: BuildScript): boolean {
  return Object.hasOwn(scriptsOf(raw), script);
}
