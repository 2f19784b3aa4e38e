import type { AbsolutePath } from '@tributary/model/paths';
import type { Workspace } from '@tributary/workspaces/discover';
import { dependenciesOf, thinLock, writeScratch } from './convert-lock.js';
import { runYarn, type YarnContext } from './yarn.js';

export interface AloneInput {
  /** Empty, and in no project; it may be removed afterwards. */
  readonly folder: AbsolutePath;
  readonly importedPackages: readonly Workspace[];
  readonly rootLock: string;
  /** Those that plain ranges may lead to. */
  readonly workspaces: readonly Workspace[];
  /** `resolutions` of the root, which may lead to workspaces too. */
  readonly resolutions?: ReadonlyMap<string, string>;
  /** The name of what could not be resolved: another failure tells nothing of it. */
  readonly missing: string;
}

/**
 * Finds the first imported package for which a dependency cannot be resolved, each in a project apart: Yarn names what it cannot resolve, and not what asks for that.
 * `undefined` where each can be alone. Throws as `runYarn`.
 */
export async function findUnresolved(context: YarnContext, input: AloneInput): Promise<Workspace | undefined> {
  for (const [at, importedPackage] of input.importedPackages.entries()) {
    const folder = `${input.folder}/alone-${at}` as AbsolutePath;
    const manifests = [dependenciesOf(importedPackage, input)];
    writeScratch(context, folder, { manifests, lock: thinLock(new Map(), input.rootLock) });
    const { messages } = await runYarn({ ...context, onMessage: undefined }, ['install', '--mode=update-lockfile'], folder);
    if (messages.some(({ type, text }) => type === 'error' && text.startsWith(`${input.missing}@`))) return importedPackage;
  }
  return undefined;
}
