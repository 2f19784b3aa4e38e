import { Draft } from '../edit/draft.js';
import type { Project, StepOutcome } from './project.js';
import { carryCatalogs } from './settings/catalogs.js';
import { carryExtensions } from './settings/extensions.js';
import { findForeignHosts } from './settings/foreign-hosts.js';
import { readImportedPackageSettings } from './settings/imported-package-settings.js';
import { carryOverrides } from './settings/overrides.js';
import { carryPatches } from './settings/patches.js';
import { carryRegistries } from './settings/registries.js';
import type { SettingFinding, SettingNote, SettingScene } from './settings/scene.js';
import { compareYarnSettings } from './settings/yarn-differences.js';

/** Each changes the draft. */
const CARRIERS: readonly ((scene: SettingScene) => readonly SettingNote[])[] = [
  carryPatches,
  carryOverrides,
  carryExtensions,
  carryCatalogs,
  carryRegistries,
  findForeignHosts,
  compareYarnSettings,
];

/**
 * Carries over what the imported packages said at their own roots about versions and registries, which Yarn reads at the root only. Nothing is done that changes what
 * another workspace gets; what cannot be said for the imported package alone is left to a person, and stays where it stood. No credential is read into an edit or a finding.
 * It reads lockfile-free files of package managers (`.yarnrc.yml`, `.npmrc`, …) as they came, so it has to run before they are taken away.
 * Throws `MANIFEST_INVALID`, and `CONFIG_INVALID` where the .yarnrc.yml of the root cannot be read.
 */
export function carrySettings(project: Project): StepOutcome<SettingFinding> {
  const draft = new Draft(project.files);
  const findings = project.importedPackages.flatMap((importedPackage) => {
    const settings = readImportedPackageSettings(importedPackage, draft);
    const notes = CARRIERS.flatMap((carry) => carry({ project, importedPackage, draft, settings }));
    return notes.map((note): SettingFinding => ({ importedPackage: importedPackage.name, ...note }));
  });
  return { edits: draft.edits, findings };
}
