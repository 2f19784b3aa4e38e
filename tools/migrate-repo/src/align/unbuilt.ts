import { isPlainObject } from '@tributary/model/plain-object';
import type { Workspace } from '@tributary/workspaces/discover';
import { asLocation, type WorkspaceLocation } from './declared.js';
import { type EntryPoint, entryPointsOf } from './entry-points.js';
import type { Monorepo } from './project.js';
import { publishedFolder } from './publishing/release.js';

/** A workspace whose entry points are not in the repository, because a build creates them. */
export interface Unbuilt {
  readonly workspace: WorkspaceLocation;
  /** The first missing entry point. */
  readonly missing: EntryPoint;
  /** The script that builds it, by its usual names. If possible, it is the same for all such workspaces. `undefined` if there is none. */
  readonly script: BuildScript | undefined;
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

/** Returns the workspaces that must be built before their new dependents, in the order of the workspaces. */
export function findUnbuilt({ workspaces, files }: Monorepo, redirects: readonly Redirect[]): readonly Unbuilt[] {
  const unbuilt = workspaces.flatMap(
    (workspace): readonly (Omit<Unbuilt, 'script' | 'workspace'> & { readonly workspace: Workspace })[] => {
      const asking = new Set(redirects.filter(({ to }) => to.path === workspace.path).map(({ from }) => from.path));
      const missing = asking.size === 0 ? undefined : missingEntry(workspace, files);
      return missing === undefined
        ? []
        : [{ workspace, missing, dependents: workspaces.filter(({ path }) => asking.has(path)).map(asLocation) }];
    },
  );
  // One command can build all of them in order only with a script that all of them have.
  const common = BUILD_SCRIPTS.filter((script) => unbuilt.every(({ workspace }) => hasScript(workspace, script)));
  return unbuilt.map(({ workspace, ...rest }) => {
    const script = [...common, ...BUILD_SCRIPTS].find((one) => hasScript(workspace, one));
    return { workspace: asLocation(workspace), script, ...rest };
  });
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
  return isPlainObject(raw['scripts']) && typeof raw['scripts'][script] === 'string';
}
