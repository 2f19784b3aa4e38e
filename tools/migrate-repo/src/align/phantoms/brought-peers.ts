import type { InternalChoices } from '../choices.js';
import { directDependencies } from '../lock/direct.js';
import type { ImportedPackage, MigrationProject } from '../project.js';
import { developmentDeclaration, replacedBy } from './declaration.js';
import type { BroughtPeer } from './phantom.js';
import { surroundingsOf } from './surroundings.js';

/**
 * Returns the peers that an imported package's package manager had installed, given its current manifest. Its own
 * peers, and those of its dependencies, become devDependencies. So they are installed as before, and nothing changes
 * for consumers.
 */
export function findBroughtPeers(
  project: MigrationProject,
  importedPackage: ImportedPackage,
  choices: InternalChoices,
): readonly BroughtPeer[] {
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
