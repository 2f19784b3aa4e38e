import type { ImportedPackage, Project } from './project.js';
import { readImportedPackageSettings } from './settings/imported-package-settings.js';
import { overridesIn } from './settings/overrides.js';

/**
 * The packages whose versions an imported package decides at its own root for what it asks for itself, whatever its ranges say: `resolutions`, `overrides` of npm and
 * pnpm. Throws `MANIFEST_INVALID`.
 */
export function overriddenBy(importedPackage: ImportedPackage, { files }: Project): ReadonlySet<string> {
  const overrides = overridesIn(readImportedPackageSettings(importedPackage, files)).flatMap((parsed) => parsed.overrides);
  return new Set(overrides.flatMap(({ name, parent }) => (parent === undefined || parent.name === importedPackage.name ? [name] : [])));
}
