import { isToolError } from '@tributary/model/errors';
import type { ForgeRepository } from '@tributary/model/forge';
import { parseWorkspaceName, type WorkspaceName } from '@tributary/model/ids';
import { type Manifest, parseManifest } from '@tributary/workspaces/manifest';
import { nameOf } from './name-repository.js';
import { type OrderedPackage, orderImportedPackages } from './order.js';

/** Why a repository is no package to be migrated. */
export type NoPackage =
  | 'archived'
  | 'fork'
  | 'this monorepo'
  | 'no package.json'
  | 'unreadable package.json'
  | 'no name'
  | 'workspaces'
  | 'name taken';

export interface LeftOutRepository {
  readonly repository: string;
  readonly reason: NoPackage;
  /** What a person should know beside the reason; `undefined`: nothing. */
  readonly detail: string | undefined;
}

/** A package that a repository holds. */
export interface FoundPackage extends OrderedPackage {
  readonly repository: ForgeRepository;
}

/** What tributary.json names already: names of packages and their addresses. */
export type KnownSources = ReadonlyMap<string, string>;

export interface SortedRepositories {
  /** New ones, dependencies first. */
  readonly added: readonly FoundPackage[];
  /** Names that tributary.json has already for these repositories, or for packages of these names. */
  readonly kept: readonly string[];
  /** In the order given. */
  readonly leftOut: readonly LeftOutRepository[];
}

/** What tells before any file is read that a repository is no package; `undefined`: nothing. */
export function leftOutUnread(repository: ForgeRepository, monorepo: string | undefined): NoPackage | undefined {
  if (repository.state === 'archived') return 'archived';
  if (repository.origin === 'fork') return 'fork';
  return monorepo !== undefined && sameRepository(repository.addresses.https, monorepo) ? 'this monorepo' : undefined;
}

/** Sorts repositories with the texts of their package.json; `undefined`: there is none. What tributary.json says already stays as it is. */
export function sortRepositories(
  read: readonly { readonly repository: ForgeRepository; readonly text: string | undefined }[],
  known: KnownSources,
): SortedRepositories {
  const added: FoundPackage[] = [];
  const kept: string[] = [];
  const leftOut: LeftOutRepository[] = [];
  for (const { repository, text } of read) {
    const named = [...known].find(([, source]) => sameRepository(repository.addresses.https, source))?.[0];
    if (named !== undefined) {
      kept.push(named);
      continue;
    }
    const found = readPackage(repository, text);
    if ('reason' in found) leftOut.push(found);
    else if (known.has(found.name)) kept.push(found.name);
    else {
      const twin = added.find(({ name }) => name === found.name);
      if (twin === undefined) added.push(found);
      else leftOut.push(leave(repository, 'name taken', `${found.name} is also the name of ${twin.repository.name}`));
    }
  }
  return { added: orderImportedPackages(added), kept, leftOut };
}

function readPackage(repository: ForgeRepository, text: string | undefined): FoundPackage | LeftOutRepository {
  if (text === undefined) return leave(repository, 'no package.json');
  try {
    const manifest = parseManifest(text, 'package.json');
    const { raw } = manifest;
    if (typeof raw['name'] !== 'string') return leave(repository, 'no name');
    if ('workspaces' in raw) return leave(repository, 'workspaces');
    return { repository, name: parseWorkspaceName(raw['name']), dependsOn: namesIn(manifest) };
  } catch (error) {
    if (!isToolError(error)) throw error;
    return leave(repository, 'unreadable package.json', error.message);
  }
}

function leave({ name }: ForgeRepository, reason: NoPackage, detail?: string): LeftOutRepository {
  return { repository: name, reason, detail };
}

function namesIn({ dependencies, devDependencies, peerDependencies, optionalDependencies }: Manifest): ReadonlySet<WorkspaceName | string> {
  return new Set([dependencies, devDependencies, peerDependencies, optionalDependencies].flatMap((block) => [...block.keys()]));
}

/** Whether two addresses lead to the same repository, whatever way they take there. */
function sameRepository(one: string, other: string): boolean {
  const [a, b] = [nameOf(one), nameOf(other)];
  return a !== undefined && a.name.toLowerCase() === b?.name.toLowerCase();
}
