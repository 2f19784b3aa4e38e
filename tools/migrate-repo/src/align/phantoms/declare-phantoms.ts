import type { InternalConfig } from '@tributary/model/config';
import { DEFAULT_CONFIG } from '@tributary/model/config';
import { directDependencies } from '../lock/direct.js';
import { editManifests, type ManifestChange } from '../manifest-edits.js';
import type { ImportedPackage, Monorepo, StepOutcome } from '../project.js';
import { developmentDeclaration, replacedBy } from './declaration.js';
import { searchPhantoms } from './find-phantoms.js';
import type { BroughtPeer, PhantomFinding } from './phantom.js';
import { surroundingsOf } from './surroundings.js';

/**
 * Declares packages that imported packages use without declaring them, in the version of the old lockfile, and the
 * peers that their package managers had installed. Existing declarations are not changed. Findings are ordered by
 * imported package: used packages by name, other peers by name, then unreadable files.
 */
export function declarePhantoms(project: Monorepo, choices: InternalConfig = DEFAULT_CONFIG.migrate.internal): StepOutcome<PhantomFinding> {
  const findings: PhantomFinding[] = [];
  const changes: ManifestChange[] = [];
  for (const importedPackage of project.importedPackages) {
    const { phantoms, unread } = searchPhantoms(project, importedPackage, choices);
    const used = new Set(phantoms.map((phantom) => phantom.package));
    const peers = findBroughtPeers(project, importedPackage, choices).filter(({ name }) => !used.has(name));
    findings.push(...phantoms.map((phantom) => ({ finding: 'phantom' as const, importedPackage: importedPackage.name, ...phantom })));
    findings.push(...peers.map((peer) => ({ finding: 'brought peer' as const, importedPackage: importedPackage.name, ...peer })));
    findings.push(...unread.map((file) => ({ finding: 'unread file' as const, importedPackage: importedPackage.name, file })));
    for (const { name, declared } of [...phantoms.map((phantom) => ({ ...phantom, name: phantom.package })), ...peers])
      if (declared !== undefined) changes.push({ folder: importedPackage.path, name, ...declared });
  }
  return { edits: editManifests(project.files, changes), findings };
}

/**
 * Returns the peers that an imported package's package manager had installed, given its current manifest. Its own
 * peers, and those of its dependencies, become devDependencies. So they are installed as before, and nothing changes
 * for consumers.
 */
function findBroughtPeers(project: Monorepo, importedPackage: ImportedPackage, choices: InternalConfig): readonly BroughtPeer[] {
  const { oldLock } = importedPackage;
  if (oldLock === undefined || oldLock.peers.length === 0) return [];
  const around = surroundingsOf(project, importedPackage, choices.packer);
  const known = directDependencies(around.workspace.manifest);
  const manager = oldLock.kind === 'pnpm' ? 'pnpm' : 'npm';
  return oldLock.peers.flatMap((peer): readonly BroughtPeer[] => {
    if (known.has(peer.name) || peer.name === importedPackage.name) return [];
    const declared = peer.reach === 'indirect' ? undefined : developmentDeclaration(peer.name, around, choices);
    return [{ ...peer, manager, declared, change: declared === undefined ? undefined : replacedBy(declared, peer.name, around) }];
  });
}
