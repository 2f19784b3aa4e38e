import { isToolError } from '@tributary/model/errors';
import type { ForgeRepository } from '@tributary/model/forge';
import { parseWorkspaceName } from '@tributary/model/ids';
import { parseManifest } from '@tributary/workspaces/manifest';
import type { NoPackage } from '../result/result.js';
import { nameOf } from './name-repository.js';
import { namesIn, type OrderedPackage, orderImportedPackages } from './order.js';

export interface LeftOutRepository {
  readonly repository: string;
  readonly reason: NoPackage;
  /** More about the reason; `undefined` if there is nothing more. */
  readonly detail: string | undefined;
}

/** A package in a repository. */
export interface FoundPackage extends OrderedPackage {
  readonly repository: ForgeRepository;
}

/** Packages in tributary.json: their names and addresses. */
export type KnownSources = ReadonlyMap<string, string>;

export interface SortedRepositories {
  /** New packages, dependencies first. */
  readonly added: readonly FoundPackage[];
  /** Names in tributary.json that already have these repositories, or these packages. */
  readonly kept: readonly string[];
  /** In the given order. */
  readonly leftOut: readonly LeftOutRepository[];
}

/** Returns why a repository is not a package, as far as known before reading its files; `undefined` if nothing speaks against it. */
export function leftOutUnread(repository: ForgeRepository, monorepo: string | undefined): NoPackage | undefined {
  if (repository.state === 'archived') return 'archived';
  if (repository.origin === 'fork') return 'fork';
  return monorepo !== undefined && sameRepository(repository.addresses.https, monorepo) ? 'this monorepo' : undefined;
}

/** Sorts repositories by the texts of their package.json; `undefined` if there is none. Existing entries of tributary.json are kept. */
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

/** Whether two addresses lead to the same repository, by any protocol. */
function sameRepository(one: string, other: string): boolean {
  const [a, b] = [nameOf(one), nameOf(other)];
  return a !== undefined && a.name.toLowerCase() === b?.name.toLowerCase();
}
