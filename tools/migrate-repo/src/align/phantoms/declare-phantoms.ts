import { DEFAULT_CONFIG } from '@tributary/model/config';
import type { InternalChoices } from '../choices.js';
import { editManifests, type ManifestChange } from '../manifest-edits.js';
import type { MigrationProject, StepOutcome } from '../project.js';
import { findBroughtPeers } from './brought-peers.js';
import { searchPhantoms } from './find-phantoms.js';
import type { PhantomFinding } from './phantom.js';

/**
 * Declares packages that imported packages use without declaring them, in the version of the old lockfile, and the
 * peers that their package managers had installed. Existing declarations are not changed. Findings are ordered by
 * imported package: used packages by name, other peers by name, then unreadable files.
 */
export function declarePhantoms(
  project: MigrationProject,
  choices: InternalChoices = DEFAULT_CONFIG.migrate.internal,
): StepOutcome<PhantomFinding> {
  const findings: PhantomFinding[] = [];
  const changes: ManifestChange[] = [];
  for (const importedPackage of project.importedPackages) {
    const { phantoms, unread } = searchPhantoms(project, importedPackage, choices);
    const used = new Set(phantoms.map((phantom) => phantom.package));
    const peers = findBroughtPeers(project, importedPackage, choices).filter(({ name }) => !used.has(name));
    findings.push(...phantoms.map((phantom) => ({ finding: 'phantom' as const, importedPackage: importedPackage.name, ...phantom })));
    findings.push(...peers.map((peer) => ({ finding: 'brought peer' as const, importedPackage: importedPackage.name, ...peer })));
    findings.push(...unread.map((file) => ({ finding: 'unread file' as const, importedPackage: importedPackage.name, ...file })));
    for (const { name, declared } of [...phantoms.map((phantom) => ({ ...phantom, name: phantom.package })), ...peers])
      if (declared !== undefined) changes.push({ folder: importedPackage.path, name, ...declared });
  }
  return { edits: editManifests(project.files, changes), findings };
}
