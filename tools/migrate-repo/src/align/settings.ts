import { Draft } from '../edit/draft.js';
import type { Monorepo, StepOutcome } from './project.js';
import { carryCatalogs } from './settings/catalogs.js';
import { carryExtensions } from './settings/extensions.js';
import { findForeignHosts } from './settings/foreign-hosts.js';
import { readImportedPackageSettings } from './settings/imported-package-settings.js';
import { carryOverrides } from './settings/overrides.js';
import { carryPatches } from './settings/patches.js';
import { carryRegistries } from './settings/registries.js';
import type { SettingFinding, SettingInput, SettingNote } from './settings/setting-input.js';
import { compareYarnSettings } from './settings/yarn-differences.js';

/** The functions that carry settings. Each edits the draft. */
const CARRIERS: readonly ((input: SettingInput) => readonly SettingNote[])[] = [
  carryPatches,
  carryOverrides,
  carryExtensions,
  carryCatalogs,
  carryRegistries,
  findForeignHosts,
  compareYarnSettings,
];

/**
 * Carries over the imported packages' root settings about versions and registries, which Yarn reads only at the root.
 * Nothing changes what another workspace gets. A setting that cannot be limited to the imported package is left in
 * place, for a person to decide. No credential gets into an edit or a finding. Reads the original settings files of
 * package managers (`.yarnrc.yml`, `.npmrc`, …), so it must run before they are removed. Throws `MANIFEST_INVALID`, and
 * `CONFIG_INVALID` if the root's .yarnrc.yml is unreadable.
 */
export function carrySettings(project: Monorepo): StepOutcome<SettingFinding> {
  const draft = new Draft(project.files);
  const findings = project.importedPackages.flatMap((importedPackage) => {
    const settings = readImportedPackageSettings(importedPackage, draft);
    const notes = CARRIERS.flatMap((carry) => carry({ project, importedPackage, draft, settings }));
    return notes.map((note): SettingFinding => ({ importedPackage: importedPackage.name, ...note }));
  });
  return { edits: draft.edits, findings };
}
