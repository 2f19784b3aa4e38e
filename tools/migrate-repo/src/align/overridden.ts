import type { ImportedPackage, Project } from './project.js';
import { readImportedPackageSettings } from './settings/imported-package-settings.js';
import { overridesIn } from './settings/overrides.js';

/**
 * Returns the packages whose versions an imported package overrides for its own requests at its own root, regardless of
 * ranges: `resolutions`, and `overrides` of npm and pnpm. Throws `MANIFEST_INVALID`.
 */
export function overriddenBy(importedPackage: ImportedPackage, { files }: Project): ReadonlySet<string> {
  const overrides = overridesIn(readImportedPackageSettings(importedPackage, files)).flatMap((parsed) => parsed.overrides);
  return new Set(overrides.flatMap(({ name, parent }) => (parent === undefined || parent.name === importedPackage.name ? [name] : [])));
}
