import type { InternalChoices } from '../choices.js';
import { directDependencies } from '../lock/direct.js';
import type { ImportedPackage, Project } from '../project.js';
import { developmentDeclaration, replacedBy } from './declaration.js';
import type { BroughtPeer } from './phantom.js';
import { surroundingsOf } from './surroundings.js';

/**
 * The peers that an imported package's package manager had brought, as its manifest is now. Its own, and those of what it asks for, are to be declared for development:
 * so they are there as they were, and nobody who installs the package gets anything else.
 */
export function findBroughtPeers(project: Project, importedPackage: ImportedPackage, choices: InternalChoices): readonly BroughtPeer[] {
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
