import type { Workspace } from '@tributary/workspaces/discover';
import { asLocation } from '../align/declared.js';
import type { Monorepo } from '../align/project.js';
import type { MayAsk } from '../align/who-asks.js';
import type { InstallScripts } from '../alignment.js';
import { installScriptsOf } from '../fields.js';

export function importedPackagesOf({ importedPackages, workspaces }: Monorepo): readonly Workspace[] {
  const folders = new Set<string>(importedPackages.map(({ path }) => path));
  return workspaces.filter(({ path }) => folders.has(path));
}

/** Returns the workspaces that an error of an installation may name, the imported packages first. */
export function askersIn(project: Monorepo): readonly MayAsk[] {
  const came = importedPackagesOf(project);
  const others = project.workspaces.filter((workspace) => !came.includes(workspace));
  return [...came, ...others].map((workspace) => ({
    member: asLocation(workspace),
    manifest: workspace.manifest,
    isNew: came.includes(workspace),
    lockFolder: workspace.path,
  }));
}

/** Returns the imported packages whose scripts every installation runs. */
export function installScriptsIn(askers: readonly MayAsk[]): readonly InstallScripts[] {
  return askers.flatMap(({ isNew, member, manifest }) => {
    const scripts = isNew ? installScriptsOf(manifest.raw) : [];
    return scripts.length === 0 ? [] : [{ name: member.name, scripts }];
  });
}
