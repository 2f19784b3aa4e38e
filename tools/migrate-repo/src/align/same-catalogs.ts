import type { Workspace } from '@tributary/workspaces/discover';
import type { Catalogs } from '@tributary/workspaces/ranges';
import type { Project } from './project.js';
import { catalogEntries } from './settings/catalogs.js';
import { readImportedPackageSettings } from './settings/imported-package-settings.js';

/**
 * Returns the root's catalogs without entries for which an imported package had another range in its own catalogs,
 * because its `catalog:` referred to that.
 */
export function sameCatalogs(workspace: Workspace, catalogs: Catalogs, { importedPackages, files }: Project): Catalogs {
  const importedPackage = importedPackages.find(({ path }) => path === workspace.path);
  if (importedPackage === undefined || catalogs.size === 0) return catalogs;
  const other = catalogEntries(readImportedPackageSettings(importedPackage, files)).filter(
    ({ catalog, name, range }) => catalogs.get(catalog)?.get(name) !== range,
  );
  const isOther = (catalog: string, name: string): boolean => other.some((one) => one.catalog === catalog && one.name === name);
  return new Map(
    [...catalogs].map(([catalog, entries]) => [catalog, new Map([...entries].filter(([name]) => !isOther(catalog, name)))] as const),
  );
}
