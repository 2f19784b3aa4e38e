import { isPlainObject } from '@tributary/model/plain-object';
import type { Workspace } from '@tributary/workspaces/discover';
import { asLocation, type WorkspaceLocation } from './declared.js';
import { type EntryPoint, entryPointsOf } from './entry-points.js';
import type { Project } from './project.js';
import { publishedFolder } from './publishing/release.js';

/** A workspace of which what others load is not in the repository: a build makes it. */
export interface Unbuilt {
  readonly workspace: WorkspaceLocation;
  /** The first of its entry points that is not there. */
  readonly missing: EntryPoint;
  /** The script that makes it, by its usual names, the same for all that have it; `undefined`: there is none. */
  readonly script: BuildScript | undefined;
  /** In the order of the workspaces. */
  readonly dependents: readonly WorkspaceLocation[];
}

const BUILD_SCRIPTS = ['build', 'prepare', 'prepack'] as const;

type BuildScript = (typeof BUILD_SCRIPTS)[number];

/** A request that leads to a workspace now. */
interface Redirect {
  readonly from: WorkspaceLocation;
  readonly to: WorkspaceLocation;
}

/** Which of the workspaces that requests lead to now have to be built before those who ask; in the order of the workspaces. */
export function findUnbuilt({ workspaces, files }: Project, redirects: readonly Redirect[]): readonly Unbuilt[] {
  const unbuilt = workspaces.flatMap(
    (workspace): readonly (Omit<Unbuilt, 'script' | 'workspace'> & { readonly workspace: Workspace })[] => {
      const asking = new Set(redirects.filter(({ to }) => to.path === workspace.path).map(({ from }) => from.path));
      const missing = asking.size === 0 ? undefined : missingEntry(workspace, files);
      return missing === undefined
        ? []
        : [{ workspace, missing, dependents: workspaces.filter(({ path }) => asking.has(path)).map(asLocation) }];
    },
  );
  // One command can build all of them in their order only by a script that all have.
  const common = BUILD_SCRIPTS.filter((script) => unbuilt.every(({ workspace }) => hasScript(workspace, script)));
  return unbuilt.map(({ workspace, ...rest }) => {
    const script = [...common, ...BUILD_SCRIPTS].find((one) => hasScript(workspace, one));
    return { workspace: asLocation(workspace), script, ...rest };
  });
}

/**
 * The first entry point of a workspace that is no file of the repository; `undefined`: all are there, or none is named. One that names none, and is published from
 * a folder that a build makes (`pkgRoot`), has its entry points there, unless there is an index beside its manifest.
 */
export function missingEntry(workspace: Workspace, files: Project['files']): EntryPoint | undefined {
  const entries = entryPointsOf(workspace.manifest);
  const built = entries.length === 0 ? publishedFolder({ files }, workspace.path, workspace.manifest.raw) : undefined;
  if (entries.length === 0 && built === undefined) return undefined;
  const known = new Set<string>(files.paths);
  if (built !== undefined) return isThere(workspace, { path: 'index' }, known) ? undefined : { field: 'main', path: built };
  return entries.find((one) => !isThere(workspace, one, known));
}

/** As `require` looks for a file: without its ending, and a folder by its index. */
const ENDINGS = ['', '.js', '.json', '.node', '.mjs', '.cjs', '.d.ts', '/index.js', '/index.json', '/index.node', '/index.d.ts'];

function isThere({ path: folder }: Workspace, { path }: Pick<EntryPoint, 'path'>, known: ReadonlySet<string>): boolean {
  const file = [folder, path.replace(/\/$/, '')].filter((part) => part !== '' && part !== '.').join('/');
  return ENDINGS.some((ending) => known.has(`${file}${ending}`));
}

function hasScript({ manifest: { raw } }: Workspace, script: BuildScript): boolean {
  return isPlainObject(raw['scripts']) && typeof raw['scripts'][script] === 'string';
}
