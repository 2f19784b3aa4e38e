import type { AbsolutePath } from '@tributary/model/paths';
import type { Workspace } from '@tributary/workspaces/discover';
import { dependenciesOf, thinLock, writeScratch } from './convert-lock.js';
import { runYarn, type YarnContext } from './yarn.js';

export interface UnresolvedInput {
  /** An empty folder outside any project. It may be removed afterwards. */
  readonly folder: AbsolutePath;
  readonly importedPackages: readonly Workspace[];
  readonly rootLock: string;
  /** Workspaces that plain ranges may resolve to. */
  readonly workspaces: readonly Workspace[];
  /** `resolutions` of the root, which may lead to workspaces too. */
  readonly resolutions?: ReadonlyMap<string, string>;
  /** The name of the package that could not be resolved. Errors about others are ignored. */
  readonly missing: string;
}

/**
 * Returns the first imported package with an unresolvable dependency, by resolving each in a separate scratch project.
 * Yarn names the unresolvable package, but not its dependent. Returns `undefined` if each resolves alone. Throws as
 * `runYarn`.
 */
export async function findUnresolved(context: YarnContext, input: UnresolvedInput): Promise<Workspace | undefined> {
  for (const [at, importedPackage] of input.importedPackages.entries()) {
    const folder = `${input.folder}/alone-${at}` as AbsolutePath;
    const manifests = [dependenciesOf(importedPackage, input)];
    writeScratch(context, folder, { manifests, lock: thinLock(new Map(), input.rootLock) });
    const { messages } = await runYarn({ ...context, onMessage: undefined }, ['install', '--mode=update-lockfile'], folder);
    if (messages.some(({ type, text }) => type === 'error' && text.startsWith(`${input.missing}@`))) return importedPackage;
  }
  return undefined;
}
